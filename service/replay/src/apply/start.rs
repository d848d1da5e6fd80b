//! How a match starts: its first event, the claims of its seats, the start of play.

use std::sync::Arc;

use event::{MatchId, Part as _, RedactedEvent, SealedPart, Seq};
use rules::{BySeat, GameId, Options, Seat, Seed, State};
use wire::log::v1 as log;
use wire::v1 as proto;

use super::Effect;
use crate::applied::DecodedPart;
use crate::clock::Clocks;
use crate::digest::DigestKey;
use crate::draw::DrawOffers;
use crate::fork::ForkOrigin;
use crate::position::{Created, Playing};
use crate::{ClockSettings, Entry, Fault, MatchPhase, Position, Seating, TimeControl, convert, seed};

impl Position {
    /// Creates the position after a match's first event.
    pub(super) fn first(match_id: MatchId, entry: &Entry, event: &RedactedEvent) -> Result<Self, Fault> {
        let created = match entry {
            Entry::MatchCreated(created) => create(created, event)?,
            Entry::MatchForked(forked) => fork(forked, event)?,
            _ => return Err(Fault::OutOfPlace),
        };
        Ok(Self {
            match_id,
            seq: event.seq,
            head_hash: event.hash,
            record_time: event.record_time,
            settled_seq: Seq(0),
            created: Arc::new(created),
            seats: BySeat::new(None, None),
            start_time: None,
            phase: MatchPhase::Open,
        })
    }

    pub(super) fn claim(&mut self, claim: &log::SeatClaimed, event: &RedactedEvent) -> Result<Effect, Fault> {
        let seat = convert::seat_from_wire(claim.seat).ok_or(Fault::Undecodable)?;
        let name = read_name(event)?;
        if !matches!(self.phase, MatchPhase::Open) || self.seats[seat].is_some() {
            return Err(Fault::OutOfPlace);
        }
        if claim.entropy.len() > seed::MAX_ENTROPY_BYTES {
            return Err(Fault::Undecodable);
        }
        self.seats[seat] = Some(Seating {
            player_name: name.clone().unwrap_or_default(),
            entropy: claim.entropy.clone(),
            generation: 1,
        });
        Ok(Effect::opening(name.map_or(DecodedPart::None, DecodedPart::PlayerName)))
    }

    pub(super) fn rotate(&mut self, rotated: &log::SeatTokenRotated) -> Result<Effect, Fault> {
        let seat = convert::seat_from_wire(rotated.seat).ok_or(Fault::Undecodable)?;
        let over = matches!(self.phase, MatchPhase::Over(_));
        let seating = self.seats[seat].as_mut().filter(|_| !over).ok_or(Fault::OutOfPlace)?;
        if seating.generation.checked_add(1) != Some(rotated.generation) {
            return Err(Fault::OutOfPlace);
        }
        seating.generation = rotated.generation;
        Ok(Effect::NONE)
    }

    pub(super) fn start_play(&mut self) -> Result<Effect, Fault> {
        let (MatchPhase::Open, Some(zero), Some(one)) =
            (&self.phase, &self.seats[Seat::Zero], &self.seats[Seat::One])
        else {
            return Err(Fault::OutOfPlace);
        };
        let entropy = BySeat::new(zero.entropy.clone(), one.entropy.clone());
        let server = self.created.seed.opened();
        let seed = server.map(|server| seed::derive(self.match_id, server.secret(), &entropy));
        let (setup_seed, state) = self.set_up(seed)?;
        let mut clocks = self.created.clock_settings.map(Clocks::new);
        if let Some(clocks) = &mut clocks {
            clocks.run(state.to_act(), self.record_time);
        }
        self.phase = MatchPhase::Running(Box::new(Playing {
            state,
            digest_key: seed.map(|seed| DigestKey::derive(&seed, self.match_id)),
            sealed: BySeat::new(None, None),
            setup_seed,
            clocks,
            draws: DrawOffers::default(),
            moved: false,
        }));
        self.start_time = Some(self.record_time);
        Ok(Effect::NONE)
    }

    /// Returns the state that play starts with, and the seed that it was set up with.
    fn set_up(&self, seed: Option<[u8; 32]>) -> Result<([u8; 32], State), Fault> {
        if let Some(origin) = &self.created.fork_origin {
            return Ok((origin.setup_seed, origin.state.clone()));
        }
        let seed = match seed {
            Some(seed) => seed,
            None if self.game().info().chance => return Err(Fault::SeedSealed),
            // A game without chance ignores the seed.
            None => [0; 32],
        };
        let state = State::setup(&self.created.options, &Seed::new(seed));
        Ok((seed, state.map_err(|bad| Fault::Refused(bad.illegal.paragraph))?))
    }
}

fn create(created: &log::MatchCreated, event: &RedactedEvent) -> Result<Created, Fault> {
    let game = read_game(&created.game, created.rules_version)?;
    Ok(Created {
        game,
        rules_version: created.rules_version,
        options: read_options(created.options.as_ref(), game)?,
        visibility: created.visibility,
        record_time: event.record_time,
        seed: read_seed(event)?,
        clock_settings: read_clock_settings(created.time_control.as_ref(), created.grace_ms)?,
        rematch_of: match &created.rematch_of {
            Some(bytes) => Some(MatchId::from_bytes(bytes).ok_or(Fault::Undecodable)?),
            None => None,
        },
        fork_origin: None,
    })
}

fn fork(forked: &log::MatchForked, event: &RedactedEvent) -> Result<Created, Fault> {
    let game = read_game(&forked.game, forked.rules_version)?;
    let options = read_options(forked.options.as_ref(), game)?;
    Ok(Created {
        game,
        rules_version: forked.rules_version,
        visibility: forked.visibility,
        record_time: event.record_time,
        seed: read_seed(event)?,
        clock_settings: read_clock_settings(forked.time_control.as_ref(), forked.grace_ms)?,
        rematch_of: None,
        fork_origin: Some(Arc::new(ForkOrigin::replay(forked, game, &options)?)),
        options,
    })
}

fn read_game(game: &str, rules_version: u32) -> Result<GameId, Fault> {
    let unknown = || Fault::UnknownRules { game: game.to_owned(), rules_version };
    convert::pinned_game(game, rules_version).ok_or_else(unknown)
}

fn read_options(options: Option<&proto::GameOptions>, game: GameId) -> Result<Options, Fault> {
    let options = options.and_then(|options| convert::options_from_wire(options).ok());
    options.filter(|options| options.game() == game).ok_or(Fault::Undecodable)
}

fn read_seed(event: &RedactedEvent) -> Result<SealedPart, Fault> {
    let fits =
        |part: &SealedPart| part.opened().is_none_or(|seed| seed.secret().len() == seed::SERVER_SEED_BYTES);
    event.sealed.clone().filter(fits).ok_or(Fault::Undecodable)
}

/// Reads the player's name of a claim. Returns `None` if the event withholds it.
fn read_name(event: &RedactedEvent) -> Result<Option<String>, Fault> {
    let part = event.sealed.as_ref().ok_or(Fault::Undecodable)?;
    let name = part.opened().map(|name| String::from_utf8(name.secret().to_vec()));
    name.transpose().map_err(|_| Fault::Undecodable)
}

fn read_clock_settings(
    control: Option<&proto::TimeControl>,
    grace_ms: u32,
) -> Result<Option<ClockSettings>, Fault> {
    let Some(control) = control else { return Ok(None) };
    let control = TimeControl::from_wire(control).map_err(|_| Fault::Undecodable)?;
    Ok(Some(ClockSettings { control, grace_ms }))
}
