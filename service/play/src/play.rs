//! The handle that transports call, and its housekeeping: following other
//! replicas, and forgetting everything when the journal says so.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use journal::Journal;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Semaphore, watch};
use uuid::Uuid;

use crate::feed_cursor::Cursors;
use crate::live::Registry;
use crate::service_key::MacKey;
use crate::signing::SigningKeys;
use crate::stats::Lookups;
use crate::{KeyRing, Limits, ServiceKey, Signing, Surroundings, System};

/// The use cases over one journal; cheap to clone.
#[derive(Clone)]
pub struct Play(Arc<Inner>);

/// What all clones share.
pub struct Inner {
    pub(crate) journal: Journal,
    pub(crate) registry: Registry,
    pub(crate) lookups: Lookups,
    pub(crate) token_key: MacKey,
    pub(crate) cursors: Cursors,
    pub(crate) signing: SigningKeys,
    pub(crate) limits: Limits,
    pub(crate) keys: KeyRing,
    surroundings: Arc<dyn Surroundings>,
    pub(crate) changes: Arc<Semaphore>,
    pub(crate) watches: Arc<Semaphore>,
    pub(crate) ending: watch::Sender<bool>,
}

impl Deref for Play {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

/// What the use cases are started with, beside a journal and its key.
pub struct Settings {
    /// How much of everything is taken on.
    pub limits: Limits,
    /// The API keys that are known.
    pub keys: KeyRing,
    /// What logs are signed as.
    pub signing: Signing,
    /// Where time and randomness come from.
    pub surroundings: Arc<dyn Surroundings>,
}

impl Default for Settings {
    /// The usual limits, no keys, the real world.
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            keys: KeyRing::open(),
            signing: Signing::default(),
            surroundings: Arc::new(System),
        }
    }
}

/// Why the use cases can't start on a journal.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database belongs to a service with another key.
    #[error(transparent)]
    Key(#[from] journal::BindKeyError),
}

/// How many watches there is room for, if so many are wished for.
pub(crate) fn watch_places(wished: usize) -> usize {
    wished.min(Semaphore::MAX_PERMITS)
}

const PAUSE_AFTER_PANIC: Duration = Duration::from_secs(1);

impl Play {
    /// Starts on a journal, after checking that it was not written under another
    /// service key. Must be called within a tokio runtime.
    pub async fn start(journal: Journal, key: ServiceKey, settings: Settings) -> Result<Self, StartError> {
        journal.bind_key(key.fingerprint()).await?;
        let Settings { limits, keys, signing, surroundings } = settings;
        let play = Self(Arc::new(Inner {
            registry: Registry::new(limits.live_matches),
            lookups: Lookups::default(),
            token_key: key.token_key(),
            cursors: Cursors::new(&key),
            signing: SigningKeys::new(&key, signing),
            changes: Arc::new(Semaphore::new(limits.changes.min(Semaphore::MAX_PERMITS))),
            watches: Arc::new(Semaphore::new(watch_places(limits.watches))),
            ending: watch::Sender::new(false),
            journal,
            limits,
            keys,
            surroundings,
        }));
        play.keep_up("following other replicas", Self::follow_others);
        play.keep_up("following resets of the journal", Self::follow_resets);
        play.keep_up("ending what is overdue", Self::sweep_on);
        Ok(play)
    }

    /// The database's time, in microseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        self.surroundings.now(&self.journal)
    }

    /// 32 bytes that nobody can guess.
    pub(crate) fn secret(&self) -> [u8; 32] {
        self.surroundings.secret()
    }

    /// An id as fresh as a caller's own would be.
    pub(crate) fn fresh_id(&self) -> Uuid {
        let secret = self.secret();
        let half = secret.first_chunk().expect("32 bytes begin with 16");
        uuid::Builder::from_random_bytes(*half).into_uuid()
    }

    pub(crate) fn new_match_id(&self) -> Uuid {
        self.surroundings.new_match_id()
    }

    /// Runs a task for as long as the service; one that panics is told and begun again.
    fn keep_up<F>(&self, what: &'static str, task: fn(Self) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let play = self.clone();
        tokio::spawn(async move {
            while let Err(error) = tokio::spawn(task(play.clone())).await {
                tracing::error!(panicked = error.is_panic(), "{what} died and begins again");
                if error.is_cancelled() {
                    return;
                }
                tokio::time::sleep(PAUSE_AFTER_PANIC).await;
            }
        });
    }

    /// Ends every open watch with `shutting_down`, and every later one.
    pub fn end_watches(&self) {
        self.ending.send_replace(true);
    }

    /// Brings live matches up to date when another replica has appended to them.
    async fn follow_others(self) {
        let mut commits = self.journal.new_events();
        let mut ending = self.ending.subscribe();
        loop {
            let commit = tokio::select! {
                commit = commits.recv() => commit,
                _ = ending.wait_for(|ending| *ending) => return,
            };
            match commit {
                Ok(commit) => self.follow(commit.match_id.0, Some(commit.head.0)),
                // Some were missed: look at all that anybody may be watching.
                Err(RecvError::Lagged(_)) => {
                    for live in self.registry.all() {
                        self.follow(live.match_id, None);
                    }
                }
                Err(RecvError::Closed) => return,
            }
        }
    }

    fn follow(&self, match_id: Uuid, head: Option<u32>) {
        let Some(live) = self.registry.find(match_id) else { return };
        let known = live.head().map(|head| head.seq());
        if known.is_none() || (head.is_some() && head <= known) {
            return;
        }
        let play = self.clone();
        tokio::spawn(async move {
            let _turn = live.turn.lock().await;
            // A failure is logged where it happens; the next call reads again.
            let _ = play.catch_up(&live).await;
        });
    }

    /// Empties the cache when the journal has met its database anew.
    async fn follow_resets(self) {
        let mut resets = self.journal.invalidations();
        let mut ending = self.ending.subscribe();
        loop {
            tokio::select! {
                reset = resets.changed() => if reset.is_err() { return },
                _ = ending.wait_for(|ending| *ending) => return,
            }
            tracing::warn!("the journal has reconnected; all live matches are read again");
            self.registry.doubt_all();
            for live in self.registry.all() {
                self.follow(live.match_id, None);
            }
        }
    }
}
