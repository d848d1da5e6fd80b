//! Angels and Demons, and what all games share, as text.

use board::{Colour, Orientation, TextStyle, text, text_after};
use wire::v1::{MatchStatus, Viewer};

use crate::golden::golden;
use crate::positions::{Position, resolved};

const PLAIN: TextStyle = TextStyle { colour: Colour::Plain, orientation: Orientation::Viewer };

#[test]
fn a_running_match_for_a_spectator() {
    golden("running.txt", &text(&Position::running().view(), PLAIN));
}

#[test]
fn a_running_match_in_colours() {
    let style = TextStyle { colour: Colour::Ansi, orientation: Orientation::Viewer };
    golden("running.ansi", &text_after(&Position::running().view(), &resolved((4, 4), (3, 5)), style));
}

#[test]
fn the_board_after_a_turn_marks_both_choices() {
    golden("after-turn.txt", &text_after(&Position::running().view(), &resolved((4, 4), (3, 5)), PLAIN));
}

#[test]
fn a_space_that_both_chose_has_a_mark_of_its_own() {
    golden(
        "after-turn-same-space.txt",
        &text_after(&Position::running().view(), &resolved((4, 4), (4, 4)), PLAIN),
    );
}

#[test]
fn the_demons_see_their_edge_at_the_bottom_and_their_own_choice() {
    let view = Position::running().viewer(Viewer::in_seat(1)).own_choice(2, 6).sealed(1).view();
    golden("demons-have-chosen.txt", &text(&view, PLAIN));
}

#[test]
fn any_viewer_can_rotate_the_board() {
    let style = TextStyle { colour: Colour::Plain, orientation: Orientation::One };
    golden("turned.txt", &text(&Position::running().view(), style));
}

#[test]
fn the_largest_board_has_aligned_columns() {
    golden("largest.txt", &text(&Position::chequered(26, 26).view(), PLAIN));
}

#[test]
fn the_smallest_board() {
    golden("smallest.txt", &text(&Position::chequered(3, 3).view(), PLAIN));
}

#[test]
fn a_wide_board() {
    golden("wide.txt", &text(&Position::chequered(4, 10).view(), PLAIN));
}

#[test]
fn a_finished_match_names_the_winner() {
    let view = Position::running().over(Some(0), "count").view();
    golden("over.txt", &text(&view, PLAIN));
}

#[test]
fn an_open_match_shows_its_seats() {
    let view = Position::running().status(MatchStatus::Open).without_board().free(1).view();
    golden("open.txt", &text(&view, PLAIN));
}

#[test]
fn names_cannot_control_the_terminal() {
    let view = Position::running().named("Eve\u{1b}[2J\r\n\u{202e}", "D\u{9b}31mis").view();
    let drawn = text(&view, PLAIN);
    assert!(!drawn.chars().any(|c| c.is_control() && c != '\n'), "{drawn:?}");
    golden("hostile-names.txt", &drawn);
}
