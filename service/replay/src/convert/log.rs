//! Conversions of what the log stores. Its messages are its own: options and moves are the bytes of the
//! game's messages, and nothing here depends on the API.

use event::{MatchId, Part, RedactedEvent, Sealed, Seat, Seats};
use prost::Message;
use rules::{GameId, Move, Options};
use wire::games;
use wire::log::v1 as log;
use wire::v1 as proto;

use super::{ace_exorcist, angels_and_demons, cresnovian_chess, ludus_magus, seat_to_wire};

/// Decodes a stored message. Returns `None` if these are not the bytes that encoding it gives.
pub(crate) fn decode_canonical<M: Message + Default>(bytes: &[u8]) -> Option<M> {
    M::decode(bytes).ok().filter(|message| message.encode_to_vec() == bytes)
}

/// Reads the stored options of a game. Returns `None` if they don't decode.
pub(crate) fn options_from_log(game: GameId, options: &[u8]) -> Option<Options> {
    Some(match game {
        GameId::AngelsAndDemons => {
            Options::AngelsAndDemons(angels_and_demons::options_from_wire(&decode_canonical::<
                games::angels_and_demons::v1::Options,
            >(options)?))
        }
        GameId::AceExorcist => Options::AceExorcist(ace_exorcist::options_from_wire(&decode_canonical::<
            games::ace_exorcist::v1::Options,
        >(options)?)),
        GameId::CresnovianChess => {
            Options::CresnovianChess(cresnovian_chess::options_from_wire(&decode_canonical::<
                games::cresnovian_chess::v1::Options,
            >(options)?))
        }
        GameId::LudusMagus => Options::LudusMagus(ludus_magus::options_from_wire(&decode_canonical::<
            games::ludus_magus::v1::Options,
        >(options)?)),
    })
}

/// Encodes options for the log, with every default filled in.
pub(crate) fn options_to_log(options: &Options) -> Vec<u8> {
    match options {
        Options::AngelsAndDemons(options) => angels_and_demons::options_to_wire(options).encode_to_vec(),
        Options::AceExorcist(options) => ace_exorcist::options_to_wire(options).encode_to_vec(),
        Options::CresnovianChess(options) => cresnovian_chess::options_to_wire(options).encode_to_vec(),
        Options::LudusMagus(options) => ludus_magus::options_to_wire(options).encode_to_vec(),
    }
}

/// Reads a stored move of a game. Returns `None` if it does not decode.
pub(crate) fn move_from_log(game: GameId, mv: &[u8]) -> Option<Move> {
    Some(match game {
        GameId::AngelsAndDemons => {
            Move::AngelsAndDemons(angels_and_demons::move_from_wire(&decode_canonical::<
                games::angels_and_demons::v1::Move,
            >(mv)?))
        }
        GameId::AceExorcist => Move::AceExorcist(ace_exorcist::move_from_wire(&decode_canonical::<
            games::ace_exorcist::v1::Move,
        >(mv)?)),
        GameId::CresnovianChess => {
            Move::CresnovianChess(cresnovian_chess::move_from_wire(&decode_canonical::<
                games::cresnovian_chess::v1::Move,
            >(mv)?))
        }
        GameId::LudusMagus => Move::LudusMagus(ludus_magus::move_from_wire(&decode_canonical::<
            games::ludus_magus::v1::Move,
        >(mv)?)),
    })
}

/// Encodes a move for the log.
pub fn move_to_log(mv: &Move) -> Vec<u8> {
    match mv {
        Move::AngelsAndDemons(mv) => angels_and_demons::move_to_wire(mv).encode_to_vec(),
        Move::AceExorcist(mv) => ace_exorcist::move_to_wire(mv).encode_to_vec(),
        Move::CresnovianChess(mv) => cresnovian_chess::move_to_wire(mv).encode_to_vec(),
        Move::LudusMagus(mv) => ludus_magus::move_to_wire(mv).encode_to_vec(),
    }
}

/// Returns the stored result of a match of this many seats that the winners won, or that was drawn if there
/// are none. The winners share the first rank, the other seats the next one.
pub fn result_to_log(seats: usize, winners: Seats, reason: &str) -> log::MatchResult {
    let outcome = if winners.is_empty() { log::Outcome::Draw } else { log::Outcome::Win };
    let last = u32::try_from(winners.len() + 1).expect("a match has at most 8 seats");
    let standings = Seat::ALL.into_iter().take(seats).map(|seat| {
        let rank = if winners.is_empty() || winners.contains(seat) { 1 } else { last };
        log::Standing { seat: Some(seat_to_wire(seat)), rank }
    });
    log::MatchResult { outcome: outcome.into(), standings: standings.collect(), reason: reason.to_owned() }
}

/// Returns the stored result of a match that was called off.
pub(crate) fn no_result_to_log(reason: &str) -> log::MatchResult {
    log::MatchResult { outcome: log::Outcome::None.into(), standings: Vec::new(), reason: reason.to_owned() }
}

/// Converts a stored result for clients.
pub fn result_to_wire(result: &log::MatchResult) -> proto::MatchResult {
    let outcome = match result.outcome() {
        log::Outcome::Unspecified => proto::Outcome::Unspecified,
        log::Outcome::Win => proto::Outcome::Win,
        log::Outcome::Draw => proto::Outcome::Draw,
        log::Outcome::None => proto::Outcome::None,
    };
    let standings = result.standings.iter();
    let standings = standings.map(|standing| proto::Standing { seat: standing.seat, rank: standing.rank });
    proto::MatchResult {
        outcome: outcome.into(),
        standings: standings.collect(),
        reason: result.reason.clone(),
    }
}

/// Reads a stored visibility. An unknown one counts as private.
pub(crate) fn visibility_to_wire(visibility: log::Visibility) -> proto::Visibility {
    match visibility {
        log::Visibility::Public => proto::Visibility::Public,
        log::Visibility::Unlisted => proto::Visibility::Unlisted,
        log::Visibility::Private | log::Visibility::Unspecified => proto::Visibility::Private,
    }
}

/// Converts a visibility for the log.
pub(crate) fn visibility_to_log(visibility: proto::Visibility) -> log::Visibility {
    match visibility {
        proto::Visibility::Public => log::Visibility::Public,
        proto::Visibility::Unlisted => log::Visibility::Unlisted,
        proto::Visibility::Private | proto::Visibility::Unspecified => log::Visibility::Private,
    }
}

/// Converts a stored event, with its sealed part if that is at hand.
pub fn log_event_to_wire(event: &RedactedEvent) -> proto::LogEvent {
    let opened = event.sealed.as_ref().and_then(Part::opened).map(Sealed::as_bytes);
    proto::LogEvent {
        seq: event.seq.0,
        record_time_us: event.record_time.0,
        kind: u32::from(event.kind),
        public_part: event.public.to_vec(),
        commitment: event.commitment().map(|commitment| commitment.to_vec()),
        opened: opened.map(|bytes| bytes.to_vec()),
        hash: event.hash.to_vec(),
    }
}

/// Converts the 16 bytes of a match id.
pub(crate) fn id_to_wire(bytes: &[u8]) -> Option<String> {
    MatchId::from_bytes(bytes).map(|id| id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_share_the_first_rank_and_the_others_the_next() {
        let [first, second, third, ..] = Seat::ALL;
        let ranks = |seats, winners: &[Seat]| {
            let result = result_to_log(seats, winners.iter().copied().collect(), "resignation");
            let ranks: Vec<_> = result.standings.iter().map(|standing| standing.rank).collect();
            (result.outcome(), ranks)
        };
        assert_eq!(ranks(2, &[second]), (log::Outcome::Win, vec![2, 1]));
        assert_eq!(ranks(2, &[]), (log::Outcome::Draw, vec![1, 1]));
        assert_eq!(ranks(3, &[first, third]), (log::Outcome::Win, vec![1, 3, 1]));
        assert_eq!(ranks(4, &[third]), (log::Outcome::Win, vec![2, 2, 1, 2]));
    }
}
