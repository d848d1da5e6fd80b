//! Ludus Magus as SVG.

use wire::games::ludus_magus::v1 as game;
use wire::v1::{Event, GameView, MatchStatus, View, Viewer, game_view};

use super::golden_svg;
use crate::ludus_magus::{a_fact, capture, cell, piece, point, position};
use crate::positions::result;

fn board(view: &mut View) -> &mut game::View {
    let Some(GameView { game: Some(game_view::Game::LudusMagus(board)) }) = &mut view.game_view else {
        panic!("no board");
    };
    board
}

#[test]
fn after_a_capture() {
    golden_svg("ludus-magus", &position(), &[capture()]);
}

#[test]
fn for_black() {
    golden_svg("ludus-magus-black", &View { viewer: Some(Viewer::in_seat(1)), ..position() }, &[]);
}

/// Returns a position late in a long match, after a Terra captured on its way.
fn terra() -> (View, Event) {
    use game::fact::Fact as Kind;
    let mut view = position();
    let board = board(&mut view);
    board.pieces.retain(|piece| piece.place != Some(cell(0, 0)) && piece.place != Some(cell(6, 7)));
    board.pieces.push(piece(game::Side::White, game::Kind::Terra, cell(3, 4)));
    board.pieces.push(piece(game::Side::Black, game::Kind::Famulus, point(5, 4)));
    board.pieces.push(piece(game::Side::Black, game::Kind::Aether, point(4, 4)));
    board.pieces.push(piece(game::Side::White, game::Kind::Aer, point(0, 8)));
    board.quiet_turns = 63;
    board.occurrences = 2;
    let victim = piece(game::Side::Black, game::Kind::Ignis, cell(2, 4));
    let mover = piece(game::Side::White, game::Kind::Terra, cell(2, 3));
    let moved = game::Moved { piece: Some(mover), over: Some(cell(2, 4)), to: Some(cell(3, 4)) };
    let mut event = capture();
    event.facts =
        vec![a_fact(Kind::Captured(game::Captured { piece: Some(victim) })), a_fact(Kind::Moved(moved))];
    (view, event)
}

#[test]
fn a_terra_captures_on_its_way() {
    let (view, event) = terra();
    golden_svg("ludus-magus-terra", &view, &[event]);
}

#[test]
fn a_bound_magus_ends_the_match() {
    use game::Kind::{Aer, Aether, Aqua, Magus, Terra};
    let mut view = position();
    let result = result(Some(0), "bind");
    view = View { status: MatchStatus::Over.into(), to_act: vec![], result: Some(result), ..view };
    let board = board(&mut view);
    let corners = [(Aer, 4, 3), (Aqua, 5, 3), (Aether, 4, 4), (Terra, 5, 4)];
    board.pieces.retain(|piece| piece.kind() != Magus || piece.side() == game::Side::White);
    board.pieces.extend(corners.map(|(kind, i, j)| piece(game::Side::White, kind, point(i, j))));
    let magus = piece(game::Side::Black, Magus, cell(4, 3));
    board.pieces.push(magus);
    let moved = game::Moved {
        piece: Some(piece(game::Side::White, Terra, point(5, 6))),
        over: None,
        to: Some(point(5, 4)),
    };
    let mut event = capture();
    event.facts = vec![
        a_fact(game::fact::Fact::Moved(moved)),
        a_fact(game::fact::Fact::Bound(game::Bound { magus: Some(magus) })),
    ];
    golden_svg("ludus-magus-bound", &view, &[event]);
}
