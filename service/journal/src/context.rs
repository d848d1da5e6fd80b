//! What all tasks of one opened journal share.

use std::sync::Arc;

use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::feed::Signals;
use crate::ids::ReplicaId;
use crate::instruments::Instruments;
use crate::racing::Racing;
use crate::status::Status;
use crate::store::Store;
use crate::time::DatabaseTime;
use crate::{Limits, OthersCommit, Timing};

/// Made once when the journal is opened.
pub(crate) struct Context {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) replica: ReplicaId,
    pub(crate) time: DatabaseTime,
    pub(crate) status: Status,
    pub(crate) racing: Racing,
    /// Cancelled when the journal is closed or its last handle dropped: every task ends then.
    pub(crate) closing: CancellationToken,
    pub(crate) limits: Limits,
    pub(crate) instruments: Instruments,
    pub(crate) timing: Timing,
    pub(crate) rivals: Rivals,
    /// Commits that nobody here is told of by an answer: those of other replicas, and late ones of this one.
    pub(crate) commits: broadcast::Sender<OthersCommit>,
    /// Between readers of the feed and the lanes.
    pub(crate) feed: Signals,
}

/// Whether others may write into the same database, and take a silent lane for dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rivals {
    Possible,
    Excluded,
}
