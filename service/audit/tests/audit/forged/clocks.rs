//! Logs in which time plays a part: a seat is late once its due time and the pinned grace are past. The
//! record times of a log can be changed without any other effect, because no digest covers them.

use audit::{LogCheck, Verification};
use event::Seat;
use replay::{ClockSettings, Entry, ProposalKind, TimeControl};
use rules::{Dice, GameId, Options, Seed};
use wire::log::v1::Outcome;
use wire::log::v1::time_control::Kind;

use super::entries::{DRAW, TAKEBACK, decline, end_by, proposal, result, rotation};
use super::{Forger, Sample, fine, refused};
use crate::sample::{Log, START, choose};

const PER_MOVE: ClockSettings =
    ClockSettings { control: TimeControl::PerMove { move_ms: 1_000 }, grace_ms: 250 };
const BANK: ClockSettings =
    ClockSettings { control: TimeControl::Bank { bank_ms: 10_000, increment_ms: 2_000 }, grace_ms: 0 };

/// When the clocks of the matches here start.
const STARTED: i64 = START + 1_000_000;
/// The last microsecond in which the first move is in time, grace included.
const LAST: i64 = STARTED + 1_250_000;

/// Starts a match of Angels and Demons: 4 events.
fn simultaneous() -> Log {
    let options =
        Options::AngelsAndDemons(rules::games::angels_and_demons::Options { rows: 3, cols: 3, turns: 2 });
    Log::create_timed(options, Some(PER_MOVE)).claimed()
}

/// Starts a match of a game and makes this many random moves.
fn moved(game: GameId, settings: ClockSettings, moves: usize) -> Log {
    let mut log = Log::create_timed(Options::default_of(game), Some(settings)).claimed();
    let mut dice = Dice::new(&Seed::new([6; 32]));
    for _ in 0..moves {
        log.submit_random(&mut dice);
    }
    log
}

/// Returns the log with its last event at this time, and play started at [`STARTED`].
fn last_at(log: &Log, micros: i64) -> Forger {
    Forger::of(log).record_at(3, STARTED).record_at(log.events.len() - 1, micros)
}

/// Ends a log on time at the time given, with these ranks.
fn timed_out(log: &Log, micros: i64, outcome: Outcome, ranks: &[u32]) -> Forger {
    let mut ended = Log { position: log.position.clone(), events: log.events.clone(), applied: Vec::new() };
    ended.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    let end = ended.events.len() - 1;
    last_at(&ended, micros).change(end, |entry| end_by(entry, None, result(outcome, ranks, "time")))
}

pub(super) fn samples() -> Vec<Sample> {
    [late_events(), ends_on_time(), banks(), settings()].into_iter().flatten().collect()
}

/// Each kind of event, in the last microsecond in which it is possible and in the first in which it is not.
fn late_events() -> Vec<Sample> {
    let mut chosen = simultaneous();
    chosen.submit(Seat::ALL[0], &choose(1, 1));
    let mut resigned = simultaneous();
    resigned.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    let mut aborted = simultaneous();
    aborted.grow(|decision| decision.abort(Seat::ALL[1]).unwrap());
    let mut proposed = simultaneous();
    proposed.grow(|decision| decision.propose(Seat::ALL[0], ProposalKind::Draw).unwrap());
    let mut agreed =
        Log { position: proposed.position.clone(), events: proposed.events.clone(), applied: vec![] };
    agreed.grow(|decision| decision.accept(Seat::ALL[1], ProposalKind::Draw).unwrap());
    let alternating = moved(GameId::LudusMagus, PER_MOVE, 1);

    let cases = [
        ("choice", last_at(&chosen, LAST), 5, LogCheck::Clocks),
        ("move", last_at(&alternating, LAST), 5, LogCheck::Clocks),
        ("resignation", last_at(&resigned, LAST), 5, LogCheck::Result),
        ("abort", last_at(&aborted, LAST), 5, LogCheck::Result),
        ("proposal", last_at(&proposed, LAST), 5, LogCheck::Structure),
        ("agreement", last_at(&agreed, LAST), 6, LogCheck::Result),
    ];
    let mut samples = Vec::new();
    for (name, forger, seq, check) in cases {
        let over = ["resignation", "abort", "agreement"].contains(&name);
        let verdict = if over { Verification::Verified } else { Verification::Incomplete };
        let index = usize::try_from(seq).unwrap() - 1;
        samples.push(refused(format!("late-{name}"), forger.clone().record_at(index, LAST + 1), seq, check));
        samples.push(fine(format!("control-just-in-time-{name}"), forger, verdict));
    }
    let inserted = [
        ("rotation", last_at(&simultaneous(), STARTED).append(&rotation(0, 2)), 5),
        ("decline", last_at(&proposed, STARTED + 1).append(&decline(1, DRAW)), 6),
        ("takeback", late_takeback(), 6),
    ];
    for (name, forger, seq) in inserted {
        let index = usize::try_from(seq).unwrap() - 1;
        let late = forger.clone().record_at(index, LAST + 5);
        samples.push(refused(format!("late-{name}"), late, seq, LogCheck::Structure));
        let in_time = forger.record_at(index, LAST);
        samples.push(fine(format!("control-just-in-time-{name}"), in_time, Verification::Incomplete));
    }
    samples
}

/// Returns a match in which seat 0 asks, as event 6, to take back its move.
fn late_takeback() -> Forger {
    let log = moved(GameId::LudusMagus, PER_MOVE, 1);
    Forger::of(&log).record_at(3, STARTED).append(&proposal(0, TAKEBACK))
}

fn ends_on_time() -> Vec<Sample> {
    use Outcome::{Draw, Win};
    let both = simultaneous();
    let mut one = simultaneous();
    one.submit(Seat::ALL[0], &choose(1, 1));
    let alternating = moved(GameId::CresnovianChess, PER_MOVE, 2);
    // After the second move the same seat is to act again, with a second, and 250 ms of grace.
    let due = alternating.position.next_due().unwrap().0 + 250_000;
    let end = |log: &Log, at, outcome, ranks: &[u32]| {
        let mut ended =
            Log { position: log.position.clone(), events: log.events.clone(), applied: Vec::new() };
        ended.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
        let index = ended.events.len() - 1;
        let entry = |entry: &mut Entry| end_by(entry, None, result(outcome, ranks, "time"));
        Forger::of(&ended).change(index, entry).record_at(index, at)
    };
    vec![
        refused("time-too-early", timed_out(&both, LAST, Draw, &[1, 1]), 5, LogCheck::Result),
        fine("control-time", timed_out(&both, LAST + 1, Draw, &[1, 1]), Verification::Verified),
        refused("time-of-one-of-two", timed_out(&both, LAST + 1, Win, &[1, 2]), 5, LogCheck::Result),
        refused("time-of-the-wrong-seat", timed_out(&one, LAST + 1, Win, &[2, 1]), 6, LogCheck::Result),
        refused("time-of-both", timed_out(&one, LAST + 1, Draw, &[1, 1]), 6, LogCheck::Result),
        fine("control-time-of-one", timed_out(&one, LAST + 1, Win, &[1, 2]), Verification::Verified),
        refused("time-too-early-after-moves", end(&alternating, due, Win, &[1, 2]), 7, LogCheck::Result),
        refused("time-of-the-seat-that-waits", end(&alternating, due + 1, Win, &[2, 1]), 7, LogCheck::Result),
        fine("control-time-after-moves", end(&alternating, due + 1, Win, &[1, 2]), Verification::Verified),
    ]
}

/// Budgets and increments: seat 0 has 10 s and gets 2 s with its move after 9 s, so 3 s for its next one.
fn banks() -> Vec<Sample> {
    let log = moved(GameId::LudusMagus, BANK, 3);
    let third = STARTED + 9_000_000 + 1_000_000 + 3_000_000;
    let played = |third: i64| {
        let times = [(3, STARTED), (4, STARTED + 9_000_000), (5, STARTED + 10_000_000), (6, third)];
        times.into_iter().fold(Forger::of(&log), |forger, (index, at)| forger.record_at(index, at))
    };
    let answers = moved(GameId::AceExorcist, BANK, 6);
    let slow = |log: &Log, index: usize, micros: i64| {
        let mut ended =
            Log { position: log.position.clone(), events: log.events.clone(), applied: Vec::new() };
        ended.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
        Forger::of(&ended).record_at(index, micros)
    };
    vec![
        fine("control-bank-with-increment", played(third), Verification::Incomplete),
        refused("bank-used-up", played(third + 1), 7, LogCheck::Clocks),
        refused("ace-exorcist-slow-first-move", slow(&answers, 4, START + 99_000_000), 5, LogCheck::Clocks),
        refused("ace-exorcist-slow-third-move", slow(&answers, 6, START + 99_000_000), 7, LogCheck::Clocks),
        refused(
            "ace-exorcist-slow-resignation",
            slow(&answers, 10, START + 99_000_000),
            11,
            LogCheck::Result,
        ),
    ]
}

/// Settings that no match can have, and a grace period that is another one than the players had.
fn settings() -> Vec<Sample> {
    let mut log = simultaneous();
    log.submit(Seat::ALL[0], &choose(1, 1));
    let change = |change: fn(&mut wire::log::v1::TimeControl)| {
        last_at(&log, LAST).change(0, |entry| {
            let Entry::MatchCreated(created) = entry else { panic!("event 1 creates") };
            change(created.terms.as_mut().unwrap().time_control.as_mut().unwrap());
        })
    };
    let bank = |budget_us, increment_us| Kind::Bank(wire::log::v1::TimeBank { budget_us, increment_us });
    let malformed = [
        ("no-kind", change(|control| control.kind = None)),
        ("a-fraction-of-a-millisecond", change(|control| control.kind = Some(Kind::MoveUs(1_000_001)))),
        ("no-time", change(|control| control.kind = Some(Kind::MoveUs(0)))),
        ("too-much-time", change(|control| control.kind = Some(Kind::MoveUs(2_592_000_001_000)))),
        ("too-much-grace", change(|control| control.grace_us = (1 << 32) * 1_000)),
    ];
    let mut samples: Vec<_> = malformed
        .into_iter()
        .map(|(name, forger)| refused(format!("clocks-with-{name}"), forger, 1, LogCheck::Structure))
        .collect();
    let greedy = last_at(&log, LAST).change(0, |entry| {
        let Entry::MatchCreated(created) = entry else { panic!("event 1 creates") };
        created.terms.as_mut().unwrap().time_control.as_mut().unwrap().kind =
            Some(bank(1_000_000, 86_400_001_000));
    });
    samples.push(refused("clocks-with-too-great-an-increment", greedy, 1, LogCheck::Structure));
    samples.push(refused(
        "grace-shortened",
        change(|control| control.grace_us = 249_000),
        5,
        LogCheck::Clocks,
    ));
    samples
}
