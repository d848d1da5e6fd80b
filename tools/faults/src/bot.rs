//! A bot that plays match after match, both seats, while watchers follow. In a simultaneous turn both seats
//! choose at once, on different ways, so that replicas race.

use std::time::{Duration, Instant};

use rand::RngExt;
use tokio::task::JoinHandle;
use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::time_control::Kind;
use wire::v1::{self, MatchStatus, PerMove, TimeControl};

use crate::caller::{Caller, Tally, Unsettled};
use crate::player::{Made, Player, open};
use crate::record::{Finish, Record, Watched};
use crate::routes::Routes;
use crate::watcher::watch;

/// How often it is looked whether the clock has ended a match.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// What a bot does, and for how long.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) game: String,
    /// After this no more moves are made.
    pub(crate) until: Instant,
    /// After this nothing is waited for any more.
    pub(crate) patience: Instant,
    /// The mean pause between turns.
    pub(crate) pause: Duration,
    /// So long for each move, if there are clocks.
    pub(crate) move_ms: Option<u32>,
    pub(crate) seed: u64,
}

/// What became of a bot's matches.
#[derive(Default)]
pub(crate) struct Harvest {
    pub(crate) matches: Vec<(Record, Vec<Watched>)>,
    pub(crate) tally: Tally,
    pub(crate) lead_ms: i64,
    /// What went wrong outside of any match.
    pub(crate) trouble: Vec<String>,
}

impl Harvest {
    /// Both together.
    pub(crate) fn with(mut self, other: Self) -> Self {
        self.matches.extend(other.matches);
        self.trouble.extend(other.trouble);
        self.tally = self.tally.with(other.tally);
        self.lead_ms = self.lead_ms.max(other.lead_ms);
        self
    }
}

/// Plays until the plan's time is over, and ends the last match.
pub(crate) async fn play(routes: Routes, plan: Plan) -> Harvest {
    let mut harvest = Harvest::default();
    let mut watching = Vec::new();
    let caller = |number| Caller::new(routes.clone(), plan.seed.wrapping_mul(3) + number, plan.patience);
    let (mut host, mut number) = (caller(0), 1);
    loop {
        let opened = match open(&mut host, &plan.game, plan.time_control()).await {
            Ok(opened) => opened,
            Err(Unsettled(why)) => {
                harvest.trouble.push(format!("a match could not be begun: {why}"));
                break;
            }
        };
        harvest.lead_ms = harvest.lead_ms.max(opened.lead_ms);
        let mut table = Table {
            plan: plan.clone(),
            players: opened.tokens.map(|token| {
                number += 1;
                Player { caller: caller(number), token }
            }),
            record: Record {
                match_id: opened.match_id.clone(),
                opening: opened.opening,
                acknowledged: Vec::new(),
                left_to_clock: false,
                trouble: Vec::new(),
            },
        };
        let watchers: Vec<_> = routes
            .ways()
            .map(|way| tokio::spawn(watch(routes.clone(), way, opened.match_id.clone(), plan.patience)))
            .collect();
        if let Err(Unsettled(why)) = table.play(opened.to_act).await {
            table.record.trouble.push(why);
        }
        for player in &table.players {
            harvest.tally = harvest.tally.with(player.caller.tally);
        }
        let stop = !table.record.trouble.is_empty() || Instant::now() > plan.until;
        watching.push((table.record, watchers));
        if stop {
            break;
        }
    }
    harvest.tally = harvest.tally.with(host.tally);
    harvest.matches = gather(watching).await;
    harvest
}

async fn gather(watching: Vec<(Record, Vec<JoinHandle<Watched>>)>) -> Vec<(Record, Vec<Watched>)> {
    let mut matches = Vec::new();
    for (record, watchers) in watching {
        let mut watched = Vec::new();
        for watcher in watchers {
            watched.push(watcher.await.expect("a watcher does not panic"));
        }
        matches.push((record, watched));
    }
    matches
}

/// A match and who plays it.
struct Table {
    plan: Plan,
    players: [Player; 2],
    record: Record,
}

impl Table {
    /// From the first move to the end.
    async fn play(&mut self, mut to_act: Vec<i32>) -> Result<(), Unsettled> {
        while Instant::now() < self.plan.until {
            let view = self.turn(&to_act).await?;
            if view.status() == MatchStatus::Over {
                return Ok(());
            }
            to_act = view.to_act;
            let pause = self.players[0].caller.rng.random_range(0.0..2.0);
            tokio::time::sleep(self.plan.pause.mul_f64(pause)).await;
        }
        self.finish().await
    }

    /// A move of every seat that is to act, all at once; the position after them.
    async fn turn(&mut self, to_act: &[i32]) -> Result<v1::View, Unsettled> {
        let match_id = self.record.match_id.clone();
        let [zero, one] = &mut self.players;
        let acts = |seat: v1::Seat| to_act.contains(&seat.into());
        let made = match (acts(v1::Seat::Zero), acts(v1::Seat::One)) {
            (true, true) => {
                let (zero, one) = tokio::join!(zero.make_move(&match_id), one.make_move(&match_id));
                vec![zero, one]
            }
            (true, false) => vec![zero.make_move(&match_id).await],
            (false, true) => vec![one.make_move(&match_id).await],
            (false, false) => return Err(Unsettled("the match runs and nobody is to act".to_owned())),
        };
        let (mut latest, mut failure) = (v1::View::default(), None);
        for made in made {
            match made {
                Ok(made) => {
                    if made.view.seq > latest.seq {
                        latest = made.view.clone();
                    }
                    self.note(made);
                }
                Err(unsettled) => failure = Some(unsettled),
            }
        }
        failure.map_or(Ok(latest), Err)
    }

    fn note(&mut self, made: Made) {
        self.record.acknowledged.push(made.acknowledged);
        self.record.trouble.extend(made.trouble);
    }

    async fn finish(&mut self) -> Result<(), Unsettled> {
        let match_id = self.record.match_id.clone();
        match self.plan.finish() {
            Finish::Resign => {
                let made = self.players[0].resign(&match_id).await?;
                self.note(made);
                Ok(())
            }
            Finish::Flag => {
                self.record.left_to_clock = true;
                self.wait_for_the_clock(&match_id).await
            }
        }
    }

    async fn wait_for_the_clock(&mut self, match_id: &str) -> Result<(), Unsettled> {
        let request = v1::GetMatchRequest { match_id: match_id.to_owned() };
        let rpc = |channel, request| async { MatchServiceClient::new(channel).get_match(request).await };
        loop {
            let settled = self.players[0].caller.settle(&request, None, rpc).await?;
            if settled.answer.r#match.unwrap_or_default().status() == MatchStatus::Over {
                return Ok(());
            }
            if Instant::now() > self.plan.patience {
                return Err(Unsettled("the clock has not ended a match that nobody played".to_owned()));
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

impl Plan {
    fn finish(&self) -> Finish {
        if self.move_ms.is_some() { Finish::Flag } else { Finish::Resign }
    }

    fn time_control(&self) -> Option<TimeControl> {
        self.move_ms.map(|move_ms| TimeControl { kind: Some(Kind::PerMove(PerMove { move_ms })) })
    }
}
