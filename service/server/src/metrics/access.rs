//! Who may read `/metrics`. There are no secrets in it, but how busy a service is need not be everybody's business.

use http::{HeaderMap, HeaderName, Request, header};
use play::{KEY_PREFIX, KeyRing, Refusal, Role};
use tonic::transport::server::TcpConnectInfo;
use wire::v1::ErrorReason;

use crate::caller;
use crate::origin::{Origin, TrustedProxies};

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

/// Lets the right ones through.
pub(crate) struct Guard {
    pub(crate) access: MetricsAccess,
    pub(crate) proxies: TrustedProxies,
    pub(crate) keys: KeyRing,
}

/// Words of a proxy: who comes with one of them is not from this machine, even if the proxy is.
const BY_PROXIES: [HeaderName; 3] =
    [header::FORWARDED, header::VIA, HeaderName::from_static("x-forwarded-for")];

impl Guard {
    /// Whether this request may read the page.
    pub(crate) fn check<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        if self.access == MetricsAccess::Open || self.is_here(request) {
            return Ok(());
        }
        self.check_key(request.headers())
    }

    fn is_here<B>(&self, request: &Request<B>) -> bool {
        let headers = request.headers();
        let connection = request.extensions().get::<TcpConnectInfo>();
        let peer = connection.and_then(TcpConnectInfo::remote_addr).map(|address| address.ip());
        self.proxies.origin(peer, headers) == Origin::Here
            && !BY_PROXIES.iter().any(|name| headers.contains_key(name))
    }

    fn check_key(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(secret) = caller::token(headers).filter(|token| token.starts_with(KEY_PREFIX)) else {
            let message = "reading the metrics from another machine needs an API key of the role audit or admin: \
                           `authorization: Bearer KEY`";
            return Err(Refusal::new(ErrorReason::MissingKey, message));
        };
        match self.keys.find(secret).map(|key| key.role) {
            Some(Role::Audit | Role::Admin) => Ok(()),
            Some(Role::App) => {
                let message = "the metrics are for API keys of the roles audit and admin";
                Err(Refusal::new(ErrorReason::NotAllowed, message))
            }
            None => {
                let message = "this API key is not one of this service, or no longer";
                Err(Refusal::new(ErrorReason::BadToken, message))
            }
        }
    }
}
