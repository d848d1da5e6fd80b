//! The worth of a position of Ludus Magus: pieces, mana, and the distance of Elements from the enemy Magus.

use rules::games::ludus_magus::{Kind, Piece, Place, Plane};
use rules::{Side, State, View, Viewer};

use crate::lookahead::Heuristic;

/// Every legal move is a candidate: there are seldom more than a hundred.
pub(crate) const HEURISTIC: Heuristic =
    Heuristic { worth, candidates: |state, seat, _| state.legal(seat).moves };

/// One mana: an Element to come.
const MANA: i32 = 70;
/// One step nearer to the enemy Magus on its own plane, where it can be taken.
const NEARER: i32 = 3;
/// One step nearer on the other plane, from which the Magus can be bound.
const NEARER_ACROSS: i32 = 1;
/// One quiet turn, a cost: the bot prefers an exchange to the draw by quiet turns (LM-44).
const QUIET: i32 = 2;
/// More than the distance of any two places of a plane.
const FAR: i32 = 16;

fn worth(state: &State, seat: Side) -> i32 {
    let View::LudusMagus(view) = state.view(Viewer::Spectator) else { return 0 };
    let side = |seat: Side| {
        let enemy_magus = magus(&view.pieces, seat.other());
        let own = view.pieces.iter().filter(|piece| piece.seat == seat);
        let pieces: i32 = own.map(|piece| value(piece.kind) + pressure(piece, enemy_magus)).sum();
        // More mana than a side can use is worth nothing.
        pieces + MANA * i32::try_from(view.mana[seat].min(10)).unwrap_or_default()
    };
    let quiet = i32::try_from(view.quiet_turns).unwrap_or_default();
    side(seat) - side(seat.other()) - QUIET * quiet
}

const fn value(kind: Kind) -> i32 {
    match kind {
        Kind::Aer | Kind::Aqua | Kind::Ignis | Kind::Terra => 100,
        Kind::Aether => 130,
        Kind::Codex => 90,
        Kind::Famulus => 60,
        // Its loss ends the match, which the search evaluates.
        Kind::Magus => 0,
    }
}

fn pressure(piece: &Piece, enemy_magus: Option<Place>) -> i32 {
    match enemy_magus {
        Some(magus) if piece.kind.is_element() => {
            let nearer = if piece.place.plane() == magus.plane() { NEARER } else { NEARER_ACROSS };
            nearer * (FAR - steps(piece.place, magus)).max(0)
        }
        Some(_) | None => 0,
    }
}

fn magus(pieces: &[Piece], seat: Side) -> Option<Place> {
    pieces.iter().find(|piece| piece.seat == seat && piece.kind == Kind::Magus).map(|piece| piece.place)
}

/// Returns the distance of two places in orthogonal steps, as if they were on one plane.
fn steps(one: Place, two: Place) -> i32 {
    let halves = |place: Place| match place.plane() {
        // The centre of a cell lies half a step from its corner points.
        Plane::Corporeal => [2 * place.col() + 1, 2 * place.row() + 1],
        Plane::Astral => [2 * place.col(), 2 * place.row()],
    };
    let [one, two] = [halves(one), halves(two)];
    let apart = one[0].abs_diff(two[0]) + one[1].abs_diff(two[1]);
    i32::try_from(apart / 2).unwrap_or(FAR)
}
