//! The routes to the service: through the load balancer, and to each replica directly.

use std::time::Duration;

use anyhow::{Result, ensure};
use matchbook_client::{Client, RetryPolicy};
use rand::RngExt;
use rand::rngs::StdRng;

/// How long an attempt of a call may take before another route is tried.
pub(crate) const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(3);

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// A suspended replica closes no connection: only unanswered pings reveal it.
const PING_INTERVAL: Duration = Duration::from_secs(1);
const PING_TIMEOUT: Duration = Duration::from_secs(2);

/// One route to the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServiceRoute {
    /// Through the load balancer, which chooses the replica.
    Balancer,
    /// To the replica with this 0-based index.
    Replica(usize),
}

/// All routes, each with its client.
#[derive(Clone)]
pub(crate) struct ServiceRoutes {
    clients: Vec<(ServiceRoute, Client)>,
}

impl ServiceRoutes {
    /// Prepares all routes without connecting: a replica may be down for now.
    pub(crate) fn new(balancer: Option<&str>, replicas: &[String]) -> Result<Self> {
        let balancer = balancer.map(|url| (ServiceRoute::Balancer, url));
        let direct =
            replicas.iter().enumerate().map(|(index, url)| (ServiceRoute::Replica(index), url.as_str()));
        let clients: Result<Vec<_>> =
            balancer.into_iter().chain(direct).map(|(route, url)| Ok((route, client(url)?))).collect();
        let clients = clients?;
        ensure!(!clients.is_empty(), "no route to the service; give --balancer, --replica, or both");
        Ok(Self { clients })
    }

    /// Returns all routes, the balancer first.
    pub(crate) fn all(&self) -> impl Iterator<Item = ServiceRoute> {
        self.clients.iter().map(|(route, _)| *route)
    }

    /// Returns a random route.
    pub(crate) fn random(&self, rng: &mut StdRng) -> ServiceRoute {
        self.clients[rng.random_range(0..self.clients.len())].0
    }

    /// Returns the route of this turn: so many turns as there are routes take each of them once.
    pub(crate) fn in_turn(&self, turn: u64) -> ServiceRoute {
        let count = u64::try_from(self.clients.len()).expect("routes are few");
        let index = usize::try_from(turn % count).expect("it is less than the number of routes");
        self.clients[index].0
    }

    /// Returns another route, or the same one if it is the only one.
    pub(crate) fn next_after(&self, route: ServiceRoute) -> ServiceRoute {
        let index = self.clients.iter().position(|(other, _)| *other == route).expect("the route exists");
        self.clients[(index + 1) % self.clients.len()].0
    }

    /// Returns the client of a route.
    pub(crate) fn client(&self, route: ServiceRoute) -> &Client {
        let found = self.clients.iter().find(|(other, _)| *other == route);
        &found.expect("the route exists").1
    }
}

/// Returns a client that makes single attempts: its callers retry on other routes.
fn client(url: &str) -> Result<Client> {
    let client = Client::builder(url)
        .connect_timeout(CONNECT_TIMEOUT)
        .call_timeout(ATTEMPT_TIMEOUT)
        .keep_alive(PING_INTERVAL, PING_TIMEOUT)
        .retry(RetryPolicy::none())
        .connect_lazy()?;
    Ok(client)
}
