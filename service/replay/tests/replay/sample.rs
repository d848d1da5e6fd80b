//! Matches to test with, made without a clock or randomness of their own.

use event::{Event, MatchId, RecordedTime};
use replay::{Draft, Ended, NewMatch, Origin, Position, Timing, Told};
use rules::games::angels_and_demons as ad;
use rules::{Dice, Move, Options, Seat, Seed};
use uuid::Uuid;
use wire::v1::Visibility;

pub(crate) const START: i64 = 1_790_000_000_000_000;

/// A log as it grew, with everything that was told.
pub(crate) struct Log {
    pub position: Position,
    pub events: Vec<Event>,
    pub told: Vec<Told>,
}

impl Log {
    /// A created match of Angels and Demons.
    pub(crate) fn create(rows: u32, cols: u32, turns: u32) -> Self {
        Self::create_of(Options::AngelsAndDemons(ad::Options { rows, cols, turns }))
    }

    /// A created match of any game.
    pub(crate) fn create_of(options: Options) -> Self {
        Self::create_timed(options, None)
    }

    /// A created match of any game, with clocks or without.
    pub(crate) fn create_timed(options: Options, timing: Option<Timing>) -> Self {
        Self::begin(Origin::Opening { options, rematch_of: None }, timing)
    }

    /// A created match, wherever it begins.
    pub(crate) fn begin(origin: Origin, timing: Option<Timing>) -> Self {
        let new = NewMatch {
            match_id: MatchId(Uuid::from_u128(7)),
            origin,
            visibility: Visibility::Public,
            timing,
            salt: [1; 32],
            seed_bytes: [2; 32],
        };
        let Ended { position, events, told } = Draft::create(&new, RecordedTime(START)).unwrap().finish();
        Self { position, events, told }
    }

    /// A match with both seats taken.
    pub(crate) fn started(rows: u32, cols: u32, turns: u32) -> Self {
        Self::create(rows, cols, turns).claimed()
    }

    /// The same with both seats taken.
    pub(crate) fn claimed(mut self) -> Self {
        let log = &mut self;
        log.grow(|draft| draft.claim(Seat::Zero, "Ada", b"angel".to_vec(), [3; 32]).unwrap());
        log.grow(|draft| draft.claim(Seat::One, "Bob", Vec::new(), [4; 32]).unwrap());
        self
    }

    pub(crate) fn grow(&mut self, change: impl FnOnce(&mut Draft)) {
        let arrival = RecordedTime(START + i64::from(self.position.seq().0) * 1_000);
        let mut draft = Draft::after(&self.position, arrival);
        change(&mut draft);
        let ended = draft.finish();
        self.position = ended.position;
        self.events.extend(ended.events);
        self.told.extend(ended.told);
    }

    pub(crate) fn submit(&mut self, seat: Seat, made: &Move) {
        let salt = [u8::try_from(self.events.len() % 251).unwrap(); 32];
        self.grow(|draft| draft.submit(seat, made, salt).unwrap());
    }

    /// Plays random moves to the end.
    pub(crate) fn play_out(&mut self, seed: u8) {
        let mut dice = Dice::new(&Seed::new([seed; 32]));
        while let Some(state) = self.position.running_state() {
            let seats: Vec<_> = state.to_act().iter().collect();
            let seat = *dice.pick(&seats).unwrap();
            let made = state.sample(seat, &mut dice).unwrap();
            self.submit(seat, &made);
        }
    }
}

/// Folds events from the first one on.
pub(crate) fn fold(events: &[Event]) -> Result<(Position, Vec<Told>), replay::ReplayError> {
    let (mut position, first) = Position::begin(MatchId(Uuid::from_u128(7)), &events[0])?;
    let mut told = vec![first];
    for record in &events[1..] {
        told.push(position.apply(record)?);
    }
    Ok((position, told))
}

pub(crate) fn choose(row: u32, col: u32) -> Move {
    Move::AngelsAndDemons(ad::Move::Choose(ad::Space { row, col }))
}
