//! A log that was changed, shortened, reordered or spliced does not replay, and the error names the event.

use bytes::Bytes;
use event::{Event, MatchId, Sealed, Seat};
use replay::{Entry, Fault, MoveHistory, Position, ReplayError, StartingPosition, decode_entry};
use rules::Games;
use uuid::Uuid;
use wire::log::v1 as log;

use crate::sample::{Log, choose, replay};

fn complete_log() -> Log {
    let mut log = Log::started(4, 4, 3);
    log.play_out(5);
    log
}

fn fault_of(events: &[Event]) -> ReplayError {
    match replay(events) {
        Ok(_) => panic!("a tampered log was accepted"),
        Err(error) => error,
    }
}

#[test]
fn every_changed_byte_of_every_event_is_detected() {
    let log = complete_log();
    for index in 0..log.events.len() {
        let original = &log.events[index];
        for byte in 0..original.public.len() {
            let mut public = original.public.to_vec();
            public[byte] ^= 1;
            let changed = Event { public: public.into(), ..original.clone() };
            assert_detected(&log, index, changed);
        }
        if let Some(sealed) = &original.sealed {
            for byte in 0..sealed.as_bytes().len() {
                let mut bytes = sealed.as_bytes().to_vec();
                bytes[byte] ^= 1;
                let changed = Event { sealed: Sealed::from_bytes(Bytes::from(bytes)), ..original.clone() };
                assert_detected(&log, index, changed);
            }
        }
        assert_detected(&log, index, Event { kind: original.kind ^ 1, ..original.clone() });
        assert_detected(&log, index, Event { record_time: original.record_time.next(), ..original.clone() });
        assert_detected(&log, index, Event { sealed: None, hash: [0; 32], ..original.clone() });
    }
}

fn assert_detected(log: &Log, index: usize, changed: Event) {
    let mut events = log.events.clone();
    events[index] = changed;
    let error = fault_of(&events);
    assert_eq!(error.seq, log.events[index].seq);
    assert_eq!(error.fault, Fault::BrokenChain);
}

#[test]
fn missing_duplicated_and_swapped_events_are_detected() {
    let log = complete_log();
    for index in 1..log.events.len() - 1 {
        let mut missing = log.events.clone();
        missing.remove(index);
        assert!(matches!(fault_of(&missing).fault, Fault::Gap { .. }));

        let mut duplicated = log.events.clone();
        duplicated.insert(index, log.events[index].clone());
        assert!(matches!(fault_of(&duplicated).fault, Fault::Gap { .. }));

        let mut swapped = log.events.clone();
        swapped.swap(index, index + 1);
        assert!(matches!(fault_of(&swapped).fault, Fault::Gap { .. }));
    }
}

#[test]
fn events_of_another_log_are_detected() {
    let log = complete_log();
    let mut other = Log::started(4, 4, 3);
    other.play_out(6);
    let mut spliced = log.events.clone();
    let last = spliced.len() - 1;
    spliced[last] = other.events[last].clone();
    assert_eq!(fault_of(&spliced).fault, Fault::BrokenChain);
}

/// Changes the first event of a log, which its author can always hash again.
fn start_with(first: &Event, change: impl FnOnce(&mut Entry)) -> Result<(), Fault> {
    let match_id = MatchId(Uuid::from_u128(7));
    let mut entry = decode_entry(first.kind, first.public.clone()).unwrap();
    change(&mut entry);
    let mut forged = Event { public: entry.public_bytes(), ..first.clone() };
    forged.hash = forged.link(match_id, None).hash();
    Position::start(Games::built_in(), match_id, &forged).map(drop).map_err(|error| error.fault)
}

#[test]
fn a_first_event_with_meaningless_terms_is_rejected() {
    let log = Log::create(4, 4, 3);
    let with = |change: fn(&mut log::MatchTerms)| {
        start_with(&log.events[0], |entry| {
            let Entry::MatchCreated(created) = entry else { panic!("the first event creates the match") };
            change(created.terms.as_mut().unwrap());
        })
    };
    with(|_| {}).unwrap();
    for change in [
        (|terms| terms.visibility = 0) as fn(&mut log::MatchTerms),
        |terms| terms.visibility = 99,
        |terms| terms.time_control = Some(log::TimeControl::default()),
    ] {
        assert_eq!(with(change), Err(Fault::Undecodable));
    }
    for options in [vec![0xff], vec![0x08, 4, 0x08, 4]] {
        let started = start_with(&log.events[0], |entry| {
            let Entry::MatchCreated(created) = entry else { panic!("the first event creates the match") };
            created.terms.as_mut().unwrap().options = options;
        });
        assert_eq!(started, Err(Fault::ForeignToGame));
    }
}

#[test]
fn a_number_of_seats_that_the_game_is_not_played_by_is_a_fault_of_its_own() {
    let log = Log::create(4, 4, 3);
    for seats in [0, 1, 3, 8, 9, u32::MAX] {
        let started = start_with(&log.events[0], |entry| {
            let Entry::MatchCreated(created) = entry else { panic!("the first event creates the match") };
            created.terms.as_mut().unwrap().seats = seats;
        });
        let fault = started.unwrap_err();
        assert_eq!(fault, Fault::WrongSeats { game: "angels-and-demons".to_owned(), seats });
        assert_eq!(fault.to_string(), format!("angels-and-demons is not played by {seats} seats"));
    }
}

#[test]
fn an_event_names_a_seat_that_the_match_has() {
    let log = Log::started(4, 4, 3);
    let match_id = log.position.match_id();
    for seat in [None, Some(2), Some(7), Some(8), Some(u32::MAX)] {
        let mut entry = decode_entry(log.events[1].kind, log.events[1].public.clone()).unwrap();
        let Entry::SeatClaimed(claim) = &mut entry else { panic!("the second event claims a seat") };
        claim.seat = seat;
        let mut forged = Event { public: entry.public_bytes(), ..log.events[1].clone() };
        forged.hash = forged.link(match_id, Some(log.events[0].hash)).hash();
        assert_eq!(fault_of(&[log.events[0].clone(), forged]).fault, Fault::UnknownSeat, "{seat:?}");
    }
}

/// Returns a match in which both seats have chosen once, and the moves that led to its position.
fn parent() -> (Position, MoveHistory) {
    let mut parent = Log::started(4, 4, 3);
    parent.submit(Seat::ALL[1], &choose(3, 3));
    parent.submit(Seat::ALL[0], &choose(1, 1));
    let (mut position, first) =
        Position::start(Games::built_in(), parent.position.match_id(), &parent.events[0]).unwrap();
    let mut moves = MoveHistory::default();
    moves.record(&position, &first);
    for event in &parent.events[1..] {
        let applied = position.apply(event).unwrap();
        moves.record(&position, &applied);
    }
    (position, moves)
}

fn fork_of(position: &Position, moves: MoveHistory) -> Log {
    Log::create_from(StartingPosition::Fork(position.forked(moves).unwrap()), None)
}

fn forked_entry(fork: &Log) -> log::MatchForked {
    match decode_entry(fork.events[0].kind, fork.events[0].public.clone()).unwrap() {
        Entry::MatchForked(forked) => forked,
        _ => panic!("the first event forks the match"),
    }
}

#[test]
fn a_fork_has_a_parent_event_and_moves_in_order_of_seats() {
    let (position, moves) = parent();
    let fork = fork_of(&position, moves);
    let with = |change: fn(&mut log::MatchForked)| {
        start_with(&fork.events[0], |entry| {
            let Entry::MatchForked(forked) = entry else { panic!("the first event forks the match") };
            change(forked);
        })
    };
    with(|_| {}).unwrap();
    assert_eq!(with(|forked| forked.parent_seq = 0), Err(Fault::Undecodable));
    assert_eq!(with(|forked| forked.moves.swap(0, 1)), Err(Fault::OutOfPlace));
}

/// A change of a fork's first event.
type Change = fn(&mut log::MatchForked);

#[test]
fn what_a_fork_changed_of_its_parents_position_is_named() {
    let (position, moves) = parent();
    let forked = forked_entry(&fork_of(&position, moves.clone()));
    let taken_over = position.forked(moves).unwrap();
    assert_eq!(taken_over.difference(&forked), None);
    let changes: [(&str, Change); 6] = [
        ("seats", |forked| forked.terms.as_mut().unwrap().seats = 3),
        ("rules", |forked| forked.terms.as_mut().unwrap().rules_version = 99),
        ("options", |forked| forked.terms.as_mut().unwrap().options.clear()),
        ("terms", |forked| forked.terms.as_mut().unwrap().forbid_takebacks = true),
        ("cards", |forked| forked.setup_seed = vec![1; 32]),
        ("moves", |forked| forked.moves.truncate(1)),
    ];
    for (what, change) in changes {
        let mut changed = forked.clone();
        change(&mut changed);
        assert_eq!(taken_over.difference(&changed), Some(what));
    }
}

#[test]
fn every_viewer_is_shown_what_a_fork_continues() {
    let (position, moves) = parent();
    let fork = fork_of(&position, moves);
    let shown = fork.applied[0].shown(rules::Viewer::Spectator);
    let Some(wire::v1::event::Kind::MatchForked(forked)) = shown.kind else {
        panic!("the first event is no fork")
    };
    let from = forked.forked_from.unwrap();
    assert_eq!((from.match_id, from.seq), (position.match_id().to_string(), position.seq().0));
    assert_eq!(forked.parent_hash, position.head_hash());
    assert_eq!(forked.moves.iter().map(|mv| mv.seat).collect::<Vec<_>>(), [Some(0), Some(1)]);
    assert_eq!(forked.game_id, "angels-and-demons");
}
