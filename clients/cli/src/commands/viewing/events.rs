//! `matchbook events`: lists the events of a match, page by page.

use board::event_line;
use clap::Args;
use wire::GameKind;
use wire::v1::{Event, ListEventsRequest, Match};

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::Failure;
use crate::session::Session;

const PAGE_SIZE: u32 = 500;

const AFTER_HELP: &str = "\
Examples:
  matchbook events MATCH
  matchbook events MATCH --after 10
  matchbook events MATCH --json        one response of the service per line, each
                                       with a page of events";

/// Arguments of `matchbook events`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Events {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Event to start after
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    after: u32,
    /// Seat to view as, with its stored token
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Events {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.viewer_client(&self.match_id, self.seat.as_ref()).await?;
        let shown = client.get_match(&self.match_id).await?.r#match.unwrap_or_default();
        let mut after_seq = self.after;
        loop {
            let request = ListEventsRequest {
                match_id: self.match_id.clone(),
                after_seq,
                page_size: PAGE_SIZE,
                ..ListEventsRequest::default()
            };
            let page = client.list_events(request).await?;
            session.output.json("ListEventsResponse", &page)?;
            let lines: String = page.events.iter().map(|event| line(event, &shown)).collect();
            session.output.text(&lines)?;
            if page.events.is_empty() && after_seq == self.after {
                session.output.text(&no_events(after_seq, page.head_seq))?;
            }
            // A page without events makes no progress, whatever the head.
            match page.events.last() {
                Some(last) if last.seq < page.head_seq => after_seq = last.seq,
                Some(_) | None => return Ok(()),
            }
        }
    }
}

/// Says why nothing is listed.
fn no_events(after_seq: u32, head_seq: u32) -> String {
    format!("No events after event {after_seq}; the newest is {head_seq}.\n")
}

fn line(event: &Event, shown: &Match) -> String {
    let time = event.record_time.as_ref().map(ToString::to_string).unwrap_or_default();
    let words = event_line(event, GameKind::parse(&shown.game_id), &shown.seats);
    format!("{:>5}  {time:<27}  {words}\n", event.seq)
}
