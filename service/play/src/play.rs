//! The handle on which transports call the use cases, and how it is started and shut down.

use std::sync::Arc;

use event::{Bucket, MatchId, RecordTime};
use journal::{Journal, Registered, ServiceIdentity};
use rules::Games;

use crate::access::AccessControl;
use crate::changes::ChangePermits;
use crate::keys::{SigningKeys, sha256};
use crate::live::LiveMatches;
use crate::requests::PageTokens;
use crate::shares::HourlyBytes;
use crate::streams::{Shutdown, Streams};
use crate::webhooks::{WebhookSettings, Webhooks};
use crate::{
    Caller, Capacity, Durations, Environment, KeyRing, Refusal, SeatTokens, ServiceKey, Signing,
    SystemEnvironment, housekeeping,
};

/// The use cases over one journal; cheap to clone.
#[derive(Clone)]
pub struct Play {
    pub(crate) environment: Arc<dyn Environment>,
    pub(crate) journal: Journal,
    /// Who callers are, and which seat tokens they hold.
    pub(crate) access: Arc<AccessControl>,
    /// Cached matches, and every read and change of them.
    pub(crate) matches: Arc<LiveMatches>,
    /// Bounds the changes in progress.
    pub(crate) change_permits: ChangePermits,
    /// Bounds what each caller's forks store.
    pub(crate) fork_bytes: Arc<HourlyBytes>,
    /// Bounds and ends watches, exports and feeds.
    pub(crate) streams: Arc<Streams>,
    pub(crate) signing: Arc<SigningKeys>,
    pub(crate) page_tokens: Arc<PageTokens>,
    /// What the deliveries to webhooks share.
    pub(crate) webhooks: Arc<Webhooks>,
    pub(crate) durations: Arc<Durations>,
    pub(crate) shutdown: Shutdown,
}

/// Everything the use cases need besides a journal and its key.
pub struct Settings {
    /// The games, and the versions of their rules.
    pub games: Games,
    /// How much one replica takes on.
    pub capacity: Capacity,
    /// Intervals and time allowances.
    pub durations: Durations,
    /// The API keys that callers may use.
    pub keys: KeyRing,
    /// The name that logs are signed under, and earlier signing keys.
    pub signing: Signing,
    /// How events are sent to webhooks; `None` for a service without them.
    pub webhooks: Option<WebhookSettings>,
    /// The source of time and randomness.
    pub environment: Arc<dyn Environment>,
}

impl Default for Settings {
    /// Returns default capacity and durations, no API keys, and the system's time and randomness.
    fn default() -> Self {
        Self {
            games: Games::built_in(),
            capacity: Capacity::default(),
            durations: Durations::default(),
            keys: KeyRing::open(),
            signing: Signing::default(),
            webhooks: None,
            environment: Arc::new(SystemEnvironment),
        }
    }
}

/// Why the use cases cannot start on a journal.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database belongs to a service with another key or name, or cannot be read.
    #[error(transparent)]
    Key(#[from] journal::BindKeyError),
}

impl Play {
    /// Starts on a journal, and on its background tasks, after checking that the journal was written under
    /// this service key and name. Must be called within a tokio runtime. A journal that is the sole writer
    /// serves one service at a time: shut that one down before another starts, since neither sees the other's
    /// events.
    pub async fn start(journal: Journal, key: ServiceKey, settings: Settings) -> Result<Self, StartError> {
        let name = settings.signing.name.to_string();
        journal.bind_key(&ServiceIdentity { fingerprint: key.fingerprint(), name }).await?;
        let Settings { games, capacity, durations, keys, signing, webhooks, environment } = settings;
        let shutdown = Shutdown::default();
        let play = Self {
            environment,
            access: Arc::new(AccessControl::new(keys, key.seat_tokens())),
            matches: Arc::new(LiveMatches::new(journal.clone(), games, &capacity)),
            change_permits: ChangePermits::new(capacity.changes),
            fork_bytes: Arc::new(HourlyBytes::new(capacity.fork_bytes_per_hour)),
            streams: Arc::new(Streams::new(capacity.streams, durations.heartbeat, &key, shutdown.clone())),
            signing: Arc::new(SigningKeys::new(&key, signing)),
            page_tokens: Arc::new(PageTokens::new(&key)),
            webhooks: Arc::new(Webhooks::new(&key, webhooks)),
            durations: Arc::new(durations),
            shutdown,
            journal,
        };
        housekeeping::start(&play);
        Ok(play)
    }

    /// Ends every open stream with `SHUTTING_DOWN`, rejects new ones at their first wait, and stops the
    /// background tasks.
    pub fn shut_down(&self) {
        self.shutdown.begin();
    }

    /// Waits until no more attempts to deliver to webhooks are made, after the shutdown has begun.
    pub async fn webhooks_ended(&self) {
        self.webhooks.ended().await;
    }

    /// Returns the games, and the versions of their rules.
    pub(crate) fn games(&self) -> Games {
        self.matches.games
    }

    /// Returns what tells whose a seat's token is.
    pub fn seat_tokens(&self) -> SeatTokens {
        self.access.seat_tokens()
    }

    /// Refuses a caller whose API key is unknown.
    pub fn check_key(&self, caller: &Caller) -> Result<(), Refusal> {
        self.access.key(caller).map(drop)
    }

    /// Returns the database's time.
    pub(crate) fn now(&self) -> RecordTime {
        self.environment.now(&self.journal)
    }

    /// Returns 32 unpredictable bytes.
    pub(crate) fn secret(&self) -> [u8; 32] {
        self.environment.secret()
    }

    /// Returns the id of a match to be created. Calls for the same match may draw other ids, but all of them
    /// are in one bucket, so a retry finds the match in the place where the first call stored it.
    pub(crate) fn new_match_id(&self, registered: &Registered) -> MatchId {
        let id = self.environment.new_match_id();
        bucket(registered).map_or(id, |bucket| id.in_bucket(bucket))
    }
}

/// Returns the bucket of the match that an owner registers, or `None` if any will do. It never changes: a
/// match's shard derives from it.
///
/// An external id decides before a request id. Two requests may name the same external id, and only within a
/// shard can its uniqueness be enforced; a retry of one request names the same external id and so finds its
/// match all the same.
fn bucket(registered: &Registered) -> Option<Bucket> {
    let owner = registered.owner.as_bytes();
    let hash = match registered {
        Registered { external_id: Some(id), .. } => {
            let owner_bytes = [u8::try_from(owner.len()).unwrap_or(u8::MAX)];
            sha256(&[b"matchbook.bucket.external.v1\0", &owner_bytes, owner, id.as_bytes()])
        }
        Registered { create_request_hash: Some(request), .. } => {
            sha256(&[b"matchbook.bucket.v1\0", request, owner])
        }
        Registered { .. } => return None,
    };
    Some(Bucket::of_hash(&hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_external_id_decides_the_bucket_before_the_request() {
        let registered = |owner: &str, request: Option<u8>, external_id: Option<&str>| Registered {
            external_id: external_id.map(str::to_owned),
            ..Registered::new(owner.to_owned(), request.map(|byte| [byte; 32]))
        };
        let of = |owner, request, external_id| {
            bucket(&registered(owner, request, external_id)).map(Bucket::number)
        };
        // These numbers are in stored ids and never change.
        assert_eq!(of("shop", Some(1), None), Some(863));
        assert_eq!(of("shop", None, Some("game 1")), Some(361));
        for request in [None, Some(1), Some(2)] {
            assert_eq!(of("shop", request, Some("game 1")), of("shop", None, Some("game 1")));
        }
        assert_ne!(of("shop", None, Some("game 1")), of("shop", None, Some("game 2")));
        assert_ne!(of("shop", None, Some("game 1")), of("rival", None, Some("game 1")));
        assert_eq!(of("shop", None, None), None);
    }
}
