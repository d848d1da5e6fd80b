//! Positions that a client rebuilds from the events that it was shown.

use ::event::Seq;
use replay::{Diverged, LocalPosition};
use rules::{GameId, Games, Viewer};
use wire::v1::{Event, MatchForked, RevealedMove, View, event};

use crate::sample::random_match;

fn shown(game: GameId, seed: u8) -> (Vec<Event>, View) {
    let log = random_match(game, seed);
    let events = log.applied.iter().map(|applied| applied.shown(Viewer::Spectator)).collect();
    (events, log.position.shown(Viewer::Spectator))
}

fn rebuild(events: &[Event]) -> Result<LocalPosition, Diverged> {
    let (first, rest) = events.split_first().ok_or(Diverged::NotTheBeginning)?;
    let mut local = LocalPosition::start(Games::built_in(), first)?;
    rest.iter().try_for_each(|event| local.apply(event))?;
    Ok(local)
}

#[test]
fn a_match_without_secrets_is_rebuilt_from_shown_events() {
    for game in [GameId::LudusMagus, GameId::CresnovianChess] {
        for seed in 0..3 {
            let (events, view) = shown(game, seed);
            let local = rebuild(&events).unwrap();
            assert_eq!(local.seq().0, view.seq, "{game}");
            let rebuilt = replay::view_to_wire(&local.state().view(Viewer::Spectator));
            assert_eq!(Some(rebuilt), view.game_view, "{game}");
        }
    }
}

#[test]
fn an_event_of_an_unknown_kind_may_have_changed_anything() {
    let (mut events, _) = shown(GameId::LudusMagus, 1);
    let seq = Seq(events[5].seq);
    events[5].kind = None;
    assert_eq!(rebuild(&events).err(), Some(Diverged::UnknownKind(seq)));
    assert_eq!(rebuild(&events[5..]).err(), Some(Diverged::UnknownKind(seq)));
}

#[test]
fn a_fork_starts_from_its_parents_position() {
    let (events, view) = shown(GameId::CresnovianChess, 2);
    let Some(event::Kind::MatchCreated(created)) = &events[0].kind else {
        panic!("the first event is not a creation")
    };
    let moves = events.iter().filter_map(|event| match &event.kind {
        Some(event::Kind::MoveMade(made)) => {
            Some(RevealedMove { seat: made.seat, r#move: made.r#move.clone(), notation: String::new() })
        }
        _ => None,
    });
    let mut forked = MatchForked {
        game_id: created.game_id.clone(),
        rules_version: created.rules_version,
        options: created.options.clone(),
        moves: moves.collect(),
        ..MatchForked::default()
    };
    let first = |forked: &MatchForked| Event {
        seq: 1,
        kind: Some(event::Kind::MatchForked(forked.clone())),
        ..Event::default()
    };
    let local = LocalPosition::start(Games::built_in(), &first(&forked)).unwrap();
    assert_eq!(Some(replay::view_to_wire(&local.state().view(Viewer::Spectator))), view.game_view);
    forked.moves.remove(0);
    assert_eq!(LocalPosition::start(Games::built_in(), &first(&forked)).err(), Some(Diverged::Event(Seq(1))));
}

#[test]
fn games_with_hidden_information_are_not_rebuilt() {
    for game in [GameId::AceExorcist, GameId::AngelsAndDemons] {
        let (events, _) = shown(game, 1);
        assert_eq!(rebuild(&events).err(), Some(Diverged::HiddenInformation), "{game}");
    }
}

#[test]
fn gaps_illegal_moves_and_unknown_rules_are_reported() {
    let (events, _) = shown(GameId::LudusMagus, 1);
    assert_eq!(rebuild(&events[1..]).err(), Some(Diverged::NotTheBeginning));

    let mut with_a_gap = events.clone();
    with_a_gap.remove(5);
    assert_eq!(rebuild(&with_a_gap).err(), Some(Diverged::Event(Seq(7))));

    let mut repeated = events.clone();
    let is_move = |event: &Event| matches!(event.kind, Some(event::Kind::MoveMade(_)));
    let first = repeated.iter().position(is_move).unwrap();
    repeated[first + 1].kind = repeated[first].kind.clone();
    assert_eq!(rebuild(&repeated).err(), Some(Diverged::Event(Seq(repeated[first + 1].seq))));

    let mut later_rules = events;
    if let Some(event::Kind::MatchCreated(created)) = &mut later_rules[0].kind {
        created.rules_version += 1;
    }
    assert_eq!(rebuild(&later_rules).err(), Some(Diverged::UnknownRules));
}
