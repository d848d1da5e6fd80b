//! Ends that did not happen, or not so.

use audit::{LogCheck, Verification};
use event::Seat;
use replay::{Entry, ProposalKind};
use rules::{Dice, GameId, Options, Seed};
use wire::log::v1::{EndedBy, Outcome};

use super::entries::{DRAW, accept, decline, end_by, proposal, result, rotation};
use super::mutations::of_unknown_version;
use super::{Forger, Sample, fine, illegal, refused};
use crate::sample::{Log, choose};

/// Plays Angels and Demons by the rules to the end of its only turn: 8 events.
pub(super) fn counted() -> Log {
    let mut log = Log::started(3, 3, 1);
    log.submit(Seat::ALL[1], &choose(3, 3));
    log.submit(Seat::ALL[0], &choose(2, 2));
    log
}

/// Plays Angels and Demons until seat 1 resigns in the second turn: event 8 ends it.
fn resigned() -> Log {
    let mut log = Log::started(3, 3, 2);
    log.submit(Seat::ALL[1], &choose(3, 3));
    log.submit(Seat::ALL[0], &choose(2, 2));
    log.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    log
}

/// Claims seat 1 alone and aborts: 3 events.
fn aborted() -> Log {
    let mut log = Log::create(3, 3, 1);
    log.grow(|decision| decision.claim(Seat::ALL[1], "Bob", vec![1], [9; 32]).unwrap());
    log.grow(|decision| decision.abort(Seat::ALL[1]).unwrap());
    log
}

/// Starts a match in which the seats agree to a draw, in events 5 and 6.
fn agreed() -> Log {
    let mut log = Log::started(3, 3, 2);
    log.grow(|decision| decision.propose(Seat::ALL[0], ProposalKind::Draw).unwrap());
    log.grow(|decision| decision.accept(Seat::ALL[1], ProposalKind::Draw).unwrap());
    log
}

/// Returns a log that ends by resignation right after its start, or after the first move.
fn given_up(game: GameId, moves: usize) -> Log {
    let mut log = Log::create_of(Options::default_of(game)).claimed();
    let mut dice = Dice::new(&Seed::new([6; 32]));
    for _ in 0..moves {
        log.submit_random(&mut dice);
    }
    log.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    log
}

/// Ends a log otherwise than it did.
fn ends(log: &Log, seat: Option<u32>, outcome: Outcome, ranks: &[u32], reason: &str) -> Forger {
    end(Forger::of(log), log, seat, outcome, ranks, reason)
}

fn end(
    forger: Forger,
    log: &Log,
    seat: Option<u32>,
    outcome: Outcome,
    ranks: &[u32],
    reason: &str,
) -> Forger {
    forger.change(log.events.len() - 1, |end| end_by(end, seat, result(outcome, ranks, reason)))
}

/// Ends a log as if the rules had: by a win of a seat.
fn end_by_rules(forger: Forger, log: &Log, ranks: &[u32], reason: &str) -> Forger {
    end(forger, log, None, Outcome::Win, ranks, reason).change(log.events.len() - 1, |entry| {
        let Entry::MatchEnded(ended) = entry else { panic!("the last event ends the match") };
        ended.ended_by = EndedBy::Rules.into();
    })
}

pub(super) fn samples() -> Vec<Sample> {
    [after_the_rules_end(), by_seats(), by_service(), by_rules(), without_rules(), controls()]
        .into_iter()
        .flatten()
        .collect()
}

/// Ends of a match whose rules version nobody has.
fn without_rules() -> Vec<Sample> {
    use Outcome::{Draw, None as NoOutcome, Win};
    let (log, drawn) = (resigned(), agreed());
    let case = |name: &str, log: &Log, seat, outcome, ranks: &[u32], reason: &str| {
        let forger = end(of_unknown_version(log), log, seat, outcome, ranks, reason);
        let seq = u32::try_from(log.events.len()).unwrap();
        refused(format!("{name}-of-version-99"), forger, seq, LogCheck::Result)
    };
    let mut samples = vec![
        case("resignation-of-the-winner", &log, Some(0), Win, &[1, 2], "resignation"),
        case("resignation-by-nobody", &log, None, Win, &[1, 2], "resignation"),
        case("agreement-without-a-proposal", &log, Some(1), Draw, &[1, 1], "agreement"),
        case("agreement-by-the-proposer", &drawn, Some(0), Draw, &[1, 1], "agreement"),
        case("agreement-that-one-won", &drawn, Some(1), Win, &[1, 2], "agreement"),
        case("abort-after-a-choice", &log, Some(1), NoOutcome, &[], "aborted"),
        case("time-without-clocks", &log, None, Win, &[1, 2], "time"),
        case("expiry-while-it-runs", &log, None, NoOutcome, &[], "expired"),
    ];
    let counted = counted();
    let by_rules = |name: &str, log: &Log, ranks: &[u32], reason: &str| {
        let forger = end_by_rules(of_unknown_version(log), log, ranks, reason);
        let seq = u32::try_from(log.events.len()).unwrap();
        refused(format!("{name}-of-version-99"), forger, seq, LogCheck::Result)
    };
    samples.extend([
        by_rules("rules-end-by-resignation", &counted, &[2, 1], "resignation"),
        by_rules("rules-end-with-a-third-rank", &counted, &[1, 3], "count"),
        by_rules("rules-end-before-a-move", &given_up(GameId::LudusMagus, 0), &[1, 2], "count"),
    ]);
    for (name, log) in [("resignation", log), ("agreement", drawn), ("abort", aborted()), ("count", counted)]
    {
        let name = format!("control-{name}-of-version-99");
        samples.push(fine(name, of_unknown_version(&log), Verification::Incomplete));
    }
    samples
}

/// Nothing but the end that the rules give follows the last move.
fn after_the_rules_end() -> Vec<Sample> {
    let log = counted();
    let insert = |entry| Forger::of(&log).insert(7, &entry);
    let choice = Entry::MoveSealed(wire::log::v1::MoveSealed { seat: Some(0) });
    vec![
        refused("rules-end-then-proposal", insert(proposal(0, DRAW)), 8, LogCheck::Structure),
        refused("rules-end-then-rotation", insert(rotation(0, 2)), 8, LogCheck::Structure),
        refused("rules-end-then-decline", insert(decline(1, DRAW)), 8, LogCheck::Structure),
        refused(
            "rules-end-then-takeback",
            insert(accept(1, super::entries::TAKEBACK)),
            8,
            LogCheck::Structure,
        ),
        illegal(
            "rules-end-then-choice",
            Forger::of(&log).cut(7).append(&choice).seal(7, &[]),
            8,
            LogCheck::Moves,
        ),
        illegal(
            "rules-end-then-resignation",
            ends(&log, Some(0), Outcome::Win, &[2, 1], "resignation"),
            8,
            LogCheck::Result,
        ),
    ]
}

fn by_seats() -> Vec<Sample> {
    use Outcome::{Draw, None as NoOutcome, Win};
    let (log, drawn) = (resigned(), agreed());
    let case = |name: &str, seat, outcome, ranks: &[u32], reason: &str| {
        refused(name, ends(&log, seat, outcome, ranks, reason), 8, LogCheck::Result)
    };
    let chance = given_up(GameId::AceExorcist, 0);
    let late = given_up(GameId::LudusMagus, 1);
    let abort = |log: &Log| ends(log, Some(1), NoOutcome, &[], "aborted");
    vec![
        case("resignation-of-the-winner", Some(0), Win, &[1, 2], "resignation"),
        case("resignation-as-a-draw", Some(1), Draw, &[1, 1], "resignation"),
        case("resignation-with-a-third-rank", Some(1), Win, &[1, 3], "resignation"),
        case("resignation-by-nobody", None, Win, &[1, 2], "resignation"),
        case("agreement-without-a-proposal", Some(1), Draw, &[1, 1], "agreement"),
        case("abort-after-a-choice", Some(1), NoOutcome, &[], "aborted"),
        case("time-by-a-seat", Some(1), Win, &[1, 2], "time"),
        case("count-by-a-seat", Some(1), Win, &[1, 2], "count"),
        case("no-reason-by-a-seat", Some(1), Win, &[1, 2], ""),
        case("win-without-a-winner", Some(1), Win, &[2, 2], "resignation"),
        case("no-outcome-with-ranks", Some(1), NoOutcome, &[1, 2], "resignation"),
        case("one-rank-only", Some(1), Win, &[1], "resignation"),
        refused(
            "agreement-by-the-proposer",
            ends(&drawn, Some(0), Draw, &[1, 1], "agreement"),
            6,
            LogCheck::Result,
        ),
        refused(
            "agreement-that-one-won",
            ends(&drawn, Some(1), Win, &[1, 2], "agreement"),
            6,
            LogCheck::Result,
        ),
        refused("abort-of-a-deal", abort(&chance), 5, LogCheck::Result),
        refused("abort-after-a-move", abort(&late), 6, LogCheck::Result),
        refused(
            "abort-by-an-unclaimed-seat",
            ends(&aborted(), Some(0), NoOutcome, &[], "aborted"),
            3,
            LogCheck::Result,
        ),
        refused(
            "resignation-before-the-start",
            ends(&aborted(), Some(1), Win, &[1, 2], "resignation"),
            3,
            LogCheck::Result,
        ),
    ]
}

fn by_service() -> Vec<Sample> {
    use Outcome::{None as NoOutcome, Win};
    let log = resigned();
    let case = |name: &str, outcome, ranks: &[u32], reason: &str| {
        refused(name, ends(&log, None, outcome, ranks, reason), 8, LogCheck::Result)
    };
    vec![
        case("time-without-clocks", Win, &[1, 2], "time"),
        case("expiry-while-it-runs", NoOutcome, &[], "expired"),
        case("resignation-by-service", Win, &[1, 2], "resignation"),
        case("abort-by-service", NoOutcome, &[], "aborted"),
        refused("expiry-that-one-won", ends(&aborted(), None, Win, &[1, 2], "expired"), 3, LogCheck::Result),
    ]
}

fn by_rules() -> Vec<Sample> {
    let log = counted();
    let change = |change: fn(&mut wire::log::v1::MatchEnded)| {
        Forger::of(&log).change(7, |entry| {
            let Entry::MatchEnded(ended) = entry else { panic!("event 8 ends the match") };
            change(ended);
        })
    };
    let other = |ended: &mut wire::log::v1::MatchEnded| {
        let result = ended.result.as_mut().unwrap();
        result.standings.iter_mut().for_each(|standing| standing.rank = 3 - standing.rank);
    };
    let resigned = resigned();
    let early = end_by_rules(Forger::of(&resigned), &resigned, &[1, 2], "count");
    vec![
        illegal("rules-end-with-the-other-winner", change(other), 8, LogCheck::Result),
        illegal(
            "rules-end-for-another-reason",
            change(|ended| ended.result.as_mut().unwrap().reason = "equal-count".to_owned()),
            8,
            LogCheck::Result,
        ),
        illegal("rules-end-too-early", early, 8, LogCheck::Result),
        refused(
            "rules-end-by-resignation",
            change(|ended| ended.result.as_mut().unwrap().reason = "resignation".to_owned()),
            8,
            LogCheck::Result,
        ),
        refused("rules-end-by-a-seat", change(|ended| ended.seat = Some(0)), 8, LogCheck::Result),
        refused("rules-end-by-nothing", change(|ended| ended.ended_by = 0), 8, LogCheck::Result),
        refused("rules-end-by-the-unknown", change(|ended| ended.ended_by = 4), 8, LogCheck::Result),
        refused("end-without-a-result", change(|ended| ended.result = None), 8, LogCheck::Structure),
        refused(
            "end-with-half-a-digest",
            change(|ended| ended.state_digest.truncate(16)),
            8,
            LogCheck::Structure,
        ),
        illegal("end-with-another-digest", change(|ended| ended.state_digest[0] ^= 1), 8, LogCheck::Digests),
    ]
}

fn controls() -> Vec<Sample> {
    let expired = ends(&aborted(), None, Outcome::None, &[], "expired");
    vec![
        fine("control-rules-end", Forger::of(&counted()), Verification::Verified),
        fine("control-resignation", Forger::of(&resigned()), Verification::Verified),
        fine("control-agreement", Forger::of(&agreed()), Verification::Verified),
        fine("control-abort", Forger::of(&aborted()), Verification::Verified),
        fine("control-expiry", expired, Verification::Verified),
    ]
}
