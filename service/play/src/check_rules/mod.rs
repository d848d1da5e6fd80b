//! Whether this build replays what is stored: every log folded again by the rules that it is pinned to, read beside the
//! running service and in pages, so that a database of any size takes little memory. Nothing is written.

mod replayed;
mod rules_in_use;

use std::thread;

use futures_util::{StreamExt, stream};
use journal::{MatchFilter, MatchId, MatchRow, ReadError, Reader, RecordedTime, Scope};
use uuid::Uuid;

use replayed::replay;
use rules_in_use::Uses;

pub use replayed::{Difference, Replayed};
pub use rules_in_use::{RulesInUse, Standing};

/// Lines of the directory read at a time.
const PAGE: u32 = 200;

/// Which matches are replayed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only this one.
    pub match_id: Option<Uuid>,
    /// Only those of this game.
    pub game: Option<String>,
    /// Only those created at this time or later, in microseconds since 1970.
    pub since: Option<i64>,
}

/// What the replays came to, taken together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Matches that were replayed.
    pub matches: u64,
    /// Those of them that differ.
    pub different: u64,
    /// Events that were folded, those that differ included.
    pub events: u64,
    /// The rules that these matches are pinned to, and those of new matches.
    pub rules: Vec<RulesInUse>,
}

/// How many matches there are to replay.
pub async fn count_stored(reader: &Reader, selection: &Selection) -> Result<u64, ReadError> {
    match selection.match_id {
        Some(id) => Ok(u64::from(reader.match_row(MatchId(id)).await?.is_some())),
        None => reader.count_matches(selection.game.as_deref(), selection.since()).await,
    }
}

/// Replays what is stored, the last created first, and tells each match. What is created meanwhile is not looked at: it
/// was played by the rules of the service that runs.
pub async fn check_rules(
    reader: &Reader,
    selection: &Selection,
    mut tell: impl FnMut(&Replayed),
) -> Result<Summary, ReadError> {
    let mut summary = Summary::default();
    let mut uses = Uses::default();
    let mut last = None;
    loop {
        let rows = selection.page(reader, last).await?;
        let Some(oldest) = rows.last() else { break };
        last = Some(oldest.match_id);
        let replays = rows.into_iter().map(|row| tokio::spawn(replay(reader.clone(), row)));
        let mut replays = stream::iter(replays).buffered(at_once());
        while let Some(replayed) = replays.next().await {
            let replayed = replayed.expect("a replay catches what the rules do")?;
            summary.matches += 1;
            summary.events += replayed.events;
            summary.different += u64::from(replayed.difference.is_some());
            uses.count(&replayed);
            tell(&replayed);
        }
        if selection.match_id.is_some() {
            break;
        }
    }
    summary.rules = uses.listed();
    Ok(summary)
}

impl Selection {
    fn since(&self) -> RecordedTime {
        RecordedTime(self.since.unwrap_or(i64::MIN))
    }

    /// The lines of the directory after this match.
    async fn page(&self, reader: &Reader, last: Option<MatchId>) -> Result<Vec<MatchRow>, ReadError> {
        if let Some(id) = self.match_id {
            return Ok(reader.match_row(MatchId(id)).await?.into_iter().collect());
        }
        let filter = MatchFilter {
            scope: Scope::Everything,
            game: self.game.clone(),
            status: None,
            player: None,
            created_since: Some(self.since()),
            created_before: None,
            before: last,
            limit: PAGE,
        };
        reader.list_matches(&filter).await
    }
}

/// As many matches are folded side by side as there are processors.
fn at_once() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
