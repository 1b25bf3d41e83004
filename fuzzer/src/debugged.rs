//! Replays under a debugger: in this very process and without limits, so that the debugger sees what happens where it
//! happens, and the process dies of the signal itself.
use std::{fs, path::Path};

use anyhow::{Context, Result};
use waypoint_runtime::{harness, validity};

use crate::{
    EXIT_CLEAN, EXIT_FINDING,
    plan::ReplayPlan,
    replay,
    report::finding::Kind,
    say,
    worker::{Target, buffer::Buffer},
};

/// Whether a debugger, or something like it, traces this process.
pub fn is_traced() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|pid| pid.trim() != "0")
}

/// Runs every file.
pub fn replay(plan: &ReplayPlan, target: Target) -> Result<u8> {
    say("traced by a debugger, so files are run in this process and without limits");
    // SAFETY: these are `main`'s arguments, passed on once.
    unsafe { harness::hooks().initialize(target.argc, target.argv) };
    let mut code = EXIT_CLEAN;
    for file in &plan.files {
        if one(file, plan.repeat, target)? {
            code = EXIT_FINDING;
        }
    }
    // SAFETY: a plain call; what the target has printed is to be seen, and we leave by `_exit`.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    Ok(code)
}

/// Whether the runs of a file went wrong in a way that one survives.
fn one(file: &Path, repeat: u64, target: Target) -> Result<bool> {
    let input = fs::read(file).with_context(|| crate::files::cannot_read(file))?;
    let mut buffer = Buffer::new(input.len());
    let mut overwritten = false;
    let mut remark = String::new();
    for _ in 0..repeat {
        // SAFETY: `data` points at `len` bytes that stay valid during the call.
        let call = |data, len| unsafe { harness::call(target.test_one_input, data, len) };
        validity::reset();
        let outcome = buffer.with(&input, call);
        overwritten |= outcome.overwritten;
        remark = replay::remark(outcome.value).unwrap_or_default();
    }
    let how = match overwritten {
        true => Kind::OverwritesInput.to_string(),
        false => format!("ok ({} bytes){remark}", input.len()),
    };
    say(&format!("{}: {how}", file.display()));
    Ok(overwritten)
}
