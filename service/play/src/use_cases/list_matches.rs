//! `ListMatches`: the directory, as far as the caller may know it.

use journal::{MatchFilter, MatchId, MatchStatus, RecordedTime, Scope};
use prost::Message;
use wire::v1::{self as proto, ErrorReason};

use crate::access::{self, Credential};
use crate::live::catch_up;
use crate::{ApiKey, Caller, Play, Refusal, Role, fields, limits, page_token, stored};

impl Play {
    /// A page of matches, the newest first.
    pub async fn list_matches(
        &self,
        caller: &Caller,
        request: proto::ListMatchesRequest,
    ) -> Result<proto::ListMatchesResponse, Refusal> {
        let credential = access::credential(&self.keys, caller)?;
        let count = limits::count("page_size", request.page_size, limits::MATCHES_PAGE)?;
        let question = question(&request);
        let filter = MatchFilter {
            scope: scope(credential, request.mine)?,
            game: request.game.as_deref().map(fields::game).transpose()?.map(|game| game.as_str().to_owned()),
            status: request.status.map(status).transpose()?,
            player: request.player.map(player).transpose()?,
            created_since: request.created_since.map(|time| micros("created_since", time)).transpose()?,
            created_before: request.created_before.map(|time| micros("created_before", time)).transpose()?,
            before: page_token::read(&request.page_token, &question)?.map(MatchId),
            // One more tells whether there is another page.
            limit: count + 1,
        };
        let rows = self.journal.list_matches(&filter).await.map_err(catch_up::read_failed)?;
        let shown = usize::try_from(count).unwrap_or(usize::MAX);
        let next = (rows.len() > shown).then(|| rows.get(shown - 1)).flatten();
        Ok(proto::ListMatchesResponse {
            next_page_token: next.map(|row| page_token::write(row.match_id.0, &question)).unwrap_or_default(),
            matches: rows.iter().take(shown).map(stored::summary).collect(),
        })
    }
}

/// What is asked, without where and how much.
fn question(request: &proto::ListMatchesRequest) -> Vec<u8> {
    let page = proto::ListMatchesRequest { page_size: None, page_token: String::new(), ..request.clone() };
    page.encode_to_vec()
}

fn scope(credential: Credential<'_>, mine: bool) -> Result<Scope, Refusal> {
    match (credential, mine) {
        (Credential::Key(ApiKey { role: Role::App | Role::Admin, name, .. }), true) => {
            Ok(Scope::OwnedBy(name.clone()))
        }
        (_, true) => Err(Refusal::new(
            ErrorReason::MissingKey,
            "`mine` needs the API key that created the matches: `authorization: Bearer KEY`",
        )),
        (Credential::Key(ApiKey { role: Role::Audit | Role::Admin, .. }), false) => Ok(Scope::Everything),
        (Credential::Key(key), false) => Ok(Scope::PublicOrOwnedBy(key.name.clone())),
        (Credential::None | Credential::SeatToken(_), false) => Ok(Scope::Public),
    }
}

fn status(asked: i32) -> Result<MatchStatus, Refusal> {
    match proto::MatchStatus::try_from(asked) {
        Ok(proto::MatchStatus::Open) => Ok(MatchStatus::Open),
        Ok(proto::MatchStatus::Running) => Ok(MatchStatus::Running),
        Ok(proto::MatchStatus::Over) => Ok(MatchStatus::Over),
        Ok(proto::MatchStatus::Unspecified) | Err(_) => {
            let must = "must be MATCH_STATUS_OPEN, MATCH_STATUS_RUNNING or MATCH_STATUS_OVER";
            Err(Refusal::field("status", must))
        }
    }
}

fn player(name: String) -> Result<String, Refusal> {
    fields::player_name("player", &name)?;
    Ok(name)
}

fn micros(field: &str, time: prost_types::Timestamp) -> Result<RecordedTime, Refusal> {
    let nanos = i64::from(time.nanos);
    let micros = time.seconds.checked_mul(1_000_000).and_then(|micros| micros.checked_add(nanos / 1_000));
    match micros.filter(|_| (0..1_000_000_000).contains(&nanos)) {
        Some(micros) => Ok(RecordedTime(micros)),
        None => Err(Refusal::field(field, "must be a time between the years 1 and 9999")),
    }
}
