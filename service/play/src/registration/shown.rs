//! A match as callers see it: without owner, hashes and tokens, and with the owner's notes for callers that
//! may see them.

use event::Seat;
use journal::{Labels, MatchOutcome, MatchRow, MatchStatus, PlayerRow, Registered, SeatRow, Visibility};
use replay::Position;
use rules::GameId;
use wire::v1 as proto;

use super::{Players, Registration};

/// Returns a match at a position, with what its log does not hold, but without its players.
pub(super) fn match_shown(registered: &Registered, position: &Position) -> proto::Match {
    // Each field is shown here, or named here as one that no caller sees or that only `add_notes` shows.
    let Registered { owner: _, create_request_hash: _, external_id: _, labels_hash: _ } = registered;
    position.match_shown()
}

/// Returns a player as everyone may see it: without the owner's id.
pub(super) fn player_shown(player: &PlayerRow) -> proto::Player {
    let PlayerRow { salt: _, display_name, player_id: _ } = player;
    proto::Player::named(display_name)
}

/// Adds the owner's ids of the players that a match shows, for callers that may see them.
pub(super) fn add_player_ids(shown: &mut proto::Match, players: &Players) {
    for status in &mut shown.seats {
        let row = status.seat.and_then(replay::seat_from_wire).and_then(|seat| players.get(seat)?.as_ref());
        if let (Some(player), Some(row)) = (&mut status.player, row) {
            player.player_id.clone_from(&row.player_id);
        }
    }
}

/// Returns the listed form of a row for callers that may see what the owner noted about the match.
pub(crate) fn summary_with_notes(row: &MatchRow, labels: Labels) -> proto::Match {
    let mut shown = summary(row);
    add_player_ids(&mut shown, &Registration::of_row(row).players);
    add_notes(&mut shown, &row.registered, labels);
    shown
}

/// Adds what the owner noted about a match, for callers that may see it.
pub(crate) fn add_notes(shown: &mut proto::Match, registered: &Registered, labels: Labels) {
    shown.external_id.clone_from(&registered.external_id);
    shown.labels = labels.0.into_iter().collect();
}

/// Returns the listed form of a row.
pub(crate) fn summary(row: &MatchRow) -> proto::Match {
    let info = GameId::parse(&row.game).map(GameId::info);
    let mut titles = info.into_iter().flat_map(|info| info.seat_names.iter()).map(|(_, title)| *title);
    let seats = Seat::ALL.into_iter().zip(&row.seats).map(|(seat, claimed)| proto::SeatStatus {
        seat: Some(replay::seat_to_wire(seat)),
        title: titles.next().unwrap_or_default().to_owned(),
        claimed: claimed.is_some(),
        player: player(claimed).map(player_shown),
    });
    let time = replay::timestamp_to_wire;
    proto::Match {
        match_id: row.match_id.to_string(),
        game_id: row.game.clone(),
        status: status_to_wire(row.status).into(),
        visibility: visibility_to_wire(row.visibility).into(),
        seats: seats.collect(),
        create_time: Some(time(row.create_time)),
        start_time: row.start_time.map(time),
        end_time: row.end_time.map(time),
        result: row.outcome.map(|outcome| result(row, outcome)),
        forked_from: row
            .parent
            .map(|(parent, seq)| proto::ForkedFrom { match_id: parent.to_string(), seq: seq.0 }),
        ..proto::Match::default()
    }
}

fn player(claimed: &Option<SeatRow>) -> Option<&PlayerRow> {
    claimed.as_ref()?.player.as_ref()
}

fn status_to_wire(status: MatchStatus) -> proto::MatchStatus {
    match status {
        MatchStatus::Open => proto::MatchStatus::Open,
        MatchStatus::Running => proto::MatchStatus::Running,
        MatchStatus::Over => proto::MatchStatus::Over,
    }
}

fn visibility_to_wire(visibility: Visibility) -> proto::Visibility {
    match visibility {
        Visibility::Public => proto::Visibility::Public,
        Visibility::Unlisted => proto::Visibility::Unlisted,
        Visibility::Private => proto::Visibility::Private,
    }
}

fn result(row: &MatchRow, outcome: MatchOutcome) -> proto::MatchResult {
    let outcome = match outcome {
        MatchOutcome::Win => proto::Outcome::Win,
        MatchOutcome::Draw => proto::Outcome::Draw,
        MatchOutcome::None => proto::Outcome::None,
    };
    let ranked = Seat::ALL.into_iter().zip(&row.ranks);
    proto::MatchResult {
        outcome: outcome.into(),
        standings: ranked
            .map(|(seat, rank)| proto::Standing {
                seat: Some(replay::seat_to_wire(seat)),
                rank: (*rank).into(),
            })
            .collect(),
        reason: row.reason.clone().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use journal::MatchId;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn every_seats_rank_is_listed_with_shared_wins() {
        let listed = |seats: usize, outcome, ranks: &[u8]| {
            let row = MatchRow::new(MatchId(Uuid::nil()));
            let (outcome, ranks) = (Some(outcome), ranks.to_vec());
            let reason = Some("time".to_owned());
            let row = MatchRow { seats: vec![None; seats], outcome, ranks, reason, ..row };
            let result = summary(&row).result.expect("the match is over");
            let ranks: Vec<_> = result.standings.iter().map(|s| (s.seat.unwrap(), s.rank)).collect();
            (result.outcome(), ranks, result.reason)
        };
        for ranks in [vec![1], vec![2, 1], vec![1, 3, 1], vec![8, 7, 6, 5, 4, 3, 2, 1]] {
            let standings = (0..).zip(ranks.iter().map(|rank| u32::from(*rank))).collect();
            let expected = (proto::Outcome::Win, standings, "time".to_owned());
            assert_eq!(listed(ranks.len(), MatchOutcome::Win, &ranks), expected);
        }
        let (outcome, ranks, _) = listed(3, MatchOutcome::Draw, &[1, 1, 1]);
        assert_eq!((outcome, ranks), (proto::Outcome::Draw, vec![(0, 1), (1, 1), (2, 1)]));
        let (outcome, ranks, _) = listed(8, MatchOutcome::None, &[]);
        assert_eq!((outcome, ranks), (proto::Outcome::None, vec![]));
        assert_eq!(summary(&MatchRow::new(MatchId(Uuid::nil()))).result, None);
    }
}
