//! Figures of webhooks, without any that grow with the number of webhooks.

use std::sync::atomic::{AtomicU64, Ordering};

use super::AttemptOutcome;
use crate::Play;

/// The result of an attempt, as metrics count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptResult {
    /// The receiver took the event.
    Delivered,
    /// The receiver answered with another status than 200 to 299.
    Rejected,
    /// The receiver did not answer in time.
    TimedOut,
    /// The URL's host has no address that the service sends to.
    AddressRefused,
    /// The connection failed.
    Unreachable,
}

/// Counts attempts and dead letters.
#[derive(Default)]
pub(super) struct WebhookStats {
    attempts: [AtomicU64; AttemptResult::ALL.len()],
    dead_letters: AtomicU64,
}

impl AttemptResult {
    /// All results.
    pub const ALL: [Self; 5] =
        [Self::Delivered, Self::Rejected, Self::TimedOut, Self::AddressRefused, Self::Unreachable];

    /// Returns the result's name in metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Rejected => "rejected",
            Self::TimedOut => "timed_out",
            Self::AddressRefused => "address_refused",
            Self::Unreachable => "unreachable",
        }
    }

    fn of(outcome: &AttemptOutcome) -> Self {
        match outcome {
            AttemptOutcome::Status(200..=299) => Self::Delivered,
            AttemptOutcome::Status(_) => Self::Rejected,
            AttemptOutcome::TimedOut => Self::TimedOut,
            AttemptOutcome::AddressRefused => Self::AddressRefused,
            AttemptOutcome::Unreachable(_) => Self::Unreachable,
        }
    }
}

impl WebhookStats {
    pub(super) fn count(&self, outcome: &AttemptOutcome) {
        self.attempts[AttemptResult::of(outcome) as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_dead_letter(&self) {
        self.dead_letters.fetch_add(1, Ordering::Relaxed);
    }
}

impl Play {
    /// Returns the number of attempts since the start with this result.
    #[must_use]
    pub fn webhook_attempts(&self, result: AttemptResult) -> u64 {
        self.webhooks.stats.attempts[result as usize].load(Ordering::Relaxed)
    }

    /// Returns the number of events since the start that were given up.
    #[must_use]
    pub fn webhook_dead_letters(&self) -> u64 {
        self.webhooks.stats.dead_letters.load(Ordering::Relaxed)
    }

    /// Returns the number of webhooks that this replica delivers for.
    #[must_use]
    pub fn leased_webhooks(&self) -> u64 {
        self.webhooks.leased.load(Ordering::Relaxed)
    }
}
