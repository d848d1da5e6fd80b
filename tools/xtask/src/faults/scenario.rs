//! The scenarios: what each is about, and how it is played from start to end.

use std::time::{Duration, Instant};

use anyhow::Result;
use rand::rngs::StdRng;
use serde::Serialize;

use super::bring::{Bringer, Deeds};
use super::load::{Load, Ways};
use super::replica::Settings;
use super::report::Outcome;
use super::stage::{OnLine, Stage};

/// So long for each move where there are clocks: less than the wrong clock is ahead, less the service's grace.
const MOVE_MS: u32 = 4500;
/// What the ids of a replica whose clock is 5 s ahead must at least show of that.
const LEAST_LEAD_MS: i64 = 4000;
/// In the scenario of stopped replicas: short enough to be waited for.
const SILENCE_MS: u64 = 6000;

/// What can happen to several replicas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(super) enum Scenario {
    /// Nothing happens
    Steady,
    /// Replicas are killed (SIGKILL) and started again
    Kill,
    /// Replicas are stopped in the middle (SIGSTOP) and go on, some after they were taken for dead
    Stop,
    /// Replicas are restarted one by one (SIGTERM), all calls through HAProxy
    Rolling,
    /// Postgres is killed and started again
    Postgres,
    /// Connections to Postgres are cut in mid-commit
    Cut,
    /// One replica's clock is 5 s ahead, in matches with clocks
    Clock,
}

/// How a scenario is to be played.
pub(super) struct Asked {
    pub(super) seconds: u64,
    pub(super) matches: u64,
    pub(super) seed: u64,
}

impl Scenario {
    pub(super) const ALL: [Self; 7] =
        [Self::Steady, Self::Kill, Self::Stop, Self::Rolling, Self::Postgres, Self::Cut, Self::Clock];

    /// Its word on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::Kill => "kill",
            Self::Stop => "stop",
            Self::Rolling => "rolling",
            Self::Postgres => "postgres",
            Self::Cut => "cut",
            Self::Clock => "clock",
        }
    }

    /// What happens in it.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Steady => "nothing happens",
            Self::Kill => "replicas are killed",
            Self::Stop => "replicas are stopped in the middle and go on",
            Self::Rolling => "replicas are restarted one by one",
            Self::Postgres => "Postgres is killed",
            Self::Cut => "connections to Postgres are cut",
            Self::Clock => "a replica's clock is 5 s ahead",
        }
    }

    /// From the start of the replicas to the referee's last word.
    pub(super) fn play(self, stage: &mut Stage, asked: &Asked, rng: &mut StdRng) -> Result<Outcome> {
        let silence_ms = (self == Self::Stop).then_some(SILENCE_MS);
        let on_line = if self == Self::Cut { OnLine::Yes } else { OnLine::No };
        let wrong_clock = (self == Self::Clock).then_some(0);
        stage.open(Settings { silence_ms, ..Settings::default() }, on_line, wrong_clock)?;
        let ways = if self == Self::Rolling { Ways::Balanced } else { Ways::All };
        let load = Load::start(stage, asked, ways, (self == Self::Clock).then_some(MOVE_MS))?;
        let end = Instant::now() + Duration::from_secs(asked.seconds);
        let mut bringer = Bringer { stage, rng, end, deeds: Deeds::default(), complaints: Vec::new() };
        bringer.bring(self)?;
        let Bringer { deeds, mut complaints, .. } = bringer;
        let figures = load.finish()?;
        complaints.extend(stage.close()?);
        if self == Self::Rolling && figures.gave_up > 0 {
            complaints.push(format!("{} calls failed although they were repeated", figures.gave_up));
        }
        if self == Self::Clock && figures.lead_ms < LEAST_LEAD_MS {
            let lead = figures.lead_ms;
            complaints.push(format!("no clock was ahead: ids lead by {lead} ms, so nothing was tried"));
        }
        if !deeds.fit(self) {
            complaints.push(format!("what the scenario is about was not done: {deeds:?}"));
        }
        if figures.moves == 0 {
            complaints.push("no move was made".to_owned());
        }
        Ok(Outcome { scenario: self, seconds: asked.seconds, deeds, figures, complaints })
    }
}
