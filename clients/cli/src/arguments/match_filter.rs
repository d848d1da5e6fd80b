//! The options that say which matches a command is about.

use clap::{Args, ValueEnum};
use prost_types::Timestamp;
use wire::v1::{ListMatchesRequest, MatchStatus};

use super::{Label, labels, timestamp};
use crate::failure::Failure;

/// The filter of a list of matches.
#[derive(Args)]
pub(crate) struct FilterArguments {
    /// Select only matches of this game, see `matchbook games`
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Select only matches with this status
    #[arg(long, value_enum)]
    status: Option<Status>,
    /// Select only matches with a player of exactly this name
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Select only matches created at this time or later
    #[arg(long, value_name = "WHEN", value_parser = timestamp)]
    since: Option<Timestamp>,
    /// Select only matches created before this time
    #[arg(long, value_name = "WHEN", value_parser = timestamp)]
    before: Option<Timestamp>,
    /// Select only matches created with your API key, including private ones
    #[arg(long)]
    mine: bool,
    /// Select only your matches with this label; repeatable, up to 4 labels that must all match
    #[arg(long = "label", value_name = "KEY=VALUE")]
    labels: Vec<Label>,
    /// Select only your match with this external id
    #[arg(long, value_name = "ID")]
    external_id: Option<String>,
    /// Select only your matches of the player with this id in your app
    #[arg(long, value_name = "ID")]
    player_id: Option<String>,
    /// Select only running matches in which the player of --player-id is to act
    #[arg(long, requires = "player_id")]
    my_turn: bool,
    /// Select only your running matches in which this seat is to act
    #[arg(long, value_name = "SEAT", value_parser = clap::value_parser!(u32).range(0..=7))]
    #[arg(conflicts_with = "my_turn")]
    to_act: Option<u32>,
}

/// Status of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Status {
    /// Waiting for players
    Open,
    /// Being played
    Running,
    /// Finished
    Over,
}

impl FilterArguments {
    /// Returns the request for the first page.
    pub(crate) fn request(&self) -> Result<ListMatchesRequest, Failure> {
        let mut labels: Vec<String> =
            labels(&self.labels)?.iter().map(|(key, value)| format!("{key}={value}")).collect();
        // A page's token is for the labels in the same order.
        labels.sort_unstable();
        let status = self.status.map(|status| match status {
            Status::Open => MatchStatus::Open,
            Status::Running => MatchStatus::Running,
            Status::Over => MatchStatus::Over,
        });
        Ok(ListMatchesRequest {
            game_id: self.game.clone(),
            status: status.map(Into::into),
            player: self.player.clone(),
            created_since: self.since,
            created_before: self.before,
            mine: self.mine,
            labels,
            external_id: self.external_id.clone(),
            player_id: self.player_id.clone(),
            player_to_act: self.my_turn,
            seat_to_act: self.to_act,
            ..ListMatchesRequest::default()
        })
    }
}
