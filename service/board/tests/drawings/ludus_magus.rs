//! Ludus Magus as text, and its moves in words.

use board::{Colour, Orientation, TextStyle, event_line, result_line, text, text_after};
use wire::games::ludus_magus::v1 as game;
use wire::v1::{
    Event, Fact, GameOptions, GameView, MatchCreated, MatchStatus, MoveMade, Player, SeatStatus, View,
    Viewer, event, fact, game_options, game_view,
};

use crate::golden::golden;
use crate::positions::result;

const PLAIN: TextStyle = TextStyle { colour: Colour::Plain, orientation: Orientation::Viewer };

pub(crate) fn cell(x: u32, y: u32) -> game::Place {
    game::Place { place: Some(game::place::Place::Cell(game::Cell { x, y })) }
}

pub(crate) fn point(i: u32, j: u32) -> game::Place {
    game::Place { place: Some(game::place::Place::Point(game::Point { i, j })) }
}

pub(crate) fn piece(side: game::Side, kind: game::Kind, place: game::Place) -> game::Piece {
    game::Piece { side: side.into(), kind: kind.into(), place: Some(place) }
}

pub(crate) fn seats() -> Vec<SeatStatus> {
    let seat = |seat: u32, title: &str, name: &str| SeatStatus {
        seat: Some(seat),
        title: title.to_owned(),
        claimed: true,
        player: Some(Player::named(name)),
    };
    vec![seat(0, "White", "Merlin"), seat(1, "Black", "Morgana")]
}

/// Returns the default start, with Black's pieces rotated by 180 degrees, after White captured one of them.
pub(crate) fn position() -> View {
    use game::Kind::{Aer, Aether, Aqua, Codex, Famulus, Ignis, Magus, Terra};
    let cells = [(Terra, 0), (Ignis, 1), (Codex, 2), (Magus, 3), (Aqua, 4), (Aether, 5), (Aer, 6)];
    let points = [(Aer, 1), (Aqua, 2), (Famulus, 3), (Aether, 4), (Ignis, 5), (Terra, 6)];
    let mut pieces = Vec::new();
    for (kind, col) in cells {
        pieces.push(piece(game::Side::White, kind, cell(col, 0)));
        pieces.push(piece(game::Side::Black, kind, cell(7 - col, 7)));
    }
    for (kind, col) in points {
        pieces.push(piece(game::Side::White, kind, point(col, 1)));
        pieces.push(piece(game::Side::Black, kind, point(8 - col, 7)));
    }
    pieces.retain(|piece| piece.place != Some(point(1, 1)) && piece.place != Some(point(2, 7)));
    pieces.push(piece(game::Side::White, Aer, point(2, 7)));
    let board = game::View {
        pieces,
        mana: Some(game::Mana { white: 1, black: 0 }),
        turns_taken: 13,
        max_turns: 2000,
        quiet_turns: 0,
        occurrences: 1,
    };
    View {
        match_id: "0190b5a0-0000-7000-8000-000000000000".to_owned(),
        seq: 17,
        status: MatchStatus::Running.into(),
        viewer: Some(Viewer::spectator()),
        seats: seats(),
        to_act: vec![1],
        game_view: Some(GameView { game: Some(game_view::Game::LudusMagus(board)) }),
        ..View::default()
    }
}

pub(crate) fn a_fact(fact: game::fact::Fact) -> Fact {
    Fact { game: Some(fact::Game::LudusMagus(game::Fact { fact: Some(fact) })) }
}

pub(crate) fn capture() -> Event {
    use game::fact::Fact as Kind;
    let victim = piece(game::Side::Black, game::Kind::Terra, point(2, 7));
    let mover = piece(game::Side::White, game::Kind::Aer, point(2, 6));
    let moved = game::Moved { piece: Some(mover), over: None, to: Some(point(2, 7)) };
    let facts = [
        Kind::Captured(game::Captured { piece: Some(victim) }),
        Kind::Moved(moved),
        Kind::ManaChanged(game::ManaChanged { side: game::Side::White.into(), mana: 1 }),
        Kind::TurnTaken(game::TurnTaken { turn: 13, quiet_turns: 0, occurrences: 1 }),
    ];
    let made = MoveMade { seat: Some(0), r#move: None, notation: "2,6-2,7".to_owned() };
    Event {
        seq: 17,
        kind: Some(event::Kind::MoveMade(made)),
        facts: facts.map(a_fact).to_vec(),
        ..Event::default()
    }
}

#[test]
fn both_planes_in_one_drawing() {
    golden("ludus-magus.txt", &text(&position(), PLAIN));
}

#[test]
fn brackets_highlight_what_the_last_turn_touched() {
    golden("ludus-magus-after-turn.txt", &text_after(&position(), &capture(), PLAIN));
}

#[test]
fn black_sees_its_edge_at_the_bottom() {
    let view = View { viewer: Some(Viewer::in_seat(1)), ..position() };
    golden("ludus-magus-black.txt", &text(&view, PLAIN));
}

#[test]
fn both_planes_in_colours() {
    let style = TextStyle { colour: Colour::Ansi, orientation: Orientation::Viewer };
    golden("ludus-magus.ansi", &text_after(&position(), &capture(), style));
}

#[test]
fn pieces_on_places_that_do_not_exist_are_left_out() {
    let mut view = position();
    let Some(GameView { game: Some(game_view::Game::LudusMagus(board)) }) = &mut view.game_view else {
        panic!("no board")
    };
    for place in [cell(8, 0), cell(0, u32::MAX), point(9, 9), game::Place { place: None }] {
        board.pieces.push(piece(game::Side::White, game::Kind::Aer, place));
    }
    assert_eq!(text(&view, PLAIN), text(&position(), PLAIN));
}

#[test]
fn a_move_is_followed_by_its_effects() {
    let line = event_line(&capture(), None, &seats());
    assert_eq!(line, "White played 2,6-2,7, captures the Terra on 2,7, mana 1");
    let magus = piece(game::Side::Black, game::Kind::Magus, cell(4, 7));
    let mut bind = capture();
    bind.facts = vec![a_fact(game::fact::Fact::Bound(game::Bound { magus: Some(magus) }))];
    assert_eq!(event_line(&bind, None, &seats()), "White played 2,6-2,7, the Magus on e8 is bound");
}

#[test]
fn the_first_event_and_the_result() {
    let options = game::Options {
        pieces: vec![game::Piece::default(); 26],
        max_turns: Some(300),
        ..game::Options::default()
    };
    let options = Some(GameOptions { game: Some(game_options::Game::LudusMagus(options)) });
    let created = MatchCreated { game_id: "ludus-magus".to_owned(), options, ..MatchCreated::default() };
    let event = Event { kind: Some(event::Kind::MatchCreated(created)), ..Event::default() };
    assert_eq!(event_line(&event, None, &[]), "Match of ludus-magus created: 26 pieces, at most 300 turns");
    let over = |winner: Option<u32>, reason: &str| {
        let result = Some(result(winner, reason));
        result_line(&View { status: MatchStatus::Over.into(), result, ..position() })
    };
    assert_eq!(over(Some(1), "bind"), "Winner: Black (Morgana), the Magus is bound");
    assert_eq!(over(None, "quiet"), "Draw, too long without a capture");
}
