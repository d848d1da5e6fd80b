//! `faults`: bots play and watch through every way to the service, whatever happens to it, and a referee
//! holds what they know against the logs. It prints one line of JSON. What happens to the service is the
//! business of `cargo xtask faults`.

mod bot;
mod caller;
mod evidence;
mod figures;
mod moment;
mod player;
mod record;
mod referee;
mod routes;
mod watcher;

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use clap::Parser;
use tokio::task::JoinSet;
use wire::v1;
use wire::v1::event::Kind;
use wire::v1::game_service_client::GameServiceClient;

use bot::{Harvest, Plan};
use caller::{Caller, Unsettled};
use figures::Figures;
use record::{Print, Record, Watched};
use referee::Finding;
use routes::{Routes, Way};

/// The longest wait for the first answer.
const START_WITHIN: Duration = Duration::from_secs(60);

/// Plays and watches through all ways to a service, then judges every match
///
/// Bots play all games, both seats, each call on another way: through the load balancer or straight to a
/// replica. Every call is repeated until it is answered; some answered ones are sent again. Every match is
/// watched on every way. At the end each match is ended, and the referee compares its log, as each replica
/// tells it, with everything that players and watchers were told, and verifies the exported file.
///
/// It prints `playing` when the first bots sit down, and at the end one line of JSON with figures and
/// findings. `cargo xtask faults` starts everything that is needed, and brings the faults.
#[derive(Parser)]
#[command(
    name = "faults",
    after_help = "Example:
  cargo run --release -p faults -- --replica http://127.0.0.1:7420 --matches 8 --seconds 10"
)]
struct Arguments {
    /// The load balancer's address
    #[arg(long, value_name = "URL")]
    balancer: Option<String>,
    /// A replica's own address; once for each
    #[arg(long = "replica", value_name = "URL")]
    replicas: Vec<String>,
    /// Matches played at once
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    matches: u64,
    /// How long moves are made
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// How long after that answers are still waited for
    #[arg(long, value_name = "N", default_value_t = 60)]
    patience_seconds: u64,
    /// The mean pause between two turns of a match
    #[arg(long, value_name = "MS", default_value_t = 20)]
    pause_ms: u64,
    /// Matches have clocks, with so long for each move; at the end they are left to them
    #[arg(long, value_name = "MS")]
    move_ms: Option<u32>,
    /// What the bots' choices derive from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

// One thread: two would take the replicas' core away from them on a small machine.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let routes = Routes::new(arguments.balancer.as_deref(), &arguments.replicas)?;
    let games = games(&routes).await.map_err(|Unsettled(why)| anyhow!("no game can be played: {why}"))?;
    println!("playing");
    let until = Instant::now() + Duration::from_secs(arguments.seconds);
    let patience = until + Duration::from_secs(arguments.patience_seconds);
    let mut bots = JoinSet::new();
    for (number, game) in (0..arguments.matches).zip(games.iter().cycle()) {
        let plan = Plan {
            game: game.clone(),
            until,
            patience,
            pause: Duration::from_millis(arguments.pause_ms),
            move_ms: arguments.move_ms,
            seed: arguments.seed.wrapping_mul(1000).wrapping_add(number),
        };
        // Connections of its own, as players have.
        let routes = Routes::new(arguments.balancer.as_deref(), &arguments.replicas)?;
        bots.spawn(bot::play(routes, plan));
    }
    let mut harvest = Harvest::default();
    while let Some(one) = bots.join_next().await {
        harvest = harvest.with(one?);
    }
    let figures = judge(routes, harvest, patience).await;
    println!("{}", serde_json::to_string(&figures)?);
    Ok(())
}

/// The ids of all games, as soon as every way answers.
async fn games(routes: &Routes) -> Result<Vec<String>, Unsettled> {
    let mut caller = Caller::new(routes.clone(), 0, Instant::now() + START_WITHIN);
    let rpc = |channel, request| async { GameServiceClient::new(channel).list_games(request).await };
    let mut games = Vec::new();
    for way in routes.ways() {
        let listed = caller.settle_on(way, &v1::ListGamesRequest {}, None, rpc).await?.answer;
        games = listed.games.into_iter().map(|game| game.game).collect();
    }
    Ok(games)
}

async fn judge(routes: Routes, harvest: Harvest, patience: Instant) -> Figures {
    let mut figures =
        Figures { matches: harvest.matches.len(), lead_ms: harvest.lead_ms, ..Default::default() };
    figures.count_calls(harvest.tally);
    figures.time(&harvest.matches);
    figures.find("no match", harvest.trouble.into_iter().map(Finding::Trouble).collect());
    // The players' patience is over; the referee has its own.
    let mut caller = Caller::new(routes, 0, patience.max(Instant::now()) + START_WITHIN);
    let keys = match evidence::keys(&mut caller).await {
        Ok(keys) => keys,
        Err(Unsettled(why)) => {
            figures.find("no match", vec![Finding::NotVerified(why)]);
            return figures;
        }
    };
    for (record, watched) in &harvest.matches {
        let found = judge_match(&mut caller, record, watched, &mut figures).await;
        let mut found = found.unwrap_or_else(|Unsettled(why)| vec![Finding::NotVerified(why)]);
        found.extend(evidence::verify(&mut caller, record, &keys).await);
        figures.find(&record.match_id, found);
    }
    figures
}

async fn judge_match(
    caller: &mut Caller,
    record: &Record,
    watched: &[Watched],
    figures: &mut Figures,
) -> Result<Vec<Finding>, Unsettled> {
    let ways: Vec<Way> = caller.routes.ways().collect();
    let log = evidence::log(caller, ways[0], &record.match_id).await?;
    let mut found = referee::judge(record, watched, &log);
    for way in &ways[1..] {
        let other = evidence::log(caller, *way, &record.match_id).await?;
        if !other.iter().map(Print::of).eq(log.iter().map(Print::of)) {
            found.push(Finding::ReplicasDiffer);
        }
    }
    let is_move = |kind: &Kind| matches!(kind, Kind::MoveMade(_) | Kind::MoveSealed(_));
    figures.moves += log.iter().filter(|event| event.kind.as_ref().is_some_and(is_move)).count();
    figures.events += log.len();
    Ok(found)
}
