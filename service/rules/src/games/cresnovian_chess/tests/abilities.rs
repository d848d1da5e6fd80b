//! CC-40 to CC-57, except those with a file of their own: what each ability does and what it refuses.

use super::{after, at, built, families, is_legal, listed, monuments, q, refused, sketch, with_words};

#[test]
fn cc_40_return_home_needs_a_blank_home() {
    let state = sketch("ess@2,2=3 dua@1,5=0 inn@2,1 cap@2,8");
    // Innervation stands on Duality's home; its own home is blank.
    assert_eq!(listed(&state, "home "), ["ess", "inn", "cap"]);
    assert_eq!(refused(&state, "home dua"), "CC-40");
    assert_eq!(refused(&state, "home cos"), "CC-40");
    assert_eq!(at(&after(&state, &["home inn"]), "inn"), "1,9");
    assert_eq!(at(&after(&state, &["home ess"]), "ess"), "1,1");
    assert_eq!(refused(&sketch("ess@2,2 inn+1,1"), "home ess"), "CC-40");
    assert_eq!(refused(&with_words(&sketch("ess@2,2"), "", Some(("here", "1,1"))), "home ess"), "CC-40");
}

#[test]
fn cc_41_perfect_eternal_makes_any_piece_3q_and_whole_forever() {
    let state = sketch("ess@1,1=9 dua@2,1=0 cos@3,1=7b inn@1,9=3e");
    for piece in ["dua", "cos", "inn", "cap"] {
        assert_eq!(q(&after(&state, &[&alloc::format!("eternal {piece}")]), piece), "3e");
    }
    // The cost is void too.
    assert_eq!(q(&after(&state, &["eternal ess"]), "ess"), "3e");
    assert_eq!(listed(&state, "eternal ").len(), 9);
}

#[test]
fn cc_42_cut_halves_and_rounds_down() {
    let state = sketch("dua@2,1=3 ess@1,1=7 inn@1,9=1 cap@2,9=6b");
    assert_eq!(q(&after(&state, &["cut ess"]), "ess"), "3");
    assert_eq!(q(&after(&state, &["cut inn"]), "inn"), "0");
    assert_eq!(q(&after(&state, &["cut cap"]), "cap"), "3b");
    assert_eq!(listed(&state, "cut ").len(), 9);
}

#[test]
fn cc_44_breakdown_breaks_any_piece_but_eternal_ones() {
    let state = sketch("cos@3,1=4 ess@1,1=3e inn@1,9=0 dua@2,1=5b");
    assert_eq!(q(&after(&state, &["breakdown inn"]), "inn"), "0b");
    assert_eq!(q(&after(&state, &["breakdown ess"]), "ess"), "3e");
    assert_eq!(q(&after(&state, &["breakdown dua"]), "dua"), "5b");
    assert_eq!(q(&after(&state, &["breakdown cos"]), "cos"), "3b");
}

#[test]
fn cc_47_teleport_moves_a_piece_or_monument_to_any_blank_square() {
    let state = with_words(&sketch("vel@3,2=9 ess@1,1=0 cap+2,5"), "", Some(("word", "1,5")));
    assert_eq!(at(&after(&state, &["teleport 1,1 2,8"]), "ess"), "2,8");
    assert_eq!(monuments(&after(&state, &["teleport 2,5 2,2"])), ["cap@2,2"]);
    assert_eq!(at(&after(&state, &["teleport 3,2 3,8"]), "vel"), "3,8");
    for wrong in
        ["teleport 1,5 2,8", "teleport 1,2 2,8", "teleport 1,1 1,5", "teleport 1,1 2,5", "teleport 1,1 1,1"]
    {
        assert_eq!(refused(&state, wrong), "CC-47", "{wrong}");
    }
    // Nine pieces and a monument to sixteen blank squares.
    assert_eq!(listed(&state, "teleport ").len(), 10 * 16);
}

#[test]
fn cc_48_spectacle_raises_a_monument_in_the_other_kingdom() {
    let state = sketch("rad@2,2=3 ess@1,1=0 dua@2,1=5b");
    assert_eq!(monuments(&after(&state, &["spectacle ess@1,7"])), ["ess@1,7"]);
    assert_eq!(monuments(&after(&state, &["spectacle rad@2,8"])), ["rad@2,8"]);
    for wrong in [
        "spectacle ess@1,4",
        "spectacle ess@1,2",
        "spectacle ess@1,9",
        "spectacle inn@1,7",
        "spectacle vel@1,7",
    ] {
        assert_eq!(refused(&state, wrong), "CC-48", "{wrong}");
    }
    assert_eq!(listed(&state, "spectacle ").len(), 4 * 6);
}

#[test]
fn cc_49_ultraviolent_ray_burns_the_whole_row() {
    let state =
        sketch("rad@2,2=9 dua@2,1=5b cos@2,3=3e vel@2,5=0 inn@1,9=4 cap@2,9=8 ess@1,1=7 ess+2,7 ess+1,7");
    let state = with_words(&state, "", Some(("ash", "2,6")));
    let burnt = after(&state, &["ray"]);
    let row = ["rad", "dua", "cos", "vel", "cap"].map(|piece| q(&burnt, piece));
    assert_eq!(row, ["8", "1b", "3e", "0", "1"]);
    assert_eq!([q(&burnt, "inn"), q(&burnt, "ess")], ["4", "7"]);
    assert_eq!(monuments(&burnt), ["ess@1,7"]);
    assert!(super::playing(&burnt).field.word().is_some());
}

#[test]
fn cc_52_energize_gives_1_to_3q_and_clears_a_break() {
    let state = sketch("inn@2,2=3 ess@1,1=1b dua@2,1=0 cos@3,1=3e vel@3,4=5");
    assert_eq!(q(&after(&state, &["energize ess 3"]), "ess"), "4");
    assert_eq!(q(&after(&state, &["energize inn 1"]), "inn"), "3");
    assert_eq!(q(&after(&state, &["energize cos 2"]), "cos"), "3e");
    for wrong in
        ["energize dua 1", "energize vel 1", "energize ess 0", "energize ess 4", "energize ess 4294967295"]
    {
        assert_eq!(refused(&state, wrong), "CC-52", "{wrong}");
    }
    assert_eq!(listed(&state, "energize ").len(), 3 * 3);
}

#[test]
fn cc_53_select_the_fit_leaves_only_pieces_with_9q() {
    let state = sketch("inn@2,2=9 ess@1,1=8 dua@2,1=10 cos@3,1=3e vel@3,4=4b cap@2,9=9b");
    let selected = after(&state, &["fit"]);
    let all = ["inn", "ess", "dua", "cos", "vel", "cap"].map(|piece| q(&selected, piece));
    assert_eq!(all, ["8", "0", "10", "3e", "0b", "9b"]);
}

#[test]
fn cc_55_go_berserk_takes_9q_from_both_and_then_the_cost() {
    let state = sketch("cap@2,2=11 inn@1,9=10 ess@1,1=3e");
    let berserk = after(&state, &["berserk inn@1,8"]);
    assert_eq!(
        (at(&berserk, "cap"), q(&berserk, "cap"), q(&berserk, "inn")),
        ("1,8".into(), "1".into(), "1".into())
    );
    assert_eq!(q(&after(&state, &["berserk ess@1,2"]), "ess"), "3e");
    for wrong in ["berserk cap@1,2", "berserk inn@1,7", "berserk ess@2,2", "berserk ess@2,1"] {
        assert_eq!(refused(&state, wrong), "CC-55", "{wrong}");
    }
    let shut_in = sketch("cap@2,2=9 ess@1,1 dua@2,1 rad+1,2");
    assert_eq!(refused(&shut_in, "berserk ess@1,2"), "CC-55");
}

#[test]
fn cc_56_propaganda_takes_1q_from_any_set() {
    let state = sketch("cog@2,2=3 ess@1,1=1 dua@2,1=0 cos@3,1=3e inn@1,9=5b");
    let played = after(&state, &["propaganda ess dua cos inn cog"]);
    assert_eq!(
        ["ess", "dua", "cos", "inn", "cog"].map(|piece| q(&played, piece)),
        ["0", "0", "3e", "4b", "1"]
    );
    assert_eq!(refused(&state, "propaganda"), "CC-56");
    assert!(families(&state).contains(&"propaganda"));
    assert_eq!(built(&state, &["perform", "cog", "basic"]).len(), 511);
}

#[test]
fn cc_57_sum_of_all_knowledge_counts_every_monument() {
    assert_eq!(q(&after(&sketch("cog@2,2=9"), &["knowledge"]), "cog"), "8");
    let state = sketch("cog@2,2=9 ess+1,2 ess+1,5 cap+1,8");
    assert_eq!(q(&after(&state, &["knowledge"]), "cog"), "11");
    assert!(is_legal(&sketch("cog@2,2=9 cog+1,2"), "knowledge"));
    assert_eq!(q(&after(&sketch("cog@2,2=9 cog+1,2"), &["knowledge"]), "cog"), "10");
}
