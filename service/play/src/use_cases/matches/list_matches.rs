//! `ListMatches`: the part of the directory that the caller may see.

use event::MatchId;
use uuid::Uuid;
use wire::v1 as proto;

use super::match_filter::match_filter;
use crate::refusal::of_read_error;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns a page of matches, newest first.
    pub async fn list_matches(
        &self,
        caller: &Caller,
        request: proto::ListMatchesRequest,
    ) -> Result<proto::ListMatchesResponse, Refusal> {
        let key = self.access.key(caller)?;
        let tokens = self.page_tokens.of_key("ListMatches", &without_page(&request), key);
        let before = tokens.decode(&request.page_token)?.map(|id| MatchId(Uuid::from_bytes(id)));
        let filter = match_filter(&self.access, key, &request, before)?;
        let page = self.journal.list_matches(&filter).await.map_err(of_read_error)?;
        Ok(proto::ListMatchesResponse {
            next_page_token: page.next.map(|id| tokens.encode(id.0.as_bytes())).unwrap_or_default(),
            matches: self.summaries(&page.rows, key).await?,
        })
    }
}

/// Returns the request without its page.
fn without_page(request: &proto::ListMatchesRequest) -> proto::ListMatchesRequest {
    proto::ListMatchesRequest { page_size: 0, page_token: String::new(), ..request.clone() }
}
