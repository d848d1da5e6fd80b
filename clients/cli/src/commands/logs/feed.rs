//! `matchbook feed`: reads the events of all matches that the caller may read, in one order.

use clap::Args;
use event::RecordTime;
use futures_util::TryStreamExt as _;
use replay::{Entry, acting_seat, decode_entry, timestamp_to_wire};
use wire::log::v1::MatchTerms;
use wire::v1::FeedEvent;
use wire::v1::stream_feed_response::Frame;

use crate::failure::Failure;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook feed                          all events so far, then new ones
  matchbook feed --no-follow              all events so far
  matchbook feed --no-follow --after CURSOR
                                          events after CURSOR, printed by the last run
  matchbook feed --json > feed.jsonl      each line has its cursor and verifiable bytes

The order never changes and has no gaps. Keys of the roles audit and admin read all
matches, an app's key its own (`matchbook login`). A service without keys shows
public matches to everybody.";

/// Arguments of `matchbook feed`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Feed {
    /// Cursor to start after; default: start with the first event
    #[arg(long, value_name = "CURSOR", default_value = "", hide_default_value = true)]
    after: String,
    /// Wait for new events (the default)
    #[arg(long, overrides_with = "no_follow")]
    follow: bool,
    /// End after all events so far
    #[arg(long)]
    no_follow: bool,
}

impl Feed {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let feed = session.app_client()?.feed().after(self.after);
        let mut feed = if self.no_follow && !self.follow { feed.until_caught_up() } else { feed };
        let mut has_caught_up = false;
        while let Some(frame) = feed.try_next().await? {
            session.output.json("StreamFeedResponse", &frame)?;
            match &frame.frame {
                Some(Frame::Event(event)) => session.output.text(&line(event))?,
                // Print it once; repetitions are noise.
                Some(Frame::Heartbeat(beat)) if beat.caught_up && !has_caught_up => {
                    has_caught_up = true;
                    session.output.text(&caught_up_text(&frame.cursor))?;
                }
                Some(Frame::Heartbeat(_)) | None => {}
            }
        }
        Ok(())
    }
}

fn caught_up_text(cursor: &str) -> String {
    match cursor {
        "" => "There are no events yet.\n".to_owned(),
        cursor => format!("Caught up; continue later with --after {}\n", board::printable(cursor)),
    }
}

fn line(received: &FeedEvent) -> String {
    let event = received.event.clone().unwrap_or_default();
    let time = timestamp_to_wire(RecordTime(event.record_time_us)).to_string();
    let entry =
        u16::try_from(event.kind).ok().and_then(|kind| decode_entry(kind, event.public_part.into()).ok());
    let description = match &entry {
        Some(entry) => describe(entry),
        None => format!("unknown event of kind {}", event.kind),
    };
    format!(
        "{time:<27}  {}  {:>5}  {}\n",
        board::printable(&received.match_id),
        event.seq,
        board::printable(&description)
    )
}

/// Describes an event by its public part.
fn describe(entry: &Entry) -> String {
    match entry {
        Entry::MatchForked(forked) => {
            format!("{} forked at event {}", game_of(forked.terms.as_ref()), forked.parent_seq)
        }
        Entry::MatchCreated(created) => format!("{} created", game_of(created.terms.as_ref())),
        Entry::MatchEnded(ended) => {
            let reason = ended.result.as_ref().map_or("", |result| result.reason.as_str());
            format!("match ended: {reason}")
        }
        _ => {
            let kind = entry.kind().word().replace('_', " ");
            match acting_seat(entry) {
                Some(seat) => format!("{kind} (seat {seat})"),
                None => kind,
            }
        }
    }
}

fn game_of(terms: Option<&MatchTerms>) -> &str {
    terms.map_or("", |terms| &terms.game_id)
}

#[cfg(test)]
mod tests {
    use wire::log::v1 as log;
    use wire::v1::LogEvent;

    use super::*;

    fn event(kind: u32, public_part: Vec<u8>) -> FeedEvent {
        let event = LogEvent {
            seq: 5,
            record_time_us: 1_700_000_000_000_001,
            kind,
            public_part,
            ..Default::default()
        };
        FeedEvent { match_id: "ID".to_owned(), event: Some(event) }
    }

    #[test]
    fn an_event_is_described_by_its_public_part() {
        let entry = Entry::MoveSealed(log::MoveSealed { seat: Some(1) });
        let printed = line(&event(u32::from(entry.kind().number()), entry.public_bytes().to_vec()));
        assert_eq!(printed, "2023-11-14T22:13:20.000001Z  ID      5  move sealed (seat 1)\n");
    }

    #[test]
    fn an_unknown_event_is_named_by_its_kind() {
        for (kind, public) in [(999, vec![]), (70_000, vec![]), (1, vec![255])] {
            assert!(line(&event(kind, public)).contains(&format!("of kind {kind}")));
        }
    }
}
