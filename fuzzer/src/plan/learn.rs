//! Whether a campaign learns tokens before all else, and how much that may take.
use std::time::Duration;

use anyhow::Result;

use crate::{cli::args::Args, dict, guidance, instance::Instance};

/// What learning tokens may take.
#[derive(Debug, Clone)]
pub struct Learn {
    /// In runs.
    pub max_runs: u64,
    /// In time, unless runs alone decide.
    pub max_time: Option<Duration>,
}

impl Learn {
    /// As the options say, or if the campaign starts from nothing. What an earlier campaign learnt need not be learnt
    /// again: its tokens are added to `tokens`.
    pub fn new(
        args: &Args,
        starts_from_nothing: bool,
        instance: &Instance,
        tokens: &mut Vec<Vec<u8>>,
        remarks: &mut Vec<String>,
    ) -> Result<Option<Self>> {
        let learnt = instance.dir.join(dict::LEARNT);
        let is_learnt = !args.no_learn_tokens && learnt.is_file();
        let is_default = !args.no_learn_tokens && !args.no_trace && starts_from_nothing;
        if is_learnt {
            let earlier = dict::load(&learnt).unwrap_or_else(|error| {
                remarks.push(format!("left out the tokens learnt before: {error:#}"));
                Vec::new()
            });
            tokens.extend(earlier.into_iter().filter(|token| !tokens.contains(token)).collect::<Vec<_>>());
        }
        if !args.learn_tokens && !((is_learnt || is_default) && guidance::can_trace()) {
            return Ok(None);
        }
        guidance::ensure_traceable("--learn-tokens")?;
        let share = share(args.runs, args.max_time);
        Ok(Some(Self { max_runs: if is_learnt { 0 } else { share.max_runs }, ..share }))
    }
}

/// How much of a campaign learning may take: a tenth of its runs or its time, and never more than so much.
fn share(max_runs: Option<u64>, max_time: Option<Duration>) -> Learn {
    const SHARE: u32 = 10;
    const MOST_RUNS: u64 = 150_000;
    const MOST_TIME: Duration = Duration::from_secs(30);
    Learn {
        max_runs: max_runs.map_or(MOST_RUNS, |runs| (runs / u64::from(SHARE)).min(MOST_RUNS)),
        // Where runs are counted the clock decides nothing, so that a campaign can be repeated.
        max_time: match (max_runs, max_time) {
            (_, Some(time)) => Some((time / SHARE).min(MOST_TIME)),
            (None, None) => Some(MOST_TIME),
            (Some(_), None) => None,
        },
    }
}
