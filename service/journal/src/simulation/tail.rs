//! What a replica reads of the others' commits in the simulated cluster.

use std::collections::BTreeMap;

use async_trait::async_trait;
use bytes::Bytes;

use super::cluster::Cluster;
use crate::batch::{DecodedBody, Purpose, decode_body};
use crate::ids::{ReplicaId, WriterId};
use crate::store::{CloseOutcome, KnownWriters, LoggedCommit, TailSource, WriterHead};
use crate::{Hlc, ReadError};

pub(super) struct Tail {
    pub(super) cluster: Cluster,
    pub(super) replica: ReplicaId,
}

impl Tail {
    /// Returns all commits of other replicas, by writer and number.
    fn commits(&self) -> Vec<LoggedCommit> {
        let own = |writer: WriterId, commits: &[LoggedCommit]| {
            let first = commits.iter().find(|commit| commit.head.writer == writer);
            // The replica is the first field of the body: two bytes of tag and length, then its id.
            first.is_some_and(|first| first.body[2..18] == *self.replica.0.as_bytes())
        };
        let all: Vec<LoggedCommit> = self.cluster.primary().logged_commits();
        all.iter().filter(|commit| !own(commit.head.writer, &all)).cloned().collect()
    }

    fn last_commits(&self) -> BTreeMap<WriterId, LoggedCommit> {
        self.commits().into_iter().map(|commit| (commit.head.writer, commit)).collect()
    }
}

fn is_closing(commit: &LoggedCommit) -> bool {
    matches!(decode_body(commit.body.clone()), Some(DecodedBody { purpose: Purpose::Closing, .. }))
}

#[async_trait]
impl TailSource for Tail {
    async fn known_writers(&self) -> Result<KnownWriters, ReadError> {
        let last = self.last_commits();
        let first_new = WriterId(last.keys().last().map_or(1, |writer| writer.0 + 1));
        let open = last.into_values().filter(|commit| !is_closing(commit)).map(|commit| commit.head);
        Ok(KnownWriters { open: open.collect(), closed: Vec::new(), first_new })
    }

    async fn newer_commits(&self, known: &KnownWriters, limit: u32) -> Result<Vec<LoggedCommit>, ReadError> {
        let closed: Vec<WriterId> =
            self.last_commits().into_values().filter(is_closing).map(|commit| commit.head.writer).collect();
        let is_newer = |commit: &LoggedCommit| {
            let WriterHead { writer, number, .. } = commit.head;
            match known.open.iter().find(|head| head.writer == writer) {
                Some(head) => number > head.number,
                None if closed.contains(&writer) => {
                    writer >= known.first_new && !known.closed.contains(&writer)
                }
                None => true,
            }
        };
        let mut taken: BTreeMap<WriterId, u32> = BTreeMap::new();
        let mut newer = Vec::new();
        for commit in self.commits().into_iter().filter(is_newer) {
            let count = taken.entry(commit.head.writer).or_default();
            *count += 1;
            if *count <= limit {
                newer.push(commit);
            }
        }
        Ok(newer)
    }

    async fn close_writer(
        &self,
        head: WriterHead,
        hlc: Hlc,
        body: &Bytes,
    ) -> Result<CloseOutcome, ReadError> {
        let last = self.last_commits().remove(&head.writer);
        if last.is_none_or(|last| last.head != head || is_closing(&last)) {
            return Ok(CloseOutcome::Advanced);
        }
        self.cluster.primary().put_commit(head.writer, head.number.next(), hlc, body.clone());
        Ok(CloseOutcome::Closed)
    }

    async fn lost_commits(&self, heads: &[WriterHead]) -> Result<Vec<WriterId>, ReadError> {
        let all = self.cluster.primary().logged_commits();
        let is_kept = |head: &WriterHead| {
            let mut of_writer = all.iter().map(|commit| commit.head).filter(|one| one.writer == head.writer);
            of_writer.any(|one| one == *head || one.number > head.number)
        };
        Ok(heads.iter().filter(|head| !is_kept(head)).map(|head| head.writer).collect())
    }
}
