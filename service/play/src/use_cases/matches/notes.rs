//! Labels, external ids and ids of players in responses, for callers that may see them. Labels change outside
//! the log, so they are read anew for each response.

use event::MatchId;
use journal::{Labels, MatchRow};
use replay::Position;
use wire::v1 as proto;

use crate::refusal::{of_read_error, unread_after_change};
use crate::registration::{Registration, add_notes, summary, summary_with_notes};
use crate::{ApiKey, Caller, Play, Refusal};

impl Play {
    /// Returns the labels of a match.
    pub(in crate::use_cases) async fn labels_of(&self, match_id: MatchId) -> Result<Labels, Refusal> {
        let mut labels = self.journal.labels(&[match_id]).await.map_err(of_read_error)?;
        Ok(labels.remove(&match_id).unwrap_or_default())
    }

    /// Returns a match at a position, with its notes of now if the caller may see them.
    pub(in crate::use_cases) async fn match_for(
        &self,
        caller: &Caller,
        registration: &Registration,
        position: &Position,
    ) -> Result<proto::Match, Refusal> {
        if !self.access.sees_notes(caller, registration) {
            return Ok(registration.match_shown(position));
        }
        let mut shown = registration.match_shown_to_owner(position);
        add_notes(&mut shown, &registration.registered, self.labels_of(position.match_id()).await?);
        Ok(shown)
    }

    /// Returns the match of a call that has changed it, as [`Play::match_for`] does. If its notes cannot be
    /// read, the refusal does not say that nothing was changed.
    pub(in crate::use_cases) async fn changed_match(
        &self,
        caller: &Caller,
        registration: &Registration,
        position: &Position,
    ) -> Result<proto::Match, Refusal> {
        self.match_for(caller, registration, position).await.map_err(|_| unread_after_change())
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
