//! The effect of a legal turn on the board, read from the paragraphs, without any code of the rules.

use rules::games::cresnovian_chess::{Basic, Elite, Move, Performance, Status, Umbration};

use crate::board::{Board, are_adjacent, at, beside};
use crate::legality::Turn;

impl Turn {
    /// Returns the board after a legal move.
    pub(crate) fn after(&self, mv: &Move) -> Board {
        let mut board = self.board.clone();
        match mv {
            Move::Travel { piece, to } => {
                let standing = self.board.piece(*piece);
                let squares = standing.at.0.abs_diff(at(*to).0).max(standing.at.1.abs_diff(at(*to).1));
                if self.is_own(standing.at) && standing.status != Status::Broken {
                    board.change(*piece, |q| q + u32::try_from(squares).expect("a way is short"));
                }
                board.stand(*piece, at(*to));
            }
            Move::Perform(performance) => self.perform(performance, &mut board),
            Move::Document(words) => {
                board.poem.extend(words.iter().map(|word| word.as_str().to_string()));
                let own = |piece: &Umbration| self.is_own(self.board.piece(*piece).at);
                let own: Vec<Umbration> = Umbration::ALL.into_iter().filter(own).collect();
                let highest = own.iter().map(|&piece| self.board.piece(piece).q).max().unwrap_or(0);
                for piece in own {
                    board.change(piece, |q| if q > 0 { highest } else { 0 });
                }
            }
            Move::Pass | Move::Place(_) | Move::Choose(_) | Move::Malformed(_) => {}
        }
        board
    }

    /// Performs (CC-31, CC-32).
    fn perform(&self, performance: &Performance, board: &mut Board) {
        let performer = performance.performer();
        let here = self.board.piece(performer).at;
        let mut monuments = self.board.monuments.iter();
        let is_exempt = monuments.any(|(&at, &umbration)| umbration == performer && are_adjacent(at, here));
        match performance {
            Performance::Repair(piece) => board.set_status(*piece, Status::Whole),
            Performance::Basic(basic) | Performance::Dance(basic) => self.use_basic(basic, board),
            Performance::Elite(elite) => use_elite(elite, performer, board),
        }
        if !is_exempt {
            board.change(performer, |q| q.saturating_sub(1));
        }
    }

    /// Uses a basic ability (CC-40 to CC-56).
    fn use_basic(&self, basic: &Basic, board: &mut Board) {
        match basic {
            Basic::ReturnHome(piece) => board.stand(*piece, self.board.piece(*piece).home),
            Basic::Cut(piece) => board.change(*piece, |q| q / 2),
            Basic::Breakdown(piece) => board.set_status(*piece, Status::Broken),
            Basic::CriticalRewind => *board = self.last.as_ref().expect("a turn was taken").1.clone(),
            Basic::Spectacle(umbration, square) | Basic::BuildMonument(umbration, square) => {
                board.monuments.insert(at(*square), *umbration);
            }
            Basic::DestroyMonuments(squares) => {
                board.monuments.retain(|&monument, _| squares.iter().all(|square| at(square) != monument));
            }
            Basic::Energize(piece, amount) => {
                board.change(*piece, |q| q + amount);
                board.set_status(*piece, Status::Whole);
            }
            Basic::Propaganda(pieces) => {
                pieces.iter().for_each(|piece| board.change(piece, |q| q.saturating_sub(1)));
            }
        }
    }
}

/// Uses an elite ability (CC-41 to CC-57).
fn use_elite(elite: &Elite, performer: Umbration, board: &mut Board) {
    match elite {
        Elite::PerfectEternal(piece) => {
            board.change(*piece, |_| 3);
            board.set_status(*piece, Status::Eternal);
        }
        Elite::FlockTogether(flock) => {
            flock.members().iter().for_each(|&(piece, to)| board.stand(piece, at(to)));
        }
        Elite::Redefinition { take, put_back, square } => {
            let taken = board.poem.remove(*take as usize);
            if let (Some((_, old)), Some(index)) = (board.word.take(), put_back) {
                board.poem.insert(*index as usize, old);
            }
            board.word = Some((at(*square), taken));
        }
        Elite::Teleport { from, to } => board.shift(at(*from), at(*to)),
        Elite::UltraviolentRay => {
            let row = board.piece(performer).at.0;
            for piece in Umbration::ALL {
                if piece != performer && board.piece(piece).at.0 == row && board.piece(piece).q > 1 {
                    board.change(piece, |_| 1);
                }
            }
            board.monuments.retain(|at, _| at.0 != row);
        }
        Elite::TectonicFailure(steps) => {
            steps.iter().for_each(|step| board.shift(at(step.from), beside(at(step.from), step.direction)));
        }
        Elite::SelectTheFit => {
            Umbration::ALL.into_iter().for_each(|piece| board.change(piece, |q| if q < 9 { 0 } else { q }));
        }
        Elite::GoBerserk(piece, square) => {
            board.stand(performer, at(*square));
            [*piece, performer].into_iter().for_each(|loser| board.change(loser, |q| q.saturating_sub(9)));
        }
        Elite::SumOfAllKnowledge => {
            let monuments = u32::try_from(board.monuments.len()).expect("at most 18 fit");
            board.change(performer, |q| q + monuments);
        }
    }
}
