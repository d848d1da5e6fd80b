//! Logs that earlier versions wrote must always load. Each file is one of them; the tests add missing files
//! but never rewrite one.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use event::{Event, RecordTime, SALT_BYTES, Sealed, Seat, Seq};
use replay::{
    ClockSettings, Decision, Entry, MoveHistory, NewMatch, Position, ProposalKind, StartingPosition,
    TimeControl, acting_seat,
};
use rules::{Dice, GameId, Games, Options, Seed};
use wire::log::v1::{EndedBy, EventKind};
use wire::v1::Visibility;

use crate::sample::{Log, random_match, replay};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/past_logs")
}

/// Formats events, one per line: seq, time, kind, hash, public part, sealed part.
fn write(events: &[Event]) -> String {
    let mut text = String::new();
    for event in events {
        let sealed = event.sealed.as_ref().map_or_else(|| "-".to_owned(), |sealed| hex(sealed.as_bytes()));
        writeln!(
            text,
            "{} {} {} {} {} {sealed}",
            event.seq,
            event.record_time.0,
            event.kind,
            hex(&event.hash),
            if event.public.is_empty() { "-".to_owned() } else { hex(&event.public) },
        )
        .unwrap();
    }
    text
}

fn read(text: &str) -> Vec<Event> {
    let event = |line: &str| {
        let fields: Vec<_> = line.split(' ').collect();
        Event {
            seq: Seq(fields[0].parse().unwrap()),
            record_time: RecordTime(fields[1].parse().unwrap()),
            kind: fields[2].parse().unwrap(),
            hash: bytes(fields[3]).try_into().unwrap(),
            public: bytes(fields[4]).into(),
            sealed: (fields[5] != "-").then(|| Sealed::from_bytes(bytes(fields[5]).into()).unwrap()),
        }
    };
    text.lines().map(event).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    if hex == "-" {
        return Vec::new();
    }
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn past_logs() -> Vec<Vec<Event>> {
    let files = fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    files.map(|path| read(&fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn every_past_log_replays_to_a_result() {
    let games: BTreeSet<_> = past_logs()
        .iter()
        .map(|events| replay(events).unwrap().0)
        .map(|position| {
            assert!(position.result().is_some());
            position.game()
        })
        .collect();
    assert_eq!(games, BTreeSet::from(GameId::ALL), "each game has a past log");
}

#[test]
fn the_inputs_of_a_past_log_still_give_its_bytes() {
    let is_no_fork = |events: &Vec<Event>| replay(events).unwrap().0.parent().is_none();
    for events in past_logs().into_iter().filter(is_no_fork) {
        assert_eq!(write(&rewritten(&events)), write(&events));
    }
}

/// Decides a log again from the inputs, times and salts of an old one.
fn rewritten(events: &[Event]) -> Vec<Event> {
    let (position, applied) = replay(events).unwrap();
    let new = NewMatch {
        games: Games::built_in(),
        match_id: position.match_id(),
        start: StartingPosition::Opening {
            options: position.options().clone(),
            rules_version: position.rules_version(),
            given: position.given_terms().clone(),
            rematch_of: None,
        },
        clock_settings: position.clock_settings(),
        visibility: Visibility::Public,
        salt: salt(&events[0]),
        seed_bytes: events[0].sealed.as_ref().unwrap().secret().try_into().unwrap(),
    };
    let mut log = Decision::create(&new, events[0].record_time).unwrap().finish();
    for (event, applied) in events.iter().zip(&applied) {
        let mut decision = Decision::on(&log.position, event.record_time);
        match (applied.entry(), applied.submitted()) {
            (Entry::SeatClaimed(claim), _) => {
                let seat = claim.seat.and_then(replay::seat_from_wire).unwrap();
                let name = applied.claimed_name().unwrap();
                decision.claim(seat, name, claim.entropy.clone(), salt(event)).unwrap();
            }
            (_, Some((seat, mv))) => decision.submit(seat, mv, salt(event)).unwrap(),
            (entry, None) => match (entry, acting_seat(entry)) {
                (Entry::SeatTokenRotated(_), Some(seat)) => decision.rotate(seat).unwrap(),
                (Entry::ProposalMade(made), Some(seat)) => {
                    decision.propose(seat, ProposalKind::from_log(made.kind).unwrap()).unwrap();
                }
                (Entry::ProposalAnswered(answered), Some(seat)) => {
                    let kind = ProposalKind::from_log(answered.kind).unwrap();
                    let answer = if answered.accepted { Decision::accept } else { Decision::decline };
                    answer(&mut decision, seat, kind).unwrap();
                }
                (Entry::MatchEnded(_), Some(seat)) => decision.resign(seat).unwrap(),
                (Entry::MatchEnded(ended), None) if ended.ended_by() == EndedBy::Service => {
                    decision.end_on_time().unwrap();
                }
                _ => continue,
            },
        }
        let decided = decision.finish();
        log.position = decided.position;
        log.events.extend(decided.events);
    }
    log.events
}

fn salt(event: &Event) -> [u8; SALT_BYTES] {
    event
        .sealed
        .as_ref()
        .map_or([0; SALT_BYTES], |sealed| sealed.as_bytes()[..SALT_BYTES].try_into().unwrap())
}

/// Returns the logs that must have a file, by name.
fn required_logs() -> Vec<(String, Log)> {
    let of_games =
        GameId::ALL.into_iter().map(|game| (game.as_str().replace('-', "_"), random_match(game, 9)));
    let others = [("proposals_and_time", proposals_and_time()), ("takeback", takeback()), ("fork", fork())];
    of_games.chain(others.map(|(name, log)| (name.to_owned(), log))).collect()
}

/// Plays a match with clocks, a new token, a proposal and an end on time.
fn proposals_and_time() -> Log {
    let control = TimeControl::Bank { bank_ms: 60_000, increment_ms: 1_000 };
    let options = Options::default_of(GameId::LudusMagus);
    let mut log = Log::create_timed(options, Some(ClockSettings { control, grace_ms: 250 })).claimed();
    log.grow(|decision| decision.rotate(Seat::ALL[1]).unwrap());
    log.grow(|decision| decision.propose(Seat::ALL[1], ProposalKind::Draw).unwrap());
    log.grow(|decision| decision.decline(Seat::ALL[0], ProposalKind::Draw).unwrap());
    let late = RecordTime(log.position.next_due().unwrap().0 + 250_001);
    let mut decision = Decision::on(&log.position, late);
    decision.end_on_time().unwrap();
    log.extend(decision);
    log
}

/// Plays a match with clocks in which two moves and then one are taken back, until a seat resigns.
fn takeback() -> Log {
    let control = TimeControl::PerMove { move_ms: 60_000 };
    let options = Options::default_of(GameId::LudusMagus);
    let mut log = Log::create_timed(options, Some(ClockSettings { control, grace_ms: 250 })).claimed();
    let mut dice = Dice::new(&Seed::new([9; 32]));
    for (asking, other) in [(0, 1), (1, 0), (1, 0)] {
        for _ in 0..4 {
            log.submit_random(&mut dice);
        }
        log.grow(|decision| decision.propose(Seat::ALL[asking], ProposalKind::Takeback).unwrap());
        log.grow(|decision| decision.accept(Seat::ALL[other], ProposalKind::Takeback).unwrap());
    }
    log.grow(|decision| decision.resign(Seat::ALL[0]).unwrap());
    log
}

/// Plays a match that continues from the middle of another one, until a seat resigns.
fn fork() -> Log {
    let parent = random_match(GameId::CresnovianChess, 9);
    let (mut position, first) =
        Position::start(Games::built_in(), parent.position.match_id(), &parent.events[0]).unwrap();
    let mut moves = MoveHistory::default();
    moves.record(&position, &first);
    for event in &parent.events[1..12] {
        let applied = position.apply(event).unwrap();
        moves.record(&position, &applied);
    }
    let mut log = Log::create_from(StartingPosition::Fork(position.forked(moves).unwrap()), None).claimed();
    log.grow(|decision| decision.resign(Seat::ALL[0]).unwrap());
    log
}

/// Writes the files that are missing if `MATCHBOOK_BLESS` is set.
#[test]
fn every_required_log_has_a_file() {
    for (name, log) in required_logs() {
        let path = folder().join(format!("{name}_1.txt"));
        if std::env::var_os("MATCHBOOK_BLESS").is_some() && !path.exists() {
            fs::write(&path, write(&log.events)).unwrap();
        }
        assert!(path.exists(), "{} is missing; MATCHBOOK_BLESS=1 writes it", path.display());
    }
}

#[test]
fn every_kind_of_event_is_in_a_past_log() {
    let found: BTreeSet<u16> = past_logs().iter().flatten().map(|event| event.kind).collect();
    let known = (1..).map_while(EventKind::from_number).map(EventKind::number);
    assert_eq!(found, known.collect());
}
