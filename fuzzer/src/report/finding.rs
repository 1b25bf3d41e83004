//! How a run went wrong, and whether the same has been seen before.
use std::hash::{DefaultHasher, Hash, Hasher};

use nix::sys::signal::Signal;

use super::symbols::{Frame, Symbols};
use crate::{EXIT_FINDING, sanitizers, shared::Control, worker::TIMEOUT_SIGNAL};

/// How a run ended that should not have ended so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Killed by a signal.
    Crash(i32),
    /// The target ended the process with this code.
    Exit(i32),
    /// Took longer than allowed.
    Hang,
    /// Needed more memory than allowed.
    OutOfMemory,
    /// Wrote over its input, which is constant.
    OverwritesInput,
    /// Left memory behind that nothing points to.
    Leak,
}

impl Kind {
    /// Names of all kinds, and what they mean.
    pub const NAMES: [(&str, &str); 6] = [
        ("crash", "A run of the target was ended by a signal"),
        ("exit", "The target ended the process"),
        ("hang", "A run of the target took longer than allowed"),
        ("out-of-memory", "A run of the target needed more memory than allowed"),
        ("overwrites-input", "The target wrote over its constant input"),
        ("leak", "The target left memory behind that nothing points to"),
    ];

    /// One word for a machine.
    pub fn name(self) -> &'static str {
        let number = match self {
            Self::Crash(_) => 0,
            Self::Exit(_) => 1,
            Self::Hang => 2,
            Self::OutOfMemory => 3,
            Self::OverwritesInput => 4,
            Self::Leak => 5,
        };
        Self::NAMES[number].0
    }

    /// libFuzzer's exit code for it.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Crash(_) | Self::Exit(_) | Self::OverwritesInput | Self::Leak => EXIT_FINDING,
            Self::Hang => 70,
            Self::OutOfMemory => 71,
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Crash(signal) => match Signal::try_from(*signal) {
                Ok(signal) => write!(f, "crash ({signal})"),
                Err(_) => write!(f, "crash (signal {signal})"),
            },
            Self::Exit(code) => write!(f, "exit({code}) inside the harness"),
            Self::Hang => f.write_str("hang"),
            Self::OutOfMemory => f.write_str("out of memory"),
            Self::OverwritesInput => f.write_str("writes over its constant input"),
            Self::Leak => f.write_str("leak"),
        }
    }
}

/// One run that went wrong.
#[derive(Debug)]
pub struct Finding {
    /// How.
    pub kind: Kind,
    /// The address of the faulting access.
    pub address: Option<usize>,
    /// What a sanitizer calls it.
    pub report: Option<String>,
    /// Where, innermost first.
    pub stack: Vec<Frame>,
}

/// Frames that make two crashes the same.
const SIGNATURE_FRAMES: usize = 3;

impl Finding {
    /// What a dead worker left behind.
    pub fn of(control: &Control, kind: Kind, symbols: &mut Symbols) -> Self {
        let crash = &control.crash;
        let signal = crash.signal.load(std::sync::atomic::Ordering::Relaxed);
        let stack = symbols.resolve(&crash.frames(), &crash.maps());
        let is_fault = [libc::SIGSEGV, libc::SIGBUS].contains(&signal);
        let address = (is_fault && signal != TIMEOUT_SIGNAL)
            .then(|| crash.address.load(std::sync::atomic::Ordering::Relaxed));
        Self { kind, address, report: crash.report(), stack }
    }

    /// The kind of a death that looks like `kind`, where the sanitizer refuses single allocations that are too large.
    pub fn refused_or(kind: Kind, control: &Control) -> Kind {
        let refused = control.crash.report().as_deref() == Some(sanitizers::TOO_LARGE_AN_ALLOCATION);
        if refused { Kind::OutOfMemory } else { kind }
    }

    /// The frames of the code that went wrong: without the machinery at the top and the engine at the bottom.
    pub fn own_frames(&self) -> impl Iterator<Item = &Frame> {
        let is_harness = |frame: &Frame| frame.function.as_deref() == Some("LLVMFuzzerTestOneInput");
        // A harness that ends in a call may have left no frame of its own.
        let engine = self.stack.iter().position(Frame::is_engine).unwrap_or(self.stack.len());
        let end = self.stack[..engine].iter().position(is_harness).map_or(engine, |harness| harness + 1);
        let frames = &self.stack[..end];
        let after_report = frames.iter().rposition(Frame::is_report).map_or(0, |report| report + 1);
        let after_machinery = frames[after_report..].iter().position(|frame| !frame.is_machinery());
        frames[after_report + after_machinery.unwrap_or(0)..].iter()
    }

    /// Equal for findings with the same cause, as far as the stack tells. A run that we had to stop is told by its
    /// outermost frames, since the innermost depend on the moment.
    pub fn signature(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.kind.hash(&mut hasher);
        let place = |frame: &Frame| (frame.module.clone(), frame.function.clone());
        let frames: Vec<&Frame> = self.own_frames().collect();
        if matches!(self.kind, Kind::Hang | Kind::OutOfMemory) {
            for frame in frames.iter().rev().take(SIGNATURE_FRAMES) {
                place(frame).hash(&mut hasher);
            }
        } else {
            for frame in frames.iter().take(SIGNATURE_FRAMES) {
                (place(frame), frame.address).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// File and line of the innermost own frame that has them.
    pub fn place(&self) -> Option<(&str, u32)> {
        self.own_frames().find_map(Frame::place)
    }

    /// One line: what and where.
    pub fn headline(&self) -> String {
        let what = match (&self.report, self.kind) {
            (Some(size), Kind::Leak) => format!("leak of {size}"),
            (Some(report), Kind::OutOfMemory) => format!("out of memory ({report})"),
            (Some(report), _) => format!("crash ({report})"),
            (None, kind) => kind.to_string(),
        };
        match self.own_frames().next() {
            Some(frame) => format!("{what} in {frame}"),
            None => what,
        }
    }

    /// The stack, a frame a line.
    pub fn stack_lines(&self) -> String {
        self.own_frames().enumerate().map(|(n, frame)| format!("    #{n} {frame}\n")).collect()
    }
}
