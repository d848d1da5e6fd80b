//! `matchbook replay`: a match step by step, from a file or from the service.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use board::{Near, event_line, result_line, text_after};
use clap::Args;
use rules::{GameId, Viewer};
use wire::GameKind;
use wire::v1::Seat;

use crate::commands::match_id;
use crate::credentials::Session;
use crate::failure::Failure;
use crate::log_source::read_file;
use crate::output::{Format, Output};
use crate::playback::Playback;
use crate::seat_name::{SeatName, Titles};

const AFTER_HELP: &str = "\
Examples:
  matchbook replay match.jsonl                 step through it: enter goes on
  matchbook replay MATCH                       the same, from the service
  matchbook replay match.jsonl --play 500      by itself, two positions a second
  matchbook replay match.jsonl --open          with everything that was hidden

On a terminal:
  enter   the next position        b   the one before
  NUMBER  jump to that event       p   play on by itself
  q       quit

A file is shown as it is; `matchbook verify` tells whether to believe it.";

/// Arguments of `matchbook replay`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Replay {
    /// A log file, or a match's id.
    #[arg(value_name = "FILE|MATCH")]
    what: String,
    /// Go on by itself, after so many milliseconds each time.
    #[arg(long, value_name = "MS")]
    play: Option<u64>,
    /// Begin at this event.
    #[arg(long, value_name = "SEQ", default_value_t = 1)]
    from: u32,
    /// Everything that may ever be shown; only once the match is over.
    #[arg(long)]
    open: bool,
    /// Look as this seat; of a match on the service, with its stored token.
    #[arg(long, conflicts_with = "open")]
    seat: Option<SeatName>,
    /// Whose edge of the board is at the bottom; else the viewer's. 0 or 1.
    #[arg(long, value_name = "SEAT")]
    near: Option<SeatName>,
}

impl Replay {
    /// The file that is meant, if it is one.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        let path = PathBuf::from(&self.what);
        (path.exists() || match_id(&self.what).is_err()).then_some(path)
    }

    pub(crate) async fn run_file(self, path: &Path, output: Output) -> Result<(), Failure> {
        let (file, _) = read_file(path)?;
        let titles = GameId::parse(&file.header.game).map(GameId::info);
        let titles = titles.map(|info| {
            [Seat::Zero, Seat::One].into_iter().zip(info.seat_names.iter().map(|(_, name)| *name))
        });
        let titles = Titles::new(titles.into_iter().flatten());
        let viewer = match &self.seat {
            None if self.open => Viewer::Open,
            None => Viewer::Spectator,
            Some(name) => match titles.find(name)? {
                Seat::One => Viewer::Seat(rules::Seat::One),
                Seat::Zero | Seat::Unspecified => Viewer::Seat(rules::Seat::Zero),
            },
        };
        let near = self.near_edge(&titles)?;
        self.show(&Playback::of_file(&file, viewer)?, near, output).await
    }

    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let match_id = match_id(&self.what).map_err(|problem| Failure::Usage(problem.to_owned()))?;
        let service = session.looking(&match_id, self.seat.as_ref()).await?;
        let titles = Titles::of_match(&service.get_match(&match_id).await?.r#match.unwrap_or_default());
        let near = self.near_edge(&titles)?;
        let playback = Playback::of_service(service, match_id, self.open).await?;
        self.show(&playback, near, session.output).await
    }

    fn near_edge(&self, titles: &Titles) -> Result<Near, Failure> {
        Ok(match self.near.as_ref().map(|name| titles.find(name)).transpose()? {
            None => Near::Viewer,
            Some(Seat::One) => Near::One,
            Some(Seat::Zero | Seat::Unspecified) => Near::Zero,
        })
    }

    async fn show(&self, playback: &Playback, near: Near, output: Output) -> Result<(), Failure> {
        let by_hand = self.play.is_none() && output.format() == Format::Text && io::stdin().is_terminal();
        let mut pace = if by_hand { Pace::ByHand } else { Pace::Alone };
        let mut place = usize::try_from(self.from).unwrap_or(usize::MAX).clamp(1, playback.len().max(1));
        while place <= playback.len() {
            tell(playback, place, near, output).await?;
            place = match pace {
                Pace::Alone => {
                    tokio::time::sleep(Duration::from_millis(self.play.unwrap_or(0))).await;
                    place + 1
                }
                Pace::ByHand => match asked(place, playback.len(), output)? {
                    Asked::Quit => return Ok(()),
                    Asked::Place(next) => next,
                    Asked::Play => {
                        pace = Pace::Alone;
                        place + 1
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

/// Who turns the pages.
#[derive(Clone, Copy)]
enum Pace {
    ByHand,
    Alone,
}

/// What a person typed.
enum Asked {
    Place(usize),
    Play,
    Quit,
}

async fn tell(playback: &Playback, place: usize, near: Near, output: Output) -> Result<(), Failure> {
    let (event, view) = playback.at(place).await?;
    output.json("Event", event)?;
    output.json("View", &view)?;
    let line = event_line(event, GameKind::of_view(&view), &view.seats);
    let mut told = format!("{:>5}  {line}\n", event.seq);
    if view.game.is_some() {
        told.push_str(&format!("\n{}\n", text_after(&view, event, output.style(near))));
    }
    if view.result.is_some() {
        told.push_str(&format!("{}\n", result_line(&view)));
    }
    output.text(&told)
}

fn asked(place: usize, last: usize, output: Output) -> Result<Asked, Failure> {
    loop {
        output.text(&format!("[{place}/{last}] enter, b, NUMBER, p, q: "))?;
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line).map_err(Failure::Output)?;
        if read == 0 {
            return Ok(Asked::Quit);
        }
        match line.trim() {
            "" => return Ok(Asked::Place(place + 1)),
            "b" => return Ok(Asked::Place(place.saturating_sub(1).max(1))),
            "p" => return Ok(Asked::Play),
            "q" => return Ok(Asked::Quit),
            number => match number.parse::<usize>() {
                Ok(number) if (1..=last).contains(&number) => return Ok(Asked::Place(number)),
                _ => output.text("  enter goes on, b goes back, a number jumps, p plays, q quits\n")?,
            },
        }
    }
}
