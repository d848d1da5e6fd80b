//! `matchbook bot`: plays a seat until the match is over.

use std::time::Duration;

use board::event_line;
use clap::Args;
use matchbook_client::SeatClient;
use wire::GameKind;
use wire::v1::SeatStatus;
use wire::v1::watch_match_response::Frame;

use crate::bot::{BotSettings, Player, SKILLS, Skill, Step};
use crate::commands::match_id;
use crate::credentials::Session;
use crate::failure::Failure;
use crate::seat_name::SeatName;

const EXAMPLES: &str = "\
Examples:
  matchbook claim MATCH demons --name Robby && matchbook bot MATCH --seat demons
  matchbook bot MATCH --token TOKEN
  matchbook bot MATCH --seat demons --seed 7 --delay-ms 500
  matchbook bot MATCH --seat demons --skill random

Under a clock it takes only a part of the time that it has left, whatever
--delay-ms says, and moves at random rather than too late. Offered a draw, a greedy
bot takes it if it stands worse; a random one plays on.

With --json each accepted move, and each answer to an offer of a draw, is one line:
the service's answer to it.";

/// Arguments of `matchbook bot`.
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{SKILLS}"))]
pub(crate) struct Bot {
    /// The match's id.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// The seat to play, with its stored token.
    #[arg(long)]
    seat: Option<SeatName>,
    /// How the bot chooses its moves; see below.
    #[arg(long, value_enum, default_value_t)]
    skill: Skill,
    /// Makes the moves repeatable.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// How long to think before each move.
    #[arg(long, default_value_t = 0, value_name = "MS")]
    delay_ms: u64,
}

impl Bot {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let service = session.acting(&self.match_id, self.seat.as_ref()).await?;
        if !service.has_token() {
            let message = "a bot needs a seat: claim one first, or give --token";
            return Err(Failure::Usage(message.to_owned()));
        }
        let delay = Duration::from_millis(self.delay_ms);
        let settings = BotSettings { skill: self.skill, seed: self.seed, delay };
        let mut player = Player::new(SeatClient::new(service, self.match_id), settings);
        let mut seen = Seen::default();
        while let Some(step) = player.step().await? {
            match step {
                Step::Moved(moved) => session.output.json("SubmitMoveResponse", &*moved)?,
                Step::AcceptedDraw(taken) => session.output.json("AcceptDrawResponse", &*taken)?,
                Step::DeclinedDraw(refused) => session.output.json("DeclineDrawResponse", &*refused)?,
                Step::Received(response) => session.output.text(&told(response.frame, &mut seen))?,
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
fn told(frame: Option<Frame>, seen: &mut Seen) -> String {
    match frame {
        Some(Frame::Start(start)) => {
            let view = start.view.unwrap_or_default();
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
