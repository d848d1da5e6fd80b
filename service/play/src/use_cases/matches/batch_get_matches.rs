//! `BatchGetMatches`: several matches in their listed form. Reading their rows costs one query, where the
//! fields that only a log has would cost as many folds as there are matches.

use std::collections::HashMap;

use event::MatchId;
use journal::{MatchRow, Visibility};
use wire::v1 as proto;

use crate::refusal::{of_read_error, unknown_match};
use crate::registration::Registration;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

/// Maximum matches in one call.
const MATCHES: usize = 100;

impl Play {
    /// Returns matches in the order of their ids, or none if the caller may not know of one of them.
    pub async fn batch_get_matches(
        &self,
        caller: &Caller,
        request: proto::BatchGetMatchesRequest,
    ) -> Result<proto::BatchGetMatchesResponse, Refusal> {
        let key = self.access.key(caller)?;
        let ids = match_ids(&request.match_ids)?;
        let rows = self.journal.match_rows(&ids).await.map_err(of_read_error)?;
        let rows: HashMap<MatchId, MatchRow> = rows.into_iter().map(|row| (row.match_id, row)).collect();
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            let row = rows.get(&id).filter(|row| self.may_see(caller, row));
            found.push(row.ok_or_else(|| unknown_match().with("match_id", id.to_string()))?.clone());
        }
        Ok(proto::BatchGetMatchesResponse { matches: self.summaries(&found, key).await? })
    }

    fn may_see(&self, caller: &Caller, row: &MatchRow) -> bool {
        row.visibility != Visibility::Private || self.access.may_know(caller, &Registration::of_row(row))
    }
}

fn match_ids(texts: &[String]) -> Result<Vec<MatchId>, Refusal> {
    if texts.is_empty() || texts.len() > MATCHES {
        let must = format!("must have 1 to {MATCHES} ids and has {}; get more in several calls", texts.len());
        return Err(Refusal::field("match_ids", must));
    }
    let read = |(n, text): (usize, &String)| {
        let field = format!("match_ids[{n}]");
        if text.contains(',') {
            return Err(Refusal::field(field, "must be one id; in a query, repeat match_ids for each"));
        }
        fields::match_id_in(&field, text)
    };
    texts.iter().enumerate().map(read).collect()
}
