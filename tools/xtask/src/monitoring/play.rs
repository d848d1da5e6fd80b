//! The service that Prometheus scrapes: on SQLite, with bots that play through `matchbook`, and the events in
//! its log.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tempfile::TempDir;

use crate::child;
use crate::programs::{Programs, clear_settings};
use crate::service::RunningService;

/// The number of turns of each match; all are played at once.
const TURNS: [u32; 3] = [40, 48, 56];

/// A bot's delay before each move, so that matches last for some scrapes.
const DELAY: &str = "200ms";

/// How long the bots may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A running service for bots.
pub(super) struct PlayedService<'a> {
    service: RunningService,
    programs: &'a Programs,
    folder: TempDir,
}

/// What the log contains after the matches.
pub(super) struct Played {
    pub(super) matches: u64,
    pub(super) moves: u64,
    pub(super) refusals: u64,
}

impl<'a> PlayedService<'a> {
    pub(super) fn start(programs: &'a Programs) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
        let database = format!("sqlite://{}", folder.path().join("matchbook.db").display());
        let service = RunningService::start(programs, folder.path(), &database)?;
        Ok(Self { service, programs, folder })
    }

    /// Returns `127.0.0.1:PORT`.
    pub(super) fn address(&self) -> &str {
        self.service.address()
    }

    /// Returns a folder for temporary files.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Lets bots play to the end with some refused calls in between, then counts what the log contains.
    pub(super) fn play(&self) -> Result<Played> {
        let mut bots = Bots(Vec::new());
        for (seed, turns) in TURNS.iter().enumerate() {
            bots.0.push(self.start_bots(seed, *turns)?);
        }
        // Twice: a counter has no rate before its second value.
        let refusals = self.make_refused_calls()?;
        bots.wait()?;
        let refusals = refusals + self.make_refused_calls()?;
        let mut played = Played { matches: 0, moves: 0, refusals };
        for found in list(&self.get("/v1/matches?pageSize=100")?, "matches") {
            let id = found["matchId"].as_str().context("a match has no id")?;
            played.matches += 1;
            played.moves += self.count_moves(id)?;
        }
        Ok(played)
    }

    /// Requests resources that do not exist. Returns the number of calls.
    fn make_refused_calls(&self) -> Result<u64> {
        let missing = ["/v1/nothing", "/v1/matches/00000000-0000-7000-8000-000000000000/view"];
        for path in missing {
            child::capture(Command::new("curl").args(["-sS", "-o", "/dev/null"]).arg(self.url(path)))?;
        }
        Ok(missing.len() as u64)
    }

    /// Counts the moves of a match, sealed ones included: each was one call.
    fn count_moves(&self, id: &str) -> Result<u64> {
        let (mut moves, mut after) = (0, 0);
        loop {
            let page = self.get(&format!("/v1/matches/{id}/events?afterSeq={after}&pageSize=500"))?;
            let events = list(&page, "events");
            let Some(last) = events.last() else { return Ok(moves) };
            after = last["seq"].as_u64().context("an event has no seq")?;
            let is_move =
                |event: &&Value| event.get("moveMade").is_some() || event.get("moveSealed").is_some();
            moves += events.iter().filter(is_move).count() as u64;
        }
    }

    fn start_bots(&self, seed: usize, turns: u32) -> Result<Child> {
        let mut matchbook = Command::new(self.programs.path("matchbook"));
        clear_settings(&mut matchbook);
        matchbook
            .args(["new", "angels-and-demons", "--option", &format!("turns={turns}"), "--bots", "2"])
            .args(["--skill", "random", "--delay", DELAY, "--seed", &seed.to_string()])
            .env("MATCHBOOK_SERVER", self.service.url())
            .env("XDG_STATE_HOME", self.folder())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .context("cannot start bots")
    }

    fn get(&self, path: &str) -> Result<Value> {
        let text = child::capture(Command::new("curl").args(["-sSf"]).arg(self.url(path)))?;
        serde_json::from_str(&text).with_context(|| format!("the response to {path} is not JSON"))
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.service.url())
    }
}

fn list(response: &Value, field: &str) -> Vec<Value> {
    response[field].as_array().cloned().unwrap_or_default()
}

/// Processes of playing bots; killed when dropped.
struct Bots(Vec<Child>);

impl Bots {
    fn wait(&mut self) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        for bots in &mut self.0 {
            loop {
                match bots.try_wait().context("cannot wait for bots")? {
                    Some(status) if status.success() => break,
                    Some(status) => bail!("bots ended with {status}"),
                    None if Instant::now() > deadline || child::interrupted() => {
                        bail!("the bots did not finish within {} s", TIMEOUT.as_secs())
                    }
                    None => thread::sleep(Duration::from_millis(50)),
                }
            }
        }
        Ok(())
    }
}

impl Drop for Bots {
    fn drop(&mut self) {
        for bots in &mut self.0 {
            // Both fail if the process has ended.
            let _ = bots.kill();
            let _ = bots.wait();
        }
    }
}
