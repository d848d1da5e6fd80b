//! Angels and Demons as SVG.

use wire::games::angels_and_demons::v1 as game;
use wire::v1::{Event, MatchStatus, Viewer};

use super::golden_svg;
use crate::positions::{Position, a_fact, resolved};

fn turn() -> Event {
    let mut event = resolved((4, 4), (3, 5));
    for (row, col) in [(4, 3), (5, 4), (2, 5), (3, 6)] {
        let space = Some(game::Space { row, col });
        event.facts.push(a_fact(game::fact::Fact::Changed(game::Changed { space, before: 1, after: 2 })));
    }
    event
}

#[test]
fn running() {
    golden_svg("angels-and-demons", &Position::running().view(), &[turn()]);
}

#[test]
fn both_choices_on_one_space() {
    golden_svg("angels-and-demons-same-space", &Position::running().view(), &[resolved((4, 4), (4, 4))]);
}

#[test]
fn a_pending_choice_for_its_own_seat() {
    let view = Position::running().viewer(Viewer::in_seat(1)).own_choice(2, 6).sealed(1).view();
    golden_svg("angels-and-demons-own-choice", &view, &[turn()]);
}

#[test]
fn a_pending_choice_for_the_other_seat() {
    let view = Position::running().viewer(Viewer::in_seat(1)).sealed(0).view();
    golden_svg("angels-and-demons-sealed", &view, &[]);
}

#[test]
fn the_first_turn() {
    golden_svg("angels-and-demons-first", &Position::blank(8, 8).view(), &[]);
}

#[test]
fn largest_smallest_wide_and_high() {
    golden_svg("angels-and-demons-largest", &Position::chequered(26, 26).view(), &[]);
    golden_svg("angels-and-demons-smallest", &Position::chequered(3, 3).view(), &[]);
    golden_svg("angels-and-demons-wide", &Position::chequered(4, 10).view(), &[]);
    golden_svg("angels-and-demons-high", &Position::chequered(26, 4).view(), &[]);
}

#[test]
fn over() {
    golden_svg("angels-and-demons-over", &Position::running().over(Some(0), "count").view(), &[turn()]);
}

#[test]
fn an_open_match() {
    let view = Position::running().status(MatchStatus::Open).without_board().free(1).view();
    golden_svg("waiting", &view, &[]);
}
