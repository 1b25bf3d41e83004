//! How a worker died: what its signal handler wrote down, readable by the supervisor.
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU32, AtomicUsize, Ordering::Relaxed};

/// Frames that are written down of a stack.
pub const MAX_FRAMES: usize = 64;
const MAX_MAPS: usize = 64 << 10;
const MAX_REPORT: usize = 64;

/// What a dying worker's signal handler wrote down.
#[repr(C)]
#[derive(Debug)]
pub struct Crash {
    /// The signal, or 0 if no handler ran.
    pub signal: AtomicI32,
    /// The address of the faulting access.
    pub address: AtomicUsize,
    n_frames: AtomicUsize,
    /// Program counters, innermost first; the lowest bit of the flags says "a return address".
    frames: [AtomicUsize; MAX_FRAMES],
    is_return: [AtomicU8; MAX_FRAMES],
    maps_len: AtomicUsize,
    maps: [AtomicU8; MAX_MAPS],
    report_len: AtomicUsize,
    report: [AtomicU8; MAX_REPORT],
    /// How often the stack of a run that takes too long is to be looked at before it is ended.
    pub samples_wanted: AtomicU32,
    samples: AtomicU32,
    /// The outermost frames that were the same in all samples.
    stable: AtomicUsize,
}

impl Crash {
    /// Forgets the last death, for the next worker.
    pub fn clear(&self) {
        self.signal.store(0, Relaxed);
        self.address.store(0, Relaxed);
        self.n_frames.store(0, Relaxed);
        self.maps_len.store(0, Relaxed);
        self.report_len.store(0, Relaxed);
        self.samples_wanted.store(0, Relaxed);
        self.samples.store(0, Relaxed);
        self.stable.store(0, Relaxed);
    }

    /// How often the stack has been looked at.
    pub fn samples(&self) -> u32 {
        self.samples.load(Relaxed)
    }

    /// Takes note of the first sample, which is in the frames already, or of one more, innermost frame first. Whether
    /// there are enough. Safe in a signal handler.
    pub fn add_sample(&self, further: Option<&[usize]>) -> bool {
        let frames = &self.frames[..self.n_frames.load(Relaxed).min(MAX_FRAMES)];
        let stable = further.map_or(frames.len(), |further| {
            let pairs = frames.iter().rev().zip(further.iter().rev());
            let common = pairs.take_while(|(frame, pc)| frame.load(Relaxed) == **pc).count();
            common.min(self.stable.load(Relaxed))
        });
        self.stable.store(stable, Relaxed);
        self.samples.fetch_add(1, Relaxed) + 1 >= self.samples_wanted.load(Relaxed)
    }

    /// The number of inner frames, the first of which (counted from outside) is the one that loops; nothing if the
    /// samples do not tell.
    pub fn looping(&self) -> Option<usize> {
        let frames = self.n_frames.load(Relaxed);
        if self.samples() < 2 || frames == 0 || frames >= MAX_FRAMES {
            return None;
        }
        Some((frames - self.stable.load(Relaxed).min(frames)).max(1))
    }

    /// Forgets the frames only.
    pub fn clear_frames(&self) {
        self.n_frames.store(0, Relaxed);
    }

    /// Adds a frame; `false` when there is no more room. Safe in a signal handler.
    pub fn push_frame(&self, pc: usize, is_return: bool) -> bool {
        let n = self.n_frames.load(Relaxed);
        if n >= MAX_FRAMES {
            return false;
        }
        self.frames[n].store(pc, Relaxed);
        self.is_return[n].store(u8::from(is_return), Relaxed);
        self.n_frames.store(n + 1, Relaxed);
        true
    }

    /// The program counters, innermost first, and whether each is a return address.
    pub fn frames(&self) -> Vec<(usize, bool)> {
        let n = self.n_frames.load(Relaxed).min(MAX_FRAMES);
        (0..n).map(|i| (self.frames[i].load(Relaxed), self.is_return[i].load(Relaxed) != 0)).collect()
    }

    /// Notes what a sanitizer calls it. Safe in a signal handler.
    pub fn set_report(&self, text: &[u8]) {
        let len = text.len().min(MAX_REPORT);
        for (slot, byte) in self.report.iter().zip(text) {
            slot.store(*byte, Relaxed);
        }
        self.report_len.store(len, Relaxed);
    }

    /// What a sanitizer called it.
    pub fn report(&self) -> Option<String> {
        let len = self.report_len.load(Relaxed).min(MAX_REPORT);
        let bytes: Vec<u8> = self.report[..len].iter().map(|byte| byte.load(Relaxed)).collect();
        (len > 0).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Adds to the memory map, as far as there is room. Safe in a signal handler.
    pub fn push_maps(&self, bytes: &[u8]) {
        let len = self.maps_len.load(Relaxed).min(MAX_MAPS);
        for (slot, byte) in self.maps[len..].iter().zip(bytes) {
            slot.store(*byte, Relaxed);
        }
        self.maps_len.store((len + bytes.len()).min(MAX_MAPS), Relaxed);
    }

    /// The code in the worker's memory map when it died.
    pub fn maps(&self) -> String {
        let len = self.maps_len.load(Relaxed).min(MAX_MAPS);
        let bytes: Vec<u8> = self.maps[..len].iter().map(|byte| byte.load(Relaxed)).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
