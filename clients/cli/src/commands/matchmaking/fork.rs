//! `matchbook fork`: creates a match that continues from a position of another one.

use clap::Args;
use matchbook_client::request_id;
use wire::v1::{ForkMatchRequest, Match, Visibility};

use crate::arguments::SeatTitles;
use crate::arguments::VisibilityArgument;
use crate::arguments::match_id;
use crate::arguments::{TIME_CONTROL_SYNTAX, TimeControlArgument};
use crate::failure::Failure;
use crate::output::next_steps;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  matchbook fork MATCH                 from its last position in play
  matchbook fork MATCH --at 7          from the position after event 7, as
                                       `matchbook events MATCH` numbers them
  matchbook fork MATCH --at 7 --time 5m+3s
  matchbook fork MATCH --visibility unlisted

The new match has free seats, and clocks only with --time; the other match stays
unchanged. A match of a game with hidden information can be forked only after its
end; everything in the fork is visible to everybody.";

/// Arguments of `matchbook fork`.
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{TIME_CONTROL_SYNTAX}"))]
pub(crate) struct Fork {
    /// Id of the match to continue
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Position to continue from; default: the last one in play
    #[arg(long, value_name = "SEQ")]
    at: Option<u32>,
    /// Time control of the new match, see below; default: no clocks
    #[arg(long, value_name = "TIME")]
    time: Option<TimeControlArgument>,
    /// Visibility of the new match; default: that of the other match
    #[arg(long, value_enum, value_name = "WHO")]
    visibility: Option<VisibilityArgument>,
}

impl Fork {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let request = ForkMatchRequest {
            match_id: self.match_id.clone(),
            at_seq: self.at,
            time_control: self.time.map(Into::into),
            visibility: self.visibility.map(|visibility| Visibility::from(visibility).into()),
            request_id: Some(request_id()),
        };
        let answer = session.participant_client(&self.match_id)?.fork_match(request).await?;
        session.output.json("ForkMatchResponse", &answer)?;
        session.output.text(&report(&answer.r#match.unwrap_or_default()))
    }
}

fn report(fork: &Match) -> String {
    let mut text = format!("Match {}\n", board::printable(&fork.match_id));
    if let Some(from) = &fork.forked_from {
        let parent = board::printable(&from.match_id);
        text.push_str(&format!("It continues match {parent} from position {}.\n", from.seq));
    }
    if fork.open_information() {
        text.push_str("Everything in it is visible to everybody.\n");
    }
    text + &next_steps(&fork.match_id, None, &SeatTitles::of_match(fork))
}
