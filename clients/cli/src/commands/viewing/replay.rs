//! `matchbook replay`: steps through a match, from a file or from the service.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use board::{Orientation, event_line, result_line, text_after};
use clap::Args;
use humantime::parse_duration;
use replay::seat_from_wire;
use rules::{GameId, Viewer};
use wire::GameKind;

use crate::arguments::Global;
use crate::arguments::match_id;
use crate::arguments::{SeatName, SeatTitles};
use crate::failure::Failure;
use crate::log_file::read_log_file;
use crate::output::{Output, OutputFormat};
use crate::session::Session;
use crate::viewing::Playback;

const AFTER_HELP: &str = "\
Examples:
  matchbook replay match.jsonl                 step through a file: enter advances
  matchbook replay MATCH                       the same, from the service
  matchbook replay match.jsonl --play 500ms    advance automatically, two positions per second
  matchbook replay match.jsonl --open          with hidden information

On a terminal:
  enter   next position            b   previous position
  NUMBER  position after event     p   advance automatically
  q       quit

A file is shown as it is; use `matchbook verify` to check it.";

/// Arguments of `matchbook replay`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Replay {
    /// Log file, or id of a match
    #[arg(value_name = "FILE|MATCH")]
    source: String,
    /// Interval between positions, such as 500ms, to advance automatically
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    play: Option<Duration>,
    /// Event to start at
    #[arg(long, value_name = "SEQ", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    from: u32,
    /// Show hidden information; only once the match is over
    #[arg(long)]
    open: bool,
    /// Seat to view as; from the service, with its stored token
    #[arg(long, conflicts_with = "open")]
    seat: Option<SeatName>,
    /// Seat whose edge of the board is at the bottom; default: the viewer's
    #[arg(long, value_name = "SEAT")]
    orientation: Option<SeatName>,
}

impl Replay {
    pub(crate) async fn run(self, global: &Global, output: Output) -> Result<(), Failure> {
        match self.file() {
            Some(path) => self.run_file(&path, output).await,
            None => self.run_match(&Session::connect(global, output).await?).await,
        }
    }

    /// Returns the file to replay, unless the argument is a match's id.
    fn file(&self) -> Option<PathBuf> {
        let path = PathBuf::from(&self.source);
        (path.exists() || match_id(&self.source).is_err()).then_some(path)
    }

    async fn run_file(self, path: &Path, output: Output) -> Result<(), Failure> {
        let (file, _) = read_log_file(path)?;
        let titles = GameId::parse(&file.header.game).map(GameId::info);
        let titles = titles.map(|info| (0..).zip(info.seat_names.iter().map(|(_, name)| *name)));
        let titles = SeatTitles::new(titles.into_iter().flatten());
        let viewer = match &self.seat {
            None if self.open => Viewer::Open,
            None => Viewer::Spectator,
            Some(name) => seat_from_wire(titles.find(name)?).map_or(Viewer::Spectator, Viewer::Seat),
        };
        let orientation = self.orientation_of(&titles)?;
        self.show(&Playback::of_file(&file, viewer)?, orientation, output).await
    }

    async fn run_match(self, session: &Session) -> Result<(), Failure> {
        let match_id = match_id(&self.source).map_err(|problem| Failure::Usage(problem.to_owned()))?;
        let client = session.viewer_client(&match_id, self.seat.as_ref()).await?;
        let titles = SeatTitles::of_match(&client.get_match(&match_id).await?.r#match.unwrap_or_default());
        let orientation = self.orientation_of(&titles)?;
        let playback = Playback::of_service(client, match_id, self.open).await?;
        self.show(&playback, orientation, session.output).await
    }

    fn orientation_of(&self, titles: &SeatTitles) -> Result<Orientation, Failure> {
        Ok(match self.orientation.as_ref().map(|name| titles.find(name)).transpose()? {
            None => Orientation::Viewer,
            Some(1) => Orientation::One,
            Some(_) => Orientation::Zero,
        })
    }

    /// Returns the 1-based index of the event to start at.
    fn first(&self, playback: &Playback) -> Result<usize, Failure> {
        let (from, newest) = (usize::try_from(self.from).unwrap_or(usize::MAX), playback.len());
        // After a position that cannot be replayed, the reason is shown instead.
        if from > newest && playback.stopped.is_none() {
            let problem = format!("--from {from}: there is no such event; the newest is {newest}");
            return Err(Failure::Usage(problem));
        }
        Ok(from)
    }

    async fn show(
        &self,
        playback: &Playback,
        orientation: Orientation,
        output: Output,
    ) -> Result<(), Failure> {
        let by_hand =
            self.play.is_none() && output.format() == OutputFormat::Text && io::stdin().is_terminal();
        let mut mode = if by_hand { Mode::Manual } else { Mode::Automatic };
        let mut index = self.first(playback)?;
        while index <= playback.len() {
            print(playback, index, orientation, output).await?;
            index = match mode {
                Mode::Automatic => {
                    tokio::time::sleep(self.play.unwrap_or_default()).await;
                    index + 1
                }
                Mode::Manual => match read_input(index, playback.len(), output)? {
                    Input::Quit => return Ok(()),
                    Input::Show(next) => next,
                    Input::Play => {
                        mode = Mode::Automatic;
                        index + 1
                    }
                },
            };
        }
        match &playback.stopped {
            Some(why) => output.text(&format!("{why}\n")),
            None => Ok(()),
        }
    }
}

/// How the replay advances.
#[derive(Clone, Copy)]
enum Mode {
    Manual,
    Automatic,
}

/// A command of the person at the terminal.
enum Input {
    Show(usize),
    Play,
    Quit,
}

async fn print(
    playback: &Playback,
    index: usize,
    orientation: Orientation,
    output: Output,
) -> Result<(), Failure> {
    let (event, view) = playback.at(index).await?;
    output.json("Event", event)?;
    output.json("View", &view)?;
    let line = event_line(event, GameKind::of_view(&view), &view.seats);
    let mut report = format!("{:>5}  {line}\n", event.seq);
    if view.game_view.is_some() {
        report.push_str(&format!("\n{}\n", text_after(&view, event, output.style(orientation))));
    }
    if view.result.is_some() {
        report.push_str(&format!("{}\n", result_line(&view)));
    }
    output.text(&report)
}

fn read_input(index: usize, last: usize, output: Output) -> Result<Input, Failure> {
    loop {
        output.text(&format!("[{index}/{last}] enter, b, NUMBER, p, q: "))?;
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line).map_err(Failure::Output)?;
        if read == 0 {
            return Ok(Input::Quit);
        }
        match line.trim() {
            "" => return Ok(Input::Show(index + 1)),
            "b" => return Ok(Input::Show(index.saturating_sub(1).max(1))),
            "p" => return Ok(Input::Play),
            "q" => return Ok(Input::Quit),
            number => match number.parse::<usize>() {
                Ok(number) if (1..=last).contains(&number) => return Ok(Input::Show(number)),
                _ => output.text("  enter: next, b: back, NUMBER: jump, p: play, q: quit\n")?,
            },
        }
    }
}
