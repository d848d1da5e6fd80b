//! How a match starts: its first event, the claims of its seats, the start of play.

use std::sync::Arc;

use event::{BySeat, ChainHash, MatchId, Part as _, RedactedEvent, SealedPart, Seq};
use rules::{Games, Rules, Seed};
use wire::log::v1 as log;
use wire::v1 as proto;

use super::Effect;
use crate::applied::DecodedPart;
use crate::clock::Clocks;
use crate::digest::DigestKey;
use crate::fault::MAX_GENERATION;
use crate::fork::ForkOrigin;
use crate::position::{Created, Playing};
use crate::proposals::Proposals;
use crate::{
    ClockSettings, Entry, Fault, GameState, GivenTerms, MatchPhase, Position, RecentMoves, Seating, convert,
    seed,
};

/// Maximum size of an encoded player.
const MAX_PLAYER_BYTES: usize = 1024;

impl Position {
    /// Creates the position after a match's first event.
    pub(super) fn first(
        games: Games,
        match_id: MatchId,
        entry: &Entry,
        event: &RedactedEvent,
    ) -> Result<Self, Fault> {
        let (created, seats) = match entry {
            Entry::MatchCreated(created) => create(games, created, event)?,
            Entry::MatchForked(forked) => fork(games, forked, event)?,
            _ => return Err(Fault::OutOfPlace),
        };
        Ok(Self {
            match_id,
            seq: event.seq,
            head_hash: event.hash,
            record_time: event.record_time,
            settled_seq: Seq(0),
            created: Arc::new(created),
            seats: BySeat::from_fn(seats, |_| None),
            start_time: None,
            phase: MatchPhase::Open,
        })
    }

    pub(super) fn claim(&mut self, claim: &log::SeatClaimed, event: &RedactedEvent) -> Result<Effect, Fault> {
        let seat = self.seat(claim.seat)?;
        let part = event.sealed.as_ref().ok_or(Fault::Undecodable)?;
        let player = read_player(part)?;
        if !matches!(self.phase, MatchPhase::Open) || self.seats[seat].is_some() {
            return Err(Fault::OutOfPlace);
        }
        if claim.entropy.len() > seed::MAX_ENTROPY_BYTES {
            return Err(Fault::Undecodable);
        }
        self.seats[seat] = Some(Seating {
            display_name: player.as_ref().map(|player| player.display_name.clone()),
            player: part.commitment(),
            entropy: claim.entropy.clone(),
            generation: 1,
        });
        Ok(Effect::opening(player.map_or(DecodedPart::None, DecodedPart::Player)))
    }

    pub(super) fn rotate(&mut self, rotated: &log::SeatTokenRotated) -> Result<Effect, Fault> {
        let seat = self.seat(rotated.seat)?;
        let over = matches!(self.phase, MatchPhase::Over(_));
        let seating = self.seats[seat].as_mut().filter(|_| !over).ok_or(Fault::OutOfPlace)?;
        if seating.generation.checked_add(1) != Some(rotated.generation) {
            return Err(Fault::OutOfPlace);
        }
        if rotated.generation > MAX_GENERATION {
            return Err(Fault::TooManyRotations);
        }
        seating.generation = rotated.generation;
        Ok(Effect::NONE)
    }

    pub(super) fn start_play(&mut self) -> Result<Effect, Fault> {
        if !matches!(self.phase, MatchPhase::Open) || !self.is_full() {
            return Err(Fault::OutOfPlace);
        }
        let claimed = self.seats.iter().filter_map(|(_, seating)| seating.as_ref());
        let entropy = claimed.map(|seating| seating.entropy.as_slice());
        let server = self.created.seed.opened();
        let seed = server.map(|server| seed::derive(self.match_id, server.secret(), entropy));
        let (setup_seed, state) = self.set_up(seed)?;
        let mut clocks = self.created.clock_settings.map(|settings| Clocks::new(settings, self.seats.len()));
        if let Some(clocks) = &mut clocks {
            clocks.run(state.to_act(), self.record_time);
        }
        self.phase = MatchPhase::Running(Box::new(Playing {
            state,
            digest_key: seed.map(|seed| DigestKey::derive(&seed, self.match_id)),
            sealed: BySeat::from_fn(self.seats.len(), |_| None),
            setup_seed,
            clocks,
            proposals: Proposals::default(),
            recent_moves: RecentMoves::of_match(
                self.created.rules.info(),
                self.created.given.forbid_takebacks,
            ),
            moved: false,
        }));
        self.start_time = Some(self.record_time);
        Ok(Effect::NONE)
    }

    /// Returns the state that play starts with, and the seed that it was set up with.
    fn set_up(&self, seed: Option<[u8; 32]>) -> Result<([u8; 32], GameState), Fault> {
        if let Some(origin) = &self.created.fork_origin {
            return Ok((origin.setup_seed, origin.state.clone()));
        }
        let seed = match seed {
            Some(seed) => seed,
            None if self.game().info().chance => return Err(Fault::SeedSealed),
            // A game without chance ignores the seed.
            None => [0; 32],
        };
        let state = GameState::setup(self.created.rules, &self.created.options, &Seed::new(seed));
        Ok((seed, state.map_err(|bad| Fault::Refused(bad.illegal.paragraph))?))
    }
}

fn create(
    games: Games,
    created: &log::MatchCreated,
    event: &RedactedEvent,
) -> Result<(Created, usize), Fault> {
    let terms = created.terms.as_ref().ok_or(Fault::Undecodable)?;
    let (rules, seats) = read_rules(games, terms)?;
    let created = Created {
        rules,
        options: convert::options_from_log(rules.game(), &terms.options).ok_or(Fault::ForeignToGame)?,
        visibility: read_visibility(terms)?,
        record_time: event.record_time,
        seed: read_seed(event)?,
        clock_settings: read_clock_settings(terms.time_control.as_ref())?,
        rematch_of: match &created.rematch_of {
            Some(bytes) => Some(MatchId::from_bytes(bytes).ok_or(Fault::Undecodable)?),
            None => None,
        },
        given: GivenTerms::from_log(terms),
        fork_origin: None,
    };
    Ok((created, seats))
}

fn fork(games: Games, forked: &log::MatchForked, event: &RedactedEvent) -> Result<(Created, usize), Fault> {
    let terms = forked.terms.as_ref().ok_or(Fault::Undecodable)?;
    let (rules, seats) = read_rules(games, terms)?;
    let options = convert::options_from_log(rules.game(), &terms.options).ok_or(Fault::ForeignToGame)?;
    let created = Created {
        rules,
        visibility: read_visibility(terms)?,
        record_time: event.record_time,
        seed: read_seed(event)?,
        clock_settings: read_clock_settings(terms.time_control.as_ref())?,
        rematch_of: None,
        given: GivenTerms::from_log(terms),
        fork_origin: Some(Arc::new(ForkOrigin::replay(forked, rules, &options)?)),
        options,
    };
    Ok((created, seats))
}

/// Reads the rules that a match is pinned to, and its number of seats.
fn read_rules(games: Games, terms: &log::MatchTerms) -> Result<(Rules, usize), Fault> {
    let log::MatchTerms { game_id, rules_version, .. } = terms;
    let unknown = || Fault::UnknownRules { game: game_id.clone(), rules_version: *rules_version };
    let rules = games.pinned(game_id, *rules_version).ok_or_else(unknown)?;
    let seats = usize::try_from(terms.seats).ok().filter(|seats| rules.info().seats().contains(seats));
    let refused = || Fault::WrongSeats { game: game_id.clone(), seats: terms.seats };
    Ok((rules, seats.ok_or_else(refused)?))
}

fn read_visibility(terms: &log::MatchTerms) -> Result<proto::Visibility, Fault> {
    match terms.visibility() {
        log::Visibility::Unspecified => Err(Fault::Undecodable),
        visibility => Ok(convert::visibility_to_wire(visibility)),
    }
}

fn read_seed(event: &RedactedEvent) -> Result<SealedPart, Fault> {
    let fits =
        |part: &SealedPart| part.opened().is_none_or(|seed| seed.secret().len() == seed::SERVER_SEED_BYTES);
    event.sealed.clone().filter(fits).ok_or(Fault::Undecodable)
}

/// Checks what a first event must have in any game, known here or not.
pub fn check_first_event(entry: &Entry) -> Result<(), Fault> {
    let check_terms = |terms: Option<&log::MatchTerms>| {
        let terms = terms.ok_or(Fault::Undecodable)?;
        read_visibility(terms)?;
        read_clock_settings(terms.time_control.as_ref()).map(drop)
    };
    let is_complete = match entry {
        Entry::MatchCreated(created) => {
            check_terms(created.terms.as_ref())?;
            created.rematch_of.as_ref().is_none_or(|id| MatchId::from_bytes(id).is_some())
        }
        Entry::MatchForked(forked) => {
            check_terms(forked.terms.as_ref())?;
            MatchId::from_bytes(&forked.parent_match_id).is_some()
                && Seq(forked.parent_seq) >= Seq::FIRST
                && forked.parent_hash.len() == size_of::<ChainHash>()
                && [0, 32].contains(&forked.setup_seed.len())
        }
        _ => return Err(Fault::OutOfPlace),
    };
    if is_complete { Ok(()) } else { Err(Fault::Undecodable) }
}

/// Decodes the player that a claim seals.
pub fn decode_player(secret: &[u8]) -> Result<log::Player, Fault> {
    let player = convert::decode_canonical(secret).filter(|_| secret.len() <= MAX_PLAYER_BYTES);
    player.ok_or(Fault::Undecodable)
}

/// Reads the player of a claim. Returns `None` if the event withholds it.
fn read_player(part: &SealedPart) -> Result<Option<log::Player>, Fault> {
    let Some(player) = part.opened() else { return Ok(None) };
    decode_player(player.secret()).map(Some)
}

fn read_clock_settings(control: Option<&log::TimeControl>) -> Result<Option<ClockSettings>, Fault> {
    let Some(control) = control else { return Ok(None) };
    ClockSettings::from_log(control).map(Some).ok_or(Fault::Undecodable)
}
