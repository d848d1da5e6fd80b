//! Sticky Cresnovian Chess as SVG.

use wire::games::cresnovian_chess::v1 as game;
use wire::v1::{Event, Fact, MatchStatus, MoveMade, View, event, fact};

use super::golden_svg;
use crate::cresnovian_chess::{piece, poem, running, square, view};
use crate::positions::result;

fn event(facts: Vec<game::fact::Fact>) -> Event {
    let facts = facts
        .into_iter()
        .map(|fact| Fact { game: Some(fact::Game::CresnovianChess(game::Fact { fact: Some(fact) })) });
    let kind = Some(event::Kind::MoveMade(MoveMade::default()));
    Event { kind, facts: facts.collect(), ..Event::default() }
}

fn travel(piece: game::Umbration, from: (u32, u32), to: (u32, u32)) -> game::fact::Fact {
    game::fact::Fact::Traveled(game::Traveled {
        player: game::Player::One.into(),
        piece: piece.into(),
        origin: square(from.0, from.1),
        to: square(to.0, to.1),
    })
}

#[test]
fn a_travel() {
    let facts = vec![travel(game::Umbration::Innervation, (1, 6), (1, 9))];
    golden_svg("cresnovian-chess", &view(running()), &[event(facts)]);
}

#[test]
fn placing() {
    let board = game::View {
        phase: game::Phase::Placing.into(),
        field: Some(game::Field::default()),
        max_turns: 400,
        ..game::View::default()
    };
    golden_svg("cresnovian-chess-placing", &view(board), &[]);
}

#[test]
fn choosing_a_kingdom() {
    let board = game::View {
        phase: game::Phase::Choosing.into(),
        player_two_kingdom: None,
        player_one_q: None,
        player_two_q: None,
        locked: None,
        forbidden: None,
        poem: None,
        ..running()
    };
    golden_svg("cresnovian-chess-choosing", &view(board), &[]);
}

/// Returns a field with as many monuments as fit, long words, and a large Q.
fn crowded() -> View {
    let mut board = running();
    let field = board.field.as_mut().expect("a field");
    let all = (1..=3).flat_map(|row| (1..=9).map(move |col| (row, col)));
    let is_taken = |at: (u32, u32)| {
        let pieces = field.pieces.iter().map(|piece| piece.square);
        pieces.chain([square(2, 4)]).any(|taken| taken == square(at.0, at.1))
    };
    let free: Vec<(u32, u32)> = all.filter(|at| !is_taken(*at)).collect();
    field.monuments = free
        .into_iter()
        .zip((1..=9).cycle())
        .map(|((row, col), umbration)| game::Placement { umbration, square: square(row, col) })
        .collect();
    field.pieces[0] = piece(game::Umbration::Essence, (1, 1), u32::MAX, game::Status::Whole);
    field.word.as_mut().expect("a word").word = "W".repeat(32);
    let words = (0..90).map(|nth| if nth % 9 == 4 { "\u{5929}".repeat(32) } else { format!("word{nth}") });
    board.poem = poem(words);
    view(board)
}

#[test]
fn a_crowded_field_and_a_long_poem() {
    let inserted = (81..90).map(|nth| format!("word{nth}")).collect();
    let change = game::PoemChanged { index: 81, removed: vec![], inserted };
    golden_svg("cresnovian-chess-crowded", &crowded(), &[event(vec![game::fact::Fact::PoemChanged(change)])]);
}

#[test]
fn a_lost_kingdom() {
    let mut board = game::View {
        player_one_q: Some(0),
        player_two_q: Some(8),
        turns_taken: 2,
        locked: None,
        forbidden: None,
        poem: None,
        ..running()
    };
    let field = board.field.as_mut().expect("a field");
    field.word = None;
    for piece in &mut field.pieces {
        let q = if piece.umbration() == game::Umbration::Essence { 8 } else { 0 };
        piece.condition = Some(game::Condition { q, status: game::Status::Whole.into() });
    }
    let result = result(Some(1), "kingdom-lost");
    let over = View { status: MatchStatus::Over.into(), to_act: vec![], result: Some(result), ..view(board) };
    let changed = |piece: game::Umbration| {
        game::fact::Fact::PieceChanged(game::PieceChanged {
            piece: piece.into(),
            ..game::PieceChanged::default()
        })
    };
    use game::Umbration::{Caprice, Corporeality, Duality, Essence, Radiance};
    let facts = [Essence, Duality, Radiance, Corporeality, Caprice].map(changed).to_vec();
    golden_svg("cresnovian-chess-over", &over, &[event(facts)]);
}
