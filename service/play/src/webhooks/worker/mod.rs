//! Delivers the events of one webhook under one lease. An event is sent once all earlier ones of its match
//! were delivered or given up. What fails becomes pending and is sent again later; while too much is pending,
//! the position in the feed stays, so neither memory nor tables grow with what a receiver does not take.

mod attempt;
mod new_events;
mod retries;

use std::collections::BTreeMap;
use std::time::Duration;

use event::{MatchId, RecordTime};
use journal::{
    DeliveryRow, DeliveryStatus, FeedCursor, LeaseEpoch, PageSize, ReadError, WebhookId, WebhookRow,
    WebhookState,
};
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::WebhookSettings;
use crate::streams::ShutdownSignal;
use crate::{Play, Refusal};

/// Matches whose events are sent at the same time.
const MATCHES_AT_ONCE: usize = 4;

/// Pause after a failed read or write of the journal.
const PAUSE_AFTER_ERROR: Duration = Duration::from_secs(1);

/// Interval between saves of a position that moves past others' events only.
const IDLE_SAVE_INTERVAL: Duration = Duration::from_secs(30);

/// The shortest pause between two reads of the feed.
const SHORTEST_PACE: Duration = Duration::from_millis(25);

/// The pause between two reads of the feed for each webhook of this replica: together they read at most 500
/// pages a second.
const PACE_PER_WEBHOOK: Duration = Duration::from_millis(2);

/// Maximum number of pending deliveries that are read at a time.
const PENDING_PAGE: PageSize = PageSize(1000);

/// The deliveries of one webhook.
pub(super) struct Worker {
    play: Play,
    settings: WebhookSettings,
    changes: watch::Receiver<WebhookRow>,
    /// The webhook as of the last change.
    row: WebhookRow,
    epoch: LeaseEpoch,
    /// The place in the feed up to which everything was delivered or is pending.
    position: FeedCursor,
    /// When the position was last saved.
    saved: Instant,
    pending: BTreeMap<FeedCursor, DeliveryRow>,
    feed_moved: watch::Receiver<()>,
    shutdown: ShutdownSignal,
}

/// Why a worker cannot go on as before.
enum Halt {
    /// The lease is another replica's, or the webhook was disabled.
    Ended,
    /// The journal cannot be read or written for now.
    Unavailable,
}

impl From<ReadError> for Halt {
    fn from(error: ReadError) -> Self {
        tracing::warn!(%error, "the deliveries of a webhook cannot be read or written; trying again");
        Self::Unavailable
    }
}

impl From<Refusal> for Halt {
    fn from(_: Refusal) -> Self {
        // Logged where it was made.
        Self::Unavailable
    }
}

impl Worker {
    pub(super) fn new(
        play: Play,
        settings: WebhookSettings,
        mut changes: watch::Receiver<WebhookRow>,
        epoch: LeaseEpoch,
    ) -> Self {
        let row = changes.borrow_and_update().clone();
        Self {
            settings,
            changes,
            epoch,
            position: row.position,
            row,
            saved: Instant::now(),
            pending: BTreeMap::new(),
            feed_moved: play.webhooks.feed_moved.subscribe(),
            shutdown: play.shutdown.signal(),
            play,
        }
    }

    /// Delivers until the lease is lost or the service shuts down.
    pub(super) async fn run(mut self) {
        let mut loaded = false;
        while !self.shutdown.has_begun() {
            let step = async {
                if !loaded {
                    self.load().await?;
                    loaded = true;
                }
                self.step().await
            };
            match step.await {
                Ok(Progress::Worked) => {}
                Ok(Progress::Idle) => self.wait().await,
                Err(Halt::Unavailable) => {
                    // Some of the step may have been stored.
                    loaded = false;
                    self.pause(PAUSE_AFTER_ERROR).await;
                }
                Err(Halt::Ended) => return,
            }
            if self.changes.has_changed().is_ok_and(|changed| changed) {
                self.row = self.changes.borrow_and_update().clone();
                // Dead letters may have become pending.
                loaded = false;
            }
        }
    }

    /// Sends what is due, then new events.
    async fn step(&mut self) -> Result<Progress, Halt> {
        self.feed_moved.mark_unchanged();
        let retried = self.retry_due().await?;
        let sent = self.send_new().await?;
        Ok(if retried || sent { Progress::Worked } else { Progress::Idle })
    }

    /// Reads the pending deliveries.
    async fn load(&mut self) -> Result<(), Halt> {
        let store = self.play.journal.webhooks();
        let mut pending = BTreeMap::new();
        loop {
            let after = pending.last_key_value().map(|(position, _)| *position);
            let rows = store.deliveries(self.id(), DeliveryStatus::Pending, after, PENDING_PAGE).await?;
            let more = rows.len() == PENDING_PAGE.0 as usize;
            pending.extend(rows.into_iter().map(|row| (row.position, row)));
            if !more {
                break;
            }
        }
        self.pending = pending;
        Ok(())
    }

    /// Waits until something may be due: a retry, new events, a change of the webhook.
    async fn wait(&mut self) {
        let pace = PACE_PER_WEBHOOK.saturating_mul(u32::try_from(self.play.leased_webhooks()).unwrap_or(0));
        self.pause(pace.max(SHORTEST_PACE)).await;
        let due = self.heads().values().map(|row| row.next_time).min();
        let until_due = due.map(|due| self.until(due));
        let room = self.room() > 0;
        let retry = async {
            match until_due {
                Some(pause) => sleep(pause).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = self.shutdown.begun() => {}
            _ = self.changes.changed() => self.changes.mark_changed(),
            _ = self.feed_moved.changed(), if room => {}
            () = retry => {}
        }
    }

    async fn pause(&mut self, duration: Duration) {
        tokio::select! {
            () = self.shutdown.begun() => {}
            () = sleep(duration) => {}
        }
    }

    /// Returns the first pending event of each match, which the others of the match wait for.
    fn heads(&self) -> BTreeMap<MatchId, &DeliveryRow> {
        let mut heads = BTreeMap::new();
        for row in self.pending.values() {
            heads.entry(row.position.match_id()).or_insert(row);
        }
        heads
    }

    /// Returns how many more events may become pending.
    fn room(&self) -> usize {
        self.settings.limits.pending.saturating_sub(self.pending.len())
    }

    fn until(&self, due: RecordTime) -> Duration {
        Duration::from_micros(u64::try_from(due.0.saturating_sub(self.play.now().0)).unwrap_or(0))
    }

    fn id(&self) -> WebhookId {
        self.row.webhook_id
    }

    /// Disables the webhook, unless its owner changes it at the same time, and ends the worker.
    async fn disable(&mut self, state: WebhookState) -> Result<Halt, Halt> {
        tracing::info!(webhook.id = %self.id(), state = ?state, "a webhook was disabled");
        let disabled = WebhookRow { state, ..self.row.clone() };
        self.play.journal.webhooks().update_webhook(&disabled).await?;
        Ok(Halt::Ended)
    }
}

/// Whether a step has done anything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Worked,
    Idle,
}
