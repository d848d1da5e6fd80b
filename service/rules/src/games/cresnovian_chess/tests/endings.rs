//! CC-70 to CC-73 and CC-90: how a match ends, and the worked example.

use super::{ONE, PLACEMENT, TWO, after, opening, played, q, sketch, started};
use crate::games::cresnovian_chess::{CresnovianChess, Fact, Options, Reason, State};
use crate::{BySide, Ending, Game, IllegalKind, Seed, Side, Sides};

fn ending(state: &State) -> Option<Ending<Reason>> {
    CresnovianChess::ending(state)
}

#[test]
fn cc_70_a_kingdom_without_q_has_lost() {
    let lost = |winner| Some(Ending { winner: Some(winner), reason: Reason::KingdomLost });
    let state = sketch("dua@2,1=3 ess@1,1=0 cos@3,1=0 inn@1,9=1 cap@2,9=0 cog@3,9=0");
    assert_eq!(ending(&after(&state, &["cut inn"])), lost(TWO));
    assert_eq!(ending(&after(&state, &["travel dua 2,4"])), lost(ONE));
    assert_eq!(ending(&after(&state, &["cut dua"])), lost(ONE));
    assert_eq!(ending(&after(&state, &["cut ess"])), None);
}

#[test]
fn cc_70_an_empty_kingdom_has_lost() {
    let state = sketch("ess@1,4 dua@2,4 cos@3,1");
    assert_eq!(ending(&after(&state, &["travel cos 1,3"])), None);
    let out = after(&sketch("ess@1,4 dua@2,4 cos@3,3 vel@1,5"), &["travel cos 3,4"]);
    assert_eq!(ending(&out), Some(Ending { winner: Some(ONE), reason: Reason::KingdomLost }));
}

#[test]
fn cc_70_both_at_once_is_a_draw() {
    let drawn = sketch("cap@2,2=9 ess@1,1=0 dua@2,1=0 cos@3,1=0 inn@1,9=9 cog@3,9=0");
    let over = after(&drawn, &["berserk inn@1,8"]);
    assert_eq!(ending(&over), Some(Ending { winner: None, reason: Reason::BothKingdomsLost }));
}

#[test]
fn cc_71_a_match_is_drawn_after_max_turns() {
    let state = after(&opening(2), &[PLACEMENT, "left", "travel ess 1,2"]);
    assert_eq!(ending(&state), None);
    let over = after(&state, &["travel inn 1,8"]);
    assert_eq!(ending(&over), Some(Ending { winner: None, reason: Reason::MaxTurns }));
    assert_eq!(CresnovianChess::to_act(&over), Sides::NONE);
    let refused = CresnovianChess::play(&over, TWO, &super::read("travel ess 1,3")).err();
    assert_eq!(refused.map(|illegal| illegal.kind), Some(IllegalKind::MatchOver));
}

#[test]
fn cc_71_a_lost_kingdom_goes_before_the_last_turn() {
    let state = after(&opening(2), &[PLACEMENT, "right", "travel inn 1,3"]);
    // Player One has the left kingdom, with Innervation at 9Q in it.
    let over = after(&state, &["fit"]);
    assert_eq!(ending(&over), Some(Ending { winner: Some(ONE), reason: Reason::KingdomLost }));
}

#[test]
fn cc_71_max_turns_is_1_to_2000() {
    assert_eq!(Options::default().max_turns, 400);
    for (max_turns, fits) in [(0, false), (1, true), (2000, true), (2001, false), (u32::MAX, false)] {
        let refused = CresnovianChess::setup(&Options { max_turns }, &Seed::new([0; 32])).err();
        let paragraph = refused.map(|bad| (bad.option, bad.illegal.paragraph.as_str()));
        assert_eq!(paragraph, (!fits).then_some(("max_turns", "CC-71")), "{max_turns}");
    }
}

#[test]
fn cc_73_repetition_ends_nothing() {
    let mut state = started();
    for _ in 0..6 {
        state = after(&state, &["travel ess 1,2", "travel inn 1,8", "travel ess 1,1", "travel inn 1,9"]);
    }
    assert_eq!(ending(&state), None);
}

#[test]
fn cc_90_the_worked_example_replays() {
    let placement = "place ess@2,1 dua@3,1 cos@3,4 vel@3,5 rad@3,6 cor@1,9 inn@1,1 cap@2,9 cog@3,9";
    let traveled = after(&opening(400), &[placement, "left", "travel inn 1,7"]);
    assert_eq!(q(&traveled, "inn"), "9");
    let (over, facts) = played(&traveled, &["fit"]);
    assert_eq!(q(&over, "inn"), "8");
    for piece in ["ess", "dua", "cos", "vel", "rad", "cor", "cap", "cog"] {
        assert_eq!(q(&over, piece), "0");
    }
    assert_eq!(ending(&over), Some(Ending { winner: Some(Side::Zero), reason: Reason::KingdomLost }));
    let Some(Fact::TurnTaken { turn: 2, totals, .. }) = facts.last() else { panic!("the turn is over") };
    assert_eq!(*totals, BySide::new(8, 0));
}
