//! The legality of moves, read from the paragraphs as literally as possible: slow, and independent of the
//! rules' code.

use std::collections::BTreeSet;

use rules::games::cresnovian_chess::{
    Basic, Elite, Flock, Kingdom, Move, Performance, Status, TectonicStep, Umbration,
};

use crate::board::{At, Board, are_adjacent, at, beside, is_in_world};

/// A position at the start of a turn, with the turns before it.
pub(crate) struct Turn {
    pub(crate) board: Board,
    /// The kingdom of the seat to act.
    pub(crate) kingdom: Kingdom,
    /// The previous turn, and the board before it.
    pub(crate) last: Option<(Move, Board)>,
    /// The turn before that one.
    pub(crate) last_but_one: Option<Move>,
}

/// Returns the piece that performed; Caprice in a Dance.
fn performer(mv: &Move) -> Option<Umbration> {
    match mv {
        Move::Perform(performance) => Some(performance.performer()),
        _ => None,
    }
}

pub(crate) fn is_rewind(mv: &Move) -> bool {
    matches!(
        mv,
        Move::Perform(Performance::Basic(Basic::CriticalRewind) | Performance::Dance(Basic::CriticalRewind))
    )
}

impl Turn {
    pub(crate) fn is_own(&self, at: At) -> bool {
        match self.kingdom {
            Kingdom::Left => (1..=3).contains(&at.1),
            Kingdom::Right => (7..=9).contains(&at.1),
        }
    }

    fn is_opposite(&self, at: At) -> bool {
        !self.is_own(at) && !is_in_world(at)
    }

    /// Returns the turn that was just undone (CC-46).
    fn undone(&self) -> Option<&Move> {
        let (last, _) = self.last.as_ref()?;
        self.last_but_one.as_ref().filter(|_| is_rewind(last))
    }

    /// Returns whether the paragraphs allow the move. A pass depends on all other moves and is judged
    /// elsewhere.
    pub(crate) fn allows(&self, mv: &Move) -> bool {
        match mv {
            Move::Travel { piece, to } => self.allows_travel(*piece, at(*to)),
            Move::Perform(performance) => self.allows_performance(performance),
            Move::Document(words) => !matches!(self.undone(), Some(Move::Document(_))) && words.len() == 9,
            Move::Pass | Move::Place(_) | Move::Choose(_) | Move::Malformed(_) => false,
        }
    }

    /// Judges a travel (CC-20, CC-21, CC-46).
    fn allows_travel(&self, piece: Umbration, to: At) -> bool {
        let travels = |mv: &Move| matches!(mv, Move::Travel { piece: other, .. } if *other == piece);
        let is_locked = self.last.as_ref().is_some_and(|(last, _)| travels(last));
        let is_forbidden = self.undone().is_some_and(travels);
        let from = self.board.piece(piece).at;
        let (rows, cols) = (to.0 - from.0, to.1 - from.1);
        let length = rows.abs().max(cols.abs());
        let is_straight = rows == 0 || cols == 0 || rows.abs() == cols.abs();
        let mut way = (1..=length).map(|n| (from.0 + n * rows.signum(), from.1 + n * cols.signum()));
        let is_free = length > 0 && is_straight && way.all(|at| self.board.is_blank(at));
        self.board.piece(piece).q >= 1 && !is_locked && !is_forbidden && is_free
    }

    /// Judges a performance (CC-30, CC-32, CC-33, CC-46, CC-54).
    fn allows_performance(&self, performance: &Performance) -> bool {
        let piece = performance.performer();
        if !self.allows_performer(piece) {
            return false;
        }
        let is_broken = self.board.piece(piece).status == Status::Broken;
        match performance {
            Performance::Repair(_) => is_broken,
            Performance::Basic(basic) => !is_broken && self.allows_basic(piece, basic),
            Performance::Elite(elite) => self.allows_some_elite(piece) && self.allows_elite(piece, elite),
            Performance::Dance(basic) => {
                let danced = self.board.piece(basic.umbration());
                let is_danceable = is_in_world(danced.at) && danced.q > 0;
                !is_broken && is_danceable && self.allows_basic(piece, basic)
            }
        }
    }

    fn allows_performer(&self, piece: Umbration) -> bool {
        let standing = self.board.piece(piece);
        let is_forbidden = self.undone().and_then(performer) == Some(piece);
        self.is_own(standing.at) && standing.q >= 3 && !is_forbidden
    }

    /// Returns whether the piece may use its elite ability, if it has a use.
    pub(crate) fn allows_some_elite(&self, piece: Umbration) -> bool {
        let standing = self.board.piece(piece);
        self.allows_performer(piece) && standing.status == Status::Whole && standing.q >= 9
    }

    fn allows_basic(&self, performer: Umbration, basic: &Basic) -> bool {
        let board = &self.board;
        let here = board.piece(performer).at;
        match basic {
            // CC-40
            Basic::ReturnHome(piece) => {
                let standing = board.piece(*piece);
                standing.at != standing.home && board.is_blank(standing.home)
            }
            // CC-42, CC-44
            Basic::Cut(_) | Basic::Breakdown(_) => true,
            // CC-46
            Basic::CriticalRewind => self.last.is_some(),
            // CC-48
            Basic::Spectacle(piece, square) => {
                let rises = board.is_blank(at(*square)) && self.is_opposite(at(*square));
                self.is_own(board.piece(*piece).at) && rises
            }
            // CC-50
            Basic::BuildMonument(_, square) => board.is_blank(at(*square)) && are_adjacent(here, at(*square)),
            Basic::DestroyMonuments(squares) => {
                let is_ruin = |at: At| board.monuments.contains_key(&at) && are_adjacent(here, at);
                !squares.is_empty() && squares.iter().all(|square| is_ruin(at(square)))
            }
            // CC-52
            Basic::Energize(piece, amount) => {
                let standing = board.piece(*piece);
                let is_near = *piece == performer || are_adjacent(here, standing.at);
                is_near && standing.q > 0 && (1..=3).contains(amount)
            }
            // CC-56
            Basic::Propaganda(pieces) => !pieces.is_empty(),
        }
    }

    fn allows_elite(&self, performer: Umbration, elite: &Elite) -> bool {
        let board = &self.board;
        match elite {
            // CC-41, CC-49, CC-53, CC-57
            Elite::PerfectEternal(_)
            | Elite::UltraviolentRay
            | Elite::SelectTheFit
            | Elite::SumOfAllKnowledge => true,
            Elite::FlockTogether(flock) => self.allows_flock(performer, flock),
            // CC-45
            Elite::Redefinition { take, put_back, square } => {
                let old = board.word.as_ref().map(|&(at, _)| at);
                let is_placed = board.is_blank(at(*square)) || old == Some(at(*square));
                let length_after = board.poem.len() as u64 - 1;
                let is_put_back = match (old, put_back) {
                    (Some(_), Some(index)) => u64::from(*index) <= length_after,
                    (None, None) => true,
                    (Some(_), None) | (None, Some(_)) => false,
                };
                u64::from(*take) < board.poem.len() as u64 && is_placed && is_put_back
            }
            // CC-47
            Elite::Teleport { from, to } => board.is_movable(at(*from)) && board.is_blank(at(*to)),
            Elite::TectonicFailure(steps) => self.allows_shift(steps),
            // CC-55
            Elite::GoBerserk(piece, square) => {
                let is_side = are_adjacent(board.piece(*piece).at, at(*square));
                *piece != performer && is_side && board.is_blank(at(*square))
            }
        }
    }

    /// Judges a Tectonic Failure (CC-51).
    pub(crate) fn allows_shift(&self, steps: &[TectonicStep]) -> bool {
        let mut ground = self.board.clone();
        let mut moved = BTreeSet::new();
        let is_fine = |step: &TectonicStep| {
            let (from, to) = (at(step.from), beside(at(step.from), step.direction));
            let fits = ground.is_movable(from) && ground.is_blank(to) && !moved.contains(&from);
            ground.shift(from, to);
            moved.insert(to);
            fits
        };
        !steps.is_empty() && steps.iter().all(is_fine)
    }

    /// Returns the pieces with equal Q (CC-43).
    pub(crate) fn flock(&self, performer: Umbration) -> Vec<Umbration> {
        let q = self.board.piece(performer).q;
        Umbration::ALL.into_iter().filter(|&piece| self.board.piece(piece).q == q).collect()
    }

    /// Judges a Flock Together (CC-43).
    fn allows_flock(&self, performer: Umbration, flock: &Flock) -> bool {
        let board = &self.board;
        let members = self.flock(performer);
        let named: Vec<Umbration> = flock.members().iter().map(|&(piece, _)| piece).collect();
        let destinations: BTreeSet<At> = flock.members().iter().map(|&(_, to)| at(to)).collect();
        if named != members || destinations.len() != members.len() {
            return false;
        }
        let is_free =
            |at: At| board.is_blank(at) || board.piece_at(at).is_some_and(|piece| members.contains(&piece));
        let field = (1..=3).flat_map(|row| (1..=9).map(move |col| (row, col)));
        let room = field.filter(|&at| self.is_own(at) && is_free(at)).count();
        let homed = destinations.iter().filter(|&&at| self.is_own(at)).count();
        let fits = flock.members().iter().all(|&(piece, to)| {
            let stays = board.piece(piece).at == at(to);
            if self.is_own(at(to)) || is_in_world(at(to)) { is_free(at(to)) } else { stays }
        });
        fits && homed == room.min(members.len())
    }
}
