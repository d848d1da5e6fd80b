//! The filter of a list of matches, and the matches that a caller may list.

use event::{MatchId, Seat};
use journal::{MatchFilter, MatchStatus, Scope, ToAct};
use wire::v1::{self as proto, ErrorReason};

use crate::access::{AccessControl, wrong_role};
use crate::requests::{fields, labels, player};
use crate::{ApiKey, Refusal, Role};

/// Reads the filter of a request. The page begins after the match `before`.
pub(in crate::use_cases) fn match_filter(
    access: &AccessControl,
    key: Option<&ApiKey>,
    request: &proto::ListMatchesRequest,
    before: Option<MatchId>,
) -> Result<MatchFilter, Refusal> {
    let scope = listed(access, key, owner_field(request))?;
    let time = |field, at: Option<prost_types::Timestamp>| at.map(|at| fields::time(field, at)).transpose();
    let game = request.game_id.as_deref().map(fields::game).transpose()?;
    let name = request.player.clone().map(|name| player::display_name("player", name));
    Ok(MatchFilter {
        game: game.map(|game| game.as_str().to_owned()),
        status: request.status.map(status).transpose()?,
        display_name: name.transpose()?,
        player_id: request.player_id.clone().map(|id| player::player_id("player_id", id)).transpose()?,
        labels: labels::listed("labels", &request.labels)?,
        external_id: labels::external_id(request.external_id.clone())?,
        to_act: to_act(request)?,
        created_since: time("created_since", request.created_since)?,
        created_before: time("created_before", request.created_before)?,
        before,
        ..MatchFilter::of(scope, fields::matches(request.page_size))
    })
}

/// Returns the first field that asks for matches of the caller's own.
fn owner_field(request: &proto::ListMatchesRequest) -> Option<&'static str> {
    let fields = [
        ("mine", request.mine),
        ("labels", !request.labels.is_empty()),
        ("external_id", request.external_id.is_some()),
        ("player_id", request.player_id.is_some()),
        ("player_to_act", request.player_to_act),
        ("seat_to_act", request.seat_to_act.is_some()),
    ];
    fields.into_iter().find(|(_, given)| *given).map(|(field, _)| field)
}

/// Returns the matches that the caller may list.
fn listed(access: &AccessControl, key: Option<&ApiKey>, mine: Option<&str>) -> Result<Scope, Refusal> {
    match (key, mine) {
        (Some(key), Some(_)) if key.creates_matches() => Ok(Scope::OwnedBy(key.name.clone())),
        (Some(key), Some(_)) => Err(wrong_role(key, "owns no matches", &[Role::App, Role::Admin])),
        (None, Some(field)) if access.is_open() => {
            Err(Refusal::field(field, "must not be set, since this service has no API keys to own matches"))
        }
        (None, Some(field)) => {
            let message = format!(
                "`{field}` requires the API key that created the matches; send `authorization: Bearer KEY`"
            );
            Err(Refusal::new(ErrorReason::MissingKey, message))
        }
        (Some(key), None) if key.sees_every_match() => Ok(Scope::Everything),
        (Some(key), None) => Ok(Scope::PublicOrOwnedBy(key.name.clone())),
        (None, None) => Ok(Scope::Public),
    }
}

/// Reads which seat is to act, perhaps any that the request's player holds.
fn to_act(request: &proto::ListMatchesRequest) -> Result<Option<ToAct>, Refusal> {
    let seat = request.seat_to_act.map(|seat| fields::seat("seat_to_act", Some(seat), Seat::ALL.len()));
    let to_act = match (seat.transpose()?, request.player_to_act) {
        (Some(_), true) => {
            return Err(Refusal::field("seat_to_act", "must not be set together with player_to_act"));
        }
        (None, true) if request.player_id.is_none() => {
            return Err(Refusal::field("player_id", "must be set with player_to_act: it says whose turn"));
        }
        (None, true) => ToAct::Player,
        (Some(seat), false) => ToAct::Seat(seat),
        (None, false) => return Ok(None),
    };
    match request.status.map(status).transpose()? {
        None | Some(MatchStatus::Running) => Ok(Some(to_act)),
        Some(MatchStatus::Open | MatchStatus::Over) => {
            Err(Refusal::field("status", "must be MATCH_STATUS_RUNNING or absent where a seat is to act"))
        }
    }
}

fn status(status: i32) -> Result<MatchStatus, Refusal> {
    match proto::MatchStatus::try_from(status) {
        Ok(proto::MatchStatus::Open) => Ok(MatchStatus::Open),
        Ok(proto::MatchStatus::Running) => Ok(MatchStatus::Running),
        Ok(proto::MatchStatus::Over) => Ok(MatchStatus::Over),
        Ok(proto::MatchStatus::Unspecified) | Err(_) => {
            let must = "must be MATCH_STATUS_OPEN, MATCH_STATUS_RUNNING or MATCH_STATUS_OVER";
            Err(Refusal::field("status", must))
        }
    }
}
