//! How the techniques share an entry's energy: by what each has found lately for its effort, and never nothing.
use libafl_bolts::rands::Rand;

use crate::{
    origin::Op,
    shared::{Control, NEW},
};

/// The least share of a technique, divided by their number.
const LEAST: f64 = 0.2;
/// Before anything was found, one find in so many runs is expected.
const PRIOR_RUNS: f64 = 1024.0;
/// A technique counts as if it had found so many more, in as many runs as all together take for them: one that was hardly
/// tried is taken to be as good as the others, and not to be worse.
const PRIOR_FOUND: f64 = 4.0;
/// So many runs beyond their share are granted to ops that are not chosen by it.
const GRACE: f64 = 1024.0;
/// They get no more than this share of all.
const MOST: f64 = 0.5;
/// Less than this part of a share is far too little.
const OWED: f64 = 0.25;
/// After so many runs of all, what was found before counts half.
const MEMORY: u64 = 1 << 17;

/// Techniques that are chosen by their shares have them by what they find. Ops that are not, whose use is in doing what
/// the others cannot at all, must be about as good as these to be granted as much.
const PROPORTIONAL: i32 = 1;
const BETTER_GETS_MORE: i32 = 2;

/// So many parts of the whole are looked up at once.
const PARTS: usize = 16;

/// What some ops have spent, in runs of usual entries, and found lately.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    runs: f64,
    found: f64,
}

impl Rate {
    /// Of these ops together.
    pub fn of(control: &Control, ops: &[Op]) -> Self {
        let recent = ops.iter().map(|op| control.op(*op).recent());
        let (effort, worth) = recent.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        Self { runs: effort as f64 / control.usual_effort() as f64, found: worth as f64 / NEW as f64 }
    }

    /// Finds a run, as far as is known.
    pub fn value(self) -> f64 {
        (self.found + 1.0) / (self.runs + PRIOR_RUNS)
    }
}

/// The shares of some techniques, adding up to 1: where each ends, the one after it starts.
#[derive(Debug)]
pub struct Shares {
    ends: Vec<f64>,
    /// Per part of the whole, the first that ends in it or later.
    first: [u8; PARTS],
}

impl Shares {
    /// From what the ops of each technique have spent and found.
    pub fn of<'a>(control: &Control, techniques: impl Iterator<Item = &'a [Op]>) -> Self {
        let recent: Vec<Rate> = techniques.map(|ops| Rate::of(control, ops)).collect();
        let spent = control.ops().map(|(_, numbers)| numbers.recent().0).sum::<u64>();
        if spent / control.usual_effort() > MEMORY {
            control.ops().for_each(|(_, numbers)| numbers.fade());
        }
        Self::new(shares(&recent, PROPORTIONAL))
    }

    /// The same shares, each times something.
    pub fn times(&self, weight: impl Fn(usize) -> f64) -> Self {
        let (mut start, mut sum) = (0.0, 0.0);
        let mut ends = Vec::with_capacity(self.ends.len());
        for (number, end) in self.ends.iter().enumerate() {
            sum += weight(number) * (end - start);
            start = *end;
            ends.push(sum);
        }
        let scale = if sum > 0.0 { 1.0 / sum } else { 0.0 };
        ends.iter_mut().for_each(|end| *end *= scale);
        Self::ending(ends)
    }

    /// One of the techniques, by chance.
    pub fn choose(&self, rand: &mut impl Rand) -> usize {
        if self.ends.len() < 2 {
            return 0;
        }
        self.at(rand.next_float())
    }

    /// The one of the techniques at this place of their shares, from 0 to 1.
    pub fn at(&self, place: f64) -> usize {
        self.in_part(((place * PARTS as f64) as usize).min(PARTS - 1), place)
    }

    /// One of the techniques, by 64 random bits.
    #[inline]
    pub fn drawn(&self, bits: u64) -> usize {
        // The first of the bits say which part of the whole it is.
        let place = (bits >> 11) as f64 / (1u64 << 53) as f64;
        self.in_part((bits >> (u64::BITS - PARTS.ilog2())) as usize, place)
    }

    #[inline]
    fn in_part(&self, part: usize, place: f64) -> usize {
        let mut at = usize::from(self.first[part]);
        // The sum of all may be a little less than 1.
        while at + 1 < self.ends.len() && self.ends[at] <= place {
            at += 1;
        }
        at
    }

    fn new(mut shares: Vec<f64>) -> Self {
        let mut sum = 0.0;
        for share in &mut shares {
            sum += *share;
            *share = sum;
        }
        Self::ending(shares)
    }

    fn ending(ends: Vec<f64>) -> Self {
        let mut first = [0; PARTS];
        let (mut at, mut start) = (0, 0.0);
        let last = ends.len().saturating_sub(1).min(usize::from(u8::MAX));
        for first in &mut first {
            while at < last && ends[at] <= start {
                at += 1;
            }
            *first = at as u8;
            start += 1.0 / PARTS as f64;
        }
        Self { ends, first }
    }
}

/// How many runs are left to these ops of their share of all runs lately, against all others together. The first thousand
/// is theirs in any case, since what they can do at once should not wait.
pub fn left(control: &Control, ops: &[Op]) -> f64 {
    let (spent, due) = account(control, ops);
    due + GRACE - spent
}

/// Whether these ops have had far less than their share, although they find something.
pub fn is_owed(control: &Control, ops: &[Op]) -> bool {
    let (spent, due) = account(control, ops);
    Rate::of(control, ops).found > 0.0 && spent < OWED * due
}

/// How many runs these ops have had lately, and what their share would be against all others together.
fn account(control: &Control, ops: &[Op]) -> (f64, f64) {
    let others = control.ops().map(|(op, _)| op).filter(|op| !matches!(op, Op::Seed | Op::Earlier));
    let others: Vec<Op> = others.filter(|op| !ops.contains(op)).collect();
    let rates = [Rate::of(control, ops), Rate::of(control, &others)];
    let all = rates[0].runs + rates[1].runs;
    (rates[0].runs, shares(&rates, BETTER_GETS_MORE)[0].min(MOST) * all)
}

/// The shares of techniques that have spent and found so much, by what they find a run to this power.
fn shares(recent: &[Rate], power: i32) -> Vec<f64> {
    let (runs, found) =
        recent.iter().fold((PRIOR_RUNS, 1.0), |sum, rate| (sum.0 + rate.runs, sum.1 + rate.found));
    let value =
        |rate: &Rate| ((rate.found + PRIOR_FOUND) / (rate.runs + PRIOR_FOUND * runs / found)).powi(power);
    let (all, count) = (recent.iter().map(value).sum::<f64>(), recent.len() as f64);
    recent.iter().map(|rate| LEAST / count + (1.0 - LEAST) * value(rate) / all).collect()
}

#[cfg(test)]
mod tests {
    use libafl_bolts::rands::StdRand;

    use super::*;

    fn rates<const N: usize>(recent: [(u32, u32); N]) -> Vec<f64> {
        shares(&recent.map(|(runs, found)| Rate { runs: runs.into(), found: found.into() }), PROPORTIONAL)
    }

    #[test]
    fn who_finds_more_gets_more_and_nobody_nothing() {
        assert_eq!(rates([(0, 0)]), [1.0]);
        let [a, b] = rates([(5000, 10), (5000, 10)])[..] else { panic!() };
        assert!((a - 0.5).abs() < 1e-9 && (b - 0.5).abs() < 1e-9);
        let [a, b] = rates([(50_000, 100), (50_000, 0)])[..] else { panic!() };
        assert!(a > 0.85 && b >= LEAST / 2.0 && (a + b - 1.0).abs() < 1e-9, "{a} {b}");
    }

    #[test]
    fn several_share_by_finds_a_run_and_a_newcomer_is_tried() {
        let shares = rates([(90_000, 90), (9000, 90), (900, 9), (0, 0)]);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let [busy, lucky, small, new] = shares[..] else { panic!() };
        assert!(lucky > small && small > busy, "{shares:?}: what is found a run counts, not what is found");
        assert!(new >= LEAST / 4.0, "{shares:?}");
        // Chosen as often as the shares say.
        let ending = Shares::new(shares.clone());
        let mut rand = StdRand::with_seed(1);
        let mut chosen = [0; 4];
        (0..20_000).for_each(|_| chosen[ending.choose(&mut rand)] += 1);
        for (chosen, share) in chosen.iter().zip(&shares) {
            assert!((f64::from(*chosen) / 20_000.0 - share).abs() < 0.02, "{chosen} for {share}");
        }
    }

    #[test]
    fn ops_that_are_granted_runs_must_be_about_as_good_as_the_rest() {
        let control = Control::new(16).unwrap();
        control.set_usual_effort(1);
        let spend = |op, runs: u64, found: usize| {
            control.op(op).spend(runs, runs);
            (0..found).for_each(|_| control.op(op).find(true));
        };
        spend(Op::Havoc, 50_000, 1000);
        spend(Op::Answer, 10_000, 200);
        let as_good = left(control, &[Op::Answer]);
        spend(Op::Answer, 0, 600);
        assert!(left(control, &[Op::Answer]) >= as_good && as_good > 15_000.0, "half at most: {as_good}");
        // Half as good: a fifth rather than a third, besides what everyone gets.
        spend(Op::Mended, 10_000, 100);
        let (spent, due) = account(control, &[Op::Mended]);
        assert!(due / (spent + 60_000.0) < 0.25, "{due}");
    }

    #[test]
    fn what_was_never_tried_counts_as_much_as_what_finds_much() {
        let [busy, new] = rates([(20_000, 2000), (0, 0)])[..] else { panic!() };
        assert!((busy - new).abs() < 0.03, "{busy} {new}");
        let [busy, tried] = rates([(20_000, 2000), (400, 0)])[..] else { panic!() };
        assert!(busy > 0.75 && tried < 0.25, "{busy} {tried}");
    }

    #[test]
    fn what_is_long_ago_counts_less() {
        let control = Control::new(16).unwrap();
        let techniques = || [&[Op::Havoc][..], &[Op::Masked, Op::Mask][..]].into_iter();
        // The first finds at the beginning and then no more; the second finds a little all the time.
        for round in 0..40 {
            control.op(Op::Havoc).spend(10_000, 10_000);
            control.op(Op::Masked).spend(5_000, 5_000);
            control.op(Op::Mask).spend(5_000, 5_000);
            control.op(Op::Mask).find(true);
            if round < 4 {
                (0..20).for_each(|_| control.op(Op::Havoc).find(true));
            }
            let shares = Shares::of(control, techniques()).ends;
            assert!(round != 3 || shares[0] > 0.6, "{shares:?}");
        }
        let shares = Shares::of(control, techniques()).ends;
        assert!(shares[0] < 0.4, "{shares:?}");
        assert_eq!(control.op(Op::Havoc).all(), (400_000, 80), "the statistics forget nothing");
    }
}
