//! One stored match folded by this build, up to the first event that is not what this build makes of it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use event::EventKind;
use journal::{MatchId, MatchRow, MatchStatus, PageSize, ReadError, Reader, Seq, StoredEvent};
use replay::{Check, Entry, Position, ReplayError};
use uuid::Uuid;

/// Events read at a time.
const PAGE: u32 = 500;

/// What became of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// The match.
    pub match_id: Uuid,
    /// Its game, as its first event has it, else as the directory does.
    pub game: String,
    /// The rules that it is pinned to; none if its first event can't be read.
    pub rules_version: Option<u32>,
    /// How far it has come.
    pub status: MatchStatus,
    /// Events that were folded, the one that differs included.
    pub events: u64,
    /// What differs first.
    pub difference: Option<Difference>,
}

/// The first event of a match that this build does not replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The event; none if the match has none, or the database can't give them.
    pub seq: Option<u32>,
    /// Its kind, `move_made` and so on; a number if this build does not know it.
    pub kind: Option<String>,
    /// What was looked at when it showed: the word that `matchbook verify` uses, `panic`, or `storage`.
    pub check: &'static str,
    /// Why, in words. Holds nothing of what the event says.
    pub reason: String,
}

/// Folds a match from its first event on.
pub(super) async fn replay(reader: Reader, row: MatchRow) -> Result<Replayed, ReadError> {
    let MatchRow { match_id, game, status, .. } = row;
    let mut fold = Fold { position: None, seq: 0 };
    let mut replayed =
        Replayed { match_id: match_id.0, game, rules_version: None, status, events: 0, difference: None };
    loop {
        let page = match reader.events(match_id, Seq(fold.seq), PageSize(PAGE)).await {
            Ok(page) => page,
            Err(ReadError::Corrupt { what }) => {
                replayed.difference = Some(Difference::of_storage(format!("the database has a bad {what}")));
                return Ok(replayed);
            }
            Err(error) => return Err(error),
        };
        for stored in &page {
            replayed.take(&mut fold, match_id, stored);
            if replayed.difference.is_some() {
                return Ok(replayed);
            }
        }
        if page.len() < PAGE as usize {
            break;
        }
    }
    if replayed.events == 0 {
        replayed.difference = Some(Difference::of_storage("there are no events".to_owned()));
    }
    Ok(replayed)
}

/// How far a match is folded.
struct Fold {
    position: Option<Position>,
    seq: u32,
}

impl Replayed {
    fn take(&mut self, fold: &mut Fold, match_id: MatchId, stored: &StoredEvent) {
        self.events += 1;
        fold.seq = stored.event.seq.0;
        if self.events == 1 {
            self.learn_pin(stored);
        }
        let before = fold.position.take();
        // A rules bug must not hide what is wrong with the matches after this one. The position is gone with it.
        let step = catch_unwind(AssertUnwindSafe(|| advanced(match_id, before, stored)));
        match step {
            Ok(Ok(position)) => fold.position = Some(position),
            Ok(Err(error)) => {
                self.difference = Some(Difference {
                    seq: Some(fold.seq),
                    kind: Some(kind_word(stored.event.kind)),
                    check: Check::of(&error.fault).as_str(),
                    reason: error.fault.to_string(),
                });
            }
            Err(_) => {
                self.difference = Some(Difference {
                    seq: Some(fold.seq),
                    kind: Some(kind_word(stored.event.kind)),
                    check: "panic",
                    reason: "the rules fail on it: this is a bug".to_owned(),
                });
            }
        }
    }

    fn learn_pin(&mut self, first: &StoredEvent) {
        let entry = Entry::decode(first.event.kind, first.event.public.clone());
        if let Some((game, version)) = entry.as_ref().ok().and_then(Entry::pinned) {
            self.game = game.to_owned();
            self.rules_version = Some(version);
        }
    }
}

impl Difference {
    fn of_storage(reason: String) -> Self {
        Self { seq: None, kind: None, check: "storage", reason }
    }
}

fn advanced(
    match_id: MatchId,
    before: Option<Position>,
    stored: &StoredEvent,
) -> Result<Position, ReplayError> {
    match before {
        Some(position) => position.followed_by(&stored.event),
        None => Position::begin(match_id, &stored.event).map(|(position, _)| position),
    }
}

/// The kind's name, or its number if this build does not know it.
fn kind_word(kind: u16) -> String {
    EventKind::from_number(kind).map_or_else(|| kind.to_string(), |known| known.as_str().to_owned())
}
