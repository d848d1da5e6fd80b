//! AD-6: what a turn does to the board.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::{ProptestConfig, Strategy, prop_assert_eq, proptest};
use proptest::test_runner::RngSeed;

use super::{ANGELS, DEMONS, accepted, drawn, opening, seen, turn};
use crate::games::angels_and_demons::{AngelsAndDemons, Cover, Fact, Move, Space};
use crate::{BySide, Game, Viewer};

#[test]
fn ad_6_the_four_neighbours_are_covered() {
    let state = turn(&opening(7, 7, 3), (2, 2), (6, 6));
    assert_eq!(drawn(&state), ".A...../A.A..../.A...../......./.....D./....D.D/.....D.");
}

#[test]
fn ad_6_only_neighbours_on_the_board_are_covered() {
    let state = turn(&opening(4, 4, 3), (1, 1), (4, 2));
    assert_eq!(drawn(&state), ".A../A.../.D../D.D.");
}

#[test]
fn ad_6_a_space_reached_by_both_becomes_empty() {
    let state = turn(&opening(5, 5, 3), (2, 2), (2, 4));
    assert_eq!(drawn(&state), ".A.D./A...D/.A.D./...../.....");
    let covered_before = turn(&opening(5, 5, 3), (3, 3), (5, 5));
    assert_eq!(drawn(&covered_before), "...../..A../.A.A./..A.D/...D.");
    let emptied = turn(&covered_before, (2, 2), (2, 4));
    assert_eq!(drawn(&emptied), ".A.D./A...D/.A.D./..A.D/...D.");
}

#[test]
fn ad_6_the_same_choice_empties_all_its_neighbours() {
    let first = turn(&opening(5, 5, 3), (3, 3), (1, 1));
    let both = turn(&first, (3, 3), (3, 3));
    assert_eq!(drawn(&both), ".D.../D..../...../...../.....");
}

#[test]
fn ad_6_the_other_seats_pieces_are_taken_over_and_own_ones_stay() {
    let first = turn(&opening(5, 5, 3), (2, 2), (5, 5));
    let taken = turn(&first, (5, 1), (3, 3));
    assert_eq!(drawn(&taken), ".A.../A.D../.D.D./A.D.D/.A.D.");
    let stayed = turn(&taken, (1, 1), (3, 3));
    assert_eq!(drawn(&stayed), drawn(&taken));
}

#[test]
fn ad_6_facts_name_each_change_by_row_then_column() {
    let start = turn(&opening(5, 5, 3), (2, 2), (5, 5));
    let (sealed, _) = accepted(&start, DEMONS, 3, 3);
    let (_, facts) = accepted(&sealed, ANGELS, 2, 2);
    let changed = |row, col, from, to| Fact::Changed { space: Space { row, col }, from, to };
    // 2,3 and 3,2 are reached by both; 1,2 and 2,1 are already the Angels'; 4,3 and 3,4 become the Demons'.
    let expected = [
        changed(2, 3, Cover::Angel, Cover::Empty),
        changed(3, 2, Cover::Angel, Cover::Empty),
        changed(3, 4, Cover::Empty, Cover::Demon),
        changed(4, 3, Cover::Empty, Cover::Demon),
        Fact::TurnResolved { turn: 2, counts: BySide::new(2, 4) },
    ];
    assert_eq!(facts[3..], expected);
}

#[test]
fn ad_6_the_example_of_the_rules_page() {
    let first = turn(&opening(3, 5, 3), (2, 2), (3, 5));
    assert_eq!(drawn(&first), ".A.../A.A.D/.A.D.");
    let second = turn(&first, (1, 1), (2, 2));
    assert_eq!(drawn(&second), "...../..D.D/.D.D.");
}

#[test]
fn ad_6_the_first_turn_has_a_known_number_of_outcomes() {
    let start = opening(8, 8, 20);
    let mut boards = BTreeSet::new();
    let mut turns = 0;
    for angels in AngelsAndDemons::legal(&start, ANGELS).moves {
        let sealed = AngelsAndDemons::play(&start, ANGELS, &angels).expect("a listed choice is legal").state;
        for demons in AngelsAndDemons::legal(&sealed, DEMONS).moves {
            let played = AngelsAndDemons::play(&sealed, DEMONS, &demons).expect("a listed choice is legal");
            let resolved = AngelsAndDemons::reveal(&played.state).expect("both choices are in");
            boards.insert(resolved.state.canonical());
            turns += 1;
        }
    }
    // 32 x 32 turns; the 32 in which both choose the same space all leave the board empty.
    assert_eq!((turns, boards.len()), (1024, 1024 - 31));
}

/// Applies AD-6 literally, space by space.
fn by_the_paragraph(rows: u32, cols: u32, before: &[Cover], angels: Space, demons: Space) -> Vec<Cover> {
    let near = |space: Space, row: u32, col: u32| space.row.abs_diff(row) + space.col.abs_diff(col) == 1;
    let spaces = (1..=rows).flat_map(|row| (1..=cols).map(move |col| (row, col)));
    let after = spaces.zip(before).map(|((row, col), &cover)| {
        match (near(angels, row, col), near(demons, row, col)) {
            (true, true) => Cover::Empty,
            (true, false) => Cover::Angel,
            (false, true) => Cover::Demon,
            (false, false) => cover,
        }
    });
    after.collect()
}

/// Generates board sizes, and for each turn two numbers that pick a listed choice for each seat.
fn random_matches() -> impl Strategy<Value = (u32, u32, Vec<(usize, usize)>)> {
    let picks = proptest::collection::vec((0..1000_usize, 0..1000_usize), 1..30);
    (3..=26_u32, 3..=26_u32, picks).prop_map(|(rows, cols, picks)| {
        let cols = if (rows + cols).is_multiple_of(2) { cols } else { 29 - cols };
        (rows, cols, picks)
    })
}

/// Returns a configuration with a fixed seed.
fn fixed() -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(6), failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(fixed())]

    #[test]
    fn ad_6_random_matches_follow_the_paragraph_literally((rows, cols, picks) in random_matches()) {
        let mut state = opening(rows, cols, 1000);
        let mut covers = vec![Cover::Empty; (rows * cols) as usize];
        let blacks = AngelsAndDemons::legal(&state, ANGELS).moves;
        for (angels, demons) in picks {
            let choices = [angels, demons].map(|pick| blacks[pick % blacks.len()]);
            let [Move::Choose(angels), Move::Choose(demons)] = choices;
            covers = by_the_paragraph(rows, cols, &covers, angels, demons);
            state = turn(&state, (angels.row, angels.col), (demons.row, demons.col));
            prop_assert_eq!(&seen(&state, Viewer::Spectator).covers, &covers);
        }
    }
}
