//! Checks that this build replays what is stored: every log is folded again by the rules that its match is
//! pinned to. The logs are read beside the running service and page by page, so that memory does not grow
//! with the database. Nothing is written.

mod match_replay;
mod rules_in_use;

use std::thread;

use event::{MatchId, RecordTime};
use futures_util::{StreamExt, stream};
use journal::{MatchFilter, MatchPage, ReadError, Reader, Scope};
use rules::{GameId, Games};

use match_replay::replay;
use rules_in_use::UsageCounts;

pub use match_replay::{Difference, MatchReplay, verify_finished};
pub use rules_in_use::RulesInUse;

/// Rows of the directory read at a time.
const PAGE: u32 = 200;

/// The matches to replay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only this match.
    pub match_id: Option<MatchId>,
    /// Only matches of this game.
    pub game: Option<String>,
    /// Only matches created at this time or later.
    pub since: Option<RecordTime>,
}

/// The result of all replays together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Matches replayed.
    pub matches: u64,
    /// Matches that differ from what is stored.
    pub different: u64,
    /// Matches that were not replayed, because their logs are in the archive and it was not given.
    pub archived: u64,
    /// Events folded, including those that differ.
    pub events: u64,
    /// The rules versions that these matches are pinned to, and those of this build.
    pub rules: Vec<RulesInUse>,
}

/// Returns the ids of the games that this build has.
#[must_use]
pub fn known_games() -> Vec<&'static str> {
    GameId::ALL.into_iter().map(|game| game.info().id).collect()
}

/// Returns the number of matches to replay.
pub async fn count_stored(reader: &Reader, selection: &Selection) -> Result<u64, ReadError> {
    match selection.match_id {
        Some(id) => Ok(u64::from(reader.match_row(id).await?.is_some())),
        None => reader.count_matches(selection.game.as_deref(), selection.since()).await,
    }
}

/// Replays stored matches, newest first, and passes each result to `report`. Skips matches created meanwhile,
/// which were played by the rules of the running service.
pub async fn check_rules(
    reader: &Reader,
    games: Games,
    selection: &Selection,
    mut report: impl FnMut(&MatchReplay),
) -> Result<Summary, ReadError> {
    let mut summary = Summary::default();
    let mut counts = UsageCounts::default();
    let mut last = None;
    loop {
        let page = selection.page(reader, last).await?;
        last = page.next;
        let replays = page.rows.into_iter().map(|row| tokio::spawn(replay(reader.clone(), games, row)));
        let mut replays = stream::iter(replays).buffered(parallelism());
        while let Some(replayed) = replays.next().await {
            let replayed = replayed.expect("a replay catches panics of the rules")?;
            if replayed.is_archived {
                summary.archived += 1;
                report(&replayed);
                continue;
            }
            summary.matches += 1;
            summary.events += replayed.events;
            summary.different += u64::from(replayed.difference.is_some());
            counts.count(&replayed);
            report(&replayed);
        }
        if last.is_none() {
            break;
        }
    }
    summary.rules = counts.into_list(games);
    Ok(summary)
}

impl Selection {
    fn since(&self) -> RecordTime {
        self.since.unwrap_or(RecordTime(i64::MIN))
    }

    /// Returns the directory's rows after match `last`.
    async fn page(&self, reader: &Reader, last: Option<MatchId>) -> Result<MatchPage, ReadError> {
        if let Some(id) = self.match_id {
            return Ok(MatchPage { rows: reader.match_row(id).await?.into_iter().collect(), next: None });
        }
        let filter = MatchFilter {
            game: self.game.clone(),
            created_since: Some(self.since()),
            before: last,
            ..MatchFilter::of(Scope::Everything, PAGE)
        };
        reader.list_matches(&filter).await
    }
}

/// Returns how many matches to fold at once: one per processor.
fn parallelism() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
