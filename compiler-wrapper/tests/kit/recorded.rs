//! Running programs with their events switched on, and reading what the stand-in for the engine prints about it.
use super::{DATA, INCLUDE, Kit, output, quiet_success};

/// The score of equality.
pub const EQUAL: u32 = u32::MAX;

/// A comparison's slot at exit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cmp {
    pub function: String,
    /// As `file.c:line`.
    pub place: String,
    pub kind: u32,
    pub width: u32,
    pub best: u32,
    pub operands: (u64, u64),
}

/// What was recorded, and what the program itself printed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub cmps: Vec<Cmp>,
    /// Function, place, bytes.
    pub allocs: Vec<(String, String, u64)>,
    /// Function, index, value.
    pub counters: Vec<(String, u32, u32)>,
    /// Function, counter before (-1: the entry, -2: any), counter, how often.
    pub steps: Vec<(String, i64, u32, u32)>,
    pub refused: Vec<u64>,
    /// Function, bytes that it allocated and nobody freed.
    pub left: Vec<(String, u64)>,
    /// Function, bytes from the top of the stack; 0 when the event is off.
    pub stacks: Vec<(String, u64)>,
    /// Descriptor, bytes.
    pub outs: Vec<(usize, u64)>,
    pub live: u64,
    pub peak: u64,
    pub said: Vec<String>,
}

/// The events to switch on, and how.
#[derive(Debug, Clone, Copy, Default)]
pub struct On<'a> {
    pub events: &'a str,
    /// No limit when 0.
    pub limit: u64,
    pub blocks: bool,
}

/// What every run asks of AddressSanitizer.
pub const ASAN_OPTIONS: &str = "detect_leaks=0:allocator_may_return_null=1";

pub const OFF: On<'_> = On { events: "", limit: 0, blocks: false };
pub const DIFF: On<'_> = On { events: "diff", limit: 0, blocks: false };
pub const CMP: On<'_> = On { events: "cmp", limit: 0, blocks: false };
pub const STACK: On<'_> = On { events: "stack", limit: 0, blocks: false };
pub const OUT: On<'_> = On { events: "out", limit: 0, blocks: false };
pub const ALLOC: On<'_> = On { events: "alloc", limit: 1 << 40, blocks: false };
pub const BLOCKS: On<'_> = On { events: "alloc", limit: 1 << 40, blocks: true };

impl Kit {
    /// Compiles the stand-in, uninstrumented, to `on.o`.
    pub fn stand_in(&self) {
        quiet_success(&mut self.plain(&format!("-O1 -fPIC -I {INCLUDE} -c {DATA}/switched_on.c -o on.o")));
    }

    /// Runs a program that was linked with the stand-in; it must succeed.
    pub fn record(&self, program: &str, arguments: &[&str], on: On<'_>) -> Recorded {
        self.record_with(program, arguments, on, &[])
    }

    /// The same in another environment.
    pub fn record_with(
        &self,
        program: &str,
        arguments: &[&str],
        on: On<'_>,
        environment: &[(&str, &str)],
    ) -> Recorded {
        let mut command = self.command(self.path(program), "");
        command.args(arguments).env("EVENTS", on.events).env("LIMIT", on.limit.to_string());
        // Addresses would be other ones in every run.
        command.env("ASAN_OPTIONS", ASAN_OPTIONS);
        command.envs(environment.iter().copied());
        if on.blocks {
            command.env("BLOCKS", "1");
        }
        let done = output(&mut command);
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(
            done.status.success(),
            "{arguments:?} {on:?}: {}\n{said}{}",
            done.status,
            String::from_utf8_lossy(&done.stdout)
        );
        Recorded::read(&String::from_utf8(done.stdout).unwrap())
    }
}

impl Recorded {
    fn read(text: &str) -> Self {
        let mut found = Self::default();
        for line in text.lines() {
            let word: Vec<&str> = line.split(' ').collect();
            match word[..] {
                ["cmp", function, place, kind, width, best, a, b] => found.cmps.push(Cmp {
                    function: function.into(),
                    place: place.into(),
                    kind: kind.parse().unwrap(),
                    width: width.parse().unwrap(),
                    best: best.parse().unwrap(),
                    operands: (u64::from_str_radix(a, 16).unwrap(), u64::from_str_radix(b, 16).unwrap()),
                }),
                ["alloc", function, place, bytes] => {
                    found.allocs.push((function.into(), place.into(), bytes.parse().unwrap()));
                }
                ["counter", function, index, value] => {
                    found.counters.push((function.into(), index.parse().unwrap(), value.parse().unwrap()));
                }
                ["left", function, bytes] => found.left.push((function.into(), bytes.parse().unwrap())),
                ["stack", function, bytes] => found.stacks.push((function.into(), bytes.parse().unwrap())),
                ["out", descriptor, bytes] => {
                    found.outs.push((descriptor.parse().unwrap(), bytes.parse().unwrap()));
                }
                ["step", function, from, to, times] => found.steps.push((
                    function.into(),
                    from.parse().unwrap(),
                    to.parse().unwrap(),
                    times.parse().unwrap(),
                )),
                ["refused", size] => found.refused.push(size.parse().unwrap()),
                ["live", bytes] => found.live = bytes.parse().unwrap(),
                ["peak", bytes] => found.peak = bytes.parse().unwrap(),
                ["WRONG:", ..] => panic!("{text}"),
                _ => found.said.push(line.into()),
            }
        }
        found
    }

    /// The comparisons of a function.
    pub fn cmps_of(&self, function: &str) -> Vec<&Cmp> {
        self.cmps.iter().filter(|cmp| cmp.function == function).collect()
    }

    /// The best score of all comparisons of a function; it must have one.
    pub fn best(&self, function: &str) -> u32 {
        let scores = self.cmps.iter().filter(|cmp| cmp.function == function).map(|cmp| cmp.best);
        scores.max().unwrap_or_else(|| panic!("no comparison is recorded in {function}: {:?}", self.cmps))
    }

    /// How deep the stack was in a function; it must have been entered.
    pub fn depth(&self, function: &str) -> u64 {
        let found = self.stacks.iter().find(|stack| stack.0 == function);
        found.unwrap_or_else(|| panic!("{function} was not entered: {:?}", self.stacks)).1
    }

    /// The bytes written to a descriptor.
    pub fn out(&self, descriptor: usize) -> u64 {
        self.outs.iter().find(|out| out.0 == descriptor).map_or(0, |out| out.1)
    }

    /// The bytes that a function allocated and nobody freed.
    pub fn left_by(&self, function: &str) -> u64 {
        self.left.iter().filter(|left| left.0 == function).map(|left| left.1).sum()
    }

    /// The bytes allocated in a function; it must have an allocation.
    pub fn bytes(&self, function: &str) -> u64 {
        let sites: Vec<u64> =
            self.allocs.iter().filter(|site| site.0 == function).map(|site| site.2).collect();
        assert!(!sites.is_empty(), "no allocation is recorded in {function}: {:?}", self.allocs);
        sites.iter().sum()
    }
}
