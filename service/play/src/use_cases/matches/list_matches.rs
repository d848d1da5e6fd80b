//! `ListMatches`: the part of the directory that the caller may see.

use event::MatchId;
use journal::{MatchFilter, MatchStatus, Scope};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use crate::access::{AccessControl, wrong_role};
use crate::refusal::of_read_error;
use crate::requests::{fields, player};
use crate::{ApiKey, Caller, Play, Refusal, Role};

impl Play {
    /// Returns a page of matches, newest first.
    pub async fn list_matches(
        &self,
        caller: &Caller,
        request: proto::ListMatchesRequest,
    ) -> Result<proto::ListMatchesResponse, Refusal> {
        let key = self.access.key(caller)?;
        let limit = fields::matches(request.page_size);
        let tokens = self.page_tokens.of("ListMatches", &without_page(&request));
        let filter = MatchFilter {
            scope: listed(&self.access, key, request.mine)?,
            game: request
                .game_id
                .as_deref()
                .map(fields::game)
                .transpose()?
                .map(|game| game.as_str().to_owned()),
            status: request.status.map(status).transpose()?,
            display_name: request.player.map(|name| player::display_name("player", name)).transpose()?,
            player_id: None,
            created_since: request.created_since.map(|at| fields::time("created_since", at)).transpose()?,
            created_before: request
                .created_before
                .map(|at| fields::time("created_before", at))
                .transpose()?,
            before: tokens.decode(&request.page_token)?.map(|id| MatchId(Uuid::from_bytes(id))),
            // One more shows whether there is another page.
            limit: limit + 1,
        };
        let rows = self.journal.list_matches(&filter).await.map_err(of_read_error)?;
        let page = usize::try_from(limit).unwrap_or(usize::MAX);
        let last = (rows.len() > page).then(|| rows.get(page - 1)).flatten();
        Ok(proto::ListMatchesResponse {
            next_page_token: last.map(|row| tokens.encode(row.match_id.0.as_bytes())).unwrap_or_default(),
            matches: self.summaries(&rows[..rows.len().min(page)], key).await?,
        })
    }
}

/// Returns the request without its page.
fn without_page(request: &proto::ListMatchesRequest) -> proto::ListMatchesRequest {
    proto::ListMatchesRequest { page_size: 0, page_token: String::new(), ..request.clone() }
}

/// Returns the matches that the caller may list.
fn listed(access: &AccessControl, key: Option<&ApiKey>, mine: bool) -> Result<Scope, Refusal> {
    match (key, mine) {
        (Some(key), true) if key.creates_matches() => Ok(Scope::OwnedBy(key.name.clone())),
        (Some(key), true) => Err(wrong_role(key, "owns no matches", &[Role::App, Role::Admin])),
        (None, true) if access.is_open() => {
            Err(Refusal::field("mine", "must be false, since this service has no API keys to own matches"))
        }
        (None, true) => Err(Refusal::new(
            ErrorReason::MissingKey,
            "`mine` requires the API key that created the matches; send `authorization: Bearer KEY`",
        )),
        (Some(key), false) if key.sees_every_match() => Ok(Scope::Everything),
        (Some(key), false) => Ok(Scope::PublicOrOwnedBy(key.name.clone())),
        (None, false) => Ok(Scope::Public),
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
