//! A log replays to the position and the events that deciding it produced.

use event::{Part as _, RecordTime, Sealed, Seat};
use replay::{Entry, SubmitError};
use rules::Viewer;
use wire::log::v1::EventKind;

use crate::sample::{Log, START, choose, replay};

const VIEWERS: [Viewer<Seat>; 4] =
    [Viewer::Seat(Seat::ALL[0]), Viewer::Seat(Seat::ALL[1]), Viewer::Spectator, Viewer::Open];

#[test]
fn replaying_shows_every_viewer_the_same() {
    for seed in 0..8 {
        let mut log = Log::started(4, 6, 9);
        log.play_out(seed);
        let (position, applied) = replay(&log.events).unwrap();
        assert_eq!(position.head_hash(), log.position.head_hash());
        assert_eq!(position.match_shown(), log.position.match_shown());
        for viewer in VIEWERS {
            assert_eq!(position.shown(viewer), log.position.shown(viewer));
            let shown = |applied: &[replay::AppliedEvent]| {
                applied.iter().map(|applied| applied.shown(viewer)).collect::<Vec<_>>()
            };
            assert_eq!(shown(&applied), shown(&log.applied));
        }
    }
}

#[test]
fn a_simultaneous_turn_has_two_choices_and_a_reveal() {
    let mut log = Log::started(3, 3, 1);
    log.submit(Seat::ALL[1], &choose(3, 3));
    assert_eq!(log.position.to_act(), event::Seats::only(Seat::ALL[0]));
    log.submit(Seat::ALL[0], &choose(2, 2));
    let kinds: Vec<_> = log.applied.iter().map(|applied| applied.entry().kind()).collect();
    assert_eq!(
        kinds,
        [
            EventKind::MatchCreated,
            EventKind::SeatClaimed,
            EventKind::SeatClaimed,
            EventKind::MatchStarted,
            EventKind::MoveSealed,
            EventKind::MoveSealed,
            EventKind::TurnRevealed,
            EventKind::MatchEnded,
        ]
    );
    // The Angels cover two of the centre's neighbours, and both reach the other two (AD-6).
    let result = log.position.result().unwrap();
    assert_eq!((result.winner(), result.reason.as_str()), (Some(0), "count"));
}

#[test]
fn a_match_knows_when_it_was_created_started_and_ended() {
    let mut log = Log::create(3, 3, 1);
    let at = |log: &Log, seq: usize| log.events[seq - 1].record_time;
    assert_eq!(log.position.times(), (at(&log, 1), None, None));
    log = log.claimed();
    assert_eq!(log.position.times(), (at(&log, 1), Some(at(&log, 4)), None));
    log.play_out(0);
    let end = log.events.len();
    assert_eq!(log.position.times(), (at(&log, 1), Some(at(&log, 4)), Some(at(&log, end))));
}

#[test]
fn record_times_increase_even_if_the_clock_stops_or_runs_backwards() {
    let mut log = Log::started(3, 3, 2);
    log.play_out(0);
    assert!(log.events.windows(2).all(|pair| pair[0].record_time < pair[1].record_time));
    let mut late = Log::create(3, 3, 1);
    let mut decision = replay::Decision::on(&late.position, RecordTime(START - 5_000_000));
    decision.claim(Seat::ALL[0], "Ada", Vec::new(), [0; 32]).unwrap();
    late.events.extend(decision.finish().events);
    assert_eq!(late.events[1].record_time, RecordTime(START + 1));
}

#[test]
fn an_illegal_move_decides_nothing_and_names_its_paragraph() {
    let log = Log::started(3, 3, 1);
    let mut decision = replay::Decision::on(&log.position, RecordTime(START));
    let Err(SubmitError::Illegal(illegal)) = decision.submit(Seat::ALL[0], &choose(1, 2), [0; 32]) else {
        panic!("a choice of a white space was accepted");
    };
    assert_eq!(illegal.paragraph.as_str(), "AD-4");
    assert!(decision.finish().events.is_empty());
}

#[test]
fn the_end_opens_the_seed_bytes_that_the_creation_committed_to() {
    let mut log = Log::started(3, 3, 1);
    log.play_out(1);
    let Entry::MatchEnded(ended) = log.applied.last().unwrap().entry() else {
        panic!("the last event is no end")
    };
    let opened = Sealed::from_bytes(ended.opened_seed.clone().into()).unwrap();
    assert_eq!(Some(opened.commitment()), log.events[0].sealed.as_ref().map(Sealed::commitment));
    assert_eq!(opened.secret(), [2; 32]);
}
