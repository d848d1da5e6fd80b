//! Opening a journal: its configuration, its database, its writers and its background tasks.

mod config;
mod error;
mod url;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::sync::broadcast;
use tokio::task::JoinHandle;

use crate::background::{PollingDemand, Tailer, measure_time, prune_commits, sync_time};
use crate::database_time::DatabaseTime;
use crate::feed::FeedReader;
use crate::ids::ReplicaId;
use crate::journal::{Inner, Journal};
use crate::lifecycle::Lifecycle;
use crate::store::{Backend, TailSource};
use crate::writer::{Access, Writer, WriterKind, WriterMetrics, WriterQueues, WriterResources};

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
        let Backend { store, webhooks, tail, description } = backend;
        let time = DatabaseTime::from_system();
        time.adjust(&measure_time(store.as_ref()).await.map_err(OpenError::Unreachable)?);
        let resources = WriterResources {
            store,
            replica,
            time: Arc::new(time),
            lifecycle: Lifecycle::new(),
            limits: config.limits,
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
        let (batching_task, WriterQueues { appends: batching, erasures: erasure_queue }) =
            open_writer(&resources, WriterKind::Batching).await?;
        let mut tasks = vec![batching_task];
        let mut contended = None;
        if let Some(source) = tail {
            let (contended_task, WriterQueues { appends: queue, .. }) =
                open_writer(&resources, WriterKind::Contended).await?;
            tasks.push(contended_task);
            contended = Some(queue);
            start_tailer(&resources, source, polling.clone()).await?;
        }
        start_housekeeping(&resources);
        let WriterResources { store, time, lifecycle, timing, access, metrics, contention, .. } = resources;
        let feed =
            FeedReader { store: store.clone(), signals: resources.feed, replica: resources.replica, timing };
        let writers =
            tasks.into_iter().map(|writer| tokio::spawn(writer.run())).collect::<Vec<JoinHandle<()>>>();
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
            erasure_queue,
            description,
            batching,
            contended,
            polling,
            writers: Mutex::new(writers),
            _close_on_drop: close_on_drop,
        };
        Ok(Journal { inner: Arc::new(inner) })
    }
}

async fn open_writer(
    resources: &WriterResources,
    kind: WriterKind,
) -> Result<(Writer, WriterQueues), OpenError> {
    let opened = Writer::open(resources.clone(), kind).await;
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
