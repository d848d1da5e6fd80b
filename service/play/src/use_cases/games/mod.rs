//! Calls on the catalog of games.

mod get_game;
mod list_games;

use rules::{GameId, Games, Seat};
use wire::v1 as proto;

/// Returns a game's entry in the catalog under its current rules, without their text.
fn entry(games: Games, game: GameId) -> proto::Game {
    let info = games.current(game).info();
    let options = info.options.iter().map(|option| proto::OptionRange {
        name: option.name.to_owned(),
        default_value: option.default,
        min_value: option.min,
        max_value: option.max,
        description: option.text.to_owned(),
    });
    let structured = info.structured_options.iter().map(|option| proto::StructuredOption {
        name: option.name.to_owned(),
        form: option.form.to_owned(),
        default_value: option.default.to_owned(),
        description: option.text.to_owned(),
    });
    proto::Game {
        game_id: info.id.to_owned(),
        title: info.title.to_owned(),
        summary: info.summary.to_owned(),
        rules_versions: games.versions(game),
        seat_names: Seat::ALL.map(|seat| info.seat_names[seat].to_owned()).to_vec(),
        has_secrets: info.secrets,
        is_simultaneous: info.simultaneous,
        has_chance: info.chance,
        options: options.collect(),
        structured_options: structured.collect(),
        rules_text: String::new(),
    }
}
