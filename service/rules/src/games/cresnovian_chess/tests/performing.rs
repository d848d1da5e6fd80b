//! CC-30 to CC-33: who performs, the cost, broken and eternal pieces.

use super::{after, is_legal, listed, played, q, refused, sketch};
use crate::games::cresnovian_chess::{Cost, Fact};

#[test]
fn cc_30_a_piece_needs_its_kingdom_and_3q_or_9q() {
    assert_eq!(refused(&sketch("dua@2,1=2"), "cut ess"), "CC-30");
    assert_eq!(refused(&sketch("dua@2,4=3"), "cut ess"), "CC-30");
    assert_eq!(refused(&sketch("dua@2,8=9"), "cut ess"), "CC-30");
    assert!(is_legal(&sketch("dua@2,1=3"), "cut ess"));
    assert_eq!(refused(&sketch("ess@1,1=8"), "eternal dua"), "CC-30");
    let nine = sketch("ess@1,1=9 dua@2,3");
    assert!(is_legal(&nine, "eternal dua") && is_legal(&nine, "home dua"));
}

#[test]
fn cc_30_q_is_judged_before_the_effect() {
    // It halves its own Q to 1 and still pays.
    assert_eq!(q(&after(&sketch("dua@2,1=3"), &["cut dua"]), "dua"), "0");
}

#[test]
fn cc_31_the_effect_comes_first_then_at_most_1q_of_what_is_left() {
    assert_eq!(q(&after(&sketch("dua@2,1=5"), &["cut dua"]), "dua"), "1");
    assert_eq!(q(&after(&sketch("inn@2,1=3"), &["energize inn 3"]), "inn"), "5");
    let spent = after(&sketch("cog@2,2=3"), &["propaganda cog"]);
    assert_eq!(q(&spent, "cog"), "1");
    assert_eq!(q(&after(&sketch("cap@2,2=9"), &["berserk ess@1,2"]), "cap"), "0");
}

#[test]
fn cc_31_an_adjacent_monument_of_its_own_umbration_exempts() {
    assert_eq!(q(&after(&sketch("dua@2,1=3 dua+1,2"), &["cut ess"]), "dua"), "3");
    assert_eq!(q(&after(&sketch("dua@2,1=3 ess+1,2"), &["cut ess"]), "dua"), "2");
    assert_eq!(q(&after(&sketch("dua@2,1=3 dua+1,3"), &["cut ess"]), "dua"), "2");
    let (_, facts) = played(&sketch("dua@2,1=3 dua+1,2"), &["cut ess"]);
    assert!(matches!(facts[0], Fact::Performed { cost: Cost::Exempt, .. }));
}

#[test]
fn cc_31_exemption_is_noted_before_the_effect() {
    // The performance destroys the monument that exempts it; a monument built by it comes too late.
    assert_eq!(q(&after(&sketch("cor@2,2=3 cor+1,2"), &["destroy 1,2"]), "cor"), "3");
    assert_eq!(q(&after(&sketch("cor@2,2=3"), &["build cor@1,2"]), "cor"), "2");
    let ray = sketch("rad@2,2=9 rad+2,3");
    assert_eq!(q(&after(&ray, &["ray"]), "rad"), "9");
    let away = sketch("vel@2,2=9 vel+1,2");
    assert_eq!(q(&after(&away, &["teleport 2,2 2,6"]), "vel"), "9");
}

#[test]
fn cc_32_a_broken_piece_performs_nothing_but_repair() {
    let state = sketch("dua@2,1=9b");
    assert_eq!(refused(&state, "cut ess"), "CC-32");
    assert_eq!(refused(&state, "flock dua@2,1"), "CC-32");
    assert_eq!(q(&after(&state, &["repair dua"]), "dua"), "8");
    assert_eq!(listed(&state, "repair "), ["dua"]);
    assert_eq!(q(&after(&sketch("dua@2,1=9b dua+1,2"), &["repair dua"]), "dua"), "9");
}

#[test]
fn cc_32_repair_needs_3q_the_own_kingdom_and_a_break() {
    assert_eq!(refused(&sketch("dua@2,1=2b"), "repair dua"), "CC-30");
    assert_eq!(refused(&sketch("dua@2,4=5b"), "repair dua"), "CC-30");
    assert_eq!(refused(&sketch("dua@2,1=5"), "repair dua"), "CC-32");
    assert_eq!(refused(&sketch("dua@2,1=3e"), "repair dua"), "CC-32");
}

#[test]
fn cc_33_an_eternal_piece_keeps_3q_and_performs_basics_at_no_cost() {
    let state = sketch("dua@2,1=3e");
    assert_eq!(q(&after(&state, &["cut dua"]), "dua"), "3e");
    assert_eq!(refused(&state, "flock dua@2,1"), "CC-33");
    assert_eq!(q(&after(&state, &["travel dua 2,4"]), "dua"), "3e");
    assert_eq!(q(&after(&sketch("cos@3,1 dua@2,1=3e"), &["breakdown dua"]), "dua"), "3e");
    assert_eq!(q(&after(&sketch("inn@3,2=9 dua@2,1=3e"), &["fit"]), "dua"), "3e");
}

#[test]
fn cc_33_a_rewind_restores_what_was_not_eternal() {
    let state = after(&sketch("ess@1,1=9 vel@2,8=3"), &["eternal dua", "rewind"]);
    assert_eq!((q(&state, "dua"), q(&state, "ess")), ("3".into(), "9".into()));
}
