//! Reading the game of a view or an event, and the reason of a result.

use wire::v1::{
    Event, Fact, GameView, MatchCreated, MatchEnded, Move, MoveMade, RevealedMove, TurnRevealed, View, event,
    fact, game_view, r#move,
};
use wire::{AceExorcistReason, EndReason, GameKind, LudusMagusReason, ServiceReason};

fn event(kind: event::Kind) -> Event {
    Event { kind: Some(kind), ..Event::default() }
}

#[test]
fn ids_of_games_parse() {
    for game in GameKind::ALL {
        assert_eq!(GameKind::parse(game.as_str()), Some(game));
    }
    assert_eq!(GameKind::parse("chess"), None);
}

#[test]
fn a_view_has_a_game_from_the_start_on() {
    assert_eq!(GameKind::of_view(&View::default()), None);
    let game = GameView { game: Some(game_view::Game::AceExorcist(Default::default())) };
    let view = View { game_view: Some(game), ..View::default() };
    assert_eq!(GameKind::of_view(&view), Some(GameKind::AceExorcist));
}

#[test]
fn an_event_names_its_game_by_its_id_its_moves_or_its_facts() {
    let created = MatchCreated { game_id: "cresnovian-chess".to_owned(), ..MatchCreated::default() };
    assert_eq!(
        GameKind::of_event(&event(event::Kind::MatchCreated(created))),
        Some(GameKind::CresnovianChess)
    );

    let mv = Move { game: Some(r#move::Game::LudusMagus(Default::default())) };
    let made = MoveMade { r#move: Some(mv), ..MoveMade::default() };
    assert_eq!(GameKind::of_event(&event(event::Kind::MoveMade(made))), Some(GameKind::LudusMagus));

    let choice = Move { game: Some(r#move::Game::AngelsAndDemons(Default::default())) };
    let revealed = RevealedMove { r#move: Some(choice), ..RevealedMove::default() };
    let turn = TurnRevealed { moves: vec![revealed] };
    assert_eq!(GameKind::of_event(&event(event::Kind::TurnRevealed(turn))), Some(GameKind::AngelsAndDemons));

    let mut ended = event(event::Kind::MatchEnded(MatchEnded::default()));
    assert_eq!(GameKind::of_event(&ended), None);
    ended.facts.push(Fact { game: Some(fact::Game::AceExorcist(Default::default())) });
    assert_eq!(GameKind::of_event(&ended), Some(GameKind::AceExorcist));
}

#[test]
fn a_reason_parses_by_its_game() {
    let parse = EndReason::parse;
    assert_eq!(
        parse(Some(GameKind::AceExorcist), "repetition"),
        Some(EndReason::AceExorcist(AceExorcistReason::Repetition))
    );
    assert_eq!(
        parse(Some(GameKind::LudusMagus), "repetition"),
        Some(EndReason::LudusMagus(LudusMagusReason::Repetition))
    );
    assert_eq!(parse(Some(GameKind::AceExorcist), "count"), None);
    assert_eq!(parse(None, "repetition"), None);
    assert_eq!(parse(None, "time"), Some(EndReason::Service(ServiceReason::Time)));
    assert_eq!(parse(Some(GameKind::LudusMagus), "Time"), None);
}

#[test]
fn only_aborted_and_expired_matches_are_void() {
    let void: Vec<_> = ServiceReason::ALL.into_iter().filter(|reason| reason.is_void()).collect();
    assert_eq!(void, [ServiceReason::Aborted, ServiceReason::Expired]);
}
