//! How a campaign went: where corpus and domains stood when each input was kept.
use serde::Serialize;

use crate::{seeds::Seed, tool::aggregate::Step};

/// Where the campaign stood when an input had been kept.
#[derive(Debug, Serialize, PartialEq, Eq)]
pub struct Point {
    /// Milliseconds since its start.
    time: u64,
    runs: u64,
    corpus: usize,
    edges: u64,
    /// The best value of every domain but coverage.
    best: Vec<u64>,
    /// How many keys of each domain had been moved.
    keys: Vec<u64>,
}

/// The points, in the order in which the inputs were kept. A resumed campaign counts time and runs from 0 again: its
/// points go on where those of the campaign before ended.
pub fn of(inputs: &[Seed], steps: &[Step]) -> Vec<Point> {
    let (mut time, mut runs) = (Counted::default(), Counted::default());
    let point = |(n, step): (usize, &Step)| {
        let name = inputs[step.input].name();
        Point {
            time: time.go_on(field(&name, "time:")),
            runs: runs.go_on(field(&name, "execs:")),
            corpus: n + 1,
            edges: step.edges,
            best: step.domains.iter().map(|(best, _)| *best).collect(),
            keys: step.domains.iter().map(|(_, keys)| *keys).collect(),
        }
    };
    steps.iter().enumerate().map(point).collect()
}

/// The number behind `key` in a name like `id:000012,src:000001,time:55,...`.
fn field(name: &str, key: &str) -> u64 {
    name.split(',').find_map(|part| part.strip_prefix(key)?.parse().ok()).unwrap_or(0)
}

/// A number that only grows, from one that may start again.
#[derive(Debug, Default)]
struct Counted {
    before: u64,
    last: u64,
}

impl Counted {
    fn go_on(&mut self, value: u64) -> u64 {
        if value < self.last {
            self.before += self.last;
        }
        self.last = value;
        self.before + value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_campaign_goes_on_in_time() {
        let names =
            ["id:000000,time:0,execs:1,orig:a", "id:000001,src:000000,time:900,execs:70,op:havoc,rep:1"];
        let resumed = ["id:000002,src:000001,time:100,execs:30,op:havoc,rep:1"];
        let inputs: Vec<Seed> =
            names.iter().chain(&resumed).map(|name| Seed::Memory((*name).to_owned(), Vec::new())).collect();
        let steps: Vec<Step> = (0..3).map(|input| Step { input, edges: 5, domains: vec![(7, 1)] }).collect();
        let points = of(&inputs, &steps);
        let seen: Vec<_> = points.iter().map(|point| (point.time, point.runs, point.corpus)).collect();
        assert_eq!(seen, [(0, 1, 1), (900, 70, 2), (1000, 100, 3)]);
    }
}
