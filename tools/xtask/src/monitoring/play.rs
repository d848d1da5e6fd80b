//! The service that is looked at: its own process on SQLite, bots that play on it with `matchbook`, and the events that
//! its log has in the end.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tempfile::TempDir;

use crate::child;
use crate::programs::{self, Profile, Programs};

/// Games that are played at the same moment, with the number of turns of each.
const TURNS: [u32; 3] = [40, 48, 56];

/// How long a bot thinks: so that there is something to see for a while.
const DELAY_MS: &str = "200";

/// The bots must be done by then.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running service; killed when dropped.
pub(super) struct Scene {
    service: Child,
    programs: Programs,
    address: String,
    folder: TempDir,
}

/// What the log has when everybody is done.
pub(super) struct Played {
    pub(super) matches: u64,
    pub(super) moves: u64,
    pub(super) refusals: u64,
}

impl Scene {
    /// Builds service and client, and starts the service on a free port.
    pub(super) fn start() -> Result<Self> {
        let programs = Programs::build(Profile::Debug, &["server", "cli"])?;
        let folder = tempfile::tempdir().context("cannot make a folder")?;
        let database = format!("sqlite://{}", folder.path().join("matchbook.db").display());
        let log = File::create(folder.path().join("log")).context("cannot write the service's log")?;
        let mut service = programs
            .matchbookd("serve")
            .args(["--listen", "127.0.0.1:0", "--database", &database, "--key-file"])
            .arg(folder.path().join("matchbook.key"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .context("cannot start matchbookd")?;
        let mut greeting = BufReader::new(service.stdout.take().expect("it was piped"));
        let mut scene = Self { service, programs, address: String::new(), folder };
        let Some(address) = programs::read_address(&mut greeting)? else {
            let log = fs::read_to_string(scene.folder().join("log")).unwrap_or_default();
            bail!("matchbookd ended before it was up; its log says:\n{log}");
        };
        // Read on, so that the service never waits for a reader.
        thread::spawn(move || io::copy(&mut greeting, &mut io::sink()));
        scene.address = address;
        Ok(scene)
    }

    /// `127.0.0.1:PORT`.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// A place for everything that is thrown away.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Lets bots play to the end, asks for what can't be had in the middle of it, and counts what the log has.
    pub(super) fn play(&self) -> Result<Played> {
        let mut bots = Bots(Vec::new());
        for (seed, turns) in TURNS.iter().enumerate() {
            bots.0.push(self.bots(seed, *turns)?);
        }
        // A rate is seen only from the second time on.
        let first = self.ask_in_vain()?;
        bots.wait()?;
        let mut played = Played { matches: 0, moves: 0, refusals: first + self.ask_in_vain()? };
        for found in list(&self.get("/v1/matches?pageSize=100")?, "matches") {
            let id = found["matchId"].as_str().context("a match has an id")?;
            played.matches += 1;
            played.moves += self.moves(id)?;
        }
        Ok(played)
    }

    /// Asks for what is not there, and tells how often.
    fn ask_in_vain(&self) -> Result<u64> {
        let missing = ["/v1/nothing", "/v1/matches/00000000-0000-7000-8000-000000000000/view"];
        for path in missing {
            child::capture(Command::new("curl").args(["-sS", "-o", "/dev/null"]).arg(self.url(path)))?;
        }
        Ok(missing.len() as u64)
    }

    /// Accepted moves of a match, sealed ones too: each was one call.
    fn moves(&self, id: &str) -> Result<u64> {
        let (mut moves, mut after) = (0, 0);
        loop {
            let page = self.get(&format!("/v1/matches/{id}/events?afterSeq={after}&pageSize=500"))?;
            let events = list(&page, "events");
            let Some(last) = events.last() else { return Ok(moves) };
            after = last["seq"].as_u64().context("an event has a seq")?;
            let is_move =
                |event: &&Value| event.get("moveMade").is_some() || event.get("moveSealed").is_some();
            moves += events.iter().filter(is_move).count() as u64;
        }
    }

    fn bots(&self, seed: usize, turns: u32) -> Result<Child> {
        let mut matchbook = Command::new(self.programs.path("matchbook"));
        programs::deafen(&mut matchbook);
        matchbook
            .args(["new", "angels-and-demons", "--option", &format!("turns={turns}"), "--bots", "2"])
            .args(["--skill", "random", "--delay-ms", DELAY_MS, "--seed", &seed.to_string()])
            .env("MATCHBOOK_SERVER", self.url(""))
            .env("XDG_STATE_HOME", self.folder())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .context("cannot start bots")
    }

    fn get(&self, path: &str) -> Result<Value> {
        let text = child::capture(Command::new("curl").args(["-sSf"]).arg(self.url(path)))?;
        serde_json::from_str(&text).with_context(|| format!("{path} is not JSON"))
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

fn list(answer: &Value, field: &str) -> Vec<Value> {
    answer[field].as_array().cloned().unwrap_or_default()
}

/// Bots that play; killed when dropped.
struct Bots(Vec<Child>);

impl Bots {
    fn wait(&mut self) -> Result<()> {
        let late = Instant::now() + PATIENCE;
        for bots in &mut self.0 {
            loop {
                match bots.try_wait().context("cannot wait for bots")? {
                    Some(status) if status.success() => break,
                    Some(status) => bail!("bots ended with {status}"),
                    None if Instant::now() > late || child::interrupted() => {
                        bail!("the bots were not done in time")
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
            // They may have ended by themselves; there is nothing to lose.
            let _ = bots.kill();
            let _ = bots.wait();
        }
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.service.kill();
        let _ = self.service.wait();
    }
}
