//! The replay of one stored match, up to the first event that this build does not reproduce.

use std::panic::{AssertUnwindSafe, catch_unwind};

use audit::LogCheck;
use event::{MatchId, Seq};
use journal::{MatchRow, MatchStatus, ReadError, Reader, StoredEvent};
use replay::{Entry, MatchPhase, Position, ReplayError, decode_entry};
use rules::Games;
use wire::log::v1::EventKind;

use crate::live::FOLD_PAGE;

/// The result of replaying one match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchReplay {
    /// The match.
    pub match_id: MatchId,
    /// Its game according to its first event, or to the directory if that event cannot be read.
    pub game: String,
    /// The rules version that it is pinned to; `None` if its first event cannot be read.
    pub rules_version: Option<u32>,
    /// Its status according to the directory.
    pub status: MatchStatus,
    /// Events folded, including one that differs.
    pub events: u64,
    /// The first difference.
    pub difference: Option<Difference>,
    /// Whether the log is in the archive, which was not given: nothing was replayed.
    pub is_archived: bool,
}

/// The first event of a match that this build does not reproduce.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The event; `None` if the match has none, or the database cannot return it.
    pub seq: Option<Seq>,
    /// Its kind, for example `move_made`; a number if this build does not know the kind. `None` if the
    /// database cannot return the event.
    pub kind: Option<String>,
    /// The check that failed: a word that `matchbook verify` uses, `panic`, or `storage`.
    pub check: &'static str,
    /// An explanation, which reveals no content of the event.
    pub reason: String,
}

/// Folds a match from its first event.
pub(super) async fn replay(reader: Reader, games: Games, row: MatchRow) -> Result<MatchReplay, ReadError> {
    let MatchRow { match_id, game, status, .. } = row;
    let mut fold = Fold { games, position: None, seq: Seq(0) };
    let mut replayed = MatchReplay {
        match_id,
        game,
        rules_version: None,
        status,
        events: 0,
        difference: None,
        is_archived: false,
    };
    loop {
        let page = match reader.events(match_id, fold.seq, FOLD_PAGE).await {
            Ok(page) => page,
            Err(ReadError::Corrupt { what, event }) => {
                let seq = event.map(|(_, seq)| seq);
                let reason = format!("the database has an invalid {what}");
                replayed.difference = Some(Difference::of_storage(seq, reason));
                return Ok(replayed);
            }
            Err(ReadError::Archived { .. }) => {
                replayed.is_archived = true;
                return Ok(replayed);
            }
            Err(error) => return Err(error),
        };
        for stored in &page {
            replayed.apply(&mut fold, stored);
            if replayed.difference.is_some() {
                return Ok(replayed);
            }
        }
        if page.len() < FOLD_PAGE.0 as usize {
            break;
        }
    }
    if replayed.events == 0 {
        replayed.difference = Some(Difference::of_storage(None, "the match has no events".to_owned()));
    }
    Ok(replayed)
}

/// Folds the log of a finished match. Returns what this build does not reproduce, or that the match is not
/// over.
pub fn verify_finished(games: Games, match_id: MatchId, log: &[StoredEvent]) -> Result<(), String> {
    let mut fold = Fold { games, position: None, seq: Seq(0) };
    let mut replayed = MatchReplay {
        match_id,
        game: String::new(),
        rules_version: None,
        status: MatchStatus::Over,
        events: 0,
        difference: None,
        is_archived: false,
    };
    for stored in log {
        replayed.apply(&mut fold, stored);
        if let Some(difference) = replayed.difference {
            return Err(format!("event {}: {} ({})", fold.seq, difference.reason, difference.check));
        }
    }
    match fold.position.as_ref().map(Position::phase) {
        Some(MatchPhase::Over(_)) => Ok(()),
        Some(MatchPhase::Open | MatchPhase::Running(_)) => Err("its log does not end the match".to_owned()),
        None => Err("it has no events".to_owned()),
    }
}

/// How far a match is folded.
struct Fold {
    games: Games,
    position: Option<Position>,
    seq: Seq,
}

impl MatchReplay {
    fn apply(&mut self, fold: &mut Fold, stored: &StoredEvent) {
        self.events += 1;
        fold.seq = stored.event.seq;
        if self.events == 1 {
            self.read_pinned_rules(stored);
        }
        let before = fold.position.take();
        // A panic in the rules must not keep later matches from being checked. The position is lost with it.
        let applied = catch_unwind(AssertUnwindSafe(|| apply(fold.games, self.match_id, before, stored)));
        match applied {
            Ok(Ok(position)) => fold.position = Some(position),
            Ok(Err(error)) => {
                let check = LogCheck::of(&error.fault).as_str();
                self.difference = Some(Difference::of_event(stored, check, error.fault.to_string()));
            }
            Err(_) => {
                let reason = "the rules panic on this event; report it as a bug".to_owned();
                self.difference = Some(Difference::of_event(stored, "panic", reason));
            }
        }
    }

    fn read_pinned_rules(&mut self, first: &StoredEvent) {
        let entry = decode_entry(first.event.kind, first.event.public.clone());
        if let Some((game, version)) = entry.as_ref().ok().and_then(Entry::pinned) {
            self.game = game.to_owned();
            self.rules_version = Some(version);
        }
    }
}

impl Difference {
    fn of_storage(seq: Option<Seq>, reason: String) -> Self {
        Self { seq, kind: None, check: "storage", reason }
    }

    fn of_event(stored: &StoredEvent, check: &'static str, reason: String) -> Self {
        let kind = Some(kind_word(stored.event.kind));
        Self { seq: Some(stored.event.seq), kind, check, reason }
    }
}

fn apply(
    games: Games,
    match_id: MatchId,
    before: Option<Position>,
    stored: &StoredEvent,
) -> Result<Position, ReplayError> {
    match before {
        Some(mut position) => position.apply(&stored.event).map(|_| position),
        None => Position::start(games, match_id, &stored.event).map(|(position, _)| position),
    }
}

/// Returns a kind's name, or its number if this build does not know it.
fn kind_word(kind: u16) -> String {
    EventKind::from_number(kind).map_or_else(|| kind.to_string(), EventKind::word)
}
