//! Drawings compared with the files in `golden/`. `MATCHBOOK_BLESS=1` writes
//! them anew; look at the difference before you keep it.

use std::path::Path;
use std::{env, fs};

use board::{Colour, Near, Style, text, text_after};
use wire::v1::{MatchStatus, Seat, Viewer};

use crate::positions::{Position, resolved};

const PLAIN: Style = Style { colour: Colour::Plain, near: Near::Viewer };

#[track_caller]
pub(crate) fn golden(name: &str, drawn: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if env::var_os("MATCHBOOK_BLESS").is_some() {
        fs::write(&path, drawn).expect("the golden folder is writable");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(drawn, expected, "{name} differs; see MATCHBOOK_BLESS in tests/drawn/boards.rs");
}

#[test]
fn a_running_match_as_a_spectator_sees_it() {
    golden("running.txt", &text(&Position::running().view(), PLAIN));
}

#[test]
fn the_same_in_colours() {
    let style = Style { colour: Colour::Ansi, near: Near::Viewer };
    golden("running.ansi", &text_after(&Position::running().view(), &resolved((4, 4), (3, 5)), style));
}

#[test]
fn the_board_right_after_a_turn_shows_where_both_chose() {
    golden("after-turn.txt", &text_after(&Position::running().view(), &resolved((4, 4), (3, 5)), PLAIN));
}

#[test]
fn both_choosing_one_space_is_marked_as_both() {
    golden(
        "after-turn-same-space.txt",
        &text_after(&Position::running().view(), &resolved((4, 4), (4, 4)), PLAIN),
    );
}

#[test]
fn the_demons_see_their_own_edge_at_the_bottom_and_their_own_choice() {
    let view = Position::running().viewer(Viewer::SeatOne).own_choice(2, 6).sealed(Seat::One).view();
    golden("demons-have-chosen.txt", &text(&view, PLAIN));
}

#[test]
fn anybody_can_look_from_the_demons_edge() {
    let style = Style { colour: Colour::Plain, near: Near::One };
    golden("turned.txt", &text(&Position::running().view(), style));
}

#[test]
fn the_largest_board_has_straight_columns() {
    golden("largest.txt", &text(&Position::chequered(26, 26).view(), PLAIN));
}

#[test]
fn the_smallest_board() {
    golden("smallest.txt", &text(&Position::chequered(3, 3).view(), PLAIN));
}

#[test]
fn a_board_can_be_wider_than_high() {
    golden("wide.txt", &text(&Position::chequered(4, 10).view(), PLAIN));
}

#[test]
fn a_finished_match_names_the_winner() {
    let view = Position::running().over(Some(Seat::Zero), "count").view();
    golden("over.txt", &text(&view, PLAIN));
}

#[test]
fn a_match_that_waits_for_players() {
    let view = Position::running().status(MatchStatus::Open).without_board().free(Seat::One).view();
    golden("open.txt", &text(&view, PLAIN));
}

#[test]
fn names_can_not_drive_the_terminal() {
    let view = Position::running().named("Eve\u{1b}[2J\r\n\u{202e}", "D\u{9b}31mis").view();
    let drawn = text(&view, PLAIN);
    assert!(!drawn.chars().any(|c| c.is_control() && c != '\n'), "{drawn:?}");
    golden("hostile-names.txt", &drawn);
}
