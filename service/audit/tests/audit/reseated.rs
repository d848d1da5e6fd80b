//! Logs whose author, who can hash and sign anew, gave them seats that the match or its game does not have.

use audit::{FileForm, LogCheck, LogFile, Problem, SignedHead, Verification};
use event::{Link, Seat};
use replay::{
    Entry, Fault, MoveHistory, Position, ProposalKind, ReplayError, StartingPosition, decode_entry,
};
use rules::{GameId, Games, Viewer};
use wire::log::v1 as log;

use crate::exported::{export, half_a_turn, name, pinned, signer};
use crate::sample::{Log, random_match};

/// Returns the export of a log with one entry changed.
fn forged(log: &Log, index: usize, change: impl FnOnce(&mut Entry)) -> LogFile {
    let mut file = export(log, Viewer::Spectator);
    let mut entry = decode_entry(file.events[index].kind, file.events[index].public.clone()).unwrap();
    change(&mut entry);
    file.events[index].public = entry.public_bytes();
    let mut previous = None;
    for event in &mut file.events {
        let link = Link {
            previous,
            match_id: file.header.match_id,
            seq: event.seq,
            kind: event.kind,
            record_time: event.record_time,
            public: &event.public,
            commitment: event.sealed.as_ref().map(|part| part.commitment),
        };
        event.hash = link.hash();
        previous = Some(event.hash);
    }
    let last = file.events.last().unwrap();
    let head = SignedHead {
        service: name(),
        match_id: file.header.match_id,
        game: file.header.game.clone(),
        rules_version: file.header.rules_version,
        seq: last.seq,
        hash: last.hash,
    };
    file.note = head.sign(&signer(1)).to_string();
    file
}

/// Returns the first field of an entry that must name a seat.
fn required_seat(entry: &mut Entry) -> Option<&mut Option<u32>> {
    match entry {
        Entry::MatchForked(it) => it.moves.first_mut().map(|mv| &mut mv.seat),
        Entry::SeatClaimed(it) => Some(&mut it.seat),
        Entry::SeatTokenRotated(it) => Some(&mut it.seat),
        Entry::MoveMade(it) => Some(&mut it.seat),
        Entry::MoveSealed(it) => Some(&mut it.seat),
        Entry::TurnRevealed(it) => it.choices.first_mut().map(|choice| &mut choice.seat),
        Entry::ProposalMade(it) => Some(&mut it.seat),
        Entry::ProposalAnswered(it) => Some(&mut it.seat),
        Entry::MatchEnded(it) => it.result.as_mut()?.standings.first_mut().map(|standing| &mut standing.seat),
        Entry::MatchCreated(_) | Entry::MatchStarted(_) => None,
    }
}

/// Returns logs that together have every kind of events.
fn logs() -> [Log; 3] {
    let [zero, one, ..] = Seat::ALL;
    let mut simultaneous = half_a_turn();
    simultaneous.grow(|decision| decision.propose(zero, ProposalKind::Draw).unwrap());
    simultaneous.grow(|decision| decision.decline(one, ProposalKind::Draw).unwrap());
    simultaneous.grow(|decision| decision.rotate(one).unwrap());
    simultaneous.grow(|decision| decision.resign(one).unwrap());
    let fork = forked(&simultaneous).unwrap();
    [simultaneous, fork, random_match(GameId::LudusMagus, 3)]
}

/// Returns a fork of a match of Angels and Demons after its first turn.
fn forked(parent: &Log) -> Result<Log, ReplayError> {
    let (mut position, first) =
        Position::start(Games::built_in(), parent.position.match_id(), &parent.events[0])?;
    let mut moves = MoveHistory::default();
    moves.record(&position, &first);
    for event in &parent.events[1..7] {
        let applied = position.apply(event)?;
        moves.record(&position, &applied);
    }
    Ok(Log::create_from(StartingPosition::Fork(position.forked(moves).unwrap()), None))
}

/// Returns files with a seat that the match does not have, or without one, each with the event's index.
fn unknown_seats() -> Vec<(usize, LogFile)> {
    let mut files = Vec::new();
    for log in logs() {
        // A few of many moves suffice.
        for (index, event) in log.events.iter().enumerate().filter(|(index, _)| *index < 14) {
            let mut entry = decode_entry(event.kind, event.public.clone()).unwrap();
            if required_seat(&mut entry).is_none() {
                continue;
            }
            for seat in [None, Some(2), Some(8), Some(u32::MAX)] {
                files.push((index, forged(&log, index, |entry| *required_seat(entry).unwrap() = seat)));
            }
        }
    }
    files
}

/// Returns files of matches with numbers of seats that the game is not played by.
fn wrong_numbers() -> Vec<(u32, LogFile)> {
    let log = half_a_turn();
    let with = |seats| {
        let file = forged(&log, 0, |entry| {
            let Entry::MatchCreated(log::MatchCreated { terms, .. }) = entry else {
                panic!("event 1 creates")
            };
            terms.as_mut().unwrap().seats = seats;
        });
        (seats, file)
    };
    [0, 1, 3, 8, 9, u32::MAX].map(with).into()
}

/// Returns all these files.
pub(crate) fn samples() -> Vec<Vec<u8>> {
    let files = unknown_seats().into_iter().map(|(_, file)| file);
    files
        .chain(wrong_numbers().into_iter().map(|(_, file)| file))
        .map(|file| file.write(FileForm::Json))
        .collect()
}

#[test]
fn an_unchanged_log_that_is_signed_anew_verifies() {
    for log in logs() {
        let verdict = forged(&log, 0, |_| {}).verify(&pinned()).verdict;
        assert!(matches!(verdict, Verification::Verified | Verification::Incomplete), "{verdict:?}");
    }
}

#[test]
fn every_event_must_name_a_seat_of_the_match() {
    let files = unknown_seats();
    assert!(files.len() > 80, "only {}", files.len());
    for (index, file) in files {
        let failure = file.verify(&pinned()).failure.unwrap();
        let found = (failure.seq, failure.check, failure.problem);
        let expected =
            (Some(file.events[index].seq), LogCheck::Structure, Problem::Event(Fault::UnknownSeat));
        assert_eq!(found, expected);
    }
}

#[test]
fn a_match_has_as_many_seats_as_its_game() {
    for (seats, file) in wrong_numbers() {
        let failure = file.verify(&pinned()).failure.unwrap();
        let fault = Fault::WrongSeats { game: "angels-and-demons".to_owned(), seats };
        assert_eq!((failure.check, failure.problem), (LogCheck::Structure, Problem::Event(fault)));
    }
}
