//! How much of everything one replica takes on, with the defaults.

use std::time::Duration;

/// Bounds of one replica.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Matches kept folded in memory; those in use stay beyond it.
    pub live_matches: usize,
    /// Changes under way at a time, those included whose caller has gone away.
    pub changes: usize,
    /// Open watches at a time.
    pub watches: usize,
    /// Silence on a watch after which a heartbeat is sent.
    pub heartbeat: Duration,
    /// How long after a due time a move is still taken, for the way it has come.
    pub grace: Duration,
    /// How long a match waits for its players before it ends as `expired`.
    pub expiry: Duration,
    /// How often is looked for what has become due.
    pub sweep: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            live_matches: 10_000,
            changes: 4_096,
            watches: 20_000,
            heartbeat: Duration::from_secs(15),
            grace: Duration::from_millis(250),
            expiry: Duration::from_secs(24 * 60 * 60),
            sweep: Duration::from_millis(250),
        }
    }
}

/// Moves in one answer of `ListLegalMoves` when the request says nothing, and at most.
pub(crate) const LEGAL_MOVES: (u32, u32) = (1_000, 10_000);

/// Events in one page of `ListEvents` when the request says nothing, and at most.
pub(crate) const EVENTS_PAGE: (u32, u32) = (100, 500);

/// Answers in one path of `GetChoices`.
pub(crate) const PATH_ANSWERS: usize = 1_000;

/// Characters in one answer of a path, and in a move's notation.
pub(crate) const TEXT_CHARS: usize = 2_000;

/// Characters in a player's name.
pub(crate) const NAME_CHARS: usize = 40;

/// Matches in one page of `ListMatches` when the request says nothing, and at most.
pub(crate) const MATCHES_PAGE: (u32, u32) = (50, 200);

/// Matches that one look for what has become due takes on.
pub(crate) const SWEPT_AT_ONCE: u32 = 200;

/// Calls remembered a seat, so that a repeated one is answered as the first time.
pub(crate) const REMEMBERED_REQUESTS: usize = 32;

/// Newest events kept ready with a live match for its watchers.
pub(crate) const RECENT_EVENTS: usize = 8;

/// Events that a watcher that lags behind reads at a time: what it holds while
/// its client takes nothing.
pub(crate) const WATCH_PAGE: u32 = 16;

/// Events that an export reads at a time.
pub(crate) const EXPORT_PAGE: u32 = 100;

/// Events that a reader of the feed reads at a time.
pub(crate) const FEED_PAGE: u32 = 100;

/// The longest silence on a watch that can be asked for.
pub(crate) const LONGEST_HEARTBEAT: Duration = Duration::from_secs(24 * 60 * 60);

/// How often a call is judged again when other replicas keep moving first.
pub(crate) const JUDGE_ATTEMPTS: usize = 16;

/// A number from a request: the default if it is absent, else from 1 to the most.
pub(crate) fn count(
    field: &str,
    asked: Option<u32>,
    (default, most): (u32, u32),
) -> Result<u32, crate::Refusal> {
    match asked {
        None => Ok(default),
        Some(asked) if (1..=most).contains(&asked) => Ok(asked),
        Some(_) => Err(crate::Refusal::field(field, format!("must be 1 to {most}, or absent for {default}"))),
    }
}
