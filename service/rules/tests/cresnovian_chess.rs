//! Sticky Cresnovian Chess: any input is answered without a panic, and invariants of every position of random
//! play.

use std::collections::BTreeSet;

use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
};
use proptest::test_runner::RngSeed;
use rules::games::cresnovian_chess::{
    CresnovianChess, FieldView, Move, Options, State, Status, Umbration, Word,
};
use rules::{Dice, Game, Seed, Side, Viewer};

/// Returns a configuration with a fixed seed.
fn fixed() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(4),
        failure_persistence: None,
        cases: 2_000,
        ..ProptestConfig::default()
    }
}

fn parts() -> impl Strategy<Value = String> {
    prop_oneof![
        "(ess|dua|cos|vel|rad|cor|inn|cap|cog)",
        "[1-4],[0-9]",
        "(ess|dua|vel|cog)@[1-3],[1-9]",
        "[1-3],[1-9](u|ur|r|dr|d|dl|l|ul)",
        "[0-9]{1,11}",
        any::<String>(),
    ]
}

/// Generates text that is notation, or almost.
fn notations() -> impl Strategy<Value = String> {
    let kind = "(travel|home|eternal|cut|flock|breakdown|redefine|rewind|teleport|spectacle|ray|build|destroy\
                |tectonic|energize|fit|dance cut|dance rewind|dance propaganda|berserk|propaganda|knowledge\
                |repair|pass|left|document)";
    (kind, proptest::collection::vec(parts(), 0..10))
        .prop_map(|(kind, parts)| parts.into_iter().fold(kind, |text, part| text + " " + &part))
}

fn advance(state: &State, dice: &mut Dice) -> Option<State> {
    let seat = CresnovianChess::to_act(state).iter().next()?;
    let mv = CresnovianChess::sample(state, seat, dice).expect("a seat to act has a move");
    Some(CresnovianChess::play(state, seat, &mv).expect("a sampled move is legal").state)
}

fn opening(seed: u8) -> (State, Dice) {
    let seed = Seed::new([seed; 32]);
    (CresnovianChess::setup(&Options::default(), &seed).expect("the default is in range"), Dice::new(&seed))
}

/// Returns a position after some random moves.
fn position(seed: u8, moves: usize) -> State {
    let (mut state, mut dice) = opening(seed);
    for _ in 0..moves {
        let Some(next) = advance(&state, &mut dice) else { break };
        state = next;
    }
    state
}

proptest! {
    #![proptest_config(fixed())]

    #[test]
    fn any_notation_parses_and_is_played_or_refused(
        seed: u8, moves in 0..80_usize, text in notations(),
        seat in prop_oneof![Just(Side::Zero), Just(Side::One)],
    ) {
        let Ok(mv) = CresnovianChess::parse_move(&text) else { return Ok(()) };
        prop_assert_eq!(CresnovianChess::print_move(&mv), text);
        let state = position(seed, moves);
        let listing = CresnovianChess::legal(&state, seat);
        let is_legal = CresnovianChess::play(&state, seat, &mv).is_ok();
        prop_assert!(!listing.moves.contains(&mv) || is_legal);
        prop_assert!(!is_legal || listing.moves.contains(&mv) || !listing.is_complete());
    }
}

fn check_field(field: &FieldView) {
    let squares = field
        .pieces
        .iter()
        .map(|piece| piece.square)
        .chain(field.monuments.iter().map(|(square, _)| *square));
    let squares: Vec<_> = squares.chain(field.word.iter().map(|(square, _)| *square)).collect();
    let once: BTreeSet<_> = squares.iter().collect();
    assert_eq!(once.len(), squares.len(), "a square holds one thing");
    assert!(field.pieces.iter().map(|piece| piece.umbration).eq(Umbration::ALL));
    for piece in &field.pieces {
        assert!(piece.condition.status != Status::Eternal || piece.condition.q == 3);
    }
    // At most one word is on the field instead of in the poem, and documents have nine words.
    assert_eq!((field.poem.len() + usize::from(field.word.is_some())) % 9, 0);
    assert_eq!(field.poem.iter().count(), field.poem.len());
}

#[test]
fn invariants_hold_in_every_position() {
    for seed in 0..60 {
        let (mut state, mut dice) = opening(seed);
        while let Some(next) = advance(&state, &mut dice) {
            let view = CresnovianChess::view(&next, Viewer::Spectator);
            let before = CresnovianChess::view(&state, Viewer::Spectator);
            check_field(&view.field);
            if let Some(undo) = view.undo {
                assert_eq!(undo.field, before.field);
            }
            state = next;
        }
        assert!(CresnovianChess::ending(&state).is_some());
    }
}

#[test]
fn every_listed_move_is_legal_and_unique() {
    for seed in 0..20 {
        let state = position(seed, 30);
        for seat in CresnovianChess::to_act(&state).iter() {
            let moves = CresnovianChess::legal(&state, seat).moves;
            let once: BTreeSet<String> = moves.iter().map(CresnovianChess::print_move).collect();
            assert_eq!(once.len(), moves.len());
            for mv in &moves {
                assert!(CresnovianChess::play(&state, seat, mv).is_ok());
            }
        }
    }
}

/// Returns the positions of a match in which every turn writes these words, from the first turn on.
fn documents(max_turns: u32, words: impl Fn(u32) -> Word) -> impl Iterator<Item = State> {
    let play = |state: &State, mv: &Move| {
        let seat = CresnovianChess::to_act(state).iter().next().expect("the match is not over");
        CresnovianChess::play(state, seat, mv).expect("the move is legal").state
    };
    let opening = CresnovianChess::setup(&Options { max_turns }, &Seed::new([0; 32]));
    let place = "place ess@1,1 dua@2,1 cos@3,1 vel@3,4 rad@3,5 cor@3,6 inn@1,9 cap@2,9 cog@3,9";
    let started = [place, "left"].iter().fold(opening.expect("the option is in range"), |state, text| {
        play(&state, &CresnovianChess::parse_move(text).expect("the text is notation"))
    });
    (1..=max_turns).scan(started, move |state, turn| {
        *state = play(state, &Move::Document(vec![words(turn); 9]));
        Some(state.clone())
    })
}

#[test]
fn the_canonical_state_of_the_longest_match_is_as_short_as_after_two_turns() {
    let longest = Word::new(&"\u{1F600}".repeat(32));
    let mut seen = BTreeSet::new();
    for (turn, state) in (1..).zip(documents(2000, |_| longest.clone())) {
        let canonical = CresnovianChess::canonical(&state);
        assert!(turn < 2 || canonical.len() == 210, "{} bytes after turn {turn}", canonical.len());
        assert!(seen.insert(canonical), "turn {turn}");
    }
    assert_eq!(seen.len(), 2000);
}

#[test]
fn a_word_written_long_ago_still_tells_positions_apart() {
    let word = Word::new("word");
    let other = |turn| if turn == 1 { Word::new("sword") } else { Word::new("word") };
    for (one, other) in documents(300, |_| word.clone()).zip(documents(300, other)) {
        assert_ne!(CresnovianChess::canonical(&one), CresnovianChess::canonical(&other));
    }
}
