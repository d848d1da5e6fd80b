//! `faults`: bots play and watch on every route to the service, whatever happens to it, and a referee
//! compares what they observed with the logs. It prints one line of JSON. `cargo xtask faults` injects the
//! faults.

mod bot;
mod caller;
mod evidence;
mod figures;
mod history;
mod moment;
mod player;
mod referee;
mod routes;
mod watcher;

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use clap::Parser;
use matchbook_client::Client;
use matchbook_client::v1;
use matchbook_client::v1::event::Kind;
use tokio::task::JoinSet;

use bot::{BotPlan, BotResults};
use caller::{CallFailure, RetryingCaller};
use figures::RunFigures;
use history::{Fingerprint, MatchHistory, WatchHistory};
use referee::Finding;
use routes::{ServiceRoute, ServiceRoutes};

/// How long the service may take to answer on every route.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// Play and watch on all routes to a service, then check every match
///
/// Bots play both seats of all games, each call on another route: through the load balancer or to a replica
/// directly. They retry every call until it is answered, and send some acknowledged calls again. Every match
/// is watched on every route. At the end the referee compares each match's log, as each replica returns it,
/// with everything that players and watchers received, and verifies the exported file.
///
/// Prints `playing` when the bots start, and at the end one line of JSON with figures and findings. `cargo
/// xtask faults` starts the service and injects faults.
#[derive(Parser)]
#[command(
    name = "faults",
    after_help = "Example:
  cargo run --release -p faults -- --replica http://127.0.0.1:7420 --matches 8 --seconds 10"
)]
struct Arguments {
    /// Address of the load balancer
    #[arg(long, value_name = "URL")]
    balancer: Option<String>,
    /// Address of a replica; repeatable
    #[arg(long = "replica", value_name = "URL")]
    replicas: Vec<String>,
    /// Number of concurrent matches
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    matches: u64,
    /// How long bots make moves
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// How long calls and watches may take after that
    #[arg(long, value_name = "N", default_value_t = 60)]
    grace_seconds: u64,
    /// Mean pause between the turns of a match
    #[arg(long, value_name = "MS", default_value_t = 20)]
    pause_ms: u64,
    /// Time per move; matches then have clocks and end on time
    #[arg(long, value_name = "MS")]
    move_ms: Option<u32>,
    /// Seed of the bots' choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

// One thread: on a small machine, a second one would take processor time from the replicas.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let routes = ServiceRoutes::new(arguments.balancer.as_deref(), &arguments.replicas)?;
    let games = games(&routes).await.map_err(|CallFailure(reason)| anyhow!("cannot list games: {reason}"))?;
    println!("playing");
    let until = Instant::now() + Duration::from_secs(arguments.seconds);
    let deadline = until + Duration::from_secs(arguments.grace_seconds);
    let mut bots = JoinSet::new();
    for (number, game) in (0..arguments.matches).zip(games.iter().cycle()) {
        let plan = BotPlan {
            game: game.clone(),
            until,
            deadline,
            pause: Duration::from_millis(arguments.pause_ms),
            move_ms: arguments.move_ms,
            seed: arguments.seed.wrapping_mul(1000).wrapping_add(number),
        };
        // Each bot has connections of its own, like a player.
        let routes = ServiceRoutes::new(arguments.balancer.as_deref(), &arguments.replicas)?;
        bots.spawn(bot::play(routes, plan));
    }
    let mut results = BotResults::default();
    while let Some(one) = bots.join_next().await {
        results = results.merge(one?);
    }
    let figures = check(routes, results, deadline).await;
    println!("{}", serde_json::to_string(&figures)?);
    Ok(())
}

/// Returns the ids of all games once every route responds.
async fn games(routes: &ServiceRoutes) -> Result<Vec<String>, CallFailure> {
    let mut caller = RetryingCaller::new(routes.clone(), 0, Instant::now() + START_TIMEOUT);
    let list_games = |client: Client, message| async move { client.list_games(message).await };
    let request = v1::ListGamesRequest::default();
    let mut games = Vec::new();
    for route in routes.all() {
        let listed = caller.call_on(route, &request, list_games).await?.response;
        games = listed.games.into_iter().map(|game| game.game_id).collect();
    }
    Ok(games)
}

async fn check(routes: ServiceRoutes, results: BotResults, deadline: Instant) -> RunFigures {
    let mut figures =
        RunFigures { matches: results.matches.len(), lead_ms: results.lead_ms, ..Default::default() };
    figures.count_calls(results.tally);
    figures.add_times(&results.matches);
    figures.add_findings("no match", results.problems.into_iter().map(Finding::Problem).collect());
    // The players' deadline may have passed; the referee has its own.
    let deadline = deadline.max(Instant::now()) + START_TIMEOUT;
    let mut caller = RetryingCaller::new(routes, 0, deadline);
    let keys = match evidence::keys(&mut caller).await {
        Ok(keys) => keys,
        Err(CallFailure(reason)) => {
            figures.add_findings("no match", vec![Finding::NotVerified(reason)]);
            return figures;
        }
    };
    for (history, watches) in &results.matches {
        let found = check_match(&mut caller, history, watches, &mut figures).await;
        let mut found = found.unwrap_or_else(|CallFailure(reason)| vec![Finding::NotVerified(reason)]);
        found.extend(evidence::verify(&mut caller, history, &keys).await);
        figures.add_findings(&history.match_id, found);
    }
    figures
}

async fn check_match(
    caller: &mut RetryingCaller,
    history: &MatchHistory,
    watches: &[WatchHistory],
    figures: &mut RunFigures,
) -> Result<Vec<Finding>, CallFailure> {
    let routes: Vec<ServiceRoute> = caller.routes.all().collect();
    let log = evidence::log(caller, routes[0], &history.match_id).await?;
    let mut found = referee::check(history, watches, &log);
    for route in &routes[1..] {
        let other = evidence::log(caller, *route, &history.match_id).await?;
        if !other.iter().map(Fingerprint::of).eq(log.iter().map(Fingerprint::of)) {
            found.push(Finding::ReplicasDiffer);
        }
    }
    let is_move = |kind: &Kind| matches!(kind, Kind::MoveMade(_) | Kind::MoveSealed(_));
    figures.moves += log.iter().filter(|event| event.kind.as_ref().is_some_and(is_move)).count();
    figures.events += log.len();
    Ok(found)
}
