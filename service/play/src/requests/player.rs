//! The player that a call names: a name for everyone, and the owning app's own id.

use journal::PlayerRow;
use wire::v1 as proto;

use super::{fields, limits};
use crate::Refusal;
use crate::access::NO_OWNER;

/// Reads the player of a claim. The salt is that of the name's commitment.
pub(crate) fn player(
    field: &str,
    player: Option<proto::Player>,
    salt: [u8; 32],
) -> Result<PlayerRow, Refusal> {
    let proto::Player { display_name: name, player_id: id } = player.unwrap_or_default();
    Ok(PlayerRow {
        salt,
        display_name: display_name(&format!("{field}.display_name"), name)?,
        player_id: id.map(|id| player_id(&id_field(field), id)).transpose()?,
    })
}

/// Reads a player's name: visible characters and inner spaces only.
pub(crate) fn display_name(field: &str, name: String) -> Result<String, Refusal> {
    fields::text(field, name, limits::NAME_CHARS)
}

/// Reads an app's own id of a player: visible ASCII characters. The refusal does not repeat it.
pub(crate) fn player_id(field: &str, id: String) -> Result<String, Refusal> {
    let visible = id.bytes().all(|byte| byte.is_ascii_graphic());
    if id.is_empty() || id.len() > limits::PLAYER_ID_BYTES || !visible {
        let must =
            format!("must have 1 to {} visible ASCII characters without spaces", limits::PLAYER_ID_BYTES);
        return Err(Refusal::field(field, must));
    }
    Ok(id)
}

/// Refuses a player's id in a match that no API key owns: it would belong to nobody.
pub(crate) fn check_owned(field: &str, player: &PlayerRow, owner: &str) -> Result<(), Refusal> {
    match player.player_id {
        Some(_) if owner == NO_OWNER => {
            Err(Refusal::field(id_field(field), "must be absent, since no API key owns the match"))
        }
        Some(_) | None => Ok(()),
    }
}

fn id_field(field: &str) -> String {
    format!("{field}.player_id")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_have_visible_characters_only() {
        for name in ["A", "Zoë van der Berg", "天使", &"x".repeat(40)] {
            assert!(display_name("player", name.to_owned()).is_ok(), "{name}");
        }
        for name in ["", " a", "a ", &"x".repeat(41)] {
            assert!(display_name("player", name.to_owned()).is_err(), "{name:?}");
        }
        // Controls and directions, spaces, fillers of Hangul, soft hyphens, operators without a form, tags,
        // variation selectors, private and unassigned characters, blank symbols.
        for char in [
            '\t',
            '\u{1b}',
            '\u{202E}',
            '\u{200B}',
            '\u{A0}',
            '\u{2003}',
            '\u{2028}',
            '\u{115F}',
            '\u{3164}',
            '\u{FFA0}',
            '\u{AD}',
            '\u{2062}',
            '\u{34F}',
            '\u{E0041}',
            '\u{FE0F}',
            '\u{E000}',
            '\u{FDD0}',
            '\u{2800}',
            '\u{1D159}',
        ] {
            let name = format!("a{char}b");
            assert!(display_name("player", name.clone()).is_err(), "{name:?}");
        }
    }

    #[test]
    fn ids_are_short_and_have_visible_ascii_characters_only() {
        for id in ["7", "auth0|5f7c", "ann@example.org", &"x".repeat(64)] {
            assert_eq!(player_id("player_id", id.to_owned()).unwrap(), id);
        }
        for id in ["", " ", "a b", "a\tb", "a\0", "a\u{7f}", "é", "\u{202E}", &"x".repeat(65)] {
            let refusal = player_id("player_id", id.to_owned()).unwrap_err();
            assert_eq!(refusal.fields[0].field, "player_id", "{id:?}");
            assert!(id.trim().is_empty() || !refusal.message.contains(id), "{id:?}");
        }
    }
}
