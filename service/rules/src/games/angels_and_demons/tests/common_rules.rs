//! The paragraphs common to all games, as far as this game can show them.

use alloc::string::{String, ToString};

use super::{ANGELS, DEMONS, accepted, choose, opening, refused, seen, turn};
use crate::games::angels_and_demons::{AngelsAndDemons, Options};
use crate::{BadAnswer, BySide, Game, IllegalKind, OptionType, Seed, Step, Viewer};

#[test]
fn g_1_seats_have_names() {
    assert_eq!(AngelsAndDemons::INFO.seat_names, BySide::new("Angels", "Demons"));
}

#[test]
fn g_2_the_first_failing_test_is_named() {
    let (sealed, _) = accepted(&opening(8, 8, 1), ANGELS, 1, 1);
    let (over, _) = accepted(&sealed, DEMONS, 8, 8);
    // 0,1 is off the board and would be white.
    assert_eq!(refused(&over, ANGELS, 0, 1).kind, IllegalKind::MatchOver);
    assert_eq!(refused(&sealed, ANGELS, 0, 1).kind, IllegalKind::NotToAct);
    assert_eq!(refused(&sealed, DEMONS, 0, 1).paragraph.as_str(), "G-2");
    assert_eq!(refused(&sealed, DEMONS, 1, 2).paragraph.as_str(), "AD-4");
}

#[test]
fn g_2_spaces_off_the_board_are_refused() {
    let start = opening(4, 6, 20);
    for (row, col) in [(0, 0), (0, 2), (2, 0), (5, 1), (5, 5), (1, 7), (u32::MAX, u32::MAX)] {
        let illegal = refused(&start, ANGELS, row, col);
        assert_eq!((illegal.kind, illegal.paragraph.as_str()), (IllegalKind::Move, "G-2"));
        assert!(illegal.text.contains("1 to 4") && illegal.text.contains("1 to 6"));
    }
}

#[test]
fn g_2_a_bad_answer_is_refused_at_its_index() {
    let start = opening(8, 8, 20);
    let refused = |path: &[&str]| {
        let path: alloc::vec::Vec<String> = path.iter().map(ToString::to_string).collect();
        let BadAnswer { index, illegal } =
            AngelsAndDemons::choices(&start, ANGELS, &path).expect_err("not offered");
        (index, illegal.paragraph.as_str())
    };
    assert_eq!(refused(&["1,2"]), (0, "AD-4"));
    assert_eq!(refused(&["9,9"]), (0, "G-2"));
    assert_eq!(refused(&["here"]), (0, "G-2"));
    assert_eq!(refused(&["1,1", "enough"]), (1, "G-2"));
    assert_eq!(refused(&["1,2", "enough"]), (0, "AD-4"));
}

#[test]
fn g_2_a_refused_move_changes_nothing() {
    let (sealed, _) = accepted(&opening(8, 8, 20), ANGELS, 4, 4);
    refused(&sealed, ANGELS, 6, 6);
    refused(&sealed, DEMONS, 1, 2);
    assert_eq!(seen(&sealed, Viewer::Seat(ANGELS)).own_choice.map(|space| space.row), Some(4));
}

#[test]
fn g_3_repetition_does_not_apply() {
    let mut state = opening(8, 8, 9);
    for _ in 0..8 {
        state = turn(&state, (1, 1), (1, 1));
    }
    assert_eq!(AngelsAndDemons::ending(&state), None);
}

#[test]
fn g_5_the_seed_is_ignored() {
    let [one, other] = [0, 1]
        .map(|byte| AngelsAndDemons::setup(&Options::default(), &Seed::new([byte; 32])).expect("in range"));
    assert_eq!(one.canonical(), other.canonical());
}

#[test]
fn g_6_a_single_legal_move_is_still_the_seats_own() {
    let start = opening(3, 3, 1);
    let answered = AngelsAndDemons::choices(&start, ANGELS, &["2,2".to_string()]);
    assert_eq!(answered, Ok(Step::Done(choose(2, 2))));
    // A finished path builds the move but does not play it.
    assert_eq!(seen(&start, Viewer::Seat(ANGELS)).own_choice, None);
}

#[test]
fn g_7_endings_have_fixed_words() {
    let reason = |angels| {
        AngelsAndDemons::ending(&turn(&opening(8, 8, 1), angels, (8, 8))).map(|end| end.reason.as_str())
    };
    assert_eq!([reason((4, 4)), reason((1, 1))], [Some("count"), Some("equal-count")]);
}

#[test]
fn g_8_the_table_of_options_is_what_setup_accepts() {
    for option in AngelsAndDemons::INFO.options {
        let OptionType::Integer { min, max, .. } = option.option_type else { panic!("not a number") };
        for (value, fits) in [(min, true), (max, true), (min - 1, false), (max + 1, false)] {
            let mut options = Options { rows: 4, cols: 4, turns: 20 };
            match option.name {
                "rows" => (options.rows, options.cols) = (value, 3 + (value + 1) % 2),
                "cols" => (options.rows, options.cols) = (3 + (value + 1) % 2, value),
                "turns" => options.turns = value,
                unknown => panic!("no test for option {unknown}"),
            }
            let refused = AngelsAndDemons::setup(&options, &Seed::new([0; 32])).err();
            assert_eq!(refused.map(|bad| bad.option), (!fits).then_some(option.name), "{options:?}");
        }
    }
}

#[test]
fn g_9_a_seats_view_stays_its_own_and_the_open_view_adds_no_sealed_choice() {
    let (sealed, _) = accepted(&turn(&opening(8, 8, 20), (2, 2), (7, 7)), ANGELS, 4, 4);
    assert_eq!(seen(&sealed, Viewer::Open), seen(&sealed, Viewer::Spectator));
    assert_ne!(seen(&sealed, Viewer::Open), seen(&sealed, Viewer::Seat(ANGELS)));
}
