//! CC-43: Flock Together, compared with every assignment that the paragraph allows.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::{TWO, after, at, built, families, playing, q, refusal, refused, sketch, square};
use crate::Game;
use crate::games::cresnovian_chess::{
    CresnovianChess, Elite, Flock, Move, Performance, Square, State, Umbration,
};

fn flock(members: &[(Umbration, Square)]) -> Move {
    Move::Perform(Performance::Elite(Elite::FlockTogether(Flock::new(members.iter().copied()))))
}

#[test]
fn cc_43_members_have_the_performers_q_before_the_cost() {
    let state = sketch("dua@2,1=9 ess@1,1=9b inn@1,9=9 cap@2,9=8 cos@3,1=3e");
    let gathered = after(&state, &["flock ess@2,1 dua@1,1 inn@2,2"]);
    assert_eq!(["ess", "dua", "inn"].map(|piece| at(&gathered, piece)), ["2,1", "1,1", "2,2"]);
    assert_eq!(["ess", "dua", "inn"].map(|piece| q(&gathered, piece)), ["9b", "8", "9"]);
    for wrong in [
        "flock",
        "flock ess@2,1 dua@1,1",
        "flock ess@2,1 dua@1,1 inn@2,2 cap@2,3",
        "flock ess@2,1 dua@1,1 inn@1,1",
        "flock ess@2,1 dua@1,1 inn@3,1",
        "flock ess@2,1 dua@1,1 inn@1,9",
        "flock ess@2,1 dua@1,1 inn@1,5",
        "flock ess@2,1 ess@2,2 dua@1,1 inn@1,2",
    ] {
        assert_eq!(refused(&state, wrong), "CC-43", "{wrong}");
    }
}

#[test]
fn cc_43_a_flock_in_which_nobody_moves_is_legal() {
    let state = sketch("dua@2,1=9 ess@1,1=9");
    let stayed = after(&state, &["flock ess@1,1 dua@2,1"]);
    assert_eq!(
        (at(&stayed, "ess"), at(&stayed, "dua"), q(&stayed, "dua")),
        ("1,1".into(), "2,1".into(), "8".into())
    );
}

#[test]
fn cc_43_the_order_of_the_members_means_nothing() {
    let state = sketch("dua@2,1=9 ess@1,1=9");
    let one = flock(&[(Umbration::Essence, square("1,2")), (Umbration::Duality, square("2,2"))]);
    let other = flock(&[(Umbration::Duality, square("2,2")), (Umbration::Essence, square("1,2"))]);
    assert_eq!(one, other);
    assert!(CresnovianChess::play(&state, TWO, &one).is_ok());
    let twice = flock(&[(Umbration::Duality, square("2,2")), (Umbration::Duality, square("2,2"))]);
    assert_eq!(refusal(&state, &twice).paragraph.as_str(), "G-2");
}

#[test]
fn cc_43_members_left_over_stay_outside_or_go_to_the_world() {
    // Room for two: 2,1 (Duality's) and 3,3.
    let walls = "inn+1,1 inn+1,2 inn+1,3 inn+2,2 inn+2,3 inn+3,1 inn+3,2";
    let things = "dua@2,1=9 ess@1,5=9 cos@1,8=9 cap@2,8=9 vel@3,4=1 ";
    let state = sketch(&(alloc::string::String::from(things) + walls));
    for fine in [
        "flock ess@2,1 dua@3,3 cos@1,8 cap@2,8",
        "flock ess@1,5 dua@1,4 cos@2,1 cap@3,3",
        "flock ess@1,5 dua@3,3 cos@2,1 cap@1,4",
        "flock ess@2,1 dua@1,5 cos@3,3 cap@2,8",
    ] {
        assert!(super::is_legal(&state, fine), "{fine}");
    }
    for wrong in [
        // One member too few in the kingdom; into the other kingdom; onto a square that is not blank.
        "flock ess@1,5 dua@2,1 cos@1,8 cap@2,8",
        "flock ess@2,1 dua@3,3 cos@2,8 cap@1,8",
        "flock ess@2,1 dua@3,3 cos@1,7 cap@2,8",
        "flock ess@2,1 dua@3,3 cos@3,4 cap@2,8",
    ] {
        assert_eq!(refused(&state, wrong), "CC-43", "{wrong}");
    }
}

/// Returns every assignment of a square of the field to each member.
fn all_assignments(members: &[Umbration]) -> Vec<Vec<(Umbration, Square)>> {
    members.iter().fold(alloc::vec![Vec::new()], |begun, &piece| {
        let longer = |begin: &Vec<(Umbration, Square)>| {
            let taken: Vec<Square> = begin.iter().map(|&(_, to)| to).collect();
            let free = Square::ALL.into_iter().filter(move |to| !taken.contains(to));
            let begin = begin.clone();
            free.map(move |to| begin.iter().copied().chain([(piece, to)]).collect()).collect::<Vec<_>>()
        };
        begun.iter().flat_map(longer).collect()
    })
}

fn compare(state: &State) -> usize {
    let field = &playing(state).field;
    let q = field.q(Umbration::Duality);
    let members: Vec<Umbration> = Umbration::ALL.into_iter().filter(|&piece| field.q(piece) == q).collect();
    let accepted: BTreeSet<Move> = all_assignments(&members)
        .iter()
        .map(|members| flock(members))
        .filter(|mv| CresnovianChess::play(state, TWO, mv).is_ok())
        .collect();
    let found = built(state, &["perform", "dua", "elite"]);
    let once: BTreeSet<Move> = found.iter().cloned().collect();
    assert_eq!(once.len(), found.len());
    assert!(once == accepted, "{} built, {} accepted", once.len(), accepted.len());
    once.len()
}

#[test]
fn cc_43_choices_reach_every_flock_once_and_never_a_dead_end() {
    assert!(families(&sketch("dua@2,1=9")).contains(&"flock-together"));
    // Enough room: eight squares are blank or hold one of the three members.
    assert_eq!(compare(&sketch("dua@2,1=9 ess@1,1=9 inn@1,9=9")), 8 * 7 * 6);
    let little_room = "inn+1,1 inn+1,2 inn+1,3 inn+2,2 inn+2,3 inn+3,2 inn+3,3 ";
    let full_world = "inn+1,4 inn+1,6 inn+2,4 inn+2,5 inn+2,6 ";
    // Room for one; the only open square of the World holds a member.
    let tight = "dua@2,1=9 cos@3,1=4 ess@1,5=9 inn@1,9=9";
    let walled = [little_room, full_world, tight].concat();
    assert_eq!(compare(&sketch(&walled)), 2);
    let wider = [little_room, tight].concat();
    compare(&sketch(&wider));
    let no_outsider = [little_room, full_world, "dua@2,1=9 cos@3,1=4 ess@1,5=9"].concat();
    assert_eq!(compare(&sketch(&no_outsider)), 2);
}
