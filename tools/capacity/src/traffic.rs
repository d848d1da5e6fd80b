//! How often each match has a move.

use clap::Args;
use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use crate::queue::Nanos;

/// The matches and their players.
#[derive(Args, Clone, Copy)]
pub(crate) struct Traffic {
    /// Number of concurrent matches
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u32).range(1..=20_000_000))]
    pub(crate) matches: u32,

    /// Mean time that players think about a move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000,
          value_parser = clap::value_parser!(u32).range(1..))]
    think_ms: u32,

    /// Zipf's exponent: 0 for equally busy matches; with 1 the busiest is twice as busy as the second
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    zipf: f64,

    /// Least mean time to think in the busiest matches, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..))]
    fastest_ms: u32,
}

/// The mean time to think in each match.
pub(crate) struct Thinking(Vec<Nanos>);

impl Traffic {
    /// Divides the moves of all matches among them by Zipf's law, as far as the fastest players can follow.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "times are far below 2^53 ns"
    )]
    pub(crate) fn thinking(&self) -> Thinking {
        let weight = |rank: u32| f64::from(rank).powf(-self.zipf);
        let total: f64 = (1..=self.matches).map(weight).sum();
        let all_per_ns = f64::from(self.matches) / (f64::from(self.think_ms) * 1e6);
        let fastest = f64::from(self.fastest_ms.min(self.think_ms)) * 1e6;
        let mean = |rank| (total / (weight(rank) * all_per_ns)).max(fastest) as u64;
        Thinking((1..=self.matches).map(|rank| Nanos(mean(rank))).collect())
    }
}

impl Thinking {
    pub(crate) fn matches(&self) -> u32 {
        u32::try_from(self.0.len()).expect("there are at most 20 million")
    }

    /// Returns a random time to think in a match, exponentially distributed.
    #[expect(clippy::cast_precision_loss, reason = "a random time needs no more than 53 bits")]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "times are far below 2^53 ns"
    )]
    pub(crate) fn pause(&self, of: u32, rng: &mut ChaCha12Rng) -> Nanos {
        let mean = self.0[of as usize].0 as f64;
        // Between 0, excluded, and 1.
        let chance = 1.0 - rng.random::<f64>();
        Nanos((-chance.ln() * mean) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busier_matches_think_less_and_all_together_as_asked() {
        let traffic = Traffic { matches: 1000, think_ms: 10_000, zipf: 1.0, fastest_ms: 1 };
        let Thinking(means) = traffic.thinking();
        assert_eq!(means[1].0 / means[0].0, 2, "{means:?}");
        let per_second: f64 =
            means.iter().map(|mean| 1e9 / f64::from(u32::try_from(mean.0 / 1000).unwrap()) / 1e3).sum();
        assert!((per_second - 100.0).abs() < 0.1, "{per_second}");
        let equal = Traffic { zipf: 0.0, ..traffic }.thinking();
        assert!(equal.0.iter().all(|mean| mean.0.abs_diff(10_000_000_000) < 1000));
    }
}
