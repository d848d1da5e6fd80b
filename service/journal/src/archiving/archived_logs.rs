//! Reading logs that are no longer in the database.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use super::ArchivedPlace;
use crate::ids::PageSize;
use crate::store::Store;
use crate::{Head, MatchId, ReadError, Seq, StoredEvent};

/// Reads the logs of archived matches. Implemented outside this package.
#[async_trait]
pub trait ArchivedLogs: fmt::Debug + Send + Sync + 'static {
    /// Returns a match's whole log, shared because it is asked for again for each page. It must end with the
    /// head of its place; the journal checks that.
    async fn log(&self, id: MatchId, place: ArchivedPlace) -> Result<Arc<[StoredEvent]>, ReadError>;
}

/// Returns a match's events after `after`, from the database or else from the archive.
pub(crate) async fn events(
    store: &dyn Store,
    archive: Option<&dyn ArchivedLogs>,
    id: MatchId,
    after: Seq,
    page: PageSize,
    found: Vec<StoredEvent>,
) -> Result<Vec<StoredEvent>, ReadError> {
    if !found.is_empty() {
        return Ok(found);
    }
    // A match's events are dropped in one transaction, so either all are in the database or none.
    let Some(place) = store.archived(id).await? else { return Ok(found) };
    if after >= place.head.seq {
        return Ok(found);
    }
    let archive = archive.ok_or(ReadError::Archived { match_id: id })?;
    let log = archive.log(id, place).await?;
    let last = log.last().map(|last| Head { seq: last.event.seq, hash: last.event.hash });
    if last != Some(place.head) || log.len() != place.head.seq.0 as usize {
        return Err(ReadError::Corrupt {
            what: "archived log".to_owned(),
            event: Some((id, place.head.seq)),
        });
    }
    Ok(log.iter().skip(after.0 as usize).take(page.0 as usize).cloned().collect())
}

/// Returns a match's newest event, also if it is archived.
pub(crate) async fn head(store: &dyn Store, id: MatchId) -> Result<Option<Head>, ReadError> {
    match store.head(id).await? {
        Some(head) => Ok(Some(head)),
        None => Ok(store.archived(id).await?.map(|place| place.head)),
    }
}
