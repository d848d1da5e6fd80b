//! A fork beside the file of the match that it goes on from. What each file proves by itself is not looked at here.

use event::{MatchId, Seq};
use uuid::Uuid;
use wire::log::v1 as log;

use crate::fork::read_id;
use crate::{Entry, ForkedPosition, LogFile, Moves, Position, convert};

/// Why a file is not the fork that it says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParentProblem {
    /// The file names no parent.
    #[error("it is no fork: its first event names no parent")]
    NoFork,
    /// The parent's file is of another match.
    #[error("it is a fork of another match, {0}")]
    OtherMatch(MatchId),
    /// The parent's file ends before, or does not replay so far.
    #[error("the parent can't be followed to event {0}, after which the fork goes on")]
    NotReached(Seq),
    /// The parent had another past when it was forked.
    #[error("event {0} of the parent has another hash than the fork names")]
    OtherHash(Seq),
    /// No match can go on from there.
    #[error("no match can go on from event {0} of the parent")]
    NotForkable(Seq),
    /// What the fork begins with is not what the parent came to.
    #[error("the fork begins with other {0} than the parent had")]
    Differs(&'static str),
}

impl LogFile {
    /// The match that this one goes on from, as its first event names it; none if it is no fork.
    pub fn parent(&self) -> Option<MatchId> {
        self.forked().and_then(|forked| read_id(&forked.parent_match_id).ok())
    }

    /// Whether this fork begins where its parent's file was, with its moves.
    pub fn check_parent(&self, parent: &LogFile) -> Result<(), ParentProblem> {
        let forked = self.forked().ok_or(ParentProblem::NoFork)?;
        if parent.header.match_id.0.as_bytes() != forked.parent_match_id.as_slice() {
            return Err(ParentProblem::OtherMatch(self.parent().unwrap_or(MatchId(Uuid::nil()))));
        }
        let seq = Seq(forked.parent_seq);
        let (position, moves) = parent.position_at(seq).ok_or(ParentProblem::NotReached(seq))?;
        if position.head_hash().as_slice() != forked.parent_hash.as_slice() {
            return Err(ParentProblem::OtherHash(seq));
        }
        begins_with(&forked, &position.forked(moves).ok_or(ParentProblem::NotForkable(seq))?)
    }

    fn forked(&self) -> Option<log::MatchForked> {
        let first = self.events.first()?;
        match Entry::decode(first.kind, first.public.clone()) {
            Ok(Entry::MatchForked(forked)) => Some(forked),
            _ => None,
        }
    }

    /// The position after an event, and the moves that led there.
    fn position_at(&self, seq: Seq) -> Option<(Position, Moves)> {
        let mut moves = Moves::default();
        let copies = self.copies();
        let mut copies = copies.iter().take_while(|copy| copy.seq <= seq);
        let (mut position, first) = Position::begin(self.header.match_id, copies.next()?).ok()?;
        moves.gather(&position, &first);
        for copy in copies {
            let told = position.apply(copy).ok()?;
            moves.gather(&position, &told);
        }
        (position.seq() == seq).then_some((position, moves))
    }
}

fn begins_with(forked: &log::MatchForked, from: &ForkedPosition) -> Result<(), ParentProblem> {
    for (what, same) in [
        ("rules", forked.game == from.game.as_str() && forked.rules_version == from.rules_version),
        ("options", forked.options == Some(convert::options_to_wire(&from.options))),
        ("cards", forked.setup_seed == from.seed_to_log()),
        ("moves", forked.moves == from.moves_to_log()),
    ] {
        if !same {
            return Err(ParentProblem::Differs(what));
        }
    }
    Ok(())
}
