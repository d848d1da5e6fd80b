//! LM-30 to LM-33: mana, Conjure and Summon.

use super::{BLACK, WHITE, after, at, goes, listed, mana, played, refused, setup, stage, with};
use crate::BySide;
use crate::games::ludus_magus::{Fact, Kind, Options, Reason, State};

/// Sets up these pieces with 2 mana for each seat.
fn with_mana(text: &str) -> State {
    setup(&Options { mana: BySide::new(2, 2), ..with(text) })
}

#[test]
fn lm_30_each_captured_element_gives_1_mana() {
    for kind in ["aqua", "ignis", "terra", "aether"] {
        let state = super::far(&alloc::format!("w:aer@d4 b:{kind}@d5"));
        let (state, facts) = played(&state, "d4-d5");
        assert_eq!(mana(&state), BySide::new(1, 0));
        assert!(facts.contains(&Fact::ManaChanged { seat: WHITE, mana: 1 }));
    }
    let state = stage("w:magus@d4 b:magus@h8 b:aer@d5");
    assert_eq!(mana(&after(&state, "d4-d5")), BySide::new(1, 0));
    assert_eq!(mana(&after(&super::far("w:terra@d4 b:aer@d5"), "d4xd5-d6")), BySide::new(1, 0));
}

#[test]
fn lm_30_conjured_elements_give_mana_too() {
    let state = with_mana("w:magus@d4 w:codex@c4 b:magus@h8 b:terra@d6");
    let state = super::line(&state, "aer@d5 d6-d5");
    assert_eq!(mana(&state), BySide::new(1, 3));
}

#[test]
fn lm_30_artifacts_give_none() {
    for kind in ["codex", "famulus"] {
        let state = super::far(&alloc::format!("w:aer@d4 b:{kind}@d5"));
        let (state, facts) = played(&state, "d4-d5");
        assert_eq!(mana(&state), BySide::new(0, 0));
        assert!(!facts.iter().any(|fact| matches!(fact, Fact::ManaChanged { .. })));
    }
}

#[test]
fn lm_31_a_conjure_places_a_new_element_for_1_mana() {
    let state = with_mana("w:magus@d4 w:codex@c4 b:magus@h8 b:aer@d3");
    let conjures: alloc::vec::Vec<_> = listed(&state).into_iter().filter(|text| text.contains('@')).collect();
    let all = ["aer@d5", "aer@e4", "aqua@d5", "aqua@e4", "ignis@d5", "ignis@e4", "terra@d5", "terra@e4"];
    assert_eq!(conjures, all);
    let (state, facts) = played(&state, "ignis@e4");
    assert_eq!(at(&state, "e4"), Some((WHITE, Kind::Ignis)));
    assert_eq!(mana(&state), BySide::new(1, 2));
    assert!(matches!(
        facts[..],
        [Fact::Conjured { .. }, Fact::ManaChanged { mana: 1, .. }, Fact::TurnTaken { .. }]
    ));
}

#[test]
fn lm_31_the_codex_may_be_adjacent_on_either_plane() {
    for (magus, codex) in [("d4", "4,4"), ("3,3", "c3"), ("3,3", "3,4")] {
        let state = with_mana(&alloc::format!("w:magus@{magus} w:codex@{codex} b:magus@h8"));
        assert!(listed(&state).iter().any(|text| text.starts_with("aer@")), "{codex}");
    }
}

#[test]
fn lm_31_a_conjure_is_refused_for_what_it_lacks() {
    let poor = stage("w:magus@d4 w:codex@c4 b:magus@h8");
    assert_eq!(refused(&poor, "aer@d5"), "LM-31");
    let far_codex = with_mana("w:magus@d4 w:codex@c5 b:magus@h8");
    assert_eq!(refused(&far_codex, "aer@d5"), "LM-31");
    let no_codex = with_mana("w:magus@d4 b:codex@c4 b:magus@h8");
    assert_eq!(refused(&no_codex, "aer@d5"), "LM-31");
    let state = with_mana("w:magus@d4 w:codex@c4 b:magus@h8 b:aer@d3");
    for text in
        ["aether@d5", "codex@d5", "famulus@d5", "magus@d5", "aer@d3", "aer@c4", "aer@d4", "aer@e5", "aer@4,4"]
    {
        assert_eq!(refused(&state, text), "LM-31", "{text}");
    }
}

#[test]
fn lm_32_a_summon_brings_an_element_to_the_magus_plane() {
    let state =
        stage("w:magus@d4 b:magus@h8 w:aether@3,3 w:terra@4,4 w:aer@3,4 w:codex@c4 w:famulus@4,3 b:aer@d3");
    let summons: alloc::vec::Vec<_> = listed(&state).into_iter().filter(|text| text.contains('>')).collect();
    assert_eq!(summons, ["3,4>d5", "3,4>e4", "4,4>d5", "4,4>e4"]);
    let (state, facts) = played(&state, "4,4>d5");
    assert_eq!(at(&state, "d5"), Some((WHITE, Kind::Terra)));
    assert_eq!(at(&state, "4,4"), None);
    assert_eq!(mana(&state), BySide::new(0, 0));
    assert!(matches!(facts[..], [Fact::Summoned { .. }, Fact::TurnTaken { quiet_turns: 1, .. }]));
}

#[test]
fn lm_32_a_summon_goes_from_cells_to_points_too() {
    let state = stage("w:magus@0,0 b:magus@h8 w:aether@a1");
    assert!(!listed(&state).iter().any(|text| text.contains('>')), "the Aether needs another Element");
    let state = stage("w:magus@1,0 b:magus@h8 w:aether@a1 w:aqua@b1");
    assert_eq!(goes(&state, "b1"), "b1-b2 b1-c1 b1>0,0 b1>1,1 b1>2,0");
}

#[test]
fn lm_32_a_summon_is_refused_for_what_it_lacks() {
    let state =
        stage("w:magus@d4 b:magus@h8 w:aether@3,3 w:aether@4,4 w:aer@2,3 w:famulus@4,3 w:aer@d5 b:aer@3,4");
    for text in ["4,4>e4", "3,3>e4", "2,3>e4", "4,3>e4", "d5>e4"] {
        assert_eq!(refused(&state, text), "LM-32", "{text}");
    }
    assert_eq!(refused(&state, "3,4>e4"), "LM-6");
    let state = stage("w:magus@d4 b:magus@h8 w:aether@3,3 w:aer@4,4 w:codex@c4");
    for text in ["4,4>c4", "4,4>d4", "4,4>e5", "4,4>4,5", "4,4>d6"] {
        assert_eq!(refused(&state, text), "LM-32", "{text}");
    }
    let no_aether = stage("w:magus@d4 b:magus@h8 b:aether@3,3 w:aer@4,4 w:aether@e4");
    assert_eq!(refused(&no_aether, "4,4>c4"), "LM-32");
}

#[test]
fn lm_33_suppression_does_not_affect_the_arts() {
    // The black Aether on e5 suppresses 4,4; Aether and Element serve the Summon all the same.
    let state = with_mana(
        "w:magus@d4 w:codex@c4 b:magus@h8 w:aether@4,4 w:aer@3,3 b:aether@e5 b:aether@c3 b:aer@4,3",
    );
    for text in ["3,3>d3", "3,3>e4", "aer@d3"] {
        assert!(listed(&state).iter().any(|listed| listed == text), "{text}");
    }
}

#[test]
fn lm_33_suppression_does_not_affect_a_bind() {
    // White's Aethers on a1 and c3 suppress the black Elements on 1,1 and 2,2; they bind all the same.
    let state = stage(
        "w:magus@b2 b:magus@h8 b:aer@1,1 b:aqua@1,2 b:ignis@2,1 b:terra@2,3 w:aether@a1 w:aether@c3 w:aer@h1",
    );
    let state = after(&state, "h1-h2");
    assert_eq!(super::ending(&after(&state, "2,3-2,2")), Some((Some(BLACK), Reason::Bind)));
}
