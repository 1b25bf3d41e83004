//! How a run went wrong, and whether the same has been seen before.
use std::collections::HashSet;

use nix::sys::signal::Signal;

use super::{
    signature::Signature,
    symbols::{Frame, Symbols},
};
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
    /// Asked for more memory at once than allowed, and was refused.
    Refused,
    /// Came as far as the user asked for.
    Goal,
}

impl Kind {
    /// Names of all kinds, and what they mean.
    pub const NAMES: [(&str, &str); 8] = [
        ("crash", "A run of the target was ended by a signal"),
        ("exit", "The target ended the process"),
        ("hang", "A run of the target took longer than allowed"),
        ("out-of-memory", "A run of the target needed more memory than allowed"),
        ("overwrites-input", "The target wrote over its constant input"),
        ("leak", "The target left memory behind that nothing points to"),
        ("allocation", "The target asked for more memory at once than allowed"),
        ("goal", "A domain came as far as --until asked for"),
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
            Self::Refused => 6,
            Self::Goal => 7,
        };
        Self::NAMES[number].0
    }

    /// libFuzzer's exit code for it.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Crash(_) | Self::Exit(_) | Self::OverwritesInput | Self::Leak | Self::Goal => EXIT_FINDING,
            Self::Hang => 70,
            Self::OutOfMemory | Self::Refused => 71,
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
            Self::Refused => f.write_str("too large an allocation"),
            Self::Goal => f.write_str("goal"),
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
    /// The frame of the function that loops, if that is known.
    pub looping: Option<usize>,
}

/// Between a goal and how it was met.
const MET: &str = " met: ";

/// Frames that make two crashes the same.
const SIGNATURE_FRAMES: usize = 3;

impl Finding {
    /// What a dead worker left behind.
    pub fn of(control: &Control, kind: Kind, symbols: &mut Symbols) -> Self {
        let crash = &control.crash;
        let signal = crash.signal.load(std::sync::atomic::Ordering::Relaxed);
        let (frames, maps) = (crash.frames(), crash.maps());
        let stack = symbols.resolve(&frames, &maps);
        // Of functions inlined into one another the outermost is the one whose code loops for sure.
        let inner = crash.looping().map(|inner| symbols.resolve(&frames[..inner], &maps).len());
        let looping = inner.map(|inner| inner - 1).filter(|_| kind == Kind::Hang);
        let is_fault = [libc::SIGSEGV, libc::SIGBUS].contains(&signal);
        let address = (is_fault && signal != TIMEOUT_SIGNAL)
            .then(|| crash.address.load(std::sync::atomic::Ordering::Relaxed));
        Self { kind, address, report: crash.report(), stack, looping }
    }

    /// A goal that is met: by this value, of the key that is described so.
    pub fn of_goal(goal: &str, value: &str, place: &str) -> Self {
        let report = Some(format!("{goal}{MET}{value}, {place}"));
        Self { kind: Kind::Goal, address: None, report, stack: Vec::new(), looping: None }
    }

    /// The goal, if it is one.
    pub fn goal(&self) -> Option<&str> {
        let report = self.report.as_deref().filter(|_| self.kind == Kind::Goal)?;
        report.split_once(MET).map(|(goal, _)| goal)
    }

    /// The kind of a death that looks like `kind`, where the sanitizer refuses single allocations that are too large.
    pub fn refused_or(kind: Kind, control: &Control) -> Kind {
        let refused = control.crash.report().as_deref() == Some(sanitizers::TOO_LARGE_AN_ALLOCATION);
        if refused { Kind::OutOfMemory } else { kind }
    }

    /// The frames of the code that went wrong: without the machinery at the top and the engine at the bottom.
    pub fn own_frames(&self) -> impl Iterator<Item = &Frame> {
        let is_harness = |frame: &Frame| frame.function.as_deref() == Some("LLVMFuzzerTestOneInput");
        // That an allocation was refused, a recorder has told us.
        let ours = self.stack.iter().take_while(|frame| frame.is_engine() || frame.is_recorder()).count();
        let stack = &self.stack[ours..];
        // A harness that ends in a call may have left no frame of its own.
        let engine = stack.iter().position(Frame::is_engine).unwrap_or(stack.len());
        let end = stack[..engine].iter().position(is_harness).map_or(engine, |harness| harness + 1);
        let frames = &stack[..end];
        let after_report = frames.iter().rposition(Frame::is_report).map_or(0, |report| report + 1);
        // A heap that is corrupt shows in the allocation that a recorder asked for.
        let is_ours = |frame: &Frame| frame.is_machinery() || frame.is_recorder();
        let after_machinery = frames[after_report..].iter().position(|frame| !is_ours(frame));
        frames[after_report + after_machinery.unwrap_or(0)..].iter()
    }

    /// The frames from the code on that called the C++ library, if it went wrong in there.
    fn causing_frames(&self) -> impl Iterator<Item = &Frame> {
        let library = self.own_frames().take_while(|frame| frame.is_library()).count();
        let is_all = self.own_frames().nth(library).is_none();
        self.own_frames().skip(if is_all { 0 } else { library })
    }

    /// Equal for findings with the same cause, as far as the stack tells. A run that we had to stop is told by the
    /// functions through which it got to the one that loops, or else by the outermost ones: where exactly it is stopped
    /// depends on the moment, and how deep a recursion is on the input.
    pub fn signature(&self) -> Signature {
        if let Some(goal) = self.goal() {
            return Signature::of((self.kind, goal));
        }
        let place = |frame: &Frame| (frame.module.clone(), frame.function.clone());
        if let Some(looping) = self.looping {
            let end = self.stack.iter().position(Frame::is_engine).unwrap_or(self.stack.len());
            // What it calls in the C library is not what loops.
            let path = &self.stack[looping.min(end)..end];
            let library = path.iter().take_while(|frame| frame.is_machinery()).count();
            let mut seen = HashSet::new();
            let path = path[library..].iter().rev().map(place);
            let path: Vec<_> = path.filter(|place| seen.insert(place.clone())).collect();
            return Signature::of_path(self.kind, &path);
        }
        let frames: Vec<&Frame> = self.causing_frames().collect();
        if matches!(self.kind, Kind::Hang | Kind::OutOfMemory) {
            let outermost = frames.iter().rev().take(SIGNATURE_FRAMES);
            Signature::of((self.kind, outermost.map(|frame| place(frame)).collect::<Vec<_>>()))
        } else {
            let innermost = frames.iter().take(SIGNATURE_FRAMES);
            Signature::of((
                self.kind,
                innermost.map(|frame| (place(frame), frame.position())).collect::<Vec<_>>(),
            ))
        }
    }

    /// File and line of the innermost own frame that has them.
    pub fn place(&self) -> Option<(&str, u32)> {
        self.causing_frames().find_map(Frame::place)
    }

    /// One line: what and where.
    pub fn headline(&self) -> String {
        let what = match (&self.report, self.kind) {
            (Some(size), Kind::Leak) => format!("leak of {size}"),
            (Some(size), Kind::Refused) => format!("allocation of {size} refused"),
            (Some(report), Kind::OutOfMemory) => format!("out of memory ({report})"),
            (Some(how), Kind::Goal) => format!("goal {how}"),
            (Some(report), _) => format!("crash ({report})"),
            (None, kind) => kind.to_string(),
        };
        match self.causing_frames().next() {
            Some(frame) => format!("{what} in {}", frame.briefly()),
            None => what,
        }
    }

    /// The stack, a frame a line.
    pub fn stack_lines(&self) -> String {
        self.own_frames().enumerate().map(|(n, frame)| format!("    #{n} {frame}\n")).collect()
    }
}
