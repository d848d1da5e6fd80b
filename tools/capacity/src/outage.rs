//! What goes wrong, and when.

use std::ops::Range;
use std::time::Duration;

use clap::ValueEnum;

use crate::costs::Deployment;
use crate::queue::Nanos;

/// How long a replica is away in a rolling restart.
const RESTART: Duration = Duration::from_secs(2);

/// How long a failed zone's replicas are called before the balancer has noticed.
const DETECTION: Duration = Duration::from_secs(2);

/// How long a database is away whose primary was in a failed zone.
const FAILOVER: Duration = Duration::from_secs(20);

/// The zones that replicas and primaries are spread over.
const ZONES: u32 = 3;

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Outage {
    /// Nothing
    None,
    /// Replicas are restarted one after another, and start with nothing in memory
    Rolling,
    /// A zone is lost: a third of the replicas, and every third database for 20 s
    Zone,
}

/// A change of what is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// The replica ends; clients are sent to it until the balancer has noticed.
    ReplicaDown {
        replica: u32,
        noticed_after: Nanos,
    },
    ReplicaUp {
        replica: u32,
    },
    DatabaseDown {
        shard: u32,
        until: Nanos,
    },
}

impl Outage {
    /// Returns what happens in a simulation of this length.
    pub(crate) fn changes(self, deployment: Deployment, time: Duration) -> Vec<(Nanos, Change)> {
        let begin = time / 3;
        let restart = Nanos::of(RESTART);
        match self {
            Self::None => Vec::new(),
            Self::Rolling => (0..deployment.replicas)
                .flat_map(|replica| {
                    let down = Nanos::of(begin + RESTART * replica);
                    let drained = Change::ReplicaDown { replica, noticed_after: Nanos(0) };
                    [(down, drained), (down + restart, Change::ReplicaUp { replica })]
                })
                .collect(),
            Self::Zone => {
                let noticed_after = Nanos::of(DETECTION);
                let replicas = (0..deployment.replicas).filter(|replica| replica % ZONES == 0);
                let replicas = replicas.map(|replica| Change::ReplicaDown { replica, noticed_after });
                let shards = (0..deployment.shards).filter(|shard| shard % ZONES == 0);
                let until = Nanos::of(begin + FAILOVER);
                let shards = shards.map(|shard| Change::DatabaseDown { shard, until });
                replicas.chain(shards).map(|change| (Nanos::of(begin), change)).collect()
            }
        }
    }

    /// Returns when its effects are felt; without any, the second third of the time.
    pub(crate) fn window(self, deployment: Deployment, time: Duration) -> Range<Nanos> {
        let begin = time / 3;
        let length = match self {
            Self::None => time / 3,
            Self::Rolling => RESTART * deployment.replicas + RESTART,
            Self::Zone => FAILOVER + Duration::from_secs(2),
        };
        Nanos::of(begin)..Nanos::of((begin + length).min(time))
    }
}
