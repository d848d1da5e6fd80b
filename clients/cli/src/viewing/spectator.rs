//! Watching a match: prints each event, and the board after each turn.

use board::{Orientation, event_line, result_line, text, text_after};
use futures_util::TryStreamExt as _;
use matchbook_client::Client;
use wire::GameKind;
use wire::v1::watch_match_response::Frame;
use wire::v1::{Event, GetViewRequest, SeatStatus, View, WatchMatchResponse, event};

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
}

impl<'a> Spectator<'a> {
    /// Prepares to watch with the client's credential, if any.
    pub(crate) fn new(client: &'a Client, match_id: &'a str, output: Output) -> Self {
        Self { client, match_id, output, game: None, seats: Vec::new() }
    }

    /// Watches until the match is over, from the position after `after_seq` or the newest.
    pub(crate) async fn watch(mut self, after_seq: Option<u32>) -> Result<(), Failure> {
        let mut watch = self.client.watch(self.match_id);
        if let Some(seq) = after_seq {
            watch = watch.after(seq);
        }
        while let Some(response) = watch.try_next().await? {
            match self.output.format() {
                OutputFormat::Json => self.output.json("WatchMatchResponse", &response)?,
                OutputFormat::Text => self.print(&response).await?,
            }
        }
        Ok(())
    }

    async fn print(&mut self, response: &WatchMatchResponse) -> Result<(), Failure> {
        match &response.frame {
            Some(Frame::Start(start)) => {
                let view = response.view.clone().unwrap_or_default();
                let view = with_current_clocks(view, start.head_seq, response.server_time.as_ref());
                self.output.text(&text(&view, self.output.style(Orientation::Viewer)))?;
                self.output.text("\n")?;
                self.game = GameKind::of_view(&view);
                self.seats = view.seats;
                Ok(())
            }
            Some(Frame::Event(event)) => self.print_event(event).await,
            Some(Frame::Heartbeat(_)) | None => Ok(()),
        }
    }

    async fn print_event(&mut self, event: &Event) -> Result<(), Failure> {
        let line = event_line(event, self.game, &self.seats);
        match &event.kind {
            // A kind of a newer service may have changed anything.
            Some(event::Kind::MatchStarted(_)) | None => {
                let view = self.view_at(event.seq).await?;
                self.print_with_board(&line, &text(&view, self.output.style(Orientation::Viewer)))
            }
            Some(event::Kind::MoveMade(_) | event::Kind::TurnRevealed(_)) => {
                let view = self.view_at(event.seq).await?;
                self.print_with_board(
                    &line,
                    &text_after(&view, event, self.output.style(Orientation::Viewer)),
                )
            }
            Some(event::Kind::MatchEnded(_)) => {
                // The view knows the counts, which the event does not tell.
                let view = self.view_at(event.seq).await?;
                self.output.text(&format!("The match is over. {}\n", result_line(&view)))
            }
            // No other event changes the board.
            Some(_) => self.output.text(&format!("{line}\n")),
        }
    }

    fn print_with_board(&self, line: &str, board: &str) -> Result<(), Failure> {
        self.output.text(&format!("{line}\n\n{board}\n"))
    }

    async fn view_at(&mut self, seq: u32) -> Result<View, Failure> {
        let request = GetViewRequest {
            match_id: self.match_id.to_owned(),
            at_seq: Some(seq),
            ..GetViewRequest::default()
        };
        let answer = self.client.get_view(request).await?;
        let view = answer.view.unwrap_or_default();
        self.game = GameKind::of_view(&view);
        self.seats.clone_from(&view.seats);
        Ok(with_current_clocks(view, answer.head_seq, answer.server_time.as_ref()))
    }
}
