//! A bot that plays both seats of match after match, while watchers follow. In simultaneous turns both seats
//! move at once on different routes, so that replicas contend.

use std::time::{Duration, Instant};

use matchbook_client::Client;
use matchbook_client::v1::time_control::Kind;
use matchbook_client::v1::{self, MatchStatus, PerMove, TimeControl};
use rand::RngExt;
use tokio::task::JoinHandle;

use crate::caller::{CallFailure, CallTally, RetryingCaller};
use crate::history::{MatchFinish, MatchHistory, WatchHistory};
use crate::player::{AcknowledgedChange, SeatPlayer, open};
use crate::routes::ServiceRoutes;
use crate::watcher::watch;

/// Interval between checks whether the clock has ended a match.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// What a bot plays, and until when.
#[derive(Clone)]
pub(crate) struct BotPlan {
    pub(crate) game: String,
    /// When bots stop making moves.
    pub(crate) until: Instant,
    /// When calls and watches are abandoned.
    pub(crate) deadline: Instant,
    /// The mean pause between turns.
    pub(crate) pause: Duration,
    /// The time per move, in matches with clocks.
    pub(crate) move_ms: Option<u32>,
    pub(crate) seed: u64,
}

/// The matches of one or more bots.
#[derive(Default)]
pub(crate) struct BotResults {
    pub(crate) matches: Vec<(MatchHistory, Vec<WatchHistory>)>,
    pub(crate) tally: CallTally,
    pub(crate) lead_ms: i64,
    /// Problems outside any match.
    pub(crate) problems: Vec<String>,
}

impl BotResults {
    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.matches.extend(other.matches);
        self.problems.extend(other.problems);
        self.tally = self.tally.merge(other.tally);
        self.lead_ms = self.lead_ms.max(other.lead_ms);
        self
    }
}

/// Plays until the plan's time is over, and finishes the last match.
pub(crate) async fn play(routes: ServiceRoutes, plan: BotPlan) -> BotResults {
    let mut results = BotResults::default();
    let mut watched = Vec::new();
    let caller =
        |number| RetryingCaller::new(routes.clone(), plan.seed.wrapping_mul(3) + number, plan.deadline);
    let (mut host, mut number) = (caller(0), 1);
    // In turn, not at random: even a few matches are then created on every replica.
    for turn in plan.seed.. {
        let route = routes.in_turn(turn);
        let opened = match open(&mut host, route, &plan.game, plan.time_control()).await {
            Ok(opened) => opened,
            Err(CallFailure(reason)) => {
                results.problems.push(format!("cannot start a match: {reason}"));
                break;
            }
        };
        results.lead_ms = results.lead_ms.max(opened.lead_ms);
        let history = MatchHistory {
            match_id: opened.match_id.clone(),
            opening: opened.opening,
            acknowledged: Vec::new(),
            left_to_clock: false,
            problems: Vec::new(),
        };
        let players = opened.tokens.map(|token| {
            number += 1;
            SeatPlayer { caller: caller(number), token }
        });
        let mut played = PlayedMatch { plan: plan.clone(), players, history };
        let watchers: Vec<_> = routes
            .all()
            .map(|route| tokio::spawn(watch(routes.clone(), route, opened.match_id.clone(), plan.deadline)))
            .collect();
        if let Err(CallFailure(reason)) = played.play(opened.to_act).await {
            played.history.problems.push(reason);
        }
        for player in &played.players {
            results.tally = results.tally.merge(player.caller.tally);
        }
        let stop = !played.history.problems.is_empty() || Instant::now() > plan.until;
        watched.push((played.history, watchers));
        if stop {
            break;
        }
    }
    results.tally = results.tally.merge(host.tally);
    results.matches = collect(watched).await;
    results
}

async fn collect(
    watched: Vec<(MatchHistory, Vec<JoinHandle<WatchHistory>>)>,
) -> Vec<(MatchHistory, Vec<WatchHistory>)> {
    let mut matches = Vec::new();
    for (history, watchers) in watched {
        let mut watches = Vec::new();
        for watcher in watchers {
            watches.push(watcher.await.expect("a watcher does not panic"));
        }
        matches.push((history, watches));
    }
    matches
}

/// A running match and its players.
struct PlayedMatch {
    plan: BotPlan,
    players: [SeatPlayer; 2],
    history: MatchHistory,
}

impl PlayedMatch {
    /// Plays from the first move to the end.
    async fn play(&mut self, mut to_act: Vec<u32>) -> Result<(), CallFailure> {
        while Instant::now() < self.plan.until {
            let view = self.play_turn(&to_act).await?;
            if view.status() == MatchStatus::Over {
                return Ok(());
            }
            to_act = view.to_act;
            let pause = self.players[0].caller.rng.random_range(0.0..2.0);
            tokio::time::sleep(self.plan.pause.mul_f64(pause)).await;
        }
        self.finish().await
    }

    /// Makes a move for every seat to act, concurrently. Returns the position after them.
    async fn play_turn(&mut self, to_act: &[u32]) -> Result<v1::View, CallFailure> {
        let match_id = self.history.match_id.clone();
        let [zero, one] = &mut self.players;
        let acts = |seat: u32| to_act.contains(&seat);
        let changes = match (acts(0), acts(1)) {
            (true, true) => {
                let (zero, one) = tokio::join!(zero.make_move(&match_id), one.make_move(&match_id));
                vec![zero, one]
            }
            (true, false) => vec![zero.make_move(&match_id).await],
            (false, true) => vec![one.make_move(&match_id).await],
            (false, false) => {
                return Err(CallFailure("the match is running, but no seat is to act".to_owned()));
            }
        };
        let (mut latest, mut failure) = (v1::View::default(), None);
        for change in changes {
            match change {
                Ok(change) => {
                    if change.view.seq > latest.seq {
                        latest = change.view.clone();
                    }
                    self.record(change);
                }
                Err(failed) => failure = Some(failed),
            }
        }
        failure.map_or(Ok(latest), Err)
    }

    fn record(&mut self, change: AcknowledgedChange) {
        self.history.acknowledged.push(change.call);
        self.history.problems.extend(change.problem);
    }

    async fn finish(&mut self) -> Result<(), CallFailure> {
        let match_id = self.history.match_id.clone();
        match self.plan.finish() {
            MatchFinish::Resign => {
                let change = self.players[0].resign(&match_id).await?;
                self.record(change);
                Ok(())
            }
            MatchFinish::Timeout => {
                self.history.left_to_clock = true;
                self.wait_for_timeout(&match_id).await
            }
        }
    }

    async fn wait_for_timeout(&mut self, match_id: &str) -> Result<(), CallFailure> {
        let get_match = |client: Client, id: String| async move { client.get_match(&id).await };
        loop {
            let completed = self.players[0].caller.call(&match_id.to_owned(), None, get_match).await?;
            if completed.response.r#match.unwrap_or_default().status() == MatchStatus::Over {
                return Ok(());
            }
            if Instant::now() > self.plan.deadline {
                return Err(CallFailure("no clock has ended an abandoned match".to_owned()));
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}

impl BotPlan {
    fn finish(&self) -> MatchFinish {
        if self.move_ms.is_some() { MatchFinish::Timeout } else { MatchFinish::Resign }
    }

    fn time_control(&self) -> Option<TimeControl> {
        let time = Duration::from_millis(self.move_ms?.into());
        let move_time = prost_types::Duration::try_from(time).ok();
        Some(TimeControl { kind: Some(Kind::PerMove(PerMove { move_time })) })
    }
}
