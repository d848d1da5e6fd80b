//! `matchbook fork`: a new match that goes on from a position of another one.

use clap::Args;
use wire::v1::{ForkMatchRequest, Match, Visibility};

use crate::commands::next_steps::next_steps;
use crate::commands::{match_id, request_id};
use crate::credentials::Session;
use crate::failure::Failure;
use crate::seat_name::Titles;
use crate::shown_to::ShownTo;
use crate::time_control::{GRAMMAR, Time};

const EXAMPLES: &str = "\
Examples:
  matchbook fork MATCH                 from its last position in play
  matchbook fork MATCH --at 7          from the position after event 7, as
                                       `matchbook events MATCH` numbers them
  matchbook fork MATCH --at 7 --time 5m+3s
  matchbook fork MATCH --visibility unlisted

The new match has free seats and clocks only with --time; the other one is left as
it is. A match of a game with secrets can be forked once it is over, and then
everybody may see everything in the fork.";

/// Arguments of `matchbook fork`.
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{GRAMMAR}"))]
pub(crate) struct Fork {
    /// The id of the match to go on from.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// The position after this event; else the last one in play.
    #[arg(long, value_name = "SEQ")]
    at: Option<u32>,
    /// The new match's clocks, see below; none if you leave it away.
    #[arg(long, value_name = "TIME")]
    time: Option<Time>,
    /// Who may know of the new match; else as the other one.
    #[arg(long, value_enum, value_name = "WHO")]
    visibility: Option<ShownTo>,
}

impl Fork {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let request = ForkMatchRequest {
            match_id: self.match_id.clone(),
            at_seq: self.at,
            time_control: self.time.map(Into::into),
            visibility: self.visibility.map(|shown_to| Visibility::from(shown_to).into()),
            request_id: request_id(),
        };
        let answer = session.concerned(&self.match_id)?.fork_match(request).await?;
        session.output.json("ForkMatchResponse", &answer)?;
        session.output.text(&told(&answer.r#match.unwrap_or_default()))
    }
}

fn told(fork: &Match) -> String {
    let mut told = format!("Match {}\n", board::printable(&fork.match_id));
    if let Some(from) = &fork.forked_from {
        let parent = board::printable(&from.match_id);
        told.push_str(&format!("It goes on from match {parent}, position {}.\n", from.seq));
    }
    if fork.open_information {
        told.push_str("Everybody may see everything in it.\n");
    }
    told + &next_steps(&fork.match_id, None, &Titles::of_match(fork))
}
