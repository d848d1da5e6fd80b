//! The ways to the service: the load balancer, and each replica by itself. Connections come back by
//! themselves.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use rand::RngExt;
use rand::rngs::StdRng;
use tonic::transport::{Channel, Endpoint};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// A replica that was stopped in the middle closes nothing: only unanswered pings tell that it is gone.
const PING_INTERVAL: Duration = Duration::from_secs(1);
const PING_TIMEOUT: Duration = Duration::from_secs(2);

/// One way to the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Through the load balancer, to whichever replica it chooses.
    Balanced,
    /// Straight to this replica, counted from 0.
    Replica(usize),
}

/// All ways, each with a connection.
#[derive(Clone)]
pub(crate) struct Routes {
    all: Vec<(Way, Channel)>,
}

impl Routes {
    /// Connects to nothing yet: a replica may be down, and will be back.
    pub(crate) fn new(balancer: Option<&str>, replicas: &[String]) -> Result<Self> {
        let balanced = balancer.map(|url| (Way::Balanced, url));
        let straight = replicas.iter().enumerate().map(|(number, url)| (Way::Replica(number), url.as_str()));
        let all: Result<Vec<_>> =
            balanced.into_iter().chain(straight).map(|(way, url)| Ok((way, channel(url)?))).collect();
        let all = all?;
        ensure!(!all.is_empty(), "name the service: --balancer, --replica, or both");
        Ok(Self { all })
    }

    /// Each of them, the balancer first.
    pub(crate) fn ways(&self) -> impl Iterator<Item = Way> {
        self.all.iter().map(|(way, _)| *way)
    }

    /// Any of them.
    pub(crate) fn any(&self, rng: &mut StdRng) -> Way {
        self.all[rng.random_range(0..self.all.len())].0
    }

    /// Another one, if there is another.
    pub(crate) fn other_than(&self, way: Way) -> Way {
        let place = self.all.iter().position(|(one, _)| *one == way).expect("a way is one of these");
        self.all[(place + 1) % self.all.len()].0
    }

    /// The connection of a way.
    pub(crate) fn channel(&self, way: Way) -> Channel {
        let found = self.all.iter().find(|(one, _)| *one == way);
        found.expect("a way is one of these").1.clone()
    }
}

fn channel(url: &str) -> Result<Channel> {
    let endpoint = Endpoint::from_shared(url.to_owned()).with_context(|| format!("no address: {url}"))?;
    Ok(endpoint
        .connect_timeout(CONNECT_TIMEOUT)
        .http2_keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_TIMEOUT)
        .keep_alive_while_idle(true)
        .connect_lazy())
}
