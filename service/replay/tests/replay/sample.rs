//! Deterministic sample matches. The tests of `audit` use them too.

use event::{Event, MatchId, RecordTime, Seat};
use replay::{
    AppliedEvent, ClockSettings, Decided, Decision, GivenTerms, NewMatch, Position, ReplayError,
    StartingPosition,
};
use rules::games::angels_and_demons as ad;
use rules::{Dice, GameId, Games, Move, Options, Seed};
use uuid::Uuid;
use wire::v1::Visibility;

/// Microseconds since the Unix epoch at which every match is created.
pub(crate) const START: i64 = 1_790_000_000_000_000;

/// A match with its log and everything that applying the log produced.
pub(crate) struct Log {
    pub position: Position,
    pub events: Vec<Event>,
    pub applied: Vec<AppliedEvent>,
}

impl Log {
    /// Creates a match of Angels and Demons.
    pub(crate) fn create(rows: u32, cols: u32, turns: u32) -> Self {
        Self::create_of(Options::AngelsAndDemons(ad::Options { rows, cols, turns }))
    }

    /// Creates a match without clocks.
    pub(crate) fn create_of(options: Options) -> Self {
        Self::create_timed(options, None)
    }

    /// Creates a match that starts at the opening.
    pub(crate) fn create_timed(options: Options, clock_settings: Option<ClockSettings>) -> Self {
        let rules_version = options.game().info().rules_version;
        let given = GivenTerms::default();
        let opening = StartingPosition::Opening { options, rules_version, given, rematch_of: None };
        Self::create_from(opening, clock_settings)
    }

    /// Creates a match.
    pub(crate) fn create_from(start: StartingPosition, clock_settings: Option<ClockSettings>) -> Self {
        let new = NewMatch {
            games: Games::built_in(),
            match_id: MatchId(Uuid::from_u128(7)),
            start,
            visibility: Visibility::Public,
            clock_settings,
            salt: [1; 32],
            seed_bytes: [2; 32],
        };
        let decided = Decision::create(&new, RecordTime(START)).unwrap().finish();
        let Decided { position, events, applied } = decided;
        Self { position, events, applied }
    }

    /// Creates a match of Angels and Demons and claims both seats.
    pub(crate) fn started(rows: u32, cols: u32, turns: u32) -> Self {
        Self::create(rows, cols, turns).claimed()
    }

    /// Claims both seats.
    pub(crate) fn claimed(mut self) -> Self {
        let log = &mut self;
        log.grow(|decision| decision.claim(Seat::ALL[0], "Ada", b"angel".to_vec(), [3; 32]).unwrap());
        log.grow(|decision| decision.claim(Seat::ALL[1], "Bob", Vec::new(), [4; 32]).unwrap());
        self
    }

    /// Decides on the current position and appends the events.
    pub(crate) fn grow(&mut self, decide: impl FnOnce(&mut Decision)) {
        let arrival = RecordTime(START + i64::from(self.position.seq().0) * 1_000);
        let mut decision = Decision::on(&self.position, arrival);
        decide(&mut decision);
        self.extend(decision);
    }

    /// Appends a decision.
    pub(crate) fn extend(&mut self, decision: Decision) {
        let decided = decision.finish();
        self.position = decided.position;
        self.events.extend(decided.events);
        self.applied.extend(decided.applied);
    }

    /// Makes a move.
    pub(crate) fn submit(&mut self, seat: Seat, mv: &Move) {
        let salt = [u8::try_from(self.events.len() % 251).unwrap(); 32];
        self.grow(|decision| decision.submit(seat, mv, salt).unwrap());
    }

    /// Plays random moves to the end.
    pub(crate) fn play_out(&mut self, seed: u8) {
        let mut dice = Dice::new(&Seed::new([seed; 32]));
        while self.position.running_state().is_some() {
            self.submit_random(&mut dice);
        }
    }

    /// Makes a random move of a seat that is to act in a running match, and returns it.
    pub(crate) fn submit_random(&mut self, dice: &mut Dice) -> (Seat, Move) {
        let state = self.position.running_state().unwrap();
        let seats: Vec<_> = state.to_act().iter().collect();
        let seat = *dice.pick(&seats).unwrap();
        let mv = state.sample(seat, dice).unwrap();
        self.submit(seat, &mv);
        (seat, mv)
    }
}

/// Plays a random match with a game's default options to its end.
pub(crate) fn random_match(game: GameId, seed: u8) -> Log {
    let mut log = Log::create_of(Options::default_of(game)).claimed();
    log.play_out(seed);
    log
}

/// Applies a whole log.
pub(crate) fn replay(events: &[Event]) -> Result<(Position, Vec<AppliedEvent>), ReplayError> {
    let (mut position, first) = Position::start(Games::built_in(), MatchId(Uuid::from_u128(7)), &events[0])?;
    let mut applied = vec![first];
    for event in &events[1..] {
        applied.push(position.apply(event)?);
    }
    Ok((position, applied))
}

/// Returns the choice of a space in Angels and Demons.
pub(crate) fn choose(row: u32, col: u32) -> Move {
    Move::AngelsAndDemons(ad::Move::Choose(ad::Space { row, col }))
}
