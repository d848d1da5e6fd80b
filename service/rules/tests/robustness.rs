//! Any input is answered without a panic.

use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
};
use proptest::test_runner::RngSeed;
use rules::games::ace_exorcist::{self, Card, CardSet, Suit};
use rules::games::angels_and_demons::{self, Space};
use rules::games::ludus_magus::{self, Kind, Piece, Place};
use rules::{BySide, Dice, GameId, Move, Options, Seed, Side, State};

/// Returns a configuration with a fixed seed.
fn fixed() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(4),
        failure_persistence: None,
        cases: 2_000,
        ..ProptestConfig::default()
    }
}

/// Generates any text, and text that is almost notation.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[0-9]{0,11},[0-9]{0,11}",
        "[-+ 0-9,.]{0,12}",
        "[a-h][0-9](x[a-h][1-9])?[->@][a-h][1-8]",
        "([0-9],[0-9]|[a-i][0-9]|aer|terra)[->@x]([0-9],[0-9]|[a-i][0-9])",
        Just("swap".to_owned()),
        Just("4294967296,1".to_owned())
    ]
}

fn numbers() -> impl Strategy<Value = u32> {
    prop_oneof![any::<u32>(), 0..30_u32, Just(u32::MAX)]
}

/// Generates text that is almost notation of Ace Exorcist.
fn ace_exorcist_notations() -> impl Strategy<Value = String> {
    let notation = |form: &str| {
        let form = form.replace("CARD", "(blood|flame|bell|book)-([2-7]|imp|elder|angel|archon|1|10)");
        proptest::string::string_regex(&form).expect("the form is a regular expression")
    };
    prop_oneof![
        notation("(ritual|attack|trade|assault|heal|guard) CARD( CARD)?( CARD)?"),
        notation("guard (low|high) CARD( high CARD)?"),
        notation("banish CARD with CARD( CARD)?( CARD)?"),
        notation("(pass|take-hit|guard|malformed)( no-kind| card-twice)? ?"),
    ]
}

fn cards() -> impl Strategy<Value = Card> {
    let card =
        |(suit, value): (usize, u32)| Card::new(Suit::ALL[suit], value).expect("the values are in range");
    (0..6_usize, 1..=10_u32).prop_map(card)
}

fn ace_exorcist_moves() -> impl Strategy<Value = ace_exorcist::Move> {
    use ace_exorcist::Move;
    let sets = || proptest::collection::vec(cards(), 0..5).prop_map(CardSet::from_iter);
    let ends = || proptest::option::of(cards());
    prop_oneof![
        cards().prop_map(Move::Ritual),
        sets().prop_map(Move::Attack),
        sets().prop_map(Move::Trade),
        sets().prop_map(Move::Assault),
        sets().prop_map(Move::Heal),
        (ends(), ends()).prop_map(|(low, high)| Move::Guard { low, high }),
        (cards(), sets()).prop_map(|(ritual, flush)| Move::Banish { ritual, flush }),
        Just(Move::TakeHit),
        Just(Move::Pass),
    ]
}

fn seats() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Zero), Just(Side::One)]
}

/// Generates places, some of which do not exist.
fn places() -> impl Strategy<Value = Option<Place>> {
    (any::<bool>(), 0..10_u32, 0..10_u32)
        .prop_map(|(cell, col, row)| if cell { Place::cell(col, row) } else { Place::point(col, row) })
}

fn kinds() -> impl Strategy<Value = Kind> {
    proptest::sample::select(&Kind::ALL)
}

/// Returns a well-formed move of Ludus Magus between these places, if they exist.
fn action(which: u32, kind: Kind, places: [Option<Place>; 3]) -> ludus_magus::Move {
    let [Some(from), Some(victim), Some(to)] = places else { return ludus_magus::Move::Malformed };
    match which {
        0 => ludus_magus::Move::Go { from, to },
        1 => ludus_magus::Move::Terra { from, victim, to },
        2 => ludus_magus::Move::Conjure { kind, to },
        3 => ludus_magus::Move::Summon { from, to },
        _ => ludus_magus::Move::Swap,
    }
}

/// Returns a position of the game with default options after some random moves.
fn position(game: GameId, seed: u8, moves: usize) -> State {
    let seed = Seed::new([seed; 32]);
    let mut dice = Dice::new(&seed);
    let mut state = State::setup(&Options::default_of(game), &seed).expect("the defaults are in range");
    for _ in 0..moves {
        let seats: Vec<_> = state.to_act().iter().collect();
        let Some(&seat) = dice.pick(&seats) else { break };
        let mv = state.sample(seat, &mut dice).expect("a seat to act has a move");
        state = state.play(seat, &mv).expect("a sampled move is legal").state;
        if let Some(turn) = state.reveal() {
            state = turn.state;
        }
    }
    state
}

proptest! {
    #![proptest_config(fixed())]

    #[test]
    fn any_text_parses_or_is_refused(text in texts()) {
        for game in GameId::ALL {
            match game.parse_move(&text) {
                Ok(mv) => prop_assert_eq!(mv.print(), text.clone()),
                Err(unreadable) => prop_assert!(unreadable.text.contains("example")),
            }
        }
    }

    #[test]
    fn any_path_is_followed_or_refused(
        seed: u8, moves in 0..45_usize, seat in seats(), path in proptest::collection::vec(texts(), 0..4),
    ) {
        for game in GameId::ALL {
            if let Err(bad) = position(game, seed, moves).choices(seat, &path) {
                prop_assert!(bad.index <= path.len());
            }
        }
    }

    #[test]
    fn any_space_is_played_or_refused(
        seed: u8, moves in 0..45_usize, seat in seats(), row in numbers(), col in numbers(),
    ) {
        let state = position(GameId::AngelsAndDemons, seed, moves);
        let mv = Move::AngelsAndDemons(angels_and_demons::Move::Choose(Space { row, col }));
        prop_assert_eq!(state.play(seat, &mv).is_ok(), state.legal(seat).moves.contains(&mv));
    }

    #[test]
    fn any_options_are_accepted_or_refused(rows in numbers(), cols in numbers(), turns in numbers()) {
        let options = angels_and_demons::Options { rows, cols, turns };
        if let Ok(state) = State::setup(&Options::AngelsAndDemons(options), &Seed::new([0; 32])) {
            prop_assert!(!state.to_act().is_empty());
        }
    }

    #[test]
    fn any_notation_of_ace_exorcist_parses_or_is_refused(text in ace_exorcist_notations()) {
        if let Ok(mv) = GameId::AceExorcist.parse_move(&text) {
            // A set may be written in any order; otherwise a move has one notation.
            let sorted = |text: &str| {
                let mut words: Vec<_> = text.split(' ').map(str::to_owned).collect();
                words.sort();
                words
            };
            prop_assert_eq!(sorted(&mv.print()), sorted(&text));
            prop_assert_eq!(GameId::AceExorcist.parse_move(&mv.print()), Ok(mv));
        }
    }

    #[test]
    fn any_move_of_ace_exorcist_is_played_or_refused(
        seed: u8, moves in 0..45_usize, seat in seats(), mv in ace_exorcist_moves(),
    ) {
        let state = position(GameId::AceExorcist, seed, moves);
        let mv = Move::AceExorcist(mv);
        prop_assert_eq!(GameId::AceExorcist.parse_move(&mv.print()), Ok(mv.clone()));
        prop_assert_eq!(state.play(seat, &mv).is_ok(), state.legal(seat).moves.contains(&mv));
    }

    #[test]
    fn any_action_is_played_or_refused(
        seed: u8, moves in 0..60_usize, seat in seats(), which in 0..5_u32, kind in kinds(),
        from in places(), victim in places(), to in places(),
    ) {
        let state = position(GameId::LudusMagus, seed, moves);
        let mv = Move::LudusMagus(action(which, kind, [from, victim, to]));
        prop_assert_eq!(state.play(seat, &mv).is_ok(), state.legal(seat).moves.contains(&mv));
    }

    #[test]
    fn any_start_is_accepted_or_refused(
        entries in proptest::collection::vec((seats(), kinds(), places()), 0..12), white in numbers(),
        first_seat in numbers(), max_turns in numbers(),
    ) {
        let white_magus = (Side::Zero, Kind::Magus, Place::cell(0, 0));
        let magi = [white_magus, (Side::One, Kind::Magus, Place::point(8, 8))];
        let pieces = entries.into_iter().filter(|(_, kind, _)| *kind != Kind::Magus).chain(magi);
        let pieces = pieces.map(|(seat, kind, place)| Some(Piece { seat, kind, place: place? })).collect();
        let options = ludus_magus::Options { pieces, mana: BySide::new(white, 0), first_seat, max_turns };
        if let Ok(state) = State::setup(&Options::LudusMagus(options), &Seed::new([0; 32])) {
            prop_assert!(!state.to_act().is_empty());
        }
    }
}
