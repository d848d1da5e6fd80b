//! Events where they are not possible.

use audit::{LogCheck, Verification};
use event::{RecordTime, Seat};
use replay::{Entry, ProposalKind};
use rules::{Dice, GameId, Options, Seed};
use wire::log::v1 as log;

use super::ends::counted;
use super::entries::{DRAW, accept, decline, end_by, proposal, result, rotation};
use super::{Forger, Sample, fine, illegal, refused};
use crate::exported::half_a_turn;
use crate::sample::{Log, choose};

pub(super) fn samples() -> Vec<Sample> {
    [before_what_is_due(), out_of_place(), moves(), times()].into_iter().flatten().collect()
}

/// Only the start follows the last claim, and only the reveal a turn's last choice.
fn before_what_is_due() -> Vec<Sample> {
    let log = counted();
    let end = |index: usize, seat, outcome, ranks: &'static [u32], reason: &'static str| {
        let Ok(Entry::MatchEnded(mut ended)) =
            replay::decode_entry(log.events[7].kind, log.events[7].public.clone())
        else {
            panic!("event 8 ends the match")
        };
        if index == 3 {
            ended.state_digest.clear();
        }
        let mut entry = Entry::MatchEnded(ended);
        end_by(&mut entry, seat, result(outcome, ranks, reason));
        Forger::of(&log).cut(index).append(&entry)
    };
    use log::Outcome::{None as NoOutcome, Win};
    let cases = [
        ("start-due-then-rotation", Forger::of(&log).insert(3, &rotation(1, 2)), 4),
        ("start-due-then-abort", end(3, Some(1), NoOutcome, &[], "aborted"), 4),
        ("start-due-then-expiry", end(3, None, NoOutcome, &[], "expired"), 4),
        ("reveal-due-then-rotation", Forger::of(&log).insert(6, &rotation(1, 2)), 7),
        ("reveal-due-then-proposal", Forger::of(&log).insert(6, &proposal(1, DRAW)), 7),
        ("reveal-due-then-resignation", end(6, Some(1), Win, &[1, 2], "resignation"), 7),
    ];
    cases.into_iter().map(|(name, forger, seq)| refused(name, forger, seq, LogCheck::Structure)).collect()
}

fn out_of_place() -> Vec<Sample> {
    let log = half_a_turn();
    let mut offered = half_a_turn();
    offered.grow(|decision| decision.propose(Seat::ALL[0], ProposalKind::Draw).unwrap());
    let case = |name, forger, seq| refused(name, forger, seq, LogCheck::Structure);
    let of = |log: &Log, entry: Entry| Forger::of(log).append(&entry);
    let other_kind = |kind: u16| of(&log, rotation(0, 2)).change_event(8, |event| event.kind = kind);
    vec![
        case("answer-without-a-proposal", of(&log, decline(1, DRAW)), 9),
        case("answer-by-the-proposer", of(&offered, decline(0, DRAW)), 10),
        case("draw-accepted-by-an-answer", of(&offered, accept(1, DRAW)), 10),
        case("proposal-while-one-is-open", of(&offered, proposal(1, DRAW)), 10),
        case("proposal-of-an-unknown-kind", of(&log, proposal(0, 3)), 9),
        case("rotation-that-leaves-out-a-generation", of(&log, rotation(0, 3)), 9),
        case("rotation-of-no-seat", of(&log, rotation(2, 2)), 9),
        case("start-twice", of(&log, Entry::MatchStarted(log::MatchStarted {})), 9),
        case("event-of-kind-0", other_kind(0), 9),
        case("event-of-kind-12", other_kind(12), 9),
        fine("control-half-a-turn", Forger::of(&log), Verification::Incomplete),
        fine("control-rotation", of(&log, rotation(0, 2)), Verification::Incomplete),
    ]
}

/// An illegal move is for the rules to find; a seat that is not to act, or half a digest, is not.
fn moves() -> Vec<Sample> {
    let mut ludus = Log::create_of(Options::default_of(GameId::LudusMagus)).claimed();
    let mut dice = Dice::new(&Seed::new([6; 32]));
    for _ in 0..3 {
        ludus.submit_random(&mut dice);
    }
    let change = |index, change: fn(&mut log::MoveMade)| {
        Forger::of(&ludus).change(index, |entry| {
            let Entry::MoveMade(made) = entry else { panic!("a move was made here") };
            change(made);
        })
    };
    let other_move = |made: &mut log::MoveMade| made.r#move.truncate(0);
    let mut choices = Log::started(3, 3, 2);
    choices.submit(Seat::ALL[0], &choose(1, 1));
    choices.submit(Seat::ALL[1], &choose(2, 2));
    let mut over =
        Log { position: choices.position.clone(), events: choices.events.clone(), applied: vec![] };
    over.grow(|decision| decision.resign(Seat::ALL[0]).unwrap());
    let digest = Forger::of(&over).change(6, |entry| {
        let Entry::TurnRevealed(turn) = entry else { panic!("event 7 reveals") };
        turn.state_digest[0] ^= 1;
    });
    vec![
        illegal("illegal-move", change(5, other_move), 6, LogCheck::Moves),
        refused("move-out-of-turn", change(5, |made| made.seat = Some(0)), 6, LogCheck::Moves),
        refused(
            "move-with-half-a-digest",
            change(5, |made| made.state_digest.truncate(16)),
            6,
            LogCheck::Structure,
        ),
        illegal("reveal-with-another-digest", digest, 7, LogCheck::Digests),
    ]
}

fn times() -> Vec<Sample> {
    let log = counted();
    let at = |micros| Forger::of(&log).change_event(5, |event| event.record_time = RecordTime(micros));
    let before = log.events[4].record_time.0;
    vec![
        refused("time-stands-still", at(before), 6, LogCheck::Times),
        refused("time-runs-backwards", at(before - 1), 6, LogCheck::Times),
        refused("time-runs-out", at(i64::MAX), 7, LogCheck::Times),
    ]
}
