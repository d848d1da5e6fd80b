//! `matchbook labels`: shows the labels of a match, or replaces them.

use clap::Args;
use prost_types::FieldMask;
use wire::v1::{Match, UpdateMatchLabelsRequest};

use crate::arguments::{Label, labels, match_id};
use crate::failure::Failure;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook labels MATCH                       show them
  matchbook labels MATCH tenant=acme round=2   replace them all by these two
  matchbook labels MATCH --clear               remove them all

Labels are notes of the app that owns the match (`matchbook login`). Players and
spectators do not see them, and they are not part of the log.";

/// Arguments of `matchbook labels`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ShowLabels {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// New labels, which replace all existing ones
    #[arg(value_name = "KEY=VALUE")]
    labels: Vec<Label>,
    /// Remove all labels
    #[arg(long, conflicts_with = "labels")]
    clear: bool,
}

impl ShowLabels {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.app_client()?;
        if self.labels.is_empty() && !self.clear {
            let answer = client.get_match(&self.match_id).await?;
            session.output.json("GetMatchResponse", &answer)?;
            return session.output.text(&lines(&answer.r#match.unwrap_or_default()));
        }
        let labels = labels(&self.labels)?;
        let update_mask = Some(FieldMask { paths: vec!["labels".to_owned()] });
        let request = UpdateMatchLabelsRequest { match_id: self.match_id, labels, update_mask };
        let answer = client.update_match_labels(request).await?;
        session.output.json("UpdateMatchLabelsResponse", &answer)?;
        session.output.text(&lines(&answer.r#match.unwrap_or_default()))
    }
}

/// Returns the labels as lines, sorted by key.
fn lines(shown: &Match) -> String {
    if shown.labels.is_empty() {
        return "No labels, or not yours to see.\n".to_owned();
    }
    let mut lines: Vec<String> = shown
        .labels
        .iter()
        .map(|(key, value)| format!("{}={}\n", board::printable(key), board::printable(value)))
        .collect();
    lines.sort_unstable();
    lines.concat()
}
