//! A replica of the simulation: a real journal, and what its callers know of each match.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use event::ChainHash;

use super::cluster::Cluster;
use super::connection::Route;
use super::tail::Tail;
use crate::backends::memory::WithConnections;
use crate::ids::ReplicaId;
use crate::store::Backend;
use crate::{Head, Hlc, Journal, JournalConfig, MatchId, PageSize, Predecessor, Seq};

#[derive(Clone)]
pub(super) struct Replica {
    pub(super) journal: Journal,
    /// The newest events that it knows, which may be old or lost.
    cache: Arc<Mutex<HashMap<MatchId, Known>>>,
}

/// The newest event of a match, as a replica knows it.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) head: Head,
    pub(super) hlc: Hlc,
}

impl Known {
    pub(super) fn predecessor(&self) -> Predecessor {
        Predecessor { hash: self.head.hash, hlc: self.hlc }
    }
}

impl Replica {
    pub(super) async fn open(cluster: &Cluster, pooled: bool) -> Replica {
        let mut config = JournalConfig::new("memory:".parse().unwrap());
        // Few, so that appends also wait for the next batch.
        config.limits.batch_events = 6;
        let id = ReplicaId::generate();
        let memory = cluster.primary();
        let connections = Route { cluster: cluster.clone(), pooled };
        let backend = Backend {
            store: Arc::new(WithConnections { memory: memory.clone(), connections }),
            webhooks: Arc::new(memory),
            tail: Some(Arc::new(Tail { cluster: cluster.clone(), replica: id })),
            shards: cluster.shards(),
            description: "simulated".to_owned(),
        };
        let journal = Journal::start(backend, &config, id).await.unwrap();
        Replica { journal, cache: Arc::default() }
    }

    pub(super) fn known(&self, id: MatchId) -> Option<Known> {
        self.cache.lock().unwrap().get(&id).copied()
    }

    /// Moves on from `before` to an event that was acknowledged, unless something else is known by now.
    pub(super) fn learn(&self, id: MatchId, before: Option<ChainHash>, known: Known) {
        let mut cache = self.cache.lock().unwrap();
        if cache.get(&id).map(|known| known.head.hash) == before {
            cache.insert(id, known);
        }
    }

    /// Reads a match's newest event.
    pub(super) async fn reload(&self, id: MatchId) {
        let events = self.journal.events(id, Seq(0), PageSize(u32::MAX)).await.unwrap();
        let known = events.last().map(|last| {
            let head = Head { seq: last.event.seq, hash: last.event.hash };
            Known { head, hlc: last.hlc }
        });
        let mut cache = self.cache.lock().unwrap();
        match known {
            Some(known) => drop(cache.insert(id, known)),
            None => drop(cache.remove(&id)),
        }
    }
}
