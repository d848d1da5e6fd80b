//! Travel: free paths, pieces that may go, and the gain (CC-20 to CC-22).

use crate::Side;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::facts::Fact;
use crate::games::cresnovian_chess::field::Status;
use crate::games::cresnovian_chess::field::square::{Square, SquareSet};
use crate::games::cresnovian_chess::field::umbration::{PieceSet, Umbration};
use crate::games::cresnovian_chess::state::{Deed, Playing};
use crate::games::cresnovian_chess::violation::{Violation, require};

/// Returns the pieces that can travel now.
pub(crate) fn travelers(playing: &Playing) -> PieceSet {
    let blanks = playing.field.blanks();
    playing.field.pieces_with(|piece| {
        !piece.square.neighbours().and(blanks).is_empty() && check_traveler(playing, piece.umbration).is_ok()
    })
}

/// Returns the squares that the piece reaches in a straight line over blank squares.
pub(crate) fn destinations(playing: &Playing, piece: Umbration) -> SquareSet {
    playing.field.piece(piece).square.slides(playing.field.blanks())
}

fn check_traveler(playing: &Playing, piece: Umbration) -> Result<(), Violation> {
    let is_forbidden = playing.forbidden == Some(Deed::Travel(piece));
    require(!is_forbidden, "CC-46", "this piece's travel was rewound, so it cannot travel in this turn")?;
    require(playing.field.q(piece) > 0, "CC-20", "a dead piece cannot travel")?;
    let is_free = playing.locked() != Some(piece);
    require(is_free, "CC-21", "your opponent traveled with this piece in the previous turn")
}

pub(crate) fn check(playing: &Playing, piece: Umbration, to: Square) -> Result<(), Violation> {
    check_traveler(playing, piece)?;
    let is_reached = destinations(playing, piece).contains(to);
    require(is_reached, "CC-20", "a piece travels in a straight line over blank squares to a blank square")
}

/// Moves the piece, and adds its gain if it began in the mover's kingdom.
pub(crate) fn travel(playing: &Playing, seat: Side, piece: Umbration, to: Square, effects: &mut Effects) {
    let start = *playing.field.piece(piece);
    effects.facts.push(Fact::Traveled { seat, piece, from: start.square, to });
    effects.field.move_piece(piece, to);
    let began_at_home = playing.squares_of(seat).contains(start.square);
    if began_at_home && start.condition.status != Status::Broken {
        // In a straight line the larger of the two differences is the number of squares.
        let rows = start.square.row().abs_diff(to.row());
        let cols = start.square.col().abs_diff(to.col());
        effects.change_q(piece, |q| q + rows.max(cols));
    }
}
