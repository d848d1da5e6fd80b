//! `matchbook suggest`: has the service choose a legal move, without making it.

use board::printable;
use clap::Args;
use wire::v1::{Strategy, SuggestMoveRequest};

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::bot::{SKILLS, Skill};
use crate::failure::Failure;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  matchbook suggest MATCH
  matchbook suggest MATCH --skill random --seed 7
  matchbook move MATCH \"$(matchbook suggest MATCH)\"

Chosen from what the seat may see. Changes nothing.";

/// Arguments of `matchbook suggest`.
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{SKILLS}"))]
pub(crate) struct Suggest {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Seat to act for; default: the stored seat, or the one to move if both are stored
    #[arg(long)]
    seat: Option<SeatName>,
    /// How the move is chosen, see below
    #[arg(long, value_enum, default_value_t)]
    skill: Skill,
    /// Seed that makes the choice repeatable
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
}

impl Suggest {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.mover_client(&self.match_id, self.seat.as_ref()).await?;
        let strategy = match self.skill {
            Skill::Random => Strategy::Random,
            Skill::Greedy => Strategy::Greedy,
        };
        let (match_id, seed) = (self.match_id, self.seed);
        let request = SuggestMoveRequest { match_id, strategy: strategy.into(), seed };
        let suggested = client.suggest_move(request).await?;
        session.output.json("SuggestMoveResponse", &suggested)?;
        session.output.text(&format!("{}\n", printable(&suggested.notation)))
    }
}
