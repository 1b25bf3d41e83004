//! `waypoint generate`: inputs of a spec.
use std::io::IsTerminal as _;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::common::{Sink, SinkArgs, SpecArgs};
use crate::solve::skipped::skipped;
use crate::solve::stream::{Limits, Next, Stream};
use crate::spec::Spec;

/// Generate inputs that a `.fan` spec describes, with all its constraints satisfied
#[derive(Debug, clap::Args)]
pub struct Generate {
    #[command(flatten)]
    spec: SpecArgs,
    #[command(flatten)]
    out: SinkArgs,
    /// About how many tree nodes an input has at most
    #[arg(long, default_value_t = Limits::default().size, value_name = "N")]
    size: u32,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// Trees that the search works on at once
    #[arg(long, default_value_t = 40, value_name = "N")]
    population: usize,
    /// Generations after which the search gives up
    #[arg(long, default_value_t = 500, value_name = "N")]
    generations: u32,
    /// Share of the best trees that a generation keeps
    #[arg(long, default_value_t = 0.1, value_name = "RATIO")]
    elitism: f64,
    /// Share of a generation that is crossed
    #[arg(long, default_value_t = 0.8, value_name = "RATIO")]
    crossover: f64,
    /// Share of a generation that is mutated
    #[arg(long, default_value_t = 0.2, value_name = "RATIO")]
    mutation: f64,
    /// Steer to chains of so many symbols that no input has shown yet
    #[arg(long, value_name = "K")]
    coverage: Option<u8>,
    /// Share of inputs that deliberately violate a constraint
    #[arg(long, default_value_t = 0.0, value_name = "RATIO")]
    invalid: f64,
    /// Work on so many cores
    #[arg(short, long, default_value_t = 1, value_name = "N")]
    jobs: usize,
}

impl Generate {
    fn limits(&self) -> Limits {
        Limits {
            size: self.size,
            coverage: self.coverage,
            invalid: self.invalid,
            population: self.population,
            generations: self.generations,
            elitism: self.elitism,
            crossover: self.crossover,
            mutation: self.mutation,
        }
    }

    /// What cannot be meant, in a sentence.
    fn check(&self, spec: &Spec) -> Result<()> {
        if self.coverage == Some(0) {
            bail!("`--coverage 0` asks for chains of no symbols; give a length of at least 1, as 4");
        }
        for (name, value, least) in [
            ("size", u64::from(self.size), 1),
            ("population", self.population as u64, 2),
            ("generations", u64::from(self.generations), 1),
            ("jobs", self.jobs as u64, 1),
        ] {
            if value < least {
                bail!("`--{name} {value}` is too small to make an input; give a number of at least {least}");
            }
        }
        for (name, value) in [
            ("invalid", self.invalid),
            ("elitism", self.elitism),
            ("crossover", self.crossover),
            ("mutation", self.mutation),
        ] {
            if !(0.0..=1.0).contains(&value) {
                bail!("`--{name} {value}` is no share; give a number from 0 to 1");
            }
        }
        if self.invalid > 0.0 && spec.constraints.is_empty() {
            bail!(
                "`--invalid` needs a constraint to violate, and {} has none; add one with `-c`, or leave the grammar \
                 with `setting` statements",
                self.spec.spec.display()
            );
        }
        Ok(())
    }

    /// Runs it.
    pub fn run(&self) -> Result<()> {
        let spec = self.spec.load()?;
        self.check(&spec)?;
        let mut sink = self.out.sink()?;
        let mut progress = Progress::new(self.out.number, self.out.output.is_some());
        let end = self.time.map(|time| Instant::now() + time);
        for warning in skipped(&spec, self.spec.seed) {
            eprintln!("waypoint: {warning}");
        }
        let (mut made, mut exhausted) = (0, false);
        if self.jobs == 1 {
            let mut stream = Stream::new(&spec, self.spec.seed, self.limits());
            while made < self.out.number && end.is_none_or(|end| Instant::now() < end) {
                match stream.next(end) {
                    Next::Input(input) => {
                        made += 1;
                        if !sink.write(input)? {
                            return Ok(());
                        }
                        progress.show(made);
                    }
                    Next::Exhausted => {
                        exhausted = true;
                        break;
                    }
                    Next::TimeUp => break,
                    Next::Unsatisfied(reason) => {
                        sink.finish()?;
                        bail!("{reason}");
                    }
                }
            }
        } else {
            (made, exhausted) = self.in_parallel(&mut sink, &mut progress, end)?;
        }
        progress.end();
        sink.finish()?;
        if exhausted {
            eprintln!("waypoint: the language has no more inputs of this size than these {made}");
        } else if made < self.out.number && end.is_some_and(|end| Instant::now() >= end) {
            eprintln!("waypoint: time is up after {made} inputs");
        }
        Ok(())
    }

    /// Takes inputs from the jobs in turn, so that one seed and one number of jobs give one output; how many, and whether
    /// there are no more.
    fn in_parallel(
        &self,
        sink: &mut Sink,
        progress: &mut Progress,
        end: Option<Instant>,
    ) -> Result<(u64, bool)> {
        std::thread::scope(|scope| {
            let mut jobs: Vec<Option<mpsc::Receiver<Made>>> = Vec::new();
            for job in 0..self.jobs as u64 {
                let (sender, receiver) = mpsc::sync_channel(256);
                jobs.push(Some(receiver));
                scope.spawn(move || {
                    // Values of the interpreter stay on one thread, so each loads the spec itself.
                    let spec = match self.spec.load_quietly() {
                        Ok(spec) => spec,
                        Err(error) => {
                            _ = sender.send(Err(End::Failed(error.to_string())));
                            return;
                        }
                    };
                    let seed = self.spec.seed.wrapping_add((job + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                    let mut stream = Stream::new(&spec, seed, self.limits());
                    loop {
                        let next = match stream.next(end) {
                            Next::Input(input) => Ok(input.to_vec()),
                            Next::Exhausted => Err(End::Exhausted),
                            Next::TimeUp => return,
                            Next::Unsatisfied(reason) => Err(End::Failed(reason)),
                        };
                        let last = next.is_err();
                        if sender.send(next).is_err() || last {
                            return;
                        }
                    }
                });
            }
            let mut seen = rustc_hash::FxHashSet::default();
            let (mut made, mut exhausted) = (0, false);
            while made < self.out.number && jobs.iter().any(Option::is_some) {
                for slot in &mut jobs {
                    let Some(receiver) = slot else { continue };
                    match receiver.recv() {
                        Ok(Ok(input)) => {
                            if made < self.out.number && seen.insert(input.clone()) {
                                made += 1;
                                if !sink.write(&input)? {
                                    return Ok((made, false));
                                }
                                progress.show(made);
                            }
                        }
                        Ok(Err(End::Failed(reason))) => bail!("{reason}"),
                        Ok(Err(End::Exhausted)) => exhausted = true,
                        Err(mpsc::RecvError) => *slot = None,
                    }
                }
            }
            // Dropping the receivers ends the jobs.
            jobs.clear();
            Ok((made, exhausted && made < self.out.number))
        })
    }
}

/// An input, or why there are no more.
type Made = Result<Vec<u8>, End>;

/// Why a job ends.
enum End {
    Exhausted,
    Failed(String),
}

/// A bar on the terminal, when inputs do not go there.
struct Progress {
    number: u64,
    shown: Option<Instant>,
}

impl Progress {
    fn new(number: u64, to_files: bool) -> Self {
        let visible = std::io::stderr().is_terminal() && (to_files || !std::io::stdout().is_terminal());
        Self { number, shown: visible.then(Instant::now) }
    }

    fn show(&mut self, made: u64) {
        if let Some(last) = &mut self.shown
            && (made & 63 == 0 || made == self.number)
            && last.elapsed() > Duration::from_millis(100)
        {
            *last = Instant::now();
            let filled = (made * 40 / self.number.max(1)) as usize;
            eprint!("\r[{}{}] {made}/{}", "#".repeat(filled), " ".repeat(40 - filled.min(40)), self.number);
        }
    }

    fn end(&self) {
        if self.shown.is_some() {
            eprint!("\r{}\r", " ".repeat(70));
        }
    }
}
