//! Brings the faults, again and again until the time is over, each at least once. At the end everything runs again.

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::index;
use rustix::process::Signal;
use serde::Serialize;

use super::scenario::Scenario;
use super::stage::Stage;
use crate::child;
use crate::postgres::Crash;

/// The exit code of a service that had to stop by itself.
const STOPPED: i32 = 6;
const POLL: Duration = Duration::from_millis(20);
const CLOSING: &str = "closed the lane of a replica that was silent";
/// For others to take a stopped replica for dead, and for it to find that out.
const FENCE_LIMIT: Duration = Duration::from_secs(60);

/// What was done.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Deeds {
    /// Replicas killed.
    pub(super) kills: usize,
    /// Replicas stopped in the middle that went on.
    pub(super) stops: usize,
    /// Replicas stopped for so long that others took them for dead, which ended with code 6 for that.
    pub(super) fenced: usize,
    /// Replicas restarted properly.
    pub(super) restarts: usize,
    /// Times that Postgres was killed.
    pub(super) crashes: usize,
    /// Connections to Postgres that were cut.
    pub(super) cuts: usize,
}

impl Deeds {
    /// Whether a scenario has done what it is about.
    pub(super) fn fit(&self, scenario: Scenario) -> bool {
        match scenario {
            Scenario::Steady | Scenario::Clock => *self == Self::default(),
            Scenario::Kill => self.kills > 0,
            Scenario::Stop => self.fenced > 0 && self.stops > 0,
            Scenario::Rolling => self.restarts > 0,
            Scenario::Postgres => self.crashes > 0,
            Scenario::Cut => self.cuts > 0,
        }
    }
}

/// Does it.
pub(super) struct Bringer<'a> {
    pub(super) stage: &'a mut Stage,
    pub(super) rng: &'a mut StdRng,
    pub(super) end: Instant,
    pub(super) deeds: Deeds,
    /// What should not have happened.
    pub(super) complaints: Vec<String>,
}

impl Bringer<'_> {
    pub(super) fn bring(&mut self, scenario: Scenario) -> Result<()> {
        match scenario {
            Scenario::Steady | Scenario::Clock => self.idle(),
            Scenario::Kill => self.again(Self::kill),
            Scenario::Stop => {
                self.fence()?;
                self.again(Self::stop)
            }
            Scenario::Rolling => self.again(Self::restart_all),
            Scenario::Postgres => self.again(Self::crash),
            Scenario::Cut => self.again(Self::cut),
        }
    }

    fn again(&mut self, round: fn(&mut Self) -> Result<()>) -> Result<()> {
        round(self)?;
        while Instant::now() < self.end {
            round(self)?;
        }
        Ok(())
    }

    fn idle(&mut self) -> Result<()> {
        while Instant::now() < self.end {
            pause(POLL)?;
        }
        Ok(())
    }

    /// Some replicas at once, all of them sometimes.
    fn kill(&mut self) -> Result<()> {
        self.pause(300..1500)?;
        let count = self.stage.count();
        let how_many = self.rng.random_range(1..=count);
        let victims = index::sample(self.rng, count, how_many).into_vec();
        for &victim in &victims {
            self.revive(victim)?;
            self.stage.replica(victim).kill();
            self.deeds.kills += 1;
        }
        self.pause(0..1000)?;
        victims.into_iter().try_for_each(|victim| self.stage.start(victim))
    }

    /// For less time than makes others take it for dead.
    fn stop(&mut self) -> Result<()> {
        self.pause(300..1500)?;
        let victim = self.victim();
        self.revive(victim)?;
        self.stage.replica(victim).signal(Signal::STOP)?;
        self.pause(100..2000)?;
        self.stage.replica(victim).signal(Signal::CONT)?;
        self.deeds.stops += 1;
        Ok(())
    }

    /// For so long that others have closed its lanes: it must end when it goes on.
    fn fence(&mut self) -> Result<()> {
        self.pause(300..1000)?;
        let victim = self.victim();
        let closed = self.stage.count_logged(CLOSING);
        self.stage.replica(victim).signal(Signal::STOP)?;
        let deadline = Instant::now() + FENCE_LIMIT;
        // A replica has two lanes.
        while self.stage.count_logged(CLOSING) < closed + 2 {
            if Instant::now() > deadline {
                self.complaints.push(format!("nobody took stopped replica {} for dead", victim + 1));
                break;
            }
            pause(POLL)?;
        }
        let replica = self.stage.replica(victim);
        replica.signal(Signal::CONT)?;
        match replica.wait(FENCE_LIMIT)?.map(|status| status.code()) {
            Some(Some(STOPPED)) => self.deeds.fenced += 1,
            other => self.complaints.push(format!(
                "replica {} was taken for dead and should have ended with code {STOPPED}, not {other:?}; {}",
                victim + 1,
                self.stage.replica(victim).logged()
            )),
        }
        self.stage.replica(victim).kill();
        self.stage.start(victim)
    }

    /// One after the other, each when HAProxy has the one before again.
    fn restart_all(&mut self) -> Result<()> {
        for number in 0..self.stage.count() {
            self.pause(100..600)?;
            let complaint = self.stage.terminate(number)?;
            self.complaints.extend(complaint);
            self.stage.start(number)?;
            self.stage.wait_until_balanced(number)?;
            self.deeds.restarts += 1;
        }
        Ok(())
    }

    fn crash(&mut self) -> Result<()> {
        self.pause(500..2000)?;
        self.stage.crash_postgres(if self.rng.random() { Crash::Kill } else { Crash::Immediate })?;
        self.deeds.crashes += 1;
        self.pause(0..2000)?;
        self.stage.restart_postgres()?;
        // What comes back together must find its feet before the next time, or nothing is ever in mid-commit.
        self.pause(2000..4000)
    }

    /// Now Postgres ends sessions that are at work, now the line is cut; at least one of them has something to cut.
    fn cut(&mut self) -> Result<()> {
        self.pause(100..800)?;
        let ended = if self.rng.random() { self.stage.end_sessions()? } else { 0 };
        self.deeds.cuts += if ended > 0 { ended } else { self.stage.cut_line() };
        Ok(())
    }

    fn victim(&mut self) -> usize {
        self.rng.random_range(0..self.stage.count())
    }

    /// No replica ends by itself; if one did, that is told, and it runs again.
    fn revive(&mut self, number: usize) -> Result<()> {
        let Some(status) = self.stage.replica(number).ended()? else { return Ok(()) };
        let logged = self.stage.replica(number).logged();
        self.complaints.push(format!("replica {} ended by itself: {status}; {logged}", number + 1));
        self.stage.start(number)
    }

    fn pause(&mut self, ms: Range<u64>) -> Result<()> {
        pause(Duration::from_millis(self.rng.random_range(ms)))
    }
}

/// Waits, but not when somebody wants us to stop.
fn pause(time: Duration) -> Result<()> {
    let end = Instant::now() + time;
    while Instant::now() < end {
        if child::interrupted() {
            bail!("interrupted");
        }
        thread::sleep(POLL.min(end.saturating_duration_since(Instant::now())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_in_which_nothing_happened_shows_nothing() {
        for scenario in Scenario::ALL {
            let idle = matches!(scenario, Scenario::Steady | Scenario::Clock);
            assert_eq!(Deeds::default().fit(scenario), idle, "{}", scenario.name());
        }
        let cuts = Deeds { cuts: 1, ..Deeds::default() };
        assert!(cuts.fit(Scenario::Cut) && !cuts.fit(Scenario::Steady) && !cuts.fit(Scenario::Kill));
    }
}
