//! `matchbook bot`: plays a seat until the match is over.

use std::time::Duration;

use board::event_line;
use clap::Args;
use humantime::parse_duration;
use matchbook_client::SeatClient;
use wire::GameKind;
use wire::v1::watch_match_response::Frame;
use wire::v1::{SeatStatus, WatchMatchResponse};

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::bot::{BotActivity, BotSettings, Player, SKILLS, Skill};
use crate::failure::Failure;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  matchbook claim MATCH demons --name Robby && matchbook bot MATCH --seat demons
  matchbook bot MATCH --token TOKEN
  matchbook bot MATCH --seat demons --seed 7 --delay 500ms
  matchbook bot MATCH --seat demons --skill random

Under a clock the bot uses only a part of its remaining time, whatever --delay
says, and moves at random when time is short. A greedy bot accepts a draw if its
seat is behind; a random one declines. Both let you take back a move.

With --json each line is the service's response to a move, or to an answer to a
proposal.";

/// Arguments of `matchbook bot`.
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{SKILLS}"))]
pub(crate) struct Bot {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Seat to play, with its stored token
    #[arg(long)]
    seat: Option<SeatName>,
    /// Skill of the bot, see below
    #[arg(long, value_enum, default_value_t)]
    skill: Skill,
    /// Seed that makes the moves repeatable
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Delay before each move, such as 500ms
    #[arg(long, default_value = "0s", value_parser = parse_duration, value_name = "DURATION")]
    delay: Duration,
}

impl Bot {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.seat_client(&self.match_id, self.seat.as_ref()).await?;
        if !client.has_credential() {
            let message = "a bot needs a seat: claim one first, or pass --token";
            return Err(Failure::Usage(message.to_owned()));
        }
        let settings = BotSettings { skill: self.skill, seed: self.seed, delay: self.delay };
        let mut player = Player::new(SeatClient::new(client, self.match_id), settings);
        let mut seen = Seen::default();
        while let Some(step) = player.step().await? {
            match step {
                BotActivity::Moved(moved) => session.output.json("SubmitMoveResponse", &*moved)?,
                BotActivity::Answered(answered) => {
                    session.output.json("AnswerProposalResponse", &*answered)?;
                }
                BotActivity::Received(response) => {
                    session.output.text(&frame_text(*response, &mut seen))?;
                }
            }
        }
        Ok(())
    }
}

/// What the bot's watch has shown of the match that its lines need.
#[derive(Default)]
struct Seen {
    game: Option<GameKind>,
    seats: Vec<SeatStatus>,
}

/// Returns what a frame of the bot's watch says, a line per event.
fn frame_text(response: WatchMatchResponse, seen: &mut Seen) -> String {
    match response.frame {
        Some(Frame::Start(_)) => {
            let view = response.view.unwrap_or_default();
            *seen = Seen { game: GameKind::of_view(&view), seats: view.seats };
            String::new()
        }
        Some(Frame::Event(event)) => {
            seen.game = seen.game.or_else(|| GameKind::of_event(&event));
            format!("{}\n", event_line(&event, seen.game, &seen.seats))
        }
        Some(Frame::Heartbeat(_)) | None => String::new(),
    }
}
