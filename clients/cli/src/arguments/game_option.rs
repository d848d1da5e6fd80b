//! `--option rows=6`: becomes the game's options message by its descriptor, so a new game needs no code here.

use std::str::FromStr;

use prost::Message as _;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value};
use wire::v1::GameOptions;

use crate::failure::Failure;
use crate::output::json;

/// An option as given on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameOption {
    name: String,
    value: Value,
}

impl FromStr for GameOption {
    type Err = &'static str;

    /// Parses `NAME=VALUE`. A value that is not JSON is a text or the name of an enum's value.
    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        let (name, value) = typed.split_once('=').ok_or("write NAME=VALUE, for example rows=6")?;
        let value = value.trim();
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
        Ok(Self { name: name.trim().to_owned(), value })
    }
}

impl From<(String, Value)> for GameOption {
    fn from((name, value): (String, Value)) -> Self {
        Self { name, value }
    }
}

/// Returns the options message of a game; `None` if no option is given.
pub(crate) fn game_options(game: &str, typed: &[GameOption]) -> Result<Option<GameOptions>, Failure> {
    if typed.is_empty() {
        return Ok(None);
    }
    let (field, message) = options_of(game).ok_or_else(|| {
        Failure::Usage(format!(
            "this build knows no options of a game `{game}`; `matchbook games` lists the games"
        ))
    })?;
    let mut options = Map::new();
    for option in typed {
        let known = message.get_field_by_name(&option.name).ok_or_else(|| unknown(&option.name, &message))?;
        if options.insert(known.json_name().to_owned(), option.value.clone()).is_some() {
            return Err(Failure::Usage(format!("option {} is given twice", option.name)));
        }
        let alone = Map::from_iter([(known.json_name().to_owned(), option.value.clone())]);
        DynamicMessage::deserialize(message.clone(), Value::Object(alone))
            .map_err(|error| not_a_value(&known, &error.to_string()))?;
    }
    let envelope = Value::Object(Map::from_iter([(field, Value::Object(options))]));
    let envelope = DynamicMessage::deserialize(json::descriptor("GameOptions"), envelope)
        .expect("each option has been read by its own descriptor");
    let options = GameOptions::decode(envelope.encode_to_vec().as_slice())
        .expect("a message decodes by its own descriptor");
    Ok(Some(options))
}

/// Returns the JSON name of the game's field of `GameOptions`, and its message.
fn options_of(game: &str) -> Option<(String, MessageDescriptor)> {
    let field = json::descriptor("GameOptions").get_field_by_name(&game.replace('-', "_"))?;
    match field.kind() {
        Kind::Message(message) => Some((field.json_name().to_owned(), message)),
        _ => None,
    }
}

fn unknown(name: &str, message: &MessageDescriptor) -> Failure {
    let names: Vec<String> = message.fields().map(|field| field.name().to_owned()).collect();
    Failure::Usage(format!("the game has no option `{name}`; it has {}", names.join(", ")))
}

/// Returns the failure of an option whose value is not of its type. What a parser says of a number
/// means little to a player.
fn not_a_value(option: &FieldDescriptor, problem: &str) -> Failure {
    let must = match option.kind() {
        Kind::Uint32 => "must be a whole number from 0 to 4294967295",
        _ => problem,
    };
    Failure::Usage(format!("option {}: {must}", option.name()))
}

#[cfg(test)]
mod tests {
    use wire::v1::game_options::Game;

    use super::*;

    fn options(typed: &[&str]) -> Result<Option<GameOptions>, Failure> {
        let typed: Vec<GameOption> = typed.iter().map(|typed| typed.parse().unwrap()).collect();
        game_options("angels-and-demons", &typed)
    }

    #[test]
    fn options_become_the_games_message() {
        let Some(Game::AngelsAndDemons(set)) = options(&["rows=6", "turns = 3"]).unwrap().unwrap().game
        else {
            panic!("not the options of Angels and Demons");
        };
        assert_eq!((set.rows, set.cols, set.turns), (Some(6), None, Some(3)));
        assert_eq!(options(&[]).unwrap(), None);
    }

    #[test]
    fn an_unknown_option_is_rejected_with_the_known_ones() {
        let message = options(&["height=6"]).unwrap_err().to_string();
        assert!(message.contains("rows, cols, turns"), "{message}");
        assert!(options(&["rows=6", "rows=8"]).is_err());
        assert!(game_options("chess", &["rows=6".parse().unwrap()]).is_err());
        assert!("rows".parse::<GameOption>().is_err());
        for bad in ["rows=-1", "rows=many", "rows={}", "rows=[6]"] {
            let message = options(&[bad]).unwrap_err().to_string();
            assert_eq!(message, "option rows: must be a whole number from 0 to 4294967295", "{bad}");
        }
    }

    #[test]
    fn a_structured_option_is_json() {
        let typed = [r#"mana={"white": 3}"#, r#"pieces=[{"side": "SIDE_WHITE", "kind": "KIND_MAGUS"}]"#];
        let typed = typed.map(|typed| typed.parse().unwrap());
        let Some(Game::LudusMagus(set)) = game_options("ludus-magus", &typed).unwrap().unwrap().game else {
            panic!("not the options of Ludus Magus");
        };
        assert_eq!(set.mana.unwrap().white, 3);
        assert_eq!(set.pieces.len(), 1);
        assert!(game_options("ludus-magus", &["pieces=3".parse().unwrap()]).is_err());
    }
}
