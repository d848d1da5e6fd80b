//! LM-1 to LM-7: the boards, the pieces, turns and captures.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{BLACK, WHITE, after, at, far, goes, opening, place, played, refused, stage};
use crate::games::ludus_magus::board::bitboard::{adjacent, places};
use crate::games::ludus_magus::{Fact, Kind, Place, Plane};

/// Returns the places adjacent to a place, on its own plane and on the other.
fn neighbours(text: &str) -> [Vec<alloc::string::String>; 2] {
    let at = place(text);
    [at.plane(), at.plane().other()]
        .map(|plane| places(plane, adjacent(plane, at)).map(|place| place.to_string()).collect())
}

#[test]
fn lm_1_there_are_64_cells_and_81_points() {
    let all: Vec<_> = Place::all().collect();
    assert_eq!(all.iter().filter(|place| place.plane() == Plane::Corporeal).count(), 64);
    assert_eq!(all.iter().filter(|place| place.plane() == Plane::Astral).count(), 81);
    assert!(all.is_sorted());
    for place in all {
        assert_eq!(Place::parse(&place.to_string()), Some(place));
    }
}

#[test]
fn lm_1_cells_and_points_have_their_coordinates() {
    let cell = Place::cell(3, 6).expect("it exists");
    assert_eq!((cell.to_string().as_str(), cell.col(), cell.row()), ("d7", 3, 6));
    let point = Place::point(8, 0).expect("it exists");
    assert_eq!((point.to_string().as_str(), point.col(), point.row()), ("8,0", 8, 0));
    for (x, y) in [(8, 0), (0, 8), (u32::MAX, 0), (0, 1 << 28)] {
        assert_eq!(Place::cell(x, y), None);
    }
    assert_eq!(
        [Place::point(9, 0), Place::point(0, 9), Place::point(8, 8)].map(|point| point.is_some()),
        [false, false, true]
    );
}

#[test]
fn lm_2_orthogonal_neighbours_are_one_step_along_a_file_or_rank() {
    assert_eq!(neighbours("d4")[0], ["d3", "c4", "e4", "d5"]);
    assert_eq!(neighbours("a1")[0], ["b1", "a2"]);
    assert_eq!(neighbours("h8")[0], ["h7", "g8"]);
    assert_eq!(neighbours("4,4")[0], ["4,3", "3,4", "5,4", "4,5"]);
    assert_eq!(neighbours("8,3")[0], ["8,2", "7,3", "8,4"]);
    assert_eq!(neighbours("0,8")[0], ["0,7", "1,8"]);
}

#[test]
fn lm_2_octagonal_neighbours_are_a_cell_and_its_corners() {
    assert_eq!(neighbours("a1")[1], ["0,0", "1,0", "0,1", "1,1"]);
    assert_eq!(neighbours("d7")[1], ["3,6", "4,6", "3,7", "4,7"]);
    assert_eq!(neighbours("4,4")[1], ["d4", "e4", "d5", "e5"]);
    assert_eq!(neighbours("0,0")[1], ["a1"]);
    assert_eq!(neighbours("8,8")[1], ["h8"]);
    assert_eq!(neighbours("8,3")[1], ["h3", "h4"]);
}

#[test]
fn lm_3_a_cell_and_a_point_are_different_places() {
    let state = far("w:aer@a1 w:terra@0,0");
    assert_eq!(at(&state, "a1"), Some((WHITE, Kind::Aer)));
    assert_eq!(at(&state, "0,0"), Some((WHITE, Kind::Terra)));
    assert_eq!(refused(&far("w:aer@a1 w:terra@c1"), "a1-c1"), "LM-3");
}

#[test]
fn lm_4_there_are_five_elements_and_three_artifacts() {
    let elements: Vec<_> = Kind::ALL.into_iter().filter(|kind| kind.is_element()).map(Kind::name).collect();
    assert_eq!(elements, ["Aer", "Aqua", "Ignis", "Terra", "Aether"]);
    let artifacts: Vec<_> = Kind::ALL.into_iter().filter(|kind| !kind.is_element()).map(Kind::name).collect();
    assert_eq!(artifacts, ["Codex", "Famulus", "Magus"]);
}

#[test]
fn lm_6_seats_alternate() {
    let state = after(&opening(), "a1-a2");
    assert_eq!(state.position().to_act, BLACK);
    assert_eq!(after(&state, "h8-h7").position().to_act, WHITE);
}

#[test]
fn lm_6_only_own_pieces_act() {
    let state = opening();
    for text in ["h8-h7", "d4-d5", "h8xh7-h6", "d4xd5-d6", "h8>d2", "d4>d2"] {
        assert_eq!(refused(&state, text), "LM-6", "{text}");
    }
}

#[test]
fn lm_7_no_piece_captures_its_own_kind() {
    let state = far("w:aer@d4 b:aer@d5 b:terra@e4");
    assert_eq!(goes(&state, "d4"), "d4-b4 d4-c3 d4-c4 d4-c5 d4-d2 d4-d3 d4-e3 d4-e4");
    assert_eq!(refused(&state, "d4-d5"), "LM-7");
    assert_eq!(refused(&far("w:ignis@d4 b:ignis@d6"), "d4-d6"), "LM-7");
    assert_eq!(refused(&far("w:aqua@d4 w:aer@d5 b:aqua@d6"), "d4-d6"), "LM-7");
    assert_eq!(refused(&far("w:terra@d4 b:terra@d5"), "d4xd5-d6"), "LM-7");
    assert_eq!(refused(&stage("w:magus@d4 b:magus@d5"), "d4-d5"), "LM-7");
}

#[test]
fn lm_7_the_capturer_takes_the_place_and_the_captured_piece_leaves() {
    let (state, facts) = played(&far("w:aer@d4 b:terra@d5"), "d4-d5");
    assert_eq!(at(&state, "d5"), Some((WHITE, Kind::Aer)));
    assert_eq!(at(&state, "d4"), None);
    assert_eq!(state.position().board.pieces().count(), 3);
    assert!(matches!(facts[..2], [Fact::Captured { .. }, Fact::Moved { over: None, .. }]));
}

#[test]
fn lm_7_terra_removes_its_victim_on_the_way() {
    let (state, facts) = played(&far("w:terra@d4 b:aer@d5"), "d4xd5-e5");
    assert_eq!(["d4", "d5"].map(|text| at(&state, text)), [None, None]);
    assert_eq!(at(&state, "e5"), Some((WHITE, Kind::Terra)));
    assert!(matches!(facts[1], Fact::Moved { over: Some(over), .. } if over == place("d5")));
}
