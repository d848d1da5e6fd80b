//! Watching a match: prints each event, and the board after each turn.

use board::{Orientation, event_line, result_line, text, text_after};
use futures_util::TryStreamExt as _;
use matchbook_client::Client;
use wire::GameKind;
use wire::v1::watch_match_response::Frame;
use wire::v1::{Event, SeatStatus, View, WatchMatchResponse, event};

use crate::failure::Failure;
use crate::output::{Output, OutputFormat};
use crate::viewing::with_current_clocks;

/// A viewer who follows one match.
pub(crate) struct Spectator<'a> {
    client: &'a Client,
    match_id: &'a str,
    output: Output,
    game: Option<GameKind>,
    seats: Vec<SeatStatus>,
    /// The newest event known.
    head_seq: u32,
}

impl<'a> Spectator<'a> {
    /// Prepares to watch with the client's credential, if any.
    pub(crate) fn new(client: &'a Client, match_id: &'a str, output: Output) -> Self {
        Self { client, match_id, output, game: None, seats: Vec::new(), head_seq: 0 }
    }

    /// Watches until the match is over, from the position after `after_seq` or the newest.
    pub(crate) async fn watch(mut self, after_seq: Option<u32>) -> Result<(), Failure> {
        let mut watch = self.client.watch(self.match_id);
        if self.output.format() == OutputFormat::Text {
            watch = watch.with_views();
        }
        if let Some(seq) = after_seq {
            watch = watch.after(seq);
        }
        while let Some(response) = watch.try_next().await? {
            match self.output.format() {
                OutputFormat::Json => self.output.json("WatchMatchResponse", &response)?,
                OutputFormat::Text => self.print(&response)?,
            }
        }
        Ok(())
    }

    fn print(&mut self, response: &WatchMatchResponse) -> Result<(), Failure> {
        match &response.frame {
            Some(Frame::Start(start)) => {
                self.head_seq = start.head_seq;
                // Before the first event there is nothing to draw.
                let Some(view) = response.view.clone() else { return Ok(()) };
                let view = with_current_clocks(view, start.head_seq, response.server_time.as_ref());
                self.output.text(&text(&view, self.output.style(Orientation::Viewer)))?;
                self.output.text("\n")?;
                self.learn(&view);
                Ok(())
            }
            Some(Frame::Event(event)) => {
                self.head_seq = self.head_seq.max(event.seq);
                let view = response.view.clone().unwrap_or_default();
                self.print_event(
                    event,
                    with_current_clocks(view, self.head_seq, response.server_time.as_ref()),
                )
            }
            Some(Frame::Heartbeat(_)) | None => Ok(()),
        }
    }

    fn print_event(&mut self, event: &Event, view: View) -> Result<(), Failure> {
        let line = event_line(event, self.game, &self.seats);
        self.learn(&view);
        match &event.kind {
            Some(event::Kind::ProposalAnswered(answered)) if answered.moves_taken_back == 0 => {
                self.output.text(&format!("{line}\n"))
            }
            // A kind of a newer service may have changed anything.
            Some(event::Kind::MatchStarted(_) | event::Kind::ProposalAnswered(_)) | None => {
                self.print_with_board(&line, &text(&view, self.output.style(Orientation::Viewer)))
            }
            Some(event::Kind::MoveMade(_) | event::Kind::TurnRevealed(_)) => {
                let board = text_after(&view, event, self.output.style(Orientation::Viewer));
                self.print_with_board(&line, &board)
            }
            // The view knows the counts, which the event does not tell.
            Some(event::Kind::MatchEnded(_)) => {
                self.output.text(&format!("The match is over. {}\n", result_line(&view)))
            }
            // No other event changes the board.
            Some(_) => self.output.text(&format!("{line}\n")),
        }
    }

    /// Notes what later events do not tell: the game, and who has the seats.
    fn learn(&mut self, view: &View) {
        self.game = GameKind::of_view(view).or(self.game);
        self.seats.clone_from(&view.seats);
    }

    fn print_with_board(&self, line: &str, board: &str) -> Result<(), Failure> {
        self.output.text(&format!("{line}\n\n{board}\n"))
    }
}
