//! `matchbook feed`: what happens in all matches that one may read, in one order.

use clap::Args;
use event::RecordedTime;
use futures_util::TryStreamExt as _;
use replay::{Entry, timestamp_to_wire};
use rules::Seat;
use wire::v1::FeedEvent;
use wire::v1::stream_feed_response::Frame;

use crate::credentials::Session;
use crate::failure::Failure;

const AFTER_HELP: &str = "\
Examples:
  matchbook feed                          everything so far, and then what happens
  matchbook feed --no-follow              everything so far
  matchbook feed --no-follow --after CURSOR
                                          what came since: CURSOR is what the last one ended with
  matchbook feed --json > feed.jsonl      each line has its own cursor, and the bytes that verify

The order never changes and has no gaps. A key of the role audit or admin reads all matches, an
app's key its own (`matchbook login`); a service without keys tells everybody of public ones.";

/// Arguments of `matchbook feed`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Feed {
    /// Begin behind this place; else at the beginning.
    #[arg(long, value_name = "CURSOR", default_value = "", hide_default_value = true)]
    after: String,
    /// Stay for what happens next (the default).
    #[arg(long, overrides_with = "no_follow")]
    follow: bool,
    /// End when everything so far is told.
    #[arg(long)]
    no_follow: bool,
}

impl Feed {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let feed = session.keyed()?.feed().after(self.after);
        let mut feed = if self.no_follow && !self.follow { feed.until_caught_up() } else { feed };
        let mut told_all = false;
        while let Some(frame) = feed.try_next().await? {
            session.output.json("StreamFeedResponse", &frame)?;
            match &frame.frame {
                Some(Frame::Event(event)) => session.output.text(&line(event))?,
                // The first time; after that it would be noise.
                Some(Frame::Heartbeat(beat)) if beat.caught_up && !told_all => {
                    told_all = true;
                    session.output.text(&up_to_now(&frame.cursor))?;
                }
                Some(Frame::Heartbeat(_)) | None => {}
            }
        }
        Ok(())
    }
}

fn up_to_now(cursor: &str) -> String {
    match cursor {
        "" => "Nothing has happened yet.\n".to_owned(),
        cursor => format!("That is all up to now; the same with --after {}\n", board::printable(cursor)),
    }
}

fn line(told: &FeedEvent) -> String {
    let event = told.event.clone().unwrap_or_default();
    let time = timestamp_to_wire(RecordedTime(event.recorded_time)).to_string();
    let entry = u16::try_from(event.kind).ok().and_then(|kind| Entry::decode(kind, event.public.into()).ok());
    let words = match &entry {
        Some(entry) => words(entry),
        None => format!("something of kind {}, which this program does not know", event.kind),
    };
    format!(
        "{time:<27}  {}  {:>5}  {}\n",
        board::printable(&told.match_id),
        event.seq,
        board::printable(&words)
    )
}

/// What an event is, from its public part alone.
fn words(entry: &Entry) -> String {
    let what = match entry {
        Entry::MatchCreated(created) => return format!("{} created", created.game),
        Entry::MatchForked(forked) => {
            return format!("{} forked at event {}", forked.game, forked.parent_seq);
        }
        Entry::SeatClaimed(_) => "seat claimed",
        Entry::SeatTokenRotated(_) => "seat token rotated",
        Entry::MatchStarted(_) => "match started",
        Entry::MoveMade(_) => "move made",
        Entry::MoveSealed(_) => "move sealed",
        Entry::TurnRevealed(_) => "turn revealed",
        Entry::DrawOffered(_) => "draw offered",
        Entry::DrawDeclined(_) => "draw declined",
        Entry::MatchEnded(ended) => {
            let reason = ended.result.as_ref().map_or("", |result| result.reason.as_str());
            return format!("match ended: {reason}");
        }
    };
    match entry.seat() {
        Some(Seat::Zero) => format!("{what} (seat 0)"),
        Some(Seat::One) => format!("{what} (seat 1)"),
        None => what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use wire::log::v1 as log;
    use wire::v1::LogEvent;

    use super::*;

    fn event(kind: u32, public: Vec<u8>) -> FeedEvent {
        let event =
            LogEvent { seq: 5, recorded_time: 1_700_000_000_000_001, kind, public, ..Default::default() };
        FeedEvent { match_id: "ID".to_owned(), event: Some(event) }
    }

    #[test]
    fn an_event_is_told_by_what_everybody_may_know() {
        let entry = Entry::MoveSealed(log::MoveSealed { seat: 2 });
        let told = line(&event(u32::from(entry.kind().number()), entry.encode().to_vec()));
        assert_eq!(told, "2023-11-14T22:13:20.000001Z  ID      5  move sealed (seat 1)\n");
    }

    #[test]
    fn what_is_not_known_is_told_as_that() {
        for (kind, public) in [(999, vec![]), (70_000, vec![]), (1, vec![255])] {
            assert!(line(&event(kind, public)).contains(&format!("of kind {kind}")));
        }
    }
}
