//! LM-50, LM-51: what counts as one move, its notation, and perft.

use super::{far, goes, listed, opening, read};
use crate::games::ludus_magus::{LudusMagus, Move, legal};
use crate::{Game, Side};

#[test]
fn lm_50_the_way_does_not_matter_for_aer() {
    let state = far("w:aer@d4");
    assert_eq!(listed(&state).iter().filter(|text| *text == "d4-e5").count(), 1);
}

#[test]
fn lm_50_aqua_and_ignis_with_the_same_ends_are_one_move() {
    // Over the friend on d5 as Aqua, over the vacant e4 as Ignis.
    let state = far("w:aqua@d4 w:ignis@3,3 w:codex@d5 b:aer@e5");
    assert_eq!(goes(&state, "d4").matches("d4-e5").count(), 1);
}

#[test]
fn lm_50_terra_is_named_by_origin_victim_and_destination() {
    let state = far("w:terra@d4 b:aer@d5 b:aqua@e4");
    let all = "d4-c4 d4-d3 d4-d5 d4-e4 d4xd5-c5 d4xd5-d6 d4xd5-e5 d4xe4-e3 d4xe4-e5 d4xe4-f4";
    assert_eq!(goes(&state, "d4"), all);
}

#[test]
fn lm_50_every_kind_of_move_round_trips() {
    for text in ["a2-a3", "1,1-1,2", "a2xa3-b3", "1,1x1,2-1,3", "swap", "aer@d2", "magus@0,8", "3,1>d2", "?"]
    {
        assert_eq!(LudusMagus::print_move(&read(text)), text);
    }
    for text in [
        "",
        "a2",
        "a2-",
        "-a3",
        "a2-a9",
        "i1-a1",
        "a0-a1",
        "A2-a3",
        "a2-a3 ",
        " a2-a3",
        "a2 - a3",
        "a2--a3",
        "a2-a3-a4",
        "a2xa3",
        "a2xa3xa4-a5",
        "1,9-1,1",
        "01,1-1,1",
        "1,1-1,1,1",
        "Swap",
        "swap ",
        "aer@",
        "@d2",
        "Aer@d2",
        "air@d2",
        "3,1>",
        ">d2",
        "3,1>d2>d3",
        "??",
    ] {
        let unreadable = LudusMagus::parse_move(text).expect_err(text);
        assert!(unreadable.text.contains("example"));
    }
}

#[test]
fn lm_51_the_numbers_of_sequences_from_the_start() {
    let counts = [0, 1, 2, 3, 4].map(|depth| legal::perft(&opening(), depth));
    assert_eq!(counts, [1, 40, 1_600, 63_880, 2_550_413]);
}

#[test]
fn lm_51_the_bulk_count_is_the_length_of_the_listing() {
    let mut dice = crate::Dice::new(&crate::Seed::new([5; 32]));
    for _ in 0..20 {
        let mut state = opening();
        while let Some(mv) = LudusMagus::sample(&state, state.position().to_act, &mut dice) {
            let moves = LudusMagus::legal(&state, state.position().to_act).moves;
            assert_eq!(legal::perft(&state, 1), moves.len() as u64);
            state = LudusMagus::play(&state, state.position().to_act, &mv)
                .expect("a sampled move is legal")
                .state;
        }
        assert_eq!(legal::perft(&state, 1), 0);
    }
}

#[test]
fn lm_51_a_finished_match_has_no_continuation() {
    let state = super::stage("w:magus@a1 w:aer@d4 b:magus@d5");
    let first = LudusMagus::legal(&state, Side::Zero).moves;
    let wins =
        first.iter().filter(|mv| matches!(mv, Move::Go { to, .. } if *to == super::place("d5"))).count();
    let replies: u64 = first
        .iter()
        .map(|mv| LudusMagus::play(&state, Side::Zero, mv).expect("it is listed").state)
        .map(|state| LudusMagus::legal(&state, Side::One).moves.len() as u64)
        .sum();
    assert_eq!(wins, 1);
    assert_eq!(legal::perft(&state, 2), replies);
}

#[test]
fn lm_50_each_move_is_sampled_equally_often() {
    let pieces = "w:magus@d4 w:codex@c4 w:famulus@d3 b:magus@h8 w:aether@3,3 w:terra@4,4 b:aer@4,5";
    let state = super::setup(&crate::games::ludus_magus::Options {
        mana: crate::BySide::new(1, 0),
        ..super::with(pieces)
    });
    let moves = LudusMagus::legal(&state, Side::Zero).moves;
    let mut dice = crate::Dice::new(&crate::Seed::new([8; 32]));
    let mut times = alloc::vec![0_u32; moves.len()];
    for _ in 0..300 * moves.len() {
        let mv = LudusMagus::sample(&state, Side::Zero, &mut dice).expect("White is to act");
        times[moves.iter().position(|listed| *listed == mv).expect("it is listed")] += 1;
    }
    assert!(times.iter().all(|times| (200..400).contains(times)), "{times:?}");
    assert_eq!(LudusMagus::sample(&state, Side::One, &mut dice), None);
}
