//! Decides the first event of a match.

use event::{MatchId, RecordTime, SALT_BYTES, Sealed};
use rules::{Games, Options};
use wire::log::v1 as log;
use wire::v1 as proto;

use super::{Decision, link};
use crate::{
    ClockSettings, Entry, ForkedPosition, GivenTerms, Position, ReplayError, SERVER_SEED_BYTES, convert,
};

/// The inputs of a new match.
pub struct NewMatch {
    /// The rules to choose from.
    pub games: Games,
    /// A fresh id.
    pub match_id: MatchId,
    /// Where play starts.
    pub start: StartingPosition,
    /// Who may find the match.
    pub visibility: proto::Visibility,
    /// Clock settings, or `None` for a match without clocks.
    pub clock_settings: Option<ClockSettings>,
    /// Fresh salt for the commitment to `seed_bytes`.
    pub salt: [u8; SALT_BYTES],
    /// The service's contribution to the seed.
    pub seed_bytes: [u8; SERVER_SEED_BYTES],
}

/// Where play starts.
pub enum StartingPosition {
    /// The opening of a game.
    Opening {
        /// The game's options, which also identify the game.
        options: Options,
        /// The rules version to pin the match to.
        rules_version: u32,
        /// What the creator sets besides.
        given: GivenTerms,
        /// The match that this one is a rematch of.
        rematch_of: Option<MatchId>,
    },
    /// A position of another match.
    Fork(ForkedPosition),
}

impl Decision {
    /// Creates a match. `arrival` is the time of the request on the database's clock.
    pub fn create(new: &NewMatch, arrival: RecordTime) -> Result<Self, ReplayError> {
        let entry = match &new.start {
            StartingPosition::Opening { options, rules_version, given, rematch_of } => {
                let seats = *options.game().info().seats().end();
                Entry::MatchCreated(log::MatchCreated {
                    terms: Some(terms(new, options, *rules_version, seats, given)),
                    rematch_of: rematch_of.map(|id| id.0.as_bytes().to_vec()),
                })
            }
            StartingPosition::Fork(forked) => Entry::MatchForked(forked_entry(new, forked)),
        };
        let seed = Sealed::new(new.salt, &new.seed_bytes);
        let event = link(new.match_id, None, arrival, &entry, Some(seed));
        let (position, applied) = Position::start(new.games, new.match_id, &event)?;
        Ok(Self { position, arrival, events: vec![event], applied: vec![applied] })
    }
}

fn forked_entry(new: &NewMatch, forked: &ForkedPosition) -> log::MatchForked {
    let ForkedPosition { options, rules_version, seats, given, .. } = forked;
    log::MatchForked {
        terms: Some(terms(new, options, *rules_version, *seats, given)),
        parent_match_id: forked.parent.match_id.0.as_bytes().to_vec(),
        parent_seq: forked.parent.seq.0,
        parent_hash: forked.parent.hash.to_vec(),
        setup_seed: forked.seed_to_log(),
        moves: forked.moves_to_log(),
    }
}

fn terms(
    new: &NewMatch,
    options: &Options,
    rules_version: u32,
    seats: usize,
    given: &GivenTerms,
) -> log::MatchTerms {
    log::MatchTerms {
        game_id: options.game().as_str().to_owned(),
        rules_version,
        options: convert::options_to_log(options),
        seats: u32::try_from(seats).expect("a match has at most 8 seats"),
        visibility: convert::visibility_to_log(new.visibility).into(),
        time_control: new.clock_settings.map(ClockSettings::to_log),
        ..given.to_log()
    }
}
