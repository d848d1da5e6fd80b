//! Whatever is sent, the rules answer and do not panic.

use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
};
use proptest::test_runner::RngSeed;
use rules::games::angels_and_demons::{self, Space};
use rules::{Dice, GameId, Move, Options, Seat, Seed, State};

/// The same cases in every run.
fn fixed() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(4),
        failure_persistence: None,
        cases: 2_000,
        ..ProptestConfig::default()
    }
}

/// Any text, and text that is almost notation.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[0-9]{0,11},[0-9]{0,11}",
        "[-+ 0-9,.]{0,12}",
        Just("4294967296,1".to_owned())
    ]
}

fn numbers() -> impl Strategy<Value = u32> {
    prop_oneof![any::<u32>(), 0..30_u32, Just(u32::MAX)]
}

fn seats() -> impl Strategy<Value = Seat> {
    prop_oneof![Just(Seat::Zero), Just(Seat::One)]
}

/// A position of the game with its default options after some random moves.
fn position(game: GameId, seed: u8, moves: usize) -> State {
    let seed = Seed::new([seed; 32]);
    let mut dice = Dice::new(&seed);
    let mut state = State::setup(&Options::default_of(game), &seed).expect("the defaults are in range");
    for _ in 0..moves {
        let seats: Vec<_> = state.to_act().iter().collect();
        let Some(&seat) = dice.pick(&seats) else { break };
        let made = state.sample(seat, &mut dice).expect("a seat to act has a move");
        state = state.play(seat, &made).expect("a sampled move is legal").state;
        if let Some(turn) = state.reveal() {
            state = turn.state;
        }
    }
    state
}

proptest! {
    #![proptest_config(fixed())]

    #[test]
    fn any_text_is_read_or_refused(text in texts()) {
        for game in GameId::ALL {
            match game.parse_move(&text) {
                Ok(made) => prop_assert_eq!(made.print(), text.clone()),
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
        let made = Move::AngelsAndDemons(angels_and_demons::Move::Choose(Space { row, col }));
        prop_assert_eq!(state.play(seat, &made).is_ok(), state.legal(seat).moves.contains(&made));
    }

    #[test]
    fn any_options_are_taken_or_refused(rows in numbers(), cols in numbers(), turns in numbers()) {
        let options = angels_and_demons::Options { rows, cols, turns };
        if let Ok(state) = State::setup(&Options::AngelsAndDemons(options), &Seed::new([0; 32])) {
            prop_assert!(!state.to_act().is_empty());
        }
    }
}
