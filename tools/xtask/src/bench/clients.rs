//! `cargo xtask bench clients`: moves a second of a bot loop in each client, in one run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::Value;

use super::figure::Figure;
use super::machine;
use crate::programs::{Profile, Programs};
use crate::service::RunningService;
use crate::{child, python_client, tools, typescript_client};

/// The game's maximum of turns. A loop ends with its match.
const TURNS: u32 = 1000;

/// Measure how many moves a second a bot loop makes in each client
///
/// One service, a release build with its database in memory, and one client after the other: Rust, Python and
/// TypeScript in one match and in many at once; matchbook, curl and grpcurl, which are a process per move, in
/// one match. The bots play Angels and Demons, where they need no list of legal moves, and wait for each
/// answer. Run nothing else meanwhile: the table says whether the machine was busy before.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo xtask bench clients                 about two minutes after building
  cargo xtask bench clients --seconds 2     a quick run with less stable figures")]
pub(crate) struct Arguments {
    /// Duration of each measurement
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Number of matches at once, where a client can play many
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(2..))]
    matches: u32,
    /// File to write the figures to as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The moves a second of one client.
#[derive(Debug, Serialize)]
struct Row {
    client: &'static str,
    one_match: f64,
    /// `None` for a client that is a process per move.
    many_matches: Option<f64>,
}

/// What is measured, and where.
struct Bench<'a> {
    programs: &'a Programs,
    service: &'a RunningService,
    folder: &'a Path,
    seconds: u64,
    matches: u32,
}

/// Measures all clients and prints the table.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let programs = Programs::build(Profile::Release)?;
    typescript_client::build()?;
    let python = python_client::Installed::find()?;
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let busy = machine::busy().unwrap_or_default();
    let service = RunningService::start(&programs, folder.path(), "memory:")?;
    let Arguments { seconds, matches, json } = arguments;
    let (programs, folder, seconds, matches) = (&programs, folder.path(), *seconds, *matches);
    let rows = Bench { programs, service: &service, folder, seconds, matches }.measure(&python)?;
    service.stop()?;
    println!("{}", render(&rows, matches, busy));
    if let Some(file) = json {
        let text = serde_json::to_string_pretty(&rows)?;
        fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

impl Bench<'_> {
    fn measure(&self, python: &python_client::Installed) -> Result<Vec<Row>> {
        let mut rows = vec![self.rust()?];
        rows.extend(self.python(python)?);
        rows.push(self.typescript()?);
        rows.push(self.process_per_move("matchbook", |table, seat, space| {
            let mut matchbook = self.matchbook();
            matchbook.args(["move", &table.match_id, space, "--seat", if seat == 0 { "0" } else { "1" }]);
            matchbook
        })?);
        let curl = tools::CURL.path()?;
        rows.push(self.process_per_move("curl", |table, seat, space| {
            let mut command = Command::new(&curl);
            let body = format!("{{\"notation\": \"{space}\"}}");
            let url = format!("{}/v1/matches/{}/moves", self.service.url(), table.match_id);
            command.args(["-sSf", &url, "-H", "content-type: application/json", "-d", &body]);
            command.args(["-H", &format!("matchbook-seat-token: {}", table.tokens[seat])]);
            command
        })?);
        let grpcurl = tools::GRPCURL.path()?;
        rows.push(self.process_per_move("grpcurl", |table, seat, space| {
            let mut command = Command::new(&grpcurl);
            let body = format!("{{\"matchId\": \"{}\", \"notation\": \"{space}\"}}", table.match_id);
            let token = format!("matchbook-seat-token: {}", table.tokens[seat]);
            command.args(["-plaintext", "-H", &token, "-d", &body, self.service.address()]);
            command.arg("matchbook.v1.MatchService/SubmitMove");
            command
        })?);
        Ok(rows)
    }

    fn rust(&self) -> Result<Row> {
        let measure = |matches: u32| -> Result<f64> {
            let mut bench = self.programs.bench("moves", self.seconds, 0);
            bench.args(["--server", &self.service.url(), "--matches", &matches.to_string()]);
            let figure: Figure = serde_json::from_str(&child::capture(&mut bench)?)?;
            Ok(figure.per_second)
        };
        Ok(Row { client: "Rust", one_match: measure(1)?, many_matches: Some(measure(self.matches)?) })
    }

    fn python(&self, python: &python_client::Installed) -> Result<[Row; 2]> {
        let mut bots = python.command();
        bots.args(["clients/python/examples/bots.py", "--server", self.service.address()]);
        bots.args(["--matches", &self.matches.to_string(), "--seconds", &self.seconds.to_string()]);
        let [threads, one_match, many] = figures(&child::capture(&mut bots)?)?;
        let threads = Row { client: "Python, threads", one_match: threads, many_matches: None };
        Ok([threads, Row { client: "Python, asyncio", one_match, many_matches: Some(many) }])
    }

    fn typescript(&self) -> Result<Row> {
        let mut bots = Command::new("node");
        bots.current_dir(typescript_client::folder()).args(["example/bots.mjs", &self.service.url()]);
        bots.args([self.matches.to_string(), self.seconds.to_string()]);
        let [one_match, many] = figures(&child::capture(&mut bots)?)?;
        Ok(Row { client: "TypeScript, Node", one_match, many_matches: Some(many) })
    }

    /// Measures a client of which each move is a process.
    fn process_per_move(
        &self,
        client: &'static str,
        command: impl Fn(&Table, usize, &str) -> Command,
    ) -> Result<Row> {
        let table = self.table()?;
        let (mut moves, began) = (0_u32, Instant::now());
        while moves < 2 * TURNS && began.elapsed() < Duration::from_secs(self.seconds) {
            let row = moves / 2 % 8 + 1;
            child::capture(&mut command(&table, moves as usize % 2, &format!("{row},{row}")))?;
            moves += 1;
        }
        Ok(Row { client, one_match: f64::from(moves) / began.elapsed().as_secs_f64(), many_matches: None })
    }

    /// Creates a match and claims both seats.
    fn table(&self) -> Result<Table> {
        let ask = |arguments: &[&str]| -> Result<Value> {
            let mut matchbook = self.matchbook();
            Ok(serde_json::from_str(&child::capture(matchbook.args(arguments).arg("--json"))?)?)
        };
        let text = |value: &Value| value.as_str().map(str::to_owned).context("an answer lacks a field");
        let created = ask(&["new", "angels-and-demons", "--option", &format!("turns={TURNS}")])?;
        let match_id = text(&created["match"]["matchId"])?;
        let claim = |seat: &str| text(&ask(&["claim", &match_id, seat, "--name", "Bot"])?["seatToken"]);
        Ok(Table { tokens: [claim("0")?, claim("1")?], match_id })
    }

    fn matchbook(&self) -> Command {
        let mut matchbook = Command::new(self.programs.path("matchbook"));
        matchbook.env("MATCHBOOK_SERVER", self.service.url()).env("MATCHBOOK_STATE", self.folder);
        matchbook.env_remove("MATCHBOOK_TOKEN");
        matchbook
    }
}

/// A match with the tokens of its seats.
struct Table {
    match_id: String,
    tokens: [String; 2],
}

/// Reads lines such as `1 match: 1500 moves/s`.
fn figures<const N: usize>(printed: &str) -> Result<[f64; N]> {
    let figure = |line: &str| line.rsplit_once(": ")?.1.strip_suffix(" moves/s")?.parse().ok();
    let figures: Vec<f64> = printed.lines().filter_map(figure).collect();
    let Ok(figures) = figures.try_into() else { bail!("expected {N} figures, found:\n{printed}") };
    Ok(figures)
}

fn render(rows: &[Row], matches: u32, busy: f64) -> String {
    let mut text = machine::busy_note(busy);
    text += &format!("{:20}{:>12}{:>14}\n", "moves a second", "1 match", format!("{matches} matches"));
    for Row { client, one_match, many_matches } in rows {
        let many = many_matches.map_or_else(String::new, |many| format!("{many:.0}"));
        text += format!("{client:20}{one_match:>12.0}{many:>14}").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_lines() {
        let printed = "threads, 1 match: 2000 moves/s\nasyncio, 32 matches: 6200 moves/s\n";
        assert_eq!(figures::<2>(printed).expect("two figures"), [2000.0, 6200.0]);
        assert!(figures::<3>(printed).is_err());
    }

    #[test]
    fn a_client_that_is_a_process_per_move_has_one_figure() {
        let row = |client, many_matches| Row { client, one_match: 12.3, many_matches };
        let text = render(&[row("Rust", Some(4567.8)), row("curl", None)], 32, 0.0);
        assert_eq!(
            text,
            "moves a second           1 match    32 matches\nRust                          12          4568\n\
             curl                          12\n"
        );
        assert!(render(&[], 32, 0.75).starts_with("THE MACHINE WAS BUSY"));
    }
}
