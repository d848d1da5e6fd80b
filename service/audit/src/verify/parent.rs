//! A fork compared with the file of its parent. Each file is verified on its own elsewhere.

use event::{MatchId, Seq};
use replay::{Entry, MoveHistory, Position, decode_entry};
use rules::Games;
use uuid::Uuid;
use wire::log::v1 as log;

use crate::LogFile;

/// Why a fork does not fit its parent's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParentProblem {
    /// The file names no parent.
    #[error("not a fork: its first event names no parent")]
    NotAFork,
    /// The parent's file is of another match.
    #[error("a fork of another match, {0}")]
    OtherMatch(MatchId),
    /// The parent's file ends too early or does not replay that far.
    #[error("the parent does not replay up to event {0}, after which the fork continues")]
    NotReached(Seq),
    /// The parent's event has another hash.
    #[error("event {0} of the parent has another hash than the fork names")]
    OtherHash(Seq),
    /// No match can continue from that position.
    #[error("no match can continue from event {0} of the parent")]
    NotForkable(Seq),
    /// The fork starts with another position than its parent had.
    #[error("the fork starts with other {0} than the parent had")]
    Differs(&'static str),
}

impl LogFile {
    /// Returns the match that this one continues, as its first event says, or `None` if it is not a fork.
    pub fn parent(&self) -> Option<MatchId> {
        self.forked().and_then(|forked| MatchId::from_bytes(&forked.parent_match_id))
    }

    /// Checks that this fork continues from the position that its parent's file reached under these rules,
    /// with the same moves.
    pub fn check_parent(&self, parent: &LogFile, games: Games) -> Result<(), ParentProblem> {
        let forked = self.forked().ok_or(ParentProblem::NotAFork)?;
        if parent.header.match_id.0.as_bytes() != forked.parent_match_id.as_slice() {
            return Err(ParentProblem::OtherMatch(self.parent().unwrap_or(MatchId(Uuid::nil()))));
        }
        let seq = Seq(forked.parent_seq);
        let (position, moves) = parent.position_at(games, seq).ok_or(ParentProblem::NotReached(seq))?;
        if position.head_hash().as_slice() != forked.parent_hash.as_slice() {
            return Err(ParentProblem::OtherHash(seq));
        }
        let expected = position.forked(moves).ok_or(ParentProblem::NotForkable(seq))?;
        expected.difference(&forked).map_or(Ok(()), |what| Err(ParentProblem::Differs(what)))
    }

    fn forked(&self) -> Option<log::MatchForked> {
        let first = self.events.first()?;
        match decode_entry(first.kind, first.public.clone()) {
            Ok(Entry::MatchForked(forked)) => Some(forked),
            _ => None,
        }
    }

    /// Returns the position after an event, and the moves that led there.
    fn position_at(&self, games: Games, seq: Seq) -> Option<(Position, MoveHistory)> {
        let mut moves = MoveHistory::default();
        let events = self.opened_events();
        let mut events = events.iter().take_while(|event| event.seq <= seq);
        let (mut position, first) = Position::start(games, self.header.match_id, events.next()?).ok()?;
        moves.record(&position, &first);
        for event in events {
            let applied = position.apply(event).ok()?;
            moves.record(&position, &applied);
        }
        (position.seq() == seq).then_some((position, moves))
    }
}
