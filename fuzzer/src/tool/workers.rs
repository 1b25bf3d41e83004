//! The supervisor's side of a tool: one worker after the other, each until it is done or dies of an input.
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Result, bail};

use super::limits::Limits;
use crate::{
    report::{
        finding::{Finding, Kind},
        symbols::Symbols,
    },
    shared::{Phase, Shared},
    signals,
    supervisor::watch::Watch,
    worker::{self, Output, Target, leaks::LEAKS_CANNOT_BE_FOUND},
};

/// How a worker ended.
#[derive(Debug)]
pub enum Outcome {
    /// It did all there was to do.
    Done,
    /// It took too much memory by and by; the next one goes on.
    Recycle,
    /// The input in the control page was its death.
    Died(Finding),
    /// The user wants to stop.
    Interrupted,
}

/// Starts workers.
#[derive(Debug)]
pub struct Workers {
    target: Target,
    /// What they share with us.
    pub shared: Shared,
    limits: Limits,
    symbols: Symbols,
}

impl Workers {
    /// For inputs of at most `max_len` bytes, and this many domains, coverage included.
    pub fn new(target: Target, max_len: usize, n_domains: usize, limits: Limits) -> Result<Self> {
        signals::hold()?;
        Ok(Self { target, shared: Shared::new(max_len, n_domains)?, limits, symbols: Symbols::default() })
    }

    /// Runs `work` in a worker. It says at its end which phase it leaves: done, or recycle when asked to.
    pub fn run(&mut self, work: impl FnOnce(Target, Shared) -> Result<Phase>) -> Result<Outcome> {
        let (target, shared) = (self.target, self.shared);
        let control = shared.control;
        control.recycle.store(0, Relaxed);
        control.forget_refusals();
        let pid = worker::spawn(control, Output::Discarded, target, || {
            control.set_phase(work(target, shared)?);
            Ok(())
        })?;
        let mut watch = Watch::new(pid, control, self.limits.timeout, self.limits.rss_limit);
        let end = loop {
            if watch.was_interrupted() {
                watch.kill();
            }
            if let Some(end) = watch.step()? {
                break end;
            }
        };
        if end.killed_while_stopping || watch.was_interrupted() {
            return Ok(Outcome::Interrupted);
        }
        let kind = match control.phase() {
            Phase::Overwrote => Kind::OverwritesInput,
            Phase::Leaked => Kind::Leak,
            Phase::Refused => Kind::Refused,
            _ => end.kind(),
        };
        match control.phase() {
            Phase::Done => Ok(Outcome::Done),
            Phase::Recycle => Ok(Outcome::Recycle),
            Phase::Failed => bail!("{}", control.message()),
            Phase::LooksForLeaks => bail!("{LEAKS_CANNOT_BE_FOUND}; go on without them by --no-leaks"),
            Phase::Run | Phase::Overwrote | Phase::Leaked | Phase::Refused => {
                Ok(Outcome::Died(Finding::of(control, kind, &mut self.symbols)))
            }
            Phase::Start | Phase::Engine => {
                let finding = Finding::of(control, kind, &mut self.symbols);
                bail!(
                    "the target ended outside of any run, in LLVMFuzzerInitialize or a thread: {}\n{}",
                    finding.headline(),
                    finding.stack_lines()
                );
            }
        }
    }
}
