//! Takebacks (G-10): they lead to the state of the moves that stay in effect, clocks included, and a log with
//! one that the match does not allow is rejected.

use event::{Event, Link, RecordTime, Seat};
use proptest::prelude::*;
use replay::ProposalKind::{Draw, Takeback};
use replay::{
    ClockSettings, Entry, Fault, GameState, GivenTerms, LocalPosition, MAX_TAKEBACKS, MoveHistory,
    NoTakeback, Position, StartingPosition, TAKEBACK_MOVES, TimeControl,
};
use rules::{Dice, GameId, Games, Move, Options, Seed, Viewer};
use wire::log::v1 as log;

use crate::sample::{Log, START, choose, replay};

const ZERO: Seat = Seat::ALL[0];
const ONE: Seat = Seat::ALL[1];
const GAMES: [GameId; 2] = [GameId::LudusMagus, GameId::CresnovianChess];

fn started(game: GameId) -> Log {
    Log::create_of(Options::default_of(game)).claimed()
}

fn dice(seed: u8) -> Dice {
    Dice::new(&Seed::new([seed; 32]))
}

fn other(seat: Seat) -> Seat {
    if seat == ZERO { ONE } else { ZERO }
}

fn take_back(log: &mut Log, seat: Seat) {
    log.grow(|decision| decision.propose(seat, Takeback).unwrap());
    log.grow(|decision| decision.accept(other(seat), Takeback).unwrap());
}

/// Returns the state that moves lead to from the opening.
fn state_after(options: &Options, moves: &[(Seat, Move)]) -> GameState {
    let rules = Games::built_in().current(options.game());
    let opening = GameState::setup(rules, options, &Seed::new([0; 32])).unwrap();
    moves.iter().fold(opening, |state, (seat, mv)| state.play(*seat, mv).unwrap().state)
}

fn assert_same(state: &GameState, expected: &GameState) {
    assert_eq!(state.rules_state().canonical(), expected.rules_state().canonical());
    assert_eq!(state.view(Viewer::Open), expected.view(Viewer::Open));
    for seat in [ZERO, ONE] {
        let (listed, wanted) = (state.legal(seat), expected.legal(seat));
        assert_eq!((listed.moves, listed.unlisted_families), (wanted.moves, wanted.unlisted_families));
    }
}

/// Returns the state that a client rebuilds from the events it was shown.
fn rebuilt(log: &Log) -> GameState {
    let shown: Vec<_> = log.applied.iter().map(|applied| applied.shown(Viewer::Spectator)).collect();
    let mut local = LocalPosition::start(Games::built_in(), &shown[0]).unwrap();
    shown[1..].iter().for_each(|event| local.apply(event).unwrap());
    local.state().clone()
}

/// Plays random moves, takes some back, and returns the moves in effect.
fn play_with_takebacks(log: &mut Log, seed: u8, steps: usize) -> Vec<(Seat, Move)> {
    let mut dice = dice(seed);
    let mut moves: Vec<(Seat, Move)> = Vec::new();
    for _ in 0..steps {
        if log.position.running_state().is_none() {
            break;
        }
        let seat = *dice.pick(&[ZERO, ONE]).unwrap();
        if dice.below(3) == 0 && log.position.check_takeback(seat).is_ok() {
            take_back(log, seat);
            let last = moves.iter().rposition(|(mover, _)| *mover == seat).unwrap();
            moves.truncate(last);
        } else {
            moves.push(log.submit_random(&mut dice));
        }
    }
    moves
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn play_with_takebacks_is_play_of_the_moves_in_effect(
        game in proptest::sample::select(GAMES.to_vec()),
        seed in any::<u8>(),
        steps in 1_usize..60,
    ) {
        let mut log = started(game);
        let moves = play_with_takebacks(&mut log, seed, steps);
        let expected = state_after(log.position.options(), &moves);
        assert_same(&rebuilt(&log), &expected);
        let (replayed, applied) = replay(&log.events).unwrap();
        prop_assert_eq!(replayed.shown(Viewer::Spectator), log.position.shown(Viewer::Spectator));
        let Some(state) = replayed.running_state() else { return Ok(()) };
        assert_same(state, &expected);

        let mut history = MoveHistory::default();
        let mut position = replay(&log.events[..1]).unwrap().0;
        history.record(&position, &applied[0]);
        for (event, applied) in log.events.iter().zip(&applied).skip(1) {
            position.apply(event).unwrap();
            history.record(&position, applied);
        }
        let start = StartingPosition::Fork(position.forked(history).unwrap());
        let fork = Log::create_from(start, None).claimed();
        assert_same(fork.position.running_state().unwrap(), &expected);
    }
}

#[test]
fn a_takeback_takes_back_the_answer_as_well() {
    let mut log = started(GameId::LudusMagus);
    let mut dice = dice(1);
    let opening = log.position.running_state().unwrap().clone();
    log.submit_random(&mut dice);
    take_back(&mut log, ZERO);
    assert_same(log.position.running_state().unwrap(), &opening);
    for _ in 0..2 {
        log.submit_random(&mut dice);
    }
    take_back(&mut log, ZERO);
    assert_same(log.position.running_state().unwrap(), &opening);
    assert_eq!(log.position.settled_seq(), log.position.seq());
    let shown: Vec<u32> = log.applied.iter().filter_map(moves_taken_back).collect();
    assert_eq!(shown, [1, 2]);
}

fn moves_taken_back(applied: &replay::AppliedEvent) -> Option<u32> {
    match applied.shown(Viewer::Spectator).kind {
        Some(wire::v1::event::Kind::ProposalAnswered(answered)) => Some(answered.moves_taken_back),
        _ => None,
    }
}

/// Player Two chooses a kingdom and takes the first turn.
#[test]
fn a_takeback_of_the_placement_takes_back_every_move_after_it() {
    let mut log = started(GameId::CresnovianChess);
    let opening = log.position.running_state().unwrap().clone();
    let mut dice = dice(2);
    let movers: Vec<Seat> = (0..3).map(|_| log.submit_random(&mut dice).0).collect();
    assert_eq!(movers, [ZERO, ONE, ONE]);
    take_back(&mut log, ZERO);
    assert_same(log.position.running_state().unwrap(), &opening);
    assert_eq!(log.applied.last().and_then(moves_taken_back), Some(3));
}

#[test]
fn every_proposal_lapses_with_a_takeback() {
    let mut log = started(GameId::LudusMagus);
    log.submit_random(&mut dice(3));
    log.grow(|decision| decision.propose(ONE, Draw).unwrap());
    log.grow(|decision| decision.propose(ZERO, Takeback).unwrap());
    assert_eq!(log.position.shown(Viewer::Spectator).proposals.len(), 2);
    log.grow(|decision| decision.accept(ONE, Takeback).unwrap());
    assert_eq!(log.position.shown(Viewer::Spectator).proposals, []);
    assert!(log.position.may_propose(Draw, ONE) && log.position.may_propose(Takeback, ZERO));
    // The seat has moved once, so the match can no longer be aborted.
    assert!(!log.position.may_abort());
}

#[test]
fn only_the_newest_moves_can_be_taken_back() {
    let mut log = started(GameId::LudusMagus);
    let mut dice = dice(4);
    for _ in 0..2 * TAKEBACK_MOVES {
        log.submit_random(&mut dice);
    }
    for _ in 0..TAKEBACK_MOVES / 2 {
        take_back(&mut log, ZERO);
    }
    assert_eq!(log.position.check_takeback(ZERO), Err(NoTakeback::NoMove));
    log.submit_random(&mut dice);
    log.position.check_takeback(ZERO).unwrap();
}

#[test]
fn a_match_has_a_limited_number_of_takebacks() {
    let mut log = started(GameId::LudusMagus);
    let mut dice = dice(5);
    for _ in 0..MAX_TAKEBACKS {
        log.submit_random(&mut dice);
        take_back(&mut log, ZERO);
    }
    log.submit_random(&mut dice);
    assert_eq!(log.position.check_takeback(ZERO), Err(NoTakeback::TooMany));
    assert_eq!(forged_proposal(&log.position, ZERO), Err(Fault::OutOfPlace));
}

#[test]
fn clocks_return_to_what_they_showed_after_the_taken_move() {
    let control = TimeControl::Bank { bank_ms: 60_000, increment_ms: 2_000 };
    let settings = Some(ClockSettings { control, grace_ms: 250 });
    let mut log = Log::create_timed(Options::default_of(GameId::LudusMagus), settings).claimed();
    let start = log.position.record_time().0;
    let mut dice = dice(6);
    // White thinks for 5 s, Black for 7 s, White for 11 s before it asks, Black for 13 s before it accepts.
    for after_s in [5, 12] {
        let state = log.position.running_state().unwrap();
        let seat = state.to_act().iter().next().unwrap();
        let mv = state.sample(seat, &mut dice).unwrap();
        at(&mut log, start, after_s, |decision| decision.submit(seat, &mv, [0; 32]).unwrap());
    }
    at(&mut log, start, 23, |decision| decision.propose(ZERO, Takeback).unwrap());
    at(&mut log, start, 36, |decision| decision.accept(ONE, Takeback).unwrap());
    let clocks = log.position.shown(Viewer::Spectator).clocks.unwrap();
    let remaining = |seat: usize| clocks.seats[seat].remaining.unwrap().seconds;
    assert_eq!((remaining(0), remaining(1)), (57, 60));
    assert!(clocks.seats[1].due_time.is_none());
    assert_eq!(log.position.next_due(), Some(RecordTime(start + (36 + 57) * 1_000_000)));
    let (replayed, _) = replay(&log.events).unwrap();
    assert_eq!(replayed.next_due(), log.position.next_due());
}

fn at(log: &mut Log, start: i64, after_s: i64, decide: impl FnOnce(&mut replay::Decision)) {
    let mut decision = replay::Decision::on(&log.position, RecordTime(start + after_s * 1_000_000));
    decide(&mut decision);
    log.extend(decision);
}

/// Applies a forged event to a position.
fn forge(position: &Position, entry: &Entry, at: RecordTime) -> Result<(), Fault> {
    let (seq, kind, public) = (position.seq().next(), entry.kind().number(), entry.public_bytes());
    let link = Link {
        previous: Some(position.head_hash()),
        match_id: position.match_id(),
        seq,
        kind,
        record_time: at,
        public: &public,
        commitment: None,
    };
    let event: Event = Event { seq, record_time: at, kind, hash: link.hash(), public, sealed: None };
    position.clone().apply(&event).map(drop).map_err(|error| error.fault)
}

fn made(seat: u32) -> Entry {
    Entry::ProposalMade(log::ProposalMade { seat: Some(seat), kind: log::ProposalKind::Takeback.into() })
}

fn accepted(seat: u32, digest: &[u8]) -> Entry {
    let kind = log::ProposalKind::Takeback.into();
    Entry::ProposalAnswered(log::ProposalAnswered {
        seat: Some(seat),
        kind,
        accepted: true,
        state_digest: digest.to_vec(),
    })
}

fn forged_proposal(position: &Position, seat: Seat) -> Result<(), Fault> {
    forge(position, &made(replay::seat_to_wire(seat)), position.record_time().next())
}

#[test]
fn a_takeback_that_the_match_does_not_allow_is_rejected() {
    let mut log = started(GameId::LudusMagus);
    let next = |log: &Log, entry: &Entry| forge(&log.position, entry, log.position.record_time().next());
    // Nothing to take back.
    assert_eq!(next(&log, &made(0)), Err(Fault::OutOfPlace));
    log.submit_random(&mut dice(7));
    assert_eq!(next(&log, &made(1)), Err(Fault::OutOfPlace));
    assert_eq!(next(&log, &made(2)), Err(Fault::UnknownSeat));
    // Without a proposal.
    let digest = [7; 32];
    assert_eq!(next(&log, &accepted(1, &digest)), Err(Fault::OutOfPlace));
    next(&log, &made(0)).unwrap();
    log.grow(|decision| decision.propose(ZERO, Takeback).unwrap());
    // By the seat that proposed it, with another digest, without one.
    assert_eq!(next(&log, &accepted(0, &digest)), Err(Fault::OutOfPlace));
    assert_eq!(next(&log, &accepted(1, &digest)), Err(Fault::DigestDiffers));
    for length in [0, 31, 33] {
        assert_eq!(next(&log, &accepted(1, &vec![0; length])), Err(Fault::Undecodable));
    }
    let declined = log::ProposalAnswered { state_digest: digest.to_vec(), kind: 2, ..answer_of(1) };
    assert_eq!(next(&log, &Entry::ProposalAnswered(declined)), Err(Fault::Undecodable));
    let draw = log::ProposalAnswered { accepted: true, kind: 1, ..answer_of(1) };
    assert_eq!(next(&log, &Entry::ProposalAnswered(draw)), Err(Fault::OutOfPlace));
    // After the end.
    log.grow(|decision| decision.resign(ONE).unwrap());
    assert_eq!(next(&log, &made(0)), Err(Fault::OutOfPlace));
    assert_eq!(next(&log, &accepted(1, &digest)), Err(Fault::OutOfPlace));
}

fn answer_of(seat: u32) -> log::ProposalAnswered {
    log::ProposalAnswered { seat: Some(seat), ..Default::default() }
}

#[test]
fn no_move_is_taken_back_where_the_terms_or_the_game_forbid_it() {
    let options = Options::default_of(GameId::LudusMagus);
    let given = GivenTerms { forbid_takebacks: true };
    let opening = StartingPosition::Opening { options, rules_version: 1, given, rematch_of: None };
    let mut log = Log::create_from(opening, None).claimed();
    log.submit_random(&mut dice(8));
    assert_eq!(log.position.check_takeback(ZERO), Err(NoTakeback::Terms));
    assert_eq!(forged_proposal(&log.position, ZERO), Err(Fault::OutOfPlace));

    let mut angels = Log::started(4, 4, 3);
    angels.submit(ZERO, &choose(1, 1));
    let mut exorcist = started(GameId::AceExorcist);
    exorcist.submit_random(&mut dice(8));
    for log in [angels, exorcist] {
        for seat in [ZERO, ONE] {
            assert_eq!(log.position.check_takeback(seat), Err(NoTakeback::Game));
            assert_eq!(forged_proposal(&log.position, seat), Err(Fault::OutOfPlace));
        }
    }
}

/// Nothing but the end follows a move that ends the match by the rules, or a time that ran out.
#[test]
fn no_move_is_taken_back_once_the_end_is_due() {
    let mut over = started(GameId::LudusMagus);
    over.play_out(3);
    let (position, _) = replay(&over.events[..over.events.len() - 1]).unwrap();
    assert!(position.running_state().unwrap().rules_state().ending().is_some());
    for seat in [ZERO, ONE] {
        assert_eq!(forged_proposal(&position, seat), Err(Fault::OutOfPlace));
        let resigned = replay::Decision::on(&position, RecordTime(START)).resign(seat);
        assert_eq!(resigned.unwrap_err().fault, Fault::WrongResult);
    }

    let control = TimeControl::PerMove { move_ms: 60_000 };
    let settings = Some(ClockSettings { control, grace_ms: 250 });
    let mut timed = Log::create_timed(Options::default_of(GameId::LudusMagus), settings).claimed();
    timed.submit_random(&mut dice(9));
    let due = timed.position.next_due().unwrap().0;
    forge(&timed.position, &made(0), RecordTime(due + 250_000)).unwrap();
    assert_eq!(forge(&timed.position, &made(0), RecordTime(due + 250_001)), Err(Fault::OutOfPlace));
}
