//! Moves of the model of which it has not seen the outcome. If it repeats one, the service gets the same
//! request again, and makes the move once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use matchbook_client::request_id;

/// The last move in each match, until the model has seen the table after it. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct LostMoves {
    by_match: Arc<Mutex<BTreeMap<String, LostMove>>>,
}

#[derive(Debug)]
struct LostMove {
    notation: String,
    request_id: String,
}

impl LostMoves {
    /// Returns the `request_id` to make a move with: the one that it was sent with before, if the model has
    /// not seen what came of it.
    pub(super) fn request_id(&self, match_id: &str, notation: &str) -> String {
        let mut moves = self.lock();
        if let Some(lost) = moves.get(match_id).filter(|lost| lost.notation == notation) {
            return lost.request_id.clone();
        }
        let sent = LostMove { notation: notation.to_owned(), request_id: request_id() };
        let id = sent.request_id.clone();
        moves.insert(match_id.to_owned(), sent);
        id
    }

    /// Records that the model has seen the table, or that its move was refused: what it sends next is new.
    pub(super) fn forget(&self, match_id: &str) {
        self.lock().remove(match_id);
    }

    /// Returns whether the model has not seen what came of its last move.
    pub(super) fn has(&self, match_id: &str) -> bool {
        self.lock().contains_key(match_id)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, LostMove>> {
        self.by_match.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_move_keeps_its_id_until_the_model_has_seen_the_table() {
        let moves = LostMoves::default();
        let first = moves.request_id("one", "a1-a2");
        assert_eq!(moves.request_id("one", "a1-a2"), first);
        assert_ne!(moves.request_id("two", "a1-a2"), first);
        assert!(moves.has("one"));
        moves.forget("one");
        assert!(!moves.has("one") && moves.has("two"));
        let second = moves.request_id("one", "a1-a2");
        assert_ne!(second, first);
        assert_ne!(moves.request_id("one", "a2-a3"), second);
    }
}
