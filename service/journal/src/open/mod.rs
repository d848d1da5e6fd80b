//! Opening a journal: its configuration, its database, its writers and its background tasks.

mod config;
mod error;
mod url;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::sync::broadcast;
use tokio::task::JoinHandle;

use crate::Shard;
use crate::background::{PollingDemand, Tailer, measure_time, prune_commits, sync_time};
use crate::database_time::DatabaseTime;
use crate::feed::FeedReader;
use crate::ids::ReplicaId;
use crate::journal::{Inner, Journal};
use crate::lifecycle::Lifecycle;
use crate::store::{Backend, TailSource};
use crate::writer::{Access, ShardQueues, Writer, WriterKind, WriterMetrics, WriterQueues, WriterResources};

pub use config::{JournalConfig, JournalLimits, JournalTiming};
pub use error::{OpenError, UrlError};
pub use url::{DatabaseUrl, migrate};

/// How many notices a receiver of new events may lag behind before it must reload its matches.
const NEW_EVENTS_BUFFER: usize = 4096;

/// How many notices a receiver of erasures may lag behind before it must reload its matches.
const ERASURES_BUFFER: usize = 1024;

impl Journal {
    /// Opens the database, migrates its schema if configured, and starts the journal's tasks.
    pub async fn open(config: JournalConfig) -> Result<Journal, OpenError> {
        let replica = ReplicaId::generate();
        let backend = config.open_backend(replica).await?;
        Journal::start(backend, &config, replica).await
    }

    /// Opens the writers of an opened database and starts the journal's tasks.
    pub(crate) async fn start(
        backend: Backend,
        config: &JournalConfig,
        replica: ReplicaId,
    ) -> Result<Journal, OpenError> {
        let Backend { store, webhooks, tail, shards, description } = backend;
        let time = DatabaseTime::from_system();
        time.adjust(&measure_time(store.as_ref()).await.map_err(OpenError::Unreachable)?);
        let resources = WriterResources {
            store,
            replica,
            time: Arc::new(time),
            lifecycle: Lifecycle::new(),
            limits: config.limits.of_each(shards),
            timing: config.timing,
            access: if tail.is_some() { Access::Shared } else { Access::Exclusive },
            metrics: Arc::new(WriterMetrics::new(&config.meter)),
            contention: Arc::default(),
            own_heads: Arc::default(),
            feed: Arc::default(),
            new_events: broadcast::Sender::new(NEW_EVENTS_BUFFER),
            erasures: broadcast::Sender::new(ERASURES_BUFFER),
        };
        let close_on_drop = resources.lifecycle.close_on_drop();
        let polling = Arc::new(PollingDemand::default());
        let (mut writers, mut queues) = (Vec::new(), Vec::new());
        for shard in shards.all() {
            queues.push(open_shard(&resources, shard, &mut writers).await?);
        }
        if let Some(source) = tail {
            start_tailer(&resources, source, polling.clone()).await?;
        }
        start_housekeeping(&resources);
        let WriterResources { store, time, lifecycle, timing, access, metrics, contention, .. } = resources;
        let feed =
            FeedReader { store: store.clone(), signals: resources.feed, replica: resources.replica, timing };
        let inner = Inner {
            store,
            archive: config.archive.clone(),
            webhooks,
            time,
            lifecycle,
            timing,
            access,
            metrics,
            contention,
            feed,
            new_events: resources.new_events,
            erasures: resources.erasures,
            shards,
            queues,
            description,
            polling,
            writers: Mutex::new(writers),
            _close_on_drop: close_on_drop,
        };
        Ok(Journal { inner: Arc::new(inner) })
    }
}

/// Opens the writers of a shard and starts them at once: with many shards, the first ones must not fall
/// silent before the last one is open.
async fn open_shard(
    resources: &WriterResources,
    shard: Shard,
    writers: &mut Vec<JoinHandle<()>>,
) -> Result<ShardQueues, OpenError> {
    let (writer, WriterQueues { appends: batching, erasures }) =
        open_writer(resources, WriterKind::Batching, shard).await?;
    writers.push(tokio::spawn(writer.run()));
    let contended = match resources.access {
        Access::Exclusive => None,
        Access::Shared => {
            let (writer, queues) = open_writer(resources, WriterKind::Contended, shard).await?;
            writers.push(tokio::spawn(writer.run()));
            Some(queues.appends)
        }
    };
    Ok(ShardQueues { batching, contended, erasures })
}

async fn open_writer(
    resources: &WriterResources,
    kind: WriterKind,
    shard: Shard,
) -> Result<(Writer, WriterQueues), OpenError> {
    let opened = Writer::open(resources.clone(), kind, shard).await;
    opened.map_err(|error| OpenError::Writer { what: error.to_string() })
}

async fn start_tailer(
    resources: &WriterResources,
    source: Arc<dyn TailSource>,
    polling: Arc<PollingDemand>,
) -> Result<(), OpenError> {
    let known = source.known_writers().await.map_err(OpenError::Unreachable)?;
    let tailer = Tailer {
        source,
        replica: resources.replica,
        time: resources.time.clone(),
        lifecycle: resources.lifecycle.clone(),
        timing: resources.timing,
        polling,
        feed: resources.feed.clone(),
        new_events: resources.new_events.clone(),
        erasures: resources.erasures.clone(),
        own_heads: resources.own_heads.clone(),
        history_checked: Instant::now(),
        known,
        silences: HashMap::new(),
        closed_heads: VecDeque::new(),
    };
    tokio::spawn(tailer.run());
    Ok(())
}

fn start_housekeeping(resources: &WriterResources) {
    let WriterResources { store, time, lifecycle, timing, .. } = resources;
    let interval = timing.time_sync_interval;
    tokio::spawn(sync_time(store.clone(), time.clone(), lifecycle.clone(), interval));
    tokio::spawn(prune_commits(store.clone(), time.clone(), lifecycle.clone(), *timing));
}
