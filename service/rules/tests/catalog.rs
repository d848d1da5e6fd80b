//! The games as the service uses them: through the enums and the catalog.

use rules::games::angels_and_demons::AngelsAndDemons;
use rules::games::ludus_magus::LudusMagus;
use rules::{
    Dice, Fact, Game, GameId, IllegalKind, Move, OptionType, Options, Reason, Seed, Side, Sides, State, View,
    Viewer,
};

const SEED: Seed = Seed::new([1; 32]);

#[test]
fn only_exact_ids_parse() {
    for game in GameId::ALL {
        assert_eq!(GameId::parse(game.as_str()), Some(game));
        assert_eq!(game.to_string(), game.info().id);
        assert_eq!(Options::default_of(game).game(), game);
    }
    for stranger in ["", "chess", "Angels-and-Demons", "angels_and_demons", "angels-and-demons "] {
        assert_eq!(GameId::parse(stranger), None);
    }
}

#[test]
fn the_catalog_is_enough_to_set_up_a_match() {
    for game in GameId::ALL {
        let info = game.info();
        assert!(info.rules_text.starts_with(&format!("# {}\n", info.title)));
        assert!(!info.summary.is_empty() && info.rules_version > 0);
        for option in info.options {
            let has_default = match option.option_type {
                OptionType::Integer { default, min, max } => (min..=max).contains(&default),
                OptionType::Boolean { .. } => true,
                OptionType::Enumeration { values, default } => {
                    values.iter().any(|value| value.name == default)
                }
                OptionType::Text { default, max_chars } => default.chars().count() <= max_chars as usize,
                OptionType::Structured { default, .. } => !default.is_empty(),
            };
            assert!(has_default, "{}", option.name);
            assert!(!option.title.is_empty() && !option.text.is_empty());
            assert!(info.rules_text.contains(&format!("`{}`", option.name)));
        }
    }
}

#[test]
fn an_option_out_of_range_is_named_once() {
    use rules::games::{angels_and_demons, ludus_magus};
    let small = angels_and_demons::Options { rows: 2, ..Default::default() };
    let bad = AngelsAndDemons::setup(&small, &SEED).err().expect("two rows are too few");
    assert_eq!((bad.option, &*bad.illegal.text), ("rows", "must be 3 to 26"));
    assert_eq!(bad.to_string(), "option rows: must be 3 to 26 (AD-1)");
    let late = ludus_magus::Options { first_seat: 2, ..Default::default() };
    let bad = LudusMagus::setup(&late, &SEED).err().expect("there are two seats");
    assert_eq!((bad.option, &*bad.illegal.text), ("first_seat", "must be 0 to 1"));
}

/// Refusals of the service itself name these: a proposal, an abort, an open view.
#[test]
fn every_rules_page_explains_the_paragraphs_of_all_games() {
    for game in GameId::ALL {
        for paragraph in ["G-2", "G-4", "G-9", "G-10"] {
            let row = format!("\n| {paragraph} |");
            assert!(game.info().rules_text.contains(&row), "{game} has no {paragraph}");
        }
    }
}

#[test]
fn a_match_through_the_enums_is_the_games_own() {
    let mut own = AngelsAndDemons::setup(&Default::default(), &SEED).expect("the defaults are in range");
    let mut state =
        State::setup(&Options::default_of(GameId::AngelsAndDemons), &SEED).expect("they are in range");
    let mut dice = Dice::new(&SEED);
    while let Some(seat) = state.to_act().iter().last() {
        let mv = state.sample(seat, &mut dice).expect("a seat to act has a move");
        let Move::AngelsAndDemons(own_move) = &mv else { panic!("a move of another game") };
        assert_eq!(state.game().parse_move(&mv.print()), Ok(mv.clone()));
        let played = state.play(seat, &mv).expect("a sampled move is legal");
        let own_played = AngelsAndDemons::play(&own, seat, own_move).expect("it is the same move");
        assert_eq!(played.facts.len(), own_played.facts.len());
        assert!(played.facts.iter().all(|fact| fact.redacted_for(Viewer::Spectator).as_ref() == Some(fact)));
        (state, own) = (played.state, own_played.state);
        let (turn, own_turn) = (state.reveal(), AngelsAndDemons::reveal(&own));
        assert_eq!(turn.is_some(), own_turn.is_some());
        if let (Some(turn), Some(own_turn)) = (turn, own_turn) {
            (state, own) = (turn.state, own_turn.state);
        }
        assert_eq!(state.canonical(), AngelsAndDemons::canonical(&own));
        let View::AngelsAndDemons(view) = state.view(Viewer::Seat(seat)) else {
            panic!("a view of another game")
        };
        assert_eq!(view, AngelsAndDemons::view(&own, Viewer::Seat(seat)));
        assert_eq!(state.legal(Side::Zero).moves.len(), AngelsAndDemons::legal(&own, Side::Zero).moves.len());
    }
    let own_ending = AngelsAndDemons::ending(&own);
    assert_eq!(state.ending(), own_ending.map(|ending| ending.map(Reason::AngelsAndDemons)));
    assert_eq!(state.to_act(), Sides::NONE);
}

#[test]
fn a_match_of_turns_through_the_enums_is_the_games_own() {
    let mut own = LudusMagus::setup(&Default::default(), &SEED).expect("the defaults are playable");
    let mut state = State::setup(&Options::default_of(GameId::LudusMagus), &SEED).expect("they are playable");
    let mut dice = Dice::new(&SEED);
    while let Some(seat) = state.to_act().iter().next() {
        let mv = state.sample(seat, &mut dice).expect("a seat to act has a move");
        let Move::LudusMagus(own_move) = &mv else { panic!("a move of another game") };
        assert_eq!(state.game().parse_move(&mv.print()), Ok(mv.clone()));
        let played = state.play(seat, &mv).expect("a sampled move is legal");
        let own_played = LudusMagus::play(&own, seat, own_move).expect("it is the same move");
        let own_facts: Vec<_> = own_played.facts.into_iter().map(Fact::LudusMagus).collect();
        assert_eq!(played.facts, own_facts);
        assert!(played.state.reveal().is_none());
        (state, own) = (played.state, own_played.state);
        assert_eq!(state.canonical(), LudusMagus::canonical(&own));
        assert_eq!(
            state.view(Viewer::Spectator),
            View::LudusMagus(LudusMagus::view(&own, Viewer::Spectator))
        );
    }
    assert!(state.ending().is_some());
    let own_ending = LudusMagus::ending(&own);
    assert_eq!(state.ending(), own_ending.map(|ending| ending.map(Reason::LudusMagus)));
}

#[test]
fn a_move_of_another_game_is_malformed() {
    for game in GameId::ALL {
        let state = State::setup(&Options::default_of(game), &SEED).expect("the defaults are playable");
        for (other, text) in [(GameId::AngelsAndDemons, "1,1"), (GameId::LudusMagus, "a1-a2")] {
            let mv = other.parse_move(text).expect("it is notation");
            assert_eq!((mv.game(), mv.print().as_str()), (other, text));
            let refused = state.play(Side::Zero, &mv).err();
            let kind = refused.map(|illegal| (illegal.kind, illegal.paragraph.as_str()));
            assert_eq!(kind, (game != other).then_some((IllegalKind::Move, "G-2")));
        }
    }
}

#[test]
fn refusals_name_the_paragraph() {
    let state =
        State::setup(&Options::default_of(GameId::AngelsAndDemons), &SEED).expect("they are in range");
    let white = GameId::AngelsAndDemons.parse_move("1,2").expect("it is a space");
    let illegal = state.play(Side::Zero, &white).err().expect("a white space");
    assert!(illegal.to_string().ends_with("(AD-4)"));
    let bad = state.choices(Side::Zero, &["1,2".to_owned()]).expect_err("a white space");
    assert_eq!(bad.to_string(), format!("answer 0: {illegal}"));
}

#[test]
fn a_move_of_another_game_is_malformed_only_after_the_first_tests() {
    for game in GameId::ALL {
        for other in GameId::ALL.into_iter().filter(|other| *other != game) {
            let setup = |game| State::setup(&Options::default_of(game), &SEED).expect("they are in range");
            let (state, stranger) = (setup(game), setup(other));
            let seat = stranger.to_act().iter().next().expect("a seat is to act");
            let mv = stranger.sample(seat, &mut Dice::new(&SEED)).expect("a seat to act has a move");
            for seat in Side::ALL {
                let illegal = state.play(seat, &mv).err().expect("it is a move of another game");
                let expected =
                    if state.to_act().contains(seat) { IllegalKind::Move } else { IllegalKind::NotToAct };
                assert_eq!((illegal.kind, illegal.paragraph.as_str()), (expected, "G-2"));
            }
        }
    }
}
