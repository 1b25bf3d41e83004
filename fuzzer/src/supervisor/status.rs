//! The status line: one line that refreshes on a terminal, plain lines now and then elsewhere.
use std::{
    io::{IsTerminal, Write, stderr},
    time::{Duration, Instant},
};

use super::rare::RareStatus;

/// Where a domain stands.
#[derive(Debug, Clone)]
pub struct DomainStatus {
    /// Its name.
    pub name: String,
    /// Kept inputs that are waypoints in it.
    pub waypoints: u64,
    /// The best value short of a goal, as a number.
    pub best: u64,
    /// The same for a person; nothing where aggregates are no values.
    pub best_text: String,
    /// Keys touched.
    pub keys: u64,
    /// Keys whose goal is met.
    pub met: u64,
}

impl DomainStatus {
    fn line(&self) -> String {
        match self.met {
            0 if self.best_text.is_empty() => {
                format!("  {} {} ({} keys)", self.name, self.waypoints, self.keys)
            }
            0 => format!("  {} {} (best {})", self.name, self.waypoints, self.best_text),
            met => format!("  {} {} ({met} of {} met)", self.name, self.waypoints, self.keys),
        }
    }
}

/// What a way of making inputs has cost and found.
#[derive(Debug, Clone)]
pub struct OpStatus {
    /// As in queue names.
    pub name: String,
    /// Runs spent on it.
    pub runs: u64,
    /// Inputs kept.
    pub found: u64,
}

/// What became of the structure of inputs.
#[derive(Debug, Clone)]
pub struct StructureStatus {
    /// The grammar.
    pub grammar: String,
    /// Kept inputs that have a tree.
    pub entries: u64,
    /// Kept inputs that do not fit the grammar.
    pub unparsed: u64,
    /// Mutants of trees that were made.
    pub made: u64,
    /// Those of them whose constraints could not be repaired.
    pub dropped: u64,
    /// Those of them that violate a constraint on purpose.
    pub broken: u64,
    /// Kept inputs that would take too long to parse.
    pub costly: u64,
}

impl StructureStatus {
    /// For the end.
    pub fn summary(&self) -> String {
        let dropped = match self.dropped {
            0 => String::new(),
            dropped => format!(", {dropped} of them dropped because of constraints"),
        };
        let broken = match self.broken {
            0 => String::new(),
            broken => format!(", {broken} of them broken on purpose"),
        };
        let costly = match self.costly {
            0 => String::new(),
            costly => format!(", {costly} that take too long to parse"),
        };
        format!(
            "grammar {}: {} inputs with a tree, {} that do not fit it{costly}; {} trees mutated{dropped}{broken}",
            self.grammar, self.entries, self.unparsed, self.made
        )
    }
}

/// Where the campaign stands.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Since its start.
    pub elapsed: Duration,
    /// Runs of the target.
    pub runs: u64,
    /// Those of them in which an assumption of the target failed.
    pub invalid_runs: u64,
    /// Kept inputs for which one fails.
    pub invalid_kept: u64,
    /// Kept inputs.
    pub corpus: u64,
    /// Those of them that are seeds.
    pub seeds: u64,
    /// Kept inputs that hold a key.
    pub holders: u64,
    /// The kept input being mutated.
    pub current: u64,
    /// Kept inputs that have not had their turn yet.
    pub pending: u64,
    /// Those of them that hold a key.
    pub pending_holders: u64,
    /// The longest chain of kept inputs, each made from the one before it; a seed is 1.
    pub depth: u64,
    /// Counters reached.
    pub edges_found: u64,
    /// Counters there are.
    pub edges_total: u64,
    /// Counters that are noise.
    pub edges_unstable: u64,
    /// Times the whole corpus was gone through.
    pub cycles: u64,
    /// When the last input was kept.
    pub last_find: Duration,
    /// Findings in `crashes`.
    pub crashes: u64,
    /// Findings in `hangs`.
    pub hangs: u64,
    /// Workers that died of a run.
    pub deaths: u64,
    /// The domains beside coverage.
    pub domains: Vec<DomainStatus>,
    /// The ways of making inputs that were used.
    pub ops: Vec<OpStatus>,
    /// What came of holding on to rare branches, if that is done.
    pub rare: Option<RareStatus>,
    /// What became of the structure of inputs, with a grammar.
    pub structure: Option<StructureStatus>,
    /// Goals that are met.
    pub goals_met: u64,
    /// Goals there are.
    pub goals: u64,
}

impl Snapshot {
    /// Runs per second of the whole campaign.
    pub fn speed(&self) -> f64 {
        self.runs as f64 / self.elapsed.as_secs_f64().max(0.001)
    }

    /// Percentage of counters that were reached.
    pub fn coverage(&self) -> f64 {
        100.0 * self.edges_found as f64 / self.edges_total.max(1) as f64
    }

    /// Percentage of reached counters that repeat from run to run.
    pub fn stability(&self) -> f64 {
        if self.edges_found == 0 {
            return 100.0;
        }
        100.0 * (self.edges_found - self.edges_unstable.min(self.edges_found)) as f64
            / self.edges_found as f64
    }

    /// Percentage of runs in which no assumption of the target failed.
    pub fn validity(&self) -> f64 {
        let valid = self.runs.saturating_sub(self.invalid_runs);
        if self.runs == 0 { 100.0 } else { 100.0 * valid as f64 / self.runs as f64 }
    }

    /// How many runs are valid, where not all are.
    fn validity_text(&self) -> String {
        if self.invalid_runs == 0 { String::new() } else { format!("  valid {:.1}%", self.validity()) }
    }

    /// The status line.
    pub fn line(&self) -> String {
        let findings = match (self.crashes, self.hangs) {
            (crashes, 0) => format!("{crashes}"),
            (crashes, hangs) => format!("{crashes} + {hangs} hangs"),
        };
        let domains: String = self.domains.iter().map(DomainStatus::line).collect();
        let goals = match self.goals {
            0 => String::new(),
            goals => format!("  goals {}/{goals}", self.goals_met),
        };
        format!(
            "[{}] runs {} ({}/s){}  corpus {}  edges {}/{}{domains}{goals}  findings {findings}  stability {:.1}%",
            clock(self.elapsed),
            short(self.runs as f64),
            short(self.speed()),
            self.validity_text(),
            self.corpus,
            self.edges_found,
            self.edges_total,
            self.stability()
        )
    }

    /// For the end.
    pub fn summary(&self) -> String {
        let validity = match self.invalid_runs {
            0 => String::new(),
            _ => format!(
                ", {:.1}% of runs and {} of the inputs valid",
                self.validity(),
                self.corpus - self.invalid_kept.min(self.corpus)
            ),
        };
        format!(
            "{} runs in {} ({}/s), {} inputs kept, {} of {} edges, stability {:.1}%{validity}",
            self.runs,
            clock(self.elapsed),
            short(self.speed()),
            self.corpus,
            self.edges_found,
            self.edges_total,
            self.stability()
        )
    }
}

/// Prints to standard error, which is where people and scripts look for it.
#[derive(Debug)]
pub struct StatusLine {
    quiet: bool,
    terminal: bool,
    next: Instant,
    /// Between two plain lines; it doubles up to a minute, so that a log stays short.
    interval: Duration,
    shown: bool,
}

impl StatusLine {
    /// Nothing shown yet, and nothing but findings ever if it is to be quiet.
    pub fn new(quiet: bool) -> Self {
        let terminal = stderr().is_terminal();
        let interval = Duration::from_secs(1);
        Self { quiet, terminal, next: Instant::now() + interval, interval, shown: false }
    }

    /// Shows where the campaign stands, if it is time to.
    pub fn update(&mut self, snapshot: &Snapshot) {
        let now = Instant::now();
        if self.quiet || now < self.next {
            return;
        }
        if self.terminal {
            self.next = now + Duration::from_millis(500);
            self.shown = true;
            self.print(format_args!("\r\x1b[2K{}", snapshot.line()));
        } else {
            self.interval = (self.interval * 2).min(Duration::from_secs(60));
            self.next = now + self.interval;
            self.print(format_args!("{}\n", snapshot.line()));
        }
    }

    /// Says something that stays.
    pub fn say(&mut self, text: &str) {
        if !self.quiet {
            self.announce(text);
        }
    }

    /// Says something that must be said.
    pub fn announce(&mut self, text: &str) {
        self.finish();
        self.print(format_args!("waypoint: {text}\n"));
    }

    /// Leaves the refreshed line as it is and goes to the next.
    pub fn finish(&mut self) {
        if std::mem::take(&mut self.shown) {
            self.print(format_args!("\n"));
        }
    }

    fn print(&self, text: std::fmt::Arguments<'_>) {
        // A closed terminal must not end the campaign.
        let _ = stderr().lock().write_fmt(text);
    }
}

/// `1:02:03`, or `02:03` within the first hour.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes:02}:{seconds:02}")
    }
}

/// A number with three digits that matter.
fn short(number: f64) -> String {
    let (value, unit) = match number {
        n if n >= 1e9 => (n / 1e9, "G"),
        n if n >= 1e6 => (n / 1e6, "M"),
        n if n >= 1e4 => (n / 1e3, "k"),
        n => return format!("{n:.0}"),
    };
    if value < 10.0 { format!("{value:.2}{unit}") } else { format!("{value:.1}{unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_as_documented() {
        let snapshot = Snapshot {
            elapsed: Duration::from_secs(3723),
            runs: 12_345_678,
            corpus: 321,
            holders: 20,
            edges_found: 400,
            edges_total: 1000,
            edges_unstable: 2,
            cycles: 3,
            last_find: Duration::from_secs(5),
            crashes: 1,
            hangs: 0,
            deaths: 9,
            ..Snapshot::default()
        };
        assert_eq!(
            snapshot.line(),
            "[1:02:03] runs 12.3M (3316/s)  corpus 321  edges 400/1000  findings 1  stability 99.5%"
        );
        let guarded = Snapshot { invalid_runs: 9_259_259, invalid_kept: 300, ..snapshot.clone() };
        assert!(guarded.line().contains("(3316/s)  valid 25.0%  corpus 321"), "{}", guarded.line());
        assert!(
            guarded.summary().ends_with("99.5%, 25.0% of runs and 21 of the inputs valid"),
            "{}",
            guarded.summary()
        );
        let fresh = Snapshot {
            elapsed: Duration::ZERO,
            runs: 0,
            edges_found: 0,
            edges_unstable: 0,
            hangs: 2,
            ..snapshot
        };
        assert_eq!(
            fresh.line(),
            "[00:00] runs 0 (0/s)  corpus 321  edges 0/1000  findings 1 + 2 hangs  stability 100.0%"
        );
    }
}
