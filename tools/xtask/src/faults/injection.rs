//! Injects a scenario's faults again and again until its time is over, each at least once. In the end
//! everything runs.

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::{SliceRandom as _, index};
use rustix::process::Signal;
use serde::Serialize;

use super::cluster::PrimaryFault;
use super::deployment::Deployment;
use super::scenario::Scenario;
use crate::child;
use crate::postgres::Crash;

/// The exit code of a service that was fenced.
const FENCED: i32 = 6;
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// What a replica logs when it closes a writer of a replica that it takes for dead.
const CLOSED_WRITER: &str = "closed a writer of a replica that was silent";
const WRITERS_PER_REPLICA: usize = 2;
/// How long other replicas may take to fence a stopped one, and it to notice.
const FENCE_TIMEOUT: Duration = Duration::from_secs(60);

/// The number of faults of each kind.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct InjectedFaults {
    /// Replicas killed.
    pub(super) kills: usize,
    /// Replicas suspended briefly.
    pub(super) stops: usize,
    /// Replicas suspended until others took them for dead, which then ended with the exit code for that.
    pub(super) fenced: usize,
    /// Replicas restarted cleanly.
    pub(super) restarts: usize,
    /// Crashes of Postgres.
    pub(super) crashes: usize,
    /// Connections to Postgres cut.
    pub(super) cuts: usize,
    /// Times that Postgres' primary was struck and another node took over, by fault.
    pub(super) failovers: Failovers,
}

/// The number of failovers by what happened to the primary.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Failovers {
    pub(super) killed: usize,
    pub(super) frozen: usize,
    pub(super) cut_off: usize,
    pub(super) switched_over: usize,
    /// The longest time from the fault until there was another primary.
    pub(super) longest_ms: u64,
}

impl InjectedFaults {
    /// Returns whether these are the faults that the scenario is about.
    pub(super) fn fit(&self, scenario: Scenario) -> bool {
        match scenario {
            Scenario::Steady | Scenario::Clock => *self == Self::default(),
            Scenario::Kill => self.kills > 0,
            Scenario::Stop => self.fenced > 0 && self.stops > 0,
            Scenario::Rolling => self.restarts > 0,
            Scenario::Postgres => self.crashes > 0,
            Scenario::Cut => self.cuts > 0,
            Scenario::Failover => {
                let Failovers { killed, frozen, cut_off, switched_over, .. } = self.failovers;
                [killed, frozen, cut_off, switched_over].into_iter().all(|count| count > 0)
            }
        }
    }
}

impl Failovers {
    fn count(&mut self, fault: PrimaryFault, elapsed: Duration) {
        let count = match fault {
            PrimaryFault::Killed => &mut self.killed,
            PrimaryFault::Frozen => &mut self.frozen,
            PrimaryFault::CutOff => &mut self.cut_off,
            PrimaryFault::SwitchedOver => &mut self.switched_over,
        };
        *count += 1;
        self.longest_ms = self.longest_ms.max(u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX));
    }
}

/// Injects faults into a deployment.
pub(super) struct Injector<'a> {
    pub(super) deployment: &'a mut Deployment,
    pub(super) rng: &'a mut StdRng,
    pub(super) end: Instant,
    pub(super) injected: InjectedFaults,
    /// Unexpected behaviour of processes.
    pub(super) problems: Vec<String>,
}

impl Injector<'_> {
    /// Injects the faults of a scenario until `end`.
    pub(super) fn run(&mut self, scenario: Scenario) -> Result<()> {
        match scenario {
            Scenario::Steady | Scenario::Clock => self.idle(),
            Scenario::Kill => self.repeat(Self::kill),
            Scenario::Stop => {
                self.fence()?;
                self.repeat(Self::stop)
            }
            Scenario::Rolling => self.repeat(Self::restart_all),
            Scenario::Postgres => self.repeat(Self::crash),
            Scenario::Cut => self.repeat(Self::cut),
            Scenario::Failover => self.repeat(Self::fail_over),
        }
    }

    fn repeat(&mut self, round: fn(&mut Self) -> Result<()>) -> Result<()> {
        round(self)?;
        while Instant::now() < self.end {
            round(self)?;
        }
        Ok(())
    }

    fn idle(&mut self) -> Result<()> {
        while Instant::now() < self.end {
            sleep(POLL_INTERVAL)?;
        }
        Ok(())
    }

    /// Kills some or all replicas at once and starts them again.
    fn kill(&mut self) -> Result<()> {
        self.sleep(300..1500)?;
        let count = self.deployment.count();
        let killed = self.rng.random_range(1..=count);
        let victims = index::sample(self.rng, count, killed).into_vec();
        for &victim in &victims {
            self.revive(victim)?;
            self.deployment.replica(victim).kill();
            self.injected.kills += 1;
        }
        self.sleep(0..1000)?;
        victims.into_iter().try_for_each(|victim| self.deployment.start_replica(victim))
    }

    /// Suspends a replica for less time than others take to fence it.
    fn stop(&mut self) -> Result<()> {
        self.sleep(300..1500)?;
        let victim = self.victim();
        self.revive(victim)?;
        self.deployment.replica(victim).signal(Signal::STOP)?;
        self.sleep(100..2000)?;
        self.deployment.replica(victim).signal(Signal::CONT)?;
        self.injected.stops += 1;
        Ok(())
    }

    /// Suspends a replica until others have closed its writers. Once resumed, it must end.
    fn fence(&mut self) -> Result<()> {
        self.sleep(300..1000)?;
        let victim = self.victim();
        let closed = self.deployment.count_logged(CLOSED_WRITER);
        self.deployment.replica(victim).signal(Signal::STOP)?;
        let deadline = Instant::now() + FENCE_TIMEOUT;
        while self.deployment.count_logged(CLOSED_WRITER) < closed + WRITERS_PER_REPLICA {
            if Instant::now() > deadline {
                self.problems.push(format!("no replica fenced suspended replica {}", victim + 1));
                break;
            }
            sleep(POLL_INTERVAL)?;
        }
        let replica = self.deployment.replica(victim);
        replica.signal(Signal::CONT)?;
        match replica.wait(FENCE_TIMEOUT)?.map(|status| status.code()) {
            Some(Some(FENCED)) => self.injected.fenced += 1,
            other => self.problems.push(format!(
                "replica {} was fenced and should have ended with code {FENCED}, not {other:?}; {}",
                victim + 1,
                self.deployment.replica(victim).log_end()
            )),
        }
        self.deployment.replica(victim).kill();
        self.deployment.start_replica(victim)
    }

    /// Restarts all replicas, each once HAProxy has the previous one back.
    fn restart_all(&mut self) -> Result<()> {
        for index in 0..self.deployment.count() {
            self.sleep(100..600)?;
            let problem = self.deployment.terminate(index)?;
            self.problems.extend(problem);
            self.deployment.start_replica(index)?;
            self.deployment.wait_until_balanced(index)?;
            self.injected.restarts += 1;
        }
        Ok(())
    }

    fn crash(&mut self) -> Result<()> {
        self.sleep(500..2000)?;
        let how = if self.rng.random() { Crash::Kill } else { Crash::Immediate };
        self.deployment.database().crash(how)?;
        self.injected.crashes += 1;
        self.sleep(0..2000)?;
        self.deployment.database().restart()?;
        // Leave time to recover: without traffic the next crash would interrupt no commit.
        self.sleep(2000..4000)
    }

    /// Terminates the active sessions in Postgres, or cuts the replicas' connections; at least one of them
    /// exists.
    fn cut(&mut self) -> Result<()> {
        self.sleep(100..800)?;
        let terminated =
            if self.rng.random() { self.deployment.database().terminate_sessions()? } else { 0 };
        self.injected.cuts +=
            if terminated > 0 { terminated } else { self.deployment.database().cut_connections() };
        Ok(())
    }

    /// Strikes Postgres' primary in every way, in random order.
    fn fail_over(&mut self) -> Result<()> {
        let mut faults = PrimaryFault::ALL;
        faults.shuffle(self.rng);
        for fault in faults {
            // Each at least once; then none without load.
            if Instant::now() >= self.end && self.injected.fit(Scenario::Failover) {
                break;
            }
            self.sleep(2000..5000)?;
            let elapsed = self.deployment.database().cluster()?.strike(fault)?;
            self.injected.failovers.count(fault, elapsed);
        }
        // Leave time to recover.
        self.sleep(2000..4000)
    }

    fn victim(&mut self) -> usize {
        self.rng.random_range(0..self.deployment.count())
    }

    /// Restarts a replica that ended unexpectedly, and records the problem.
    fn revive(&mut self, index: usize) -> Result<()> {
        let Some(status) = self.deployment.replica(index).ended()? else { return Ok(()) };
        let log = self.deployment.replica(index).log_end();
        self.problems.push(format!("replica {} ended unexpectedly: {status}; {log}", index + 1));
        self.deployment.start_replica(index)
    }

    fn sleep(&mut self, ms: Range<u64>) -> Result<()> {
        sleep(Duration::from_millis(self.rng.random_range(ms)))
    }
}

/// Sleeps; fails early if this process is asked to stop.
fn sleep(time: Duration) -> Result<()> {
    let end = Instant::now() + time;
    while Instant::now() < end {
        if child::interrupted() {
            bail!("interrupted");
        }
        thread::sleep(POLL_INTERVAL.min(end.saturating_duration_since(Instant::now())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_of_faults_needs_at_least_one() {
        for scenario in Scenario::ALL {
            let faultless = matches!(scenario, Scenario::Steady | Scenario::Clock);
            assert_eq!(InjectedFaults::default().fit(scenario), faultless, "{}", scenario.name());
        }
        let cuts = InjectedFaults { cuts: 1, ..InjectedFaults::default() };
        assert!(cuts.fit(Scenario::Cut) && !cuts.fit(Scenario::Steady) && !cuts.fit(Scenario::Kill));
    }
}
