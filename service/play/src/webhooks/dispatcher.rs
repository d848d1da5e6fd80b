//! Takes the leases of webhooks and runs a worker for each. A worker whose lease may have expired is aborted:
//! another replica may deliver by then.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use journal::{LeaseEpoch, LeaseRequest, LeasedWebhook, WebhookId, WebhookRow};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::worker::Worker;
use super::{WebhookLimits, WebhookSettings};
use crate::Play;

/// Maximum webhooks that one replica delivers to: those of as many API keys as may be configured, by default.
const MAX_LEASED: u32 = 10_000;

/// How many times a lease is renewed before it expires.
const RENEWALS: u32 = 5;

/// The workers of one replica.
struct Dispatcher {
    play: Play,
    settings: WebhookSettings,
    workers: HashMap<WebhookId, RunningWorker>,
    tasks: JoinSet<WebhookId>,
    /// When the leases were last renewed, by the local clock.
    renewed: Instant,
}

/// A worker's task, and where it gets changes of its webhook.
struct RunningWorker {
    epoch: LeaseEpoch,
    row: watch::Sender<WebhookRow>,
    task: AbortHandle,
}

/// Runs until the service shuts down and the last attempt has ended.
pub(crate) async fn run(play: Play) {
    let Ok(settings) = play.webhooks.settings().cloned() else { return };
    let mut shutdown = play.shutdown.signal();
    let mut tick = interval(renewal_interval(&settings.limits));
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut dispatcher = Dispatcher {
        play: play.clone(),
        settings,
        workers: HashMap::new(),
        tasks: JoinSet::new(),
        renewed: Instant::now(),
    };
    loop {
        tokio::select! {
            biased;
            () = shutdown.begun() => break,
            Some(ended) = dispatcher.tasks.join_next_with_id() => dispatcher.remove(ended),
            _ = tick.tick() => dispatcher.renew().await,
            () = play.webhooks.changed.notified() => dispatcher.renew().await,
        }
    }
    dispatcher.finish().await;
    play.webhooks.ended.send_replace(true);
}

fn renewal_interval(limits: &WebhookLimits) -> Duration {
    (limits.lease / RENEWALS).max(Duration::from_millis(10))
}

impl Dispatcher {
    /// Renews its leases, takes free ones, and ends the workers of webhooks whose lease it lost.
    async fn renew(&mut self) {
        let webhooks = &self.play.webhooks;
        let request = LeaseRequest {
            holder: webhooks.holder,
            duration: self.settings.limits.lease,
            key_fingerprint: webhooks.key_fingerprint,
            limit: MAX_LEASED,
        };
        let asked = Instant::now();
        match self.play.journal.webhooks().lease_webhooks(&request).await {
            Ok(leased) => {
                self.renewed = asked;
                if leased.len() >= MAX_LEASED as usize {
                    tracing::warn!(max = MAX_LEASED, "further webhooks wait for another replica");
                }
                // A key that is no longer configured was revoked: nothing is sent for it.
                let access = &self.play.access;
                let owned = leased.into_iter().filter(|leased| access.has_owner(&leased.row.owner));
                self.follow(owned.collect());
            }
            Err(error) => {
                tracing::warn!(%error, "the leases of webhooks could not be renewed; trying again");
                if self.renewed.elapsed() >= self.settings.limits.lease {
                    self.follow(Vec::new());
                }
            }
        }
        webhooks_leased(&self.play, self.workers.len());
    }

    /// Runs exactly the workers of these leases.
    fn follow(&mut self, leased: Vec<LeasedWebhook>) {
        let mut former = std::mem::take(&mut self.workers);
        for LeasedWebhook { row, epoch } in leased {
            let id = row.webhook_id;
            let worker = match former.remove(&id) {
                Some(running) if running.epoch == epoch && !running.task.is_finished() => {
                    running.row.send_if_modified(|known| {
                        let changed = known.revision != row.revision;
                        if changed {
                            *known = row;
                        }
                        changed
                    });
                    running
                }
                running => {
                    if let Some(running) = running {
                        running.task.abort();
                    }
                    self.start(row, epoch)
                }
            };
            self.workers.insert(id, worker);
        }
        former.into_values().for_each(|running| running.task.abort());
    }

    fn start(&mut self, row: WebhookRow, epoch: LeaseEpoch) -> RunningWorker {
        let id = row.webhook_id;
        let (row, changes) = watch::channel(row);
        let worker = Worker::new(self.play.clone(), self.settings.clone(), changes, epoch);
        let task = self.tasks.spawn(async move {
            worker.run().await;
            id
        });
        RunningWorker { epoch, row, task }
    }

    /// Forgets a worker that has ended; if its lease is renewed, another one starts.
    fn remove(&mut self, ended: Result<(tokio::task::Id, WebhookId), tokio::task::JoinError>) {
        let task = match &ended {
            Ok((task, _)) => *task,
            Err(error) => error.id(),
        };
        if ended.is_err_and(|error| error.is_panic()) {
            tracing::error!("the worker of a webhook panicked and is restarted");
        }
        self.workers.retain(|_, running| running.task.id() != task);
        webhooks_leased(&self.play, self.workers.len());
    }

    /// Lets the attempts in progress end, and gives the leases to other replicas.
    async fn finish(&mut self) {
        while self.tasks.join_next().await.is_some() {}
        webhooks_leased(&self.play, 0);
        if let Err(error) = self.play.journal.webhooks().release_webhooks(self.play.webhooks.holder).await {
            tracing::warn!(%error, "the leases of webhooks were not released and expire");
        }
    }
}

fn webhooks_leased(play: &Play, count: usize) {
    play.webhooks.leased.store(count as u64, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use journal::{FeedCursor, Journal, JournalConfig, WebhookState};
    use sqlx::{Connection, SqliteConnection};
    use uuid::Uuid;

    use super::*;
    use crate::{AttemptOutcome, OutgoingWebhook, RecordTime, ServiceKey, Settings, WebhookSender};

    /// A transport that nothing reaches.
    struct Silent;

    #[async_trait]
    impl WebhookSender for Silent {
        fn check_url(&self, _: &str) -> Result<(), String> {
            Ok(())
        }

        async fn send(&self, _: OutgoingWebhook) -> AttemptOutcome {
            AttemptOutcome::TimedOut
        }
    }

    fn leased(key_fingerprint: [u8; 32]) -> LeasedWebhook {
        let row = WebhookRow {
            webhook_id: WebhookId(Uuid::from_u128(1)),
            owner: "shop".to_owned(),
            url: String::new(),
            kinds: Vec::new(),
            state: WebhookState::Enabled,
            key_fingerprint,
            secret_generation: 1,
            rotate_time: None,
            create_time: RecordTime(0),
            revision: 1,
            position: FeedCursor::from_bytes(&[1; FeedCursor::BYTES]).unwrap(),
        };
        LeasedWebhook { row, epoch: LeaseEpoch(1) }
    }

    #[tokio::test]
    async fn workers_outlive_a_failed_renewal_until_their_lease_may_have_expired() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("m.db").display());
        let journal = Journal::open(JournalConfig::new(url.parse().unwrap())).await.unwrap();
        let play = Play::start(journal, ServiceKey::from_bytes([1; 32]), Settings::default()).await.unwrap();
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        sqlx::raw_sql("DROP TABLE webhook").execute(&mut connection).await.unwrap();

        let lease = Duration::from_secs(60);
        let limits = WebhookLimits { lease, ..WebhookLimits::default() };
        let mut dispatcher = Dispatcher {
            settings: WebhookSettings { sender: std::sync::Arc::new(Silent), limits },
            workers: HashMap::new(),
            tasks: JoinSet::new(),
            renewed: Instant::now(),
            play,
        };
        dispatcher.follow(vec![leased(dispatcher.play.webhooks.key_fingerprint)]);
        dispatcher.renew().await;
        assert_eq!(dispatcher.workers.len(), 1, "the lease lasts for a minute");
        dispatcher.renewed = Instant::now().checked_sub(lease).expect("the machine has run for a minute");
        dispatcher.renew().await;
        assert!(dispatcher.workers.is_empty(), "another replica may hold the lease");
    }
}
