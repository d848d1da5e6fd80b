//! A game of the catalog as text.

use board::printable;
use wire::v1::option_spec::Type;
use wire::v1::{Game, OptionSpec};

/// Returns a game's description without its rules.
pub(crate) fn game_entry(game: &Game) -> String {
    let mut text = format!("{}: {}\n", printable(&game.game_id), printable(&game.title));
    text.push_str(&format!("  {}\n", printable(&game.summary)));
    let seats: Vec<String> = game.seat_names.iter().map(|name| printable(name)).collect();
    text.push_str(&format!("  seats: {}\n", seats.join(", ")));
    let versions: Vec<String> = game.rules_versions.iter().map(u32::to_string).collect();
    text.push_str(&format!("  rules versions, the first for new matches: {}\n", versions.join(", ")));
    let traits = [
        (game.is_simultaneous, "both seats choose simultaneously"),
        (game.has_secrets, "hidden information while a match runs"),
        (game.has_chance, "chance, from a seed that both seats contribute to"),
    ];
    for (_, description) in traits.iter().filter(|(has, _)| *has) {
        text.push_str(&format!("  {description}\n"));
    }
    for option in &game.options {
        text.push_str(&format!(
            "  option {}: {}; {}\n",
            printable(&option.name),
            values_of(option),
            printable(&option.description)
        ));
    }
    text
}

/// Returns the values that an option can have, and its default.
fn values_of(option: &OptionSpec) -> String {
    match &option.r#type {
        Some(Type::Integer(integer)) => {
            format!("{}..{}, default {}", integer.min_value, integer.max_value, integer.default_value)
        }
        Some(Type::Boolean(boolean)) => format!("true or false, default {}", boolean.default_value),
        Some(Type::Enumeration(named)) => {
            let names: Vec<String> = named.values.iter().map(|value| printable(&value.name)).collect();
            format!("{}, default {}", names.join(" or "), printable(&named.default_value))
        }
        Some(Type::Text(text)) => {
            format!("at most {} characters, default `{}`", text.max_chars, printable(&text.default_value))
        }
        Some(Type::Structured(structured)) => {
            let kind = if structured.is_list { "JSON list of" } else { "JSON of" };
            let message = structured.message_name.rsplit('.').next().unwrap_or_default();
            format!("{kind} {}, default {}", printable(message), printable(&structured.default_value))
        }
        None => "of a type that this build does not know".to_owned(),
    }
}
