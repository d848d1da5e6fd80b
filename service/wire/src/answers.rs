//! What callers write into requests and read from answers.

use crate::v1::{CreateMatchRequest, MatchResult, Outcome, Player, SeatStatus, View, Viewer, viewer};

impl CreateMatchRequest {
    /// Returns the request for a match of this game, without a `request_id` and with all else as the game
    /// and the service have it by default.
    pub fn of(game_id: impl Into<String>) -> Self {
        Self { game_id: game_id.into(), ..Self::default() }
    }
}

impl From<&str> for CreateMatchRequest {
    fn from(game_id: &str) -> Self {
        Self::of(game_id)
    }
}

impl MatchResult {
    /// Returns the seat that won, or `None` if no seat or more than one did.
    pub fn winner(&self) -> Option<u32> {
        let won = self.outcome() == Outcome::Win;
        let mut winners = self.standings.iter().filter(|standing| won && standing.rank == 1);
        let winner = winners.next()?.seat?;
        winners.next().is_none().then_some(winner)
    }
}

impl Player {
    /// Returns a player of this name, without an id.
    pub fn named(display_name: impl Into<String>) -> Self {
        Self { display_name: display_name.into(), player_id: None }
    }
}

impl From<&str> for Player {
    fn from(display_name: &str) -> Self {
        Self::named(display_name)
    }
}

impl SeatStatus {
    /// Returns the player's name, or `None` if the seat is unclaimed or its player was erased.
    pub fn display_name(&self) -> Option<&str> {
        self.player.as_ref().map(|player| player.display_name.as_str())
    }
}

impl Viewer {
    /// Returns the viewer without a seat.
    pub fn spectator() -> Self {
        Self { kind: viewer::Kind::Spectator.into(), seat: None }
    }

    /// Returns the viewer in a seat.
    pub fn in_seat(seat: u32) -> Self {
        Self { kind: viewer::Kind::Seat.into(), seat: Some(seat) }
    }

    /// Returns the viewer who sees everything once a match is over.
    pub fn open() -> Self {
        Self { kind: viewer::Kind::Open.into(), seat: None }
    }
}

impl View {
    /// Returns the seat that the view is for, or `None` if its viewer has no seat.
    pub fn viewing_seat(&self) -> Option<u32> {
        self.viewer?.seat
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::Standing;

    #[test]
    fn one_seat_with_the_best_rank_wins() {
        let result = |outcome: Outcome, ranks: &[u32]| {
            let standings = ranks.iter().zip(0..).map(|(&rank, seat)| Standing { seat: Some(seat), rank });
            let standings = standings.collect();
            MatchResult { outcome: outcome.into(), standings, reason: String::new() }.winner()
        };
        assert_eq!(result(Outcome::Win, &[2, 1]), Some(1));
        assert_eq!(result(Outcome::Draw, &[1, 1]), None);
        assert_eq!(result(Outcome::Win, &[1, 1, 3]), None);
        assert_eq!(result(Outcome::None, &[]), None);
    }
}
