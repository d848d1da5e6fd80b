//! Calls on the catalog of games.

mod get_game;
mod list_games;
mod option_spec;

use rules::{GameId, Games};
use wire::v1 as proto;

use option_spec::option_spec;

/// Returns a game's entry in the catalog under its current rules, without their text.
fn entry(games: Games, game: GameId) -> proto::Game {
    let info = games.current(game).info();
    proto::Game {
        game_id: info.id.to_owned(),
        title: info.title.to_owned(),
        summary: info.summary.to_owned(),
        rules_versions: games.versions(game),
        min_seats: seats(*info.seats().start()),
        max_seats: seats(*info.seats().end()),
        seat_names: info.seat_names.iter().map(|(_, &name)| name.to_owned()).collect(),
        has_secrets: info.secrets,
        is_simultaneous: info.simultaneous,
        has_chance: info.chance,
        options: info.options.iter().map(option_spec).collect(),
        rules_text: String::new(),
    }
}

fn seats(count: usize) -> u32 {
    u32::try_from(count).expect("a match has at most 8 seats")
}
