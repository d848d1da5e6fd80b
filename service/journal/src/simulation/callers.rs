//! Callers of the simulated replicas: they append after what their replica knows, reload at times, and note
//! every answer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use event::{ChainHash, Event};
use tokio::task::JoinSet;

use super::cluster::Cluster;
use super::random::Random;
use super::replica::{Known, Replica};
use crate::batch::{Purpose, encode_empty_body};
use crate::ids::ReplicaId;
use crate::samples::{create, id};
use crate::store::TailSource as _;
use crate::{Append, AppendError, Committed, Head, MatchId, NewEvent, RecordTime, Seq};

/// Number of matches.
const MATCHES: usize = 6;

/// The events of an append, and its answer.
pub(super) struct Answer {
    pub(super) events: Vec<ChainHash>,
    pub(super) result: Result<Committed, AppendError>,
}

pub(super) struct Callers {
    cluster: Cluster,
    random: Random,
    replicas: Vec<Replica>,
    /// Replicas that were replaced, and go on running.
    replaced: Vec<Replica>,
    running: JoinSet<()>,
    answers: Arc<Mutex<Vec<Answer>>>,
    events: u64,
}

impl Callers {
    pub(super) async fn start(cluster: &Cluster, mut random: Random, count: usize) -> Callers {
        let mut replicas = Vec::new();
        for _ in 0..count {
            replicas.push(Replica::open(cluster, random.percent(50)).await);
        }
        Callers {
            cluster: cluster.clone(),
            random,
            replicas,
            replaced: Vec::new(),
            running: JoinSet::new(),
            answers: Arc::default(),
            events: 0,
        }
    }

    pub(super) fn answers(&self) -> std::sync::MutexGuard<'_, Vec<Answer>> {
        self.answers.lock().unwrap()
    }

    /// Does one thing at random.
    pub(super) async fn step(&mut self) {
        self.replace_stopped().await;
        let replica = self.any_replica();
        let match_id = id(1 + self.random.below(MATCHES) as u128);
        match self.random.below(100) {
            0..60 => self.append(&replica, match_id),
            60..75 => replica.reload(match_id).await,
            75..80 => self.cluster.fail_over(),
            80..86 => self.cluster.execute_late(),
            86..88 => self.close_a_writer().await,
            88..90 => self.replace(None).await,
            _ => tokio::time::sleep(Duration::from_millis(1 + self.random.below(400) as u64)).await,
        }
        if self.random.percent(50) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Returns a serving replica, or rarely a replaced one that still runs.
    fn any_replica(&mut self) -> Replica {
        let replicas = match self.replaced.is_empty() || self.random.percent(90) {
            true => &self.replicas,
            false => &self.replaced,
        };
        replicas[self.random.below(replicas.len())].clone()
    }

    async fn replace_stopped(&mut self) {
        while let Some(n) =
            self.replicas.iter().position(|replica| replica.journal.inner.lifecycle.stop_reason().is_some())
        {
            self.replace(Some(n)).await;
        }
    }

    /// Replaces a replica by a new one, which knows nothing yet.
    async fn replace(&mut self, which: Option<usize>) {
        let n = which.unwrap_or_else(|| self.random.below(self.replicas.len()));
        let pooled = self.random.percent(50);
        let new = Replica::open(&self.cluster, pooled).await;
        self.replaced.push(std::mem::replace(&mut self.replicas[n], new));
    }

    /// Closes a writer, as a replica does that takes another one for dead.
    async fn close_a_writer(&mut self) {
        let replica = ReplicaId::generate();
        let tail = super::tail::Tail { cluster: self.cluster.clone(), replica };
        let open = tail.known_writers().await.unwrap().open;
        if open.is_empty() {
            return;
        }
        let head = open[self.random.below(open.len())];
        let body = encode_empty_body(replica, Purpose::Closing);
        tail.close_writer(head, head.hlc.next(), &body).await.unwrap();
    }

    /// Appends to a match, after the newest event that the replica knows.
    fn append(&mut self, replica: &Replica, match_id: MatchId) {
        let known = replica.known(match_id);
        let count = 1 + self.random.below(3);
        let events = self.events_after(known, count);
        let first = create(match_id, self.next_hash());
        let append = Append {
            events: events
                .iter()
                .map(|event| NewEvent { event: event.to_part(), request_hash: None })
                .collect(),
            after: known.map(|known| known.predecessor()),
            match_row: first.match_row.clone().filter(|_| known.is_none()),
            ..first
        };
        let (replica, answers) = (replica.clone(), self.answers.clone());
        let reloads = self.random.percent(50);
        self.running.spawn(async move {
            let result = replica.journal.append(append).await;
            let last = events.last().unwrap();
            match &result {
                Ok(Committed { hlc }) => {
                    let head = Head { seq: last.seq, hash: last.hash };
                    replica.learn(match_id, known.map(|known| known.head.hash), Known { head, hlc: *hlc });
                }
                Err(_) if reloads => replica.reload(match_id).await,
                // Some go on with what they knew.
                Err(_) => {}
            }
            let events = events.into_iter().map(|event| event.hash).collect();
            answers.lock().unwrap().push(Answer { events, result });
        });
    }

    /// Returns events that follow a head, each after the one before.
    fn events_after(&mut self, known: Option<Known>, count: usize) -> Vec<Event> {
        let (mut seq, mut previous) =
            known.map_or((Seq(0), None), |known| (known.head.seq, Some(known.head.hash)));
        let mut events = Vec::new();
        for _ in 0..count {
            let hash = self.next_hash();
            self.cluster.note(hash, previous);
            (seq, previous) = (seq.next(), Some(hash));
            events.push(Event {
                seq,
                record_time: RecordTime(1),
                kind: 1,
                hash,
                public: Bytes::from_static(b"public"),
                sealed: None,
            });
        }
        events
    }

    /// Returns a hash that no other event has.
    fn next_hash(&mut self) -> ChainHash {
        self.events += 1;
        let mut hash = [0; 32];
        hash[..8].copy_from_slice(&self.events.to_be_bytes());
        hash
    }

    /// Waits for all answers, then appends to every match on every replica once more.
    pub(super) async fn finish(&mut self) {
        self.wait().await;
        self.replaced.clear();
        self.replace_stopped().await;
        let mut extended: BTreeMap<usize, usize> = BTreeMap::new();
        for n in 0..self.replicas.len() {
            for match_id in (1..=MATCHES as u128).map(id) {
                // A writer that finds its last commit lost stops only now.
                for _ in 0..4 {
                    self.replace_stopped().await;
                    let replica = self.replicas[n].clone();
                    replica.reload(match_id).await;
                    self.append(&replica, match_id);
                    self.wait().await;
                    if self.answers().last().unwrap().result.is_ok() {
                        *extended.entry(n).or_default() += 1;
                        break;
                    }
                }
            }
        }
        assert!(extended.values().all(|&count| count == MATCHES), "a match is dead: {extended:?}");
        assert_eq!(extended.len(), self.replicas.len());
    }

    async fn wait(&mut self) {
        while let Some(done) = self.running.join_next().await {
            done.unwrap();
        }
    }
}
