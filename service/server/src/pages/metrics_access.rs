//! Access to `/metrics`. The page contains no secrets, but load figures are not for everyone.

use http::{HeaderMap, HeaderName, Request, header};
use play::{Credential, KEY_PREFIX, KeyRing, Refusal, Role};
use wire::v1::ErrorReason;

use crate::keys::credentials;
use crate::listener::{ClientAddress, Connection, TrustedProxies};

/// Who may read `/metrics`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum MetricsAccess {
    /// Callers on this machine, and API keys with role audit or admin
    #[default]
    Guarded,
    /// Everyone
    Open,
    /// No one; the page does not exist
    Off,
}

/// Checks access to `/metrics`.
pub(crate) struct MetricsGuard {
    pub(crate) access: MetricsAccess,
    pub(crate) proxies: TrustedProxies,
    pub(crate) keys: KeyRing,
}

/// Headers that proxies add: a request with one of them comes from another machine, even if the proxy is
/// local.
const PROXY_HEADERS: [HeaderName; 3] =
    [header::FORWARDED, header::VIA, HeaderName::from_static("x-forwarded-for")];

impl MetricsGuard {
    /// Refuses a request that may not read the page.
    pub(crate) fn check<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        if self.access == MetricsAccess::Open || self.is_local(request) {
            return Ok(());
        }
        self.check_key(request.headers())
    }

    fn is_local<B>(&self, request: &Request<B>) -> bool {
        let headers = request.headers();
        let peer = Connection::peer_of(request.extensions());
        self.proxies.client_address(peer, headers) == ClientAddress::Local
            && !PROXY_HEADERS.iter().any(|name| headers.contains_key(name))
    }

    fn check_key(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if self.keys.is_open() {
            let message = "only callers on the service's own machine may read the metrics, as no API key \
                           is configured; configure one with role audit or admin";
            return Err(Refusal::new(ErrorReason::NotAllowed, message));
        }
        let Some(secret) = credentials::unchecked_api_key(headers).filter(|key| key.starts_with(KEY_PREFIX))
        else {
            let message = "reading the metrics from another machine requires an API key with role audit or \
                           admin; send `authorization: Bearer KEY`";
            return Err(Refusal::new(ErrorReason::MissingKey, message));
        };
        match self.keys.find(secret).map(|key| key.role) {
            Some(Role::Audit | Role::Admin) => Ok(()),
            Some(Role::App) => {
                let message = "reading the metrics requires an API key with role audit or admin";
                Err(Refusal::new(ErrorReason::NotAllowed, message).with("roles", "audit,admin"))
            }
            None => {
                let message = "the API key is unknown to this service";
                Err(Refusal::bad_credential(Credential::ApiKey, message))
            }
        }
    }
}
