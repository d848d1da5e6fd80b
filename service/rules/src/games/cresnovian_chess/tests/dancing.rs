//! CC-54: Caprice dances the basic abilities of pieces in the World.

use alloc::string::String;

use super::{after, at, built, families, is_legal, listed, monuments, q, refused, sketch};
use crate::Game;
use crate::games::cresnovian_chess::CresnovianChess;

#[test]
fn cc_54_any_live_piece_in_the_world_can_be_danced() {
    let state = sketch("cap@2,2=3 dua@2,4=1 ess@1,1 cos@2,6=2b vel@3,4=0 cog@2,8");
    assert_eq!(q(&after(&state, &["dance cut ess"]), "ess"), "1");
    assert_eq!(q(&after(&state, &["dance breakdown ess"]), "ess"), "3b");
    // Not in the World, dead, or without a use.
    assert_eq!(refused(&state, "dance propaganda ess"), "CC-54");
    assert_eq!(refused(&state, "dance home dua"), "CC-54");
    assert_eq!(refused(&sketch("cap@2,2=3 vel@3,4=0"), "dance cut ess"), "CC-54");
    assert_eq!(refused(&sketch("cap@2,2=3 vel@3,4=5"), "dance rewind"), "CC-46");
}

#[test]
fn cc_54_caprice_is_the_performer() {
    // Adjacency, exemption and cost are Caprice's.
    let state = sketch("cap@2,2=3 cor@2,5=3 inn@1,5=3 ess@1,1=2 dua@2,1");
    assert_eq!(monuments(&after(&state, &["dance build dua@1,2"])), ["dua@1,2"]);
    assert_eq!(refused(&state, "dance build dua@1,4"), "CC-50");
    assert_eq!(q(&after(&state, &["dance energize ess 3"]), "ess"), "5");
    assert_eq!(refused(&state, "dance energize cor 1"), "CC-52");
    let paid = after(&state, &["dance energize cap 3"]);
    assert_eq!((q(&paid, "cap"), q(&paid, "inn")), ("5".into(), "3".into()));
    let exempt = sketch("cap@2,2=3 dua@2,5 cap+1,2");
    assert_eq!(q(&after(&exempt, &["dance cut ess"]), "cap"), "3");
    let not_exempt = sketch("cap@2,2=3 dua@2,5 dua+1,2");
    assert_eq!(q(&after(&not_exempt, &["dance cut ess"]), "cap"), "2");
}

#[test]
fn cc_54_the_own_kingdom_is_the_seats() {
    let state = sketch("cap@2,2=3 rad@2,5 ess@1,1");
    assert_eq!(monuments(&after(&state, &["dance spectacle cap@1,7"])), ["cap@1,7"]);
    assert_eq!(refused(&state, "dance spectacle rad@1,7"), "CC-48");
}

#[test]
fn cc_54_only_abilities_with_a_legal_use_are_offered() {
    // Both pieces away from home find it walled up.
    let state = sketch("cap@2,2=3 ess@2,5 inn+1,1 inn+2,9");
    assert!(!listed(&state, "dance ").iter().any(|text| text.starts_with("home")));
    let path = ["perform", "cap", "basic", "ess"].map(String::from);
    assert!(CresnovianChess::choices(&state, super::TWO, &path).is_err());
    assert_eq!(refused(&state, "dance home ess"), "CC-40");
}

#[test]
fn cc_54_a_broken_caprice_repairs_and_repair_is_not_danced() {
    let state = sketch("cap@2,2=3b dua@2,5=3b");
    assert_eq!(refused(&state, "dance cut ess"), "CC-32");
    assert_eq!(q(&after(&state, &["repair cap"]), "cap"), "2");
    let dancing = sketch("cap@2,2=3 dua@2,5=3b");
    assert!(is_legal(&dancing, "dance cut ess"));
    assert!(listed(&dancing, "repair ").is_empty());
}

#[test]
fn cc_54_danced_sets_are_too_many_to_list() {
    let state = sketch("cap@2,2=3 cog@2,5=3 cor@1,5=3 ess+1,2");
    let unlisted = families(&state);
    assert!(unlisted.contains(&"propaganda") && unlisted.contains(&"destroy-monuments"));
    assert_eq!(built(&state, &["perform", "cap", "basic", "cog"]).len(), 511);
    assert_eq!(monuments(&after(&state, &["dance destroy 1,2"])).len(), 0);
}

#[test]
fn cc_54_a_dance_can_move_caprice_home() {
    let state = sketch("cap@2,2=3 ess@2,5");
    assert_eq!(at(&after(&state, &["dance home cap"]), "cap"), "2,9");
}
