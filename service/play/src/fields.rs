//! Fields that many requests share, read strictly: ids, seats, names, inputs.

use replay::MAX_ENTROPY_BYTES;
use rules::{GameId, Move, Seat};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use crate::{Refusal, limits};

/// A match's id: a UUID in its usual text form.
pub(crate) fn match_id(text: &str) -> Result<Uuid, Refusal> {
    uuid("match_id", text)
}

/// The caller's id of a call; without one the call can't be repeated.
pub(crate) fn request_id(text: Option<&str>) -> Result<Option<Uuid>, Refusal> {
    text.map(|text| uuid("request_id", text)).transpose()
}

fn uuid(field: &str, text: &str) -> Result<Uuid, Refusal> {
    let hyphenated = text.len() == uuid::fmt::Hyphenated::LENGTH;
    Uuid::try_parse(text)
        .ok()
        .filter(|_| hyphenated)
        .ok_or_else(|| Refusal::field(field, "must be a UUID such as 0192f0c1-2b3a-7c4d-8e5f-60718293a4b5"))
}

/// A seat that must be named.
pub(crate) fn seat(field: &str, seat: i32) -> Result<Seat, Refusal> {
    replay::seat_from_wire(seat).ok_or_else(|| Refusal::field(field, "must be SEAT_ZERO or SEAT_ONE"))
}

/// A visibility that must be named.
pub(crate) fn visibility(field: &str, visibility: i32) -> Result<proto::Visibility, Refusal> {
    match proto::Visibility::try_from(visibility) {
        Ok(named) if named != proto::Visibility::Unspecified => Ok(named),
        _ => {
            let must = "must be VISIBILITY_PUBLIC, VISIBILITY_UNLISTED or VISIBILITY_PRIVATE";
            Err(Refusal::field(field, must))
        }
    }
}

/// A game that this service has.
pub(crate) fn game(id: &str) -> Result<GameId, Refusal> {
    GameId::parse(id).ok_or_else(|| {
        let known: Vec<_> = GameId::ALL.into_iter().map(GameId::as_str).collect();
        let message = format!("there is no such game here; ListGames has them: {}", known.join(", "));
        Refusal::new(ErrorReason::UnknownGame, message)
    })
}

/// A player's name: visible characters and inner spaces only.
pub(crate) fn player_name(field: &str, name: &str) -> Result<(), Refusal> {
    let length = name.chars().count();
    if length == 0 || length > limits::NAME_CHARS {
        return Err(Refusal::field(field, format!("must have 1 to {} characters", limits::NAME_CHARS)));
    }
    if name.starts_with(' ') || name.ends_with(' ') {
        return Err(Refusal::field(field, "must not begin or end with a space"));
    }
    if name.chars().any(is_invisible) {
        return Err(Refusal::field(field, "must not have control or invisible characters"));
    }
    Ok(())
}

/// The closed list of CC-60, but for the plain space.
fn is_invisible(char: char) -> bool {
    let listed = matches!(char,
        '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'
        | '\u{2066}'..='\u{2069}' | '\u{FEFF}');
    listed || char.is_control() || (char.is_whitespace() && char != ' ')
}

/// What a seat may give to the seed.
pub(crate) fn entropy(entropy: &[u8]) -> Result<(), Refusal> {
    if entropy.len() > MAX_ENTROPY_BYTES {
        return Err(Refusal::field("entropy", format!("must have at most {MAX_ENTROPY_BYTES} bytes")));
    }
    Ok(())
}

/// A move as a request gives it, in one of its two forms.
pub(crate) enum Input {
    Typed(proto::Move),
    Notation(String),
}

impl Input {
    pub(crate) fn of_submit(input: Option<proto::submit_move_request::Input>) -> Result<Self, Refusal> {
        use proto::submit_move_request::Input as Sent;
        match input {
            Some(Sent::Move(made)) => Ok(Self::Typed(made)),
            Some(Sent::Notation(text)) => Self::notation(text),
            None => Err(Self::missing()),
        }
    }

    pub(crate) fn of_check(input: Option<proto::check_move_request::Input>) -> Result<Self, Refusal> {
        use proto::check_move_request::Input as Sent;
        match input {
            Some(Sent::Move(made)) => Ok(Self::Typed(made)),
            Some(Sent::Notation(text)) => Self::notation(text),
            None => Err(Self::missing()),
        }
    }

    fn missing() -> Refusal {
        Refusal::field("input", "must be set: either `move` or `notation`")
    }

    fn notation(text: String) -> Result<Self, Refusal> {
        if text.chars().count() > limits::TEXT_CHARS {
            return Err(Refusal::field(
                "notation",
                format!("must have at most {} characters", limits::TEXT_CHARS),
            ));
        }
        Ok(Self::Notation(text))
    }

    /// The move of the match's game that was meant.
    pub(crate) fn read(&self, game: GameId) -> Result<Move, Refusal> {
        match self {
            Self::Typed(made) => replay::move_from_wire(made)
                .map_err(|_| Refusal::field("move", "must have one game's move set")),
            Self::Notation(text) => {
                game.parse_move(text).map_err(|unreadable| crate::judge::illegal(&unreadable.into()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_uuids_in_their_usual_form() {
        assert!(match_id("0192f0c1-2b3a-7c4d-8e5f-60718293a4b5").is_ok());
        for text in ["", "7", "0192f0c12b3a7c4d8e5f60718293a4b5", "{0192f0c1-2b3a-7c4d-8e5f-60718293a4b5}"] {
            let refusal = match_id(text).unwrap_err();
            assert_eq!(refusal.reason, ErrorReason::InvalidArgument);
            assert_eq!(refusal.fields[0].field, "match_id");
        }
    }

    #[test]
    fn names_are_visible_and_short() {
        for name in ["A", "Zoë van der Berg", "天使", &"x".repeat(40)] {
            assert!(player_name("player_name", name).is_ok(), "{name}");
        }
        for name in
            ["", " a", "a ", "a\u{200B}b", "a\tb", "a\u{A0}b", "\u{202E}abc", "\u{1b}[31m", &"x".repeat(41)]
        {
            assert!(player_name("player_name", name).is_err(), "{name:?}");
        }
    }
}
