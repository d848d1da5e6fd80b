//! Rows of `read_writers.sql`.

use uuid::Uuid;

use crate::Hlc;
use crate::ids::ReplicaId;
use crate::store::WriterSnapshot;

/// Newest hlc of all events, newest hlc of all commits, and an open writer's replica, if there is one, with
/// its last hlc.
pub(crate) type WriterRow = (i64, i64, Option<Uuid>, i64);

/// Combines the rows of one snapshot.
pub(crate) fn writer_snapshot(rows: &[WriterRow]) -> WriterSnapshot {
    let open = |&(_, _, replica, hlc): &WriterRow| Some((ReplicaId(replica?), Hlc(hlc)));
    let (newest_event, newest_commit) = rows.first().map_or((0, 0), |&(event, commit, _, _)| (event, commit));
    WriterSnapshot {
        open: rows.iter().filter_map(open).collect(),
        newest_commit: Hlc(newest_commit),
        newest_event: Hlc(newest_event),
    }
}
