//! Replays files: each runs in a worker of its own, and what goes wrong is reported with its stack.
use std::{
    fs,
    io::{Write, stderr},
    path::Path,
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use waypoint_runtime::{
    harness,
    recording::{Recorder, Recording},
    validity,
};

use crate::{
    EXIT_CLEAN, EXIT_FINDING, EXIT_INTERRUPTED, files,
    guidance::bytes,
    plan::ReplayPlan,
    report::{
        finding::{Finding, Kind},
        symbols::Symbols,
    },
    shared::{Control, Phase},
    signals,
    supervisor::{final_stats::FinalStats, watch::Watch},
    worker::{
        self, Output, Target,
        buffer::Buffer,
        fork_guard,
        leaks::{LEAKS_CANNOT_BE_FOUND, Leaks, Report},
        refusal,
    },
};

/// Runs every file and says how it went.
pub fn replay(plan: &ReplayPlan, target: Target) -> Result<u8> {
    signals::hold()?;
    let start = Instant::now();
    let mut replay = Replay { plan, target, symbols: Symbols::default(), runs: 0, slowest: Duration::ZERO };
    let mut code = EXIT_CLEAN;
    let mut unread = Ok(());
    for file in &plan.files {
        let input = match fs::read(file).with_context(|| files::cannot_read(file)) {
            Ok(input) => input,
            // The others may be findings.
            Err(error) => {
                unread = match unread {
                    Ok(()) => Err(error),
                    Err(first) => {
                        eprintln!("waypoint: {error:#}");
                        Err(first)
                    }
                };
                continue;
            }
        };
        match replay.one(file, &input)? {
            Outcome::Fine => {}
            Outcome::Finding(kind) if code == EXIT_CLEAN => {
                code = if plan.kind_in_exit_code { kind.exit_code() } else { EXIT_FINDING };
            }
            Outcome::Finding(_) => {}
            Outcome::Interrupted if plan.kind_in_exit_code => {
                code = EXIT_INTERRUPTED;
                break;
            }
            Outcome::Interrupted => bail!("interrupted while replaying {}", file.display()),
        }
    }
    if plan.final_stats {
        let Replay { runs, slowest, .. } = replay;
        eprint!("{}", FinalStats { executed_units: runs, elapsed: start.elapsed(), new_units: 0, slowest });
    }
    if code == EXIT_CLEAN {
        unread?;
    } else if let Err(error) = unread {
        eprintln!("waypoint: {error:#}");
    }
    Ok(code)
}

/// How the runs of one file went.
enum Outcome {
    Fine,
    Finding(Kind),
    Interrupted,
}

struct Replay<'a> {
    plan: &'a ReplayPlan,
    target: Target,
    symbols: Symbols,
    runs: u64,
    slowest: Duration,
}

impl Replay<'_> {
    fn one(&mut self, file: &Path, input: &[u8]) -> Result<Outcome> {
        let (plan, target) = (self.plan, self.target);
        let control = Control::new(input.len())?;
        let pid = worker::spawn(control, Output::Inherited, target, || {
            let mut buffer = Buffer::new(input.len());
            let mut leaks = Leaks::new(control, plan.leaks, Report::Aloud);
            let mut overwritten = false;
            let mut recorder = Recorder::new(Recording {
                alloc: true,
                malloc_limit: if plan.malloc_limit == 0 { u64::MAX } else { plan.malloc_limit },
                refused: Some(refusal::handler(control)),
                ..Recording::default()
            });
            for _ in 0..plan.repeat {
                recorder.reset();
                recorder.begin(false, false);
                validity::reset();
                control.begin_run(input);
                // SAFETY: `data` points at `len` bytes that stay valid during the call.
                let call = |data, len| unsafe { harness::call(target.test_one_input, data, len) };
                let outcome = buffer.with(input, |data, len| leaks.watch(|| call(data, len)));
                if !fork_guard::is_original() {
                    break;
                }
                control.end_run();
                control.tell(&remark(outcome.value).unwrap_or_default());
                overwritten |= outcome.overwritten;
                if overwritten {
                    break;
                }
                if leaks.are_suspected() {
                    flush();
                    leaks.check()?;
                }
            }
            flush();
            if fork_guard::is_original() {
                let refused = control.refused_size.load(Relaxed) != 0;
                control.set_phase(match (overwritten, refused) {
                    (true, _) => Phase::Overwrote,
                    (_, true) => Phase::Refused,
                    _ => Phase::Done,
                });
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
        self.runs += control.runs.load(Relaxed);
        self.slowest = self.slowest.max(watch.slowest());
        if end.killed_while_stopping || watch.was_interrupted() {
            return Ok(Outcome::Interrupted);
        }
        let mut out = stderr().lock();
        match control.phase() {
            phase @ (Phase::Done | Phase::LooksForLeaks) => {
                if phase == Phase::LooksForLeaks {
                    writeln!(out, "waypoint: {LEAKS_CANNOT_BE_FOUND}; --no-leaks leaves them alone")?;
                }
                let remark = control.message();
                writeln!(out, "waypoint: {}: ok ({} bytes){remark}", file.display(), input.len())?;
                Ok(Outcome::Fine)
            }
            Phase::Failed => bail!("{}", control.message()),
            phase => {
                let kind = match phase {
                    Phase::Overwrote => Kind::OverwritesInput,
                    Phase::Leaked => Kind::Leak,
                    Phase::Refused => Kind::Refused,
                    _ if self.plan.allocations_are_limited => Finding::refused_or(end.kind(), control),
                    _ => end.kind(),
                };
                let finding = Finding::of(control, kind, &mut self.symbols);
                writeln!(out, "waypoint: {}: {}", file.display(), finding.headline())?;
                if let Some(address) = finding.address {
                    writeln!(out, "    accessing address {address:#x}")?;
                }
                let refused = control.refused_size.load(Relaxed);
                if refused != 0 && finding.kind != Kind::Refused {
                    let size = bytes(refused);
                    writeln!(
                        out,
                        "    after an allocation of {size} was refused; --malloc-limit says how much is granted"
                    )?;
                }
                write!(out, "{}", finding.stack_lines())?;
                Ok(Outcome::Finding(finding.kind))
            }
        }
    }
}

/// What is to be said of a run that went well, but whose input is invalid or not wanted.
pub fn remark(returned: i32) -> Option<String> {
    if let Some(failed) = validity::failed_assumption() {
        return Some(format!(", but invalid, since this assumption fails: {failed}"));
    }
    let rejected = ", but the harness returned -1, so that it would never be kept";
    (returned == harness::REJECT).then(|| rejected.to_owned())
}

/// Writes out what the target has printed: it is part of what a replay shows, and we leave by `_exit`.
fn flush() {
    // SAFETY: a plain call.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}
