//! The budget of bytes, and the refusals of those who exceed it.

use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, Request};
use play::Refusal;
use tonic::body::Body;
use wire::v1::ErrorReason;

use super::charge::Charge;
use super::exchange::Exchange;
use crate::admission::{Account, Exhausted, LimitSubject, Pool};
use crate::listener::{Connection, TrustedProxies};

/// The bytes that each request counts in addition to its own: tasks, buffers and tables that serve it.
const REQUEST_OVERHEAD: usize = 4 << 10;

/// The part of the budget that one connection may have.
const CONNECTIONS: usize = 8;

/// When a caller over the budget may retry.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The bytes that all clients may occupy.
pub(crate) struct ByteBudget {
    pool: Pool,
    max_per_connection: usize,
    proxies: TrustedProxies,
}

/// The budget of one client.
#[derive(Clone)]
pub(super) struct ClientBudget {
    pub(super) account: Arc<Account>,
    /// The connection, and how many bytes it may have.
    pub(super) connection: Option<(Arc<Connection>, usize)>,
}

impl ByteBudget {
    /// Creates the budget.
    pub(crate) fn new(bytes: usize, proxies: TrustedProxies) -> Self {
        Self { pool: Pool::new(bytes), max_per_connection: bytes / CONNECTIONS, proxies }
    }

    /// Begins to count a request: its headers now, its body as it arrives.
    pub(crate) fn enter(&self, request: &mut Request<Body>) -> Result<Exchange, Refusal> {
        let client = self.client(request);
        let size = REQUEST_OVERHEAD + request.uri().to_string().len() + header_bytes(request.headers());
        let base = Charge::new(&client, size).map_err(refusal)?;
        Ok(Exchange::begin(client, base, request))
    }

    /// Returns the budget that a request counts for: those of its connection and of its address, or of the
    /// address alone that a trusted proxy forwards. Calls made inside this process have no share.
    fn client(&self, request: &Request<Body>) -> ClientBudget {
        let address = self.proxies.sharing_address(request.extensions(), request.headers());
        let account = self.pool.account(address.map(LimitSubject::Address));
        let connection = Connection::of(request.extensions()).map(|connection| {
            let max = if connection.is_proxy { usize::MAX } else { self.max_per_connection };
            (Arc::clone(connection), max)
        });
        ClientBudget { account, connection }
    }
}

/// Returns the refusal of a request or response beyond the budget.
pub(super) fn refusal(exhausted: Exhausted) -> Refusal {
    let (reason, message) = match exhausted {
        Exhausted::Pool => (
            ErrorReason::Overloaded,
            "the service is at its limit of bytes of unfinished requests and unread responses; retry later",
        ),
        Exhausted::Share => (
            ErrorReason::RateLimited,
            "this connection, address or network has its share of bytes of unfinished requests and unread \
             responses; finish and read them, then retry",
        ),
    };
    Refusal::new(reason, message).retry_after(RETRY_AFTER)
}

fn header_bytes(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}
