//! LM-5: the options and the default start.

use alloc::vec::Vec;

use super::{BLACK, FAR, WHITE, at, opening, pieces, setup, with};
use crate::games::ludus_magus::{Kind, LudusMagus, Options};
use crate::{BySide, Game, Seed, Side};

fn refused(options: &Options) -> (&'static str, &'static str) {
    let bad = LudusMagus::setup(options, &Seed::new([0; 32])).err().expect("no match can have these options");
    (bad.option, bad.illegal.paragraph.as_str())
}

#[test]
fn lm_5_the_default_start() {
    let state = opening();
    for (kind, white, black) in [
        (Kind::Terra, "a1", "h8"),
        (Kind::Ignis, "b1", "g8"),
        (Kind::Codex, "c1", "f8"),
        (Kind::Magus, "d1", "e8"),
        (Kind::Aqua, "e1", "d8"),
        (Kind::Aether, "f1", "c8"),
        (Kind::Aer, "g1", "b8"),
        (Kind::Aer, "1,1", "7,7"),
        (Kind::Aqua, "2,1", "6,7"),
        (Kind::Famulus, "3,1", "5,7"),
        (Kind::Aether, "4,1", "4,7"),
        (Kind::Ignis, "5,1", "3,7"),
        (Kind::Terra, "6,1", "2,7"),
    ] {
        assert_eq!(at(&state, white), Some((WHITE, kind)));
        assert_eq!(at(&state, black), Some((BLACK, kind)));
    }
    assert_eq!(state.position().board.pieces().count(), 26);
    assert_eq!((state.position().mana, state.position().to_act), (BySide::new(0, 0), WHITE));
    assert_eq!(state.max_turns, 2000);
}

#[test]
fn lm_5_pieces_in_any_order_make_the_same_start() {
    let mut turned = Options::default();
    turned.pieces.reverse();
    assert_eq!(LudusMagus::canonical(&setup(&turned)), LudusMagus::canonical(&opening()));
}

#[test]
fn lm_5_each_seat_has_one_magus_and_no_more_than_one_codex_and_famulus() {
    for text in [
        "",
        "w:magus@a8",
        "b:magus@h8",
        "w:magus@a8 w:magus@a7 b:magus@h8",
        "w:magus@a8 w:magus@a7",
        "w:magus@a8 b:magus@h8 w:codex@a1 w:codex@0,0",
        "w:magus@a8 b:magus@h8 b:famulus@a1 b:famulus@0,0",
    ] {
        assert_eq!(refused(&with(text)), ("pieces", "LM-5"), "{text}");
    }
    setup(&with("w:magus@a8 b:magus@h8 b:famulus@a1 w:famulus@0,0 w:codex@a2 b:codex@a3"));
    setup(&with(FAR));
}

#[test]
fn lm_5_no_place_is_taken_twice() {
    assert_eq!(refused(&with("w:magus@a8 b:magus@h8 w:aer@d4 w:aer@d4")), ("pieces", "LM-5"));
    assert_eq!(refused(&with("w:magus@a8 b:magus@a8")), ("pieces", "LM-5"));
    setup(&with("w:magus@a1 b:magus@0,0 w:aer@d4 w:aer@3,3"));
}

#[test]
fn lm_5_pieces_that_do_not_exist_are_refused() {
    let options = Options { pieces: pieces(FAR).into_iter().chain([None]).collect(), ..Options::default() };
    assert_eq!(refused(&options), ("pieces", "LM-5"));
}

#[test]
fn lm_5_no_magus_is_bound() {
    let bound = "w:magus@d4 b:magus@h8 b:aer@3,3 b:aer@4,3 b:aer@3,4 b:aether@4,4";
    assert_eq!(refused(&with(bound)), ("pieces", "LM-5"));
    assert_eq!(refused(&Options { first_seat: 1, ..with(bound) }), ("pieces", "LM-5"));
    setup(&with("w:magus@d4 b:magus@h8 b:aer@3,3 b:aer@4,3 b:aer@3,4 b:aqua@4,4"));
}

#[test]
fn lm_5_the_first_seat_has_a_move() {
    let shut = "w:magus@h1 b:magus@a8 w:aer@b8 w:aer@1,7 w:aer@a7";
    setup(&with(shut));
    assert_eq!(refused(&Options { first_seat: 1, ..with(shut) }), ("pieces", "LM-5"));
    // A Conjure would be a move, but Black has no Codex.
    let with_mana = Options { first_seat: 1, mana: BySide::new(0, 5), ..with(shut) };
    assert_eq!(refused(&with_mana), ("pieces", "LM-5"));
}

#[test]
fn lm_5_mana_is_0_to_1000_for_each_seat() {
    for (white, black, fits) in
        [(0, 0, true), (1000, 0, true), (0, 1000, true), (1001, 0, false), (0, u32::MAX, false)]
    {
        let options = Options { mana: BySide::new(white, black), ..Options::default() };
        if fits {
            assert_eq!(setup(&options).position().mana, options.mana);
        } else {
            assert_eq!(refused(&options), ("mana", "LM-5"));
        }
    }
}

#[test]
fn lm_5_either_seat_can_be_first() {
    for seat in Side::ALL {
        let first_seat = u32::from(seat == BLACK);
        let state = setup(&Options { first_seat, ..Options::default() });
        assert_eq!(LudusMagus::to_act(&state), crate::Sides::only(seat));
    }
    assert_eq!(refused(&Options { first_seat: 2, ..Options::default() }), ("first_seat", "LM-5"));
}

#[test]
fn lm_45_max_turns_is_1_to_10000() {
    for max_turns in [1, 10_000] {
        setup(&Options { max_turns, ..Options::default() });
    }
    for max_turns in [0, 10_001, u32::MAX] {
        assert_eq!(refused(&Options { max_turns, ..Options::default() }), ("max_turns", "LM-45"));
    }
}

#[test]
fn g_8_the_catalog_has_every_option() {
    let names: Vec<_> = LudusMagus::INFO.options.iter().map(|option| option.name).collect();
    assert_eq!(names, ["first_seat", "max_turns", "pieces", "mana"]);
}
