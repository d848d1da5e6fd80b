//! A match as callers see it: without owner, hashes and tokens, and with the owner's notes for callers that
//! may see them.

use event::Seat;
use journal::{Labels, MatchRow, MatchStatus, PlayerRow, Registered, SeatRow, Visibility};
use replay::Position;
use rules::GameId;
use wire::v1 as proto;

/// Returns a match at a position, with what its log does not hold, but without its players.
pub(super) fn match_shown(registered: &Registered, position: &Position) -> proto::Match {
    // Each field is shown here, or named here as one that no caller sees or that only `add_notes` shows.
    let Registered { owner: _, create_request_hash: _, external_id: _, labels_hash: _ } = registered;
    position.match_shown()
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
        player_name: player(claimed).map(|player| player.display_name.clone()).unwrap_or_default(),
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
        result: row
            .reason
            .as_deref()
            .map(|reason| replay::result_shown(row.seats.len(), row.winner.and_then(seat), reason)),
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

fn seat(number: u8) -> Option<Seat> {
    replay::seat_from_wire(number.into())
}
