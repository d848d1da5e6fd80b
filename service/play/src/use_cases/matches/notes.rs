//! Labels, external ids and ids of players in responses, for callers that may see them. Labels change outside
//! the log, so they are read anew for each response.

use event::MatchId;
use journal::{Labels, MatchRow};
use replay::Position;
use wire::v1 as proto;

use crate::access::Party;
use crate::live::LiveHead;
use crate::refusal::of_read_error;
use crate::registration::{Registration, add_notes, summary, summary_with_notes};
use crate::{ApiKey, Caller, Play, Refusal};

impl Play {
    /// Returns the labels of a match.
    pub(super) async fn labels_of(&self, match_id: MatchId) -> Result<Labels, Refusal> {
        let mut labels = self.journal.labels(&[match_id]).await.map_err(of_read_error)?;
        Ok(labels.remove(&match_id).unwrap_or_default())
    }

    /// Returns a match as it is now, with its notes if the party may see them.
    pub(super) async fn match_with_notes(
        &self,
        head: &LiveHead,
        party: Party,
    ) -> Result<proto::Match, Refusal> {
        if !party.sees_notes() {
            return Ok(head.match_shown_at(&head.position));
        }
        let mut shown = head.registration.match_shown_to_owner(&head.position);
        add_notes(&mut shown, &head.registration.registered, self.labels_of(head.match_id()).await?);
        Ok(shown)
    }

    /// Returns a match at a position, with the owner's ids of its players if the caller may see them.
    pub(in crate::use_cases) fn match_with_players(
        &self,
        caller: &Caller,
        registration: &Registration,
        position: &Position,
    ) -> proto::Match {
        if self.access.sees_notes(caller, registration) {
            registration.match_shown_to_owner(position)
        } else {
            registration.match_shown(position)
        }
    }

    /// Returns the listed form of rows, with the notes of those whose notes the key may see.
    pub(super) async fn summaries(
        &self,
        rows: &[MatchRow],
        key: Option<&ApiKey>,
    ) -> Result<Vec<proto::Match>, Refusal> {
        let sees = |row: &MatchRow| key.is_some_and(|key| key.sees_notes(&row.registered));
        let noted: Vec<MatchId> = rows.iter().filter(|row| sees(row)).map(|row| row.match_id).collect();
        let labels = match noted.is_empty() {
            true => Default::default(),
            false => self.journal.labels(&noted).await.map_err(of_read_error)?,
        };
        let summary = |row: &MatchRow| {
            if !sees(row) {
                return summary(row);
            }
            summary_with_notes(row, labels.get(&row.match_id).cloned().unwrap_or_default())
        };
        Ok(rows.iter().map(summary).collect())
    }
}
