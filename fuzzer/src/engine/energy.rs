//! How the techniques share an entry's energy: by what each has found lately, and never nothing.
use libafl_bolts::rands::Rand;

use crate::{origin::Op, shared::Control};

/// The least share of a technique, divided by their number.
const LEAST: f64 = 0.2;
/// A technique that has found nothing counts as if it had found one in so many runs.
const PRIOR_RUNS: f64 = 1024.0;
/// After so many runs of all, what was found before counts half.
const MEMORY: u64 = 1 << 17;

/// The shares of some techniques, adding up to 1.
#[derive(Debug)]
pub struct Shares(Vec<f64>);

impl Shares {
    /// From what the ops of each technique have spent and found.
    pub fn of<'a>(control: &Control, techniques: impl Iterator<Item = &'a [Op]>) -> Self {
        let recent: Vec<(u64, u64)> = techniques
            .map(|ops| {
                let recent = ops.iter().map(|op| control.op(*op).recent());
                recent.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
            })
            .collect();
        if recent.len() > 1 && recent.iter().map(|(runs, _)| runs).sum::<u64>() > MEMORY {
            control.ops().for_each(|(_, numbers)| numbers.fade());
        }
        Self(shares(&recent))
    }

    /// One of the techniques, by chance.
    pub fn choose(&self, rand: &mut impl Rand) -> usize {
        if self.0.len() < 2 {
            return 0;
        }
        self.at(rand.next_float())
    }

    /// The one of the techniques at this place of their shares, from 0 to 1.
    pub fn at(&self, place: f64) -> usize {
        let mut left = place;
        for (n, share) in self.0.iter().enumerate() {
            left -= share;
            if left < 0.0 {
                return n;
            }
        }
        0
    }
}

/// Whether these ops have had less than their share of all runs lately, against all others together.
pub fn may_spend(control: &Control, ops: &[Op]) -> bool {
    let mut sums = [(0, 0); 2];
    for (op, numbers) in control.ops().filter(|(op, _)| !matches!(op, Op::Seed | Op::Earlier)) {
        let (sum, recent) = (&mut sums[usize::from(!ops.contains(&op))], numbers.recent());
        *sum = (sum.0 + recent.0, sum.1 + recent.1);
    }
    let all = (sums[0].0 + sums[1].0) as f64;
    (sums[0].0 as f64) < shares(&sums)[0] * all
}

/// The shares of techniques that have spent and found so much.
fn shares(recent: &[(u64, u64)]) -> Vec<f64> {
    let rates: Vec<f64> =
        recent.iter().map(|(runs, found)| (*found as f64 + 1.0) / (*runs as f64 + PRIOR_RUNS)).collect();
    let (all, count) = (rates.iter().sum::<f64>(), recent.len() as f64);
    rates.iter().map(|rate| LEAST / count + (1.0 - LEAST) * rate / all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_finds_more_gets_more_and_nobody_nothing() {
        assert_eq!(shares(&[(0, 0)]), [1.0]);
        let [a, b] = shares(&[(5000, 10), (5000, 10)])[..] else { panic!() };
        assert!((a - 0.5).abs() < 1e-9 && (b - 0.5).abs() < 1e-9);
        let [a, b] = shares(&[(50_000, 100), (50_000, 0)])[..] else { panic!() };
        assert!(a > 0.85 && b >= LEAST / 2.0 && (a + b - 1.0).abs() < 1e-9, "{a} {b}");
    }
}
