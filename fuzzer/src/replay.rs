//! Replays files: each runs once in a worker of its own, and what goes wrong is reported with its stack.
use std::{
    fs,
    io::{Write, stderr},
    path::Path,
};

use anyhow::{Context, Result, bail};

use waypoint_runtime::harness;

use crate::{
    EXIT_CLEAN, EXIT_FINDING,
    plan::ReplayPlan,
    report::{
        finding::{Finding, Kind},
        symbols::Symbols,
    },
    shared::{Control, Phase},
    signals,
    supervisor::watch::Watch,
    worker::{self, Output, Target, buffer::Buffer, fork_guard},
};

/// Runs every file and says how it went.
pub fn replay(plan: &ReplayPlan, target: Target) -> Result<u8> {
    signals::hold()?;
    let mut symbols = Symbols::default();
    let mut any = false;
    for file in &plan.files {
        any |= replay_one(file, plan, target, &mut symbols)?;
    }
    Ok(if any { EXIT_FINDING } else { EXIT_CLEAN })
}

/// Whether the file is a finding.
fn replay_one(file: &Path, plan: &ReplayPlan, target: Target, symbols: &mut Symbols) -> Result<bool> {
    let input = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let control = Control::new(input.len())?;
    let pid = worker::spawn(control, Output::Inherited, target, || {
        control.begin_run(&input);
        // SAFETY: `data` points at `len` bytes that stay valid during the call.
        let outcome = Buffer::new(input.len())
            .with(&input, |data, len| unsafe { harness::call(target.test_one_input, data, len) });
        // SAFETY: a plain call; the target's output is part of what a replay shows, and we leave by `_exit`.
        unsafe { libc::fflush(std::ptr::null_mut()) };
        if fork_guard::is_original() {
            control.set_phase(if outcome.overwritten { Phase::Overwrote } else { Phase::Done });
        }
        Ok(())
    })?;
    let mut watch = Watch::new(pid, control, plan.timeout, plan.rss_limit);
    let end = loop {
        if watch.was_interrupted() {
            watch.kill();
        }
        if let Some(end) = watch.step()? {
            break end;
        }
    };
    if end.killed_while_stopping {
        bail!("interrupted while replaying {}", file.display());
    }
    let mut out = stderr().lock();
    match control.phase() {
        Phase::Done => {
            writeln!(out, "waypoint: {}: ok ({} bytes)", file.display(), input.len())?;
            Ok(false)
        }
        Phase::Failed => bail!("{}", control.message()),
        phase => {
            let kind = if phase == Phase::Overwrote { Kind::OverwritesInput } else { end.kind() };
            let finding = Finding::of(control, kind, symbols);
            writeln!(out, "waypoint: {}: {}", file.display(), finding.headline())?;
            if let Some(address) = finding.address {
                writeln!(out, "    accessing address {address:#x}")?;
            }
            write!(out, "{}", finding.stack_lines())?;
            Ok(true)
        }
    }
}
