//! What a player sees of the match: the newest position, what happened, and the clocks as they run.

use std::time::Instant;

use board::{TextStyle, clocks_at, event_line, result_line, text, text_after};
use prost_types::Timestamp;
use wire::GameKind;
use wire::v1::watch_match_response::Frame;
use wire::v1::{Event, MatchStatus, Proposal, ProposalKind, View, WatchMatchResponse, event};

/// The table of one seat.
#[derive(Default)]
pub(crate) struct Table {
    view: View,
    /// The service's time when it sent the view, and when that arrived.
    server_time: Option<(Timestamp, Instant)>,
    /// The event that the board highlights.
    last_turn: Option<Event>,
    /// What happened, in words, a line per event.
    pub(crate) lines: Vec<String>,
}

/// What a frame of the watch brought.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct News {
    /// What happened, in words.
    pub(crate) line: Option<String>,
    /// Whether the board is another one.
    pub(crate) board: bool,
}

impl Table {
    /// Takes in a frame of the watch.
    pub(crate) fn receive(&mut self, response: WatchMatchResponse) -> News {
        let Some(view) = response.view else { return News::default() };
        let game = GameKind::of_view(&self.view);
        self.server_time = response.server_time.map(|time| (time, Instant::now()));
        let seats = std::mem::replace(&mut self.view, view).seats;
        let Some(Frame::Event(event)) = response.frame else { return News { line: None, board: true } };
        let line = match &event.kind {
            // The view knows the counts, which the event does not tell.
            Some(event::Kind::MatchEnded(_)) => format!("The match is over. {}", result_line(&self.view)),
            _ => event_line(&event, game, &seats),
        };
        self.lines.push(line.clone());
        let board = changes_board(&event);
        if board {
            let is_turn = matches!(event.kind, Some(event::Kind::MoveMade(_) | event::Kind::TurnRevealed(_)));
            self.last_turn = is_turn.then_some(event);
        }
        News { line: Some(line), board }
    }

    /// Draws the newest position, with the clocks as they are now.
    pub(crate) fn draw(&self, style: TextStyle) -> String {
        let view = match self.now() {
            Some(now) => clocks_at(self.view.clone(), &now),
            None => self.view.clone(),
        };
        match &self.last_turn {
            Some(event) => text_after(&view, event, style),
            None => text(&view, style),
        }
    }

    /// Returns whether a clock runs.
    pub(crate) fn has_running_clock(&self) -> bool {
        self.view.clocks.iter().flat_map(|clocks| &clocks.seats).any(|clock| clock.due_time.is_some())
    }

    /// Returns the seq of the newest event.
    pub(crate) fn seq(&self) -> u32 {
        self.view.seq
    }

    /// Returns whether the player's seat is to act, or to answer a proposal, or nobody is any more.
    pub(crate) fn is_waiting_for_player(&self) -> bool {
        self.is_over() || self.is_to_act() || self.proposed().is_some()
    }

    /// Returns whether the player's seat is to act.
    pub(crate) fn is_to_act(&self) -> bool {
        self.view.viewing_seat().is_some_and(|seat| self.view.to_act.contains(&seat))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.view.status() == MatchStatus::Over
    }

    /// Returns what the other seat proposes, if anything.
    pub(crate) fn proposed(&self) -> Option<ProposalKind> {
        let own = self.view.viewing_seat();
        let by_other = self.view.proposals.iter().find(|proposal| proposal.seat != own);
        by_other.map(Proposal::kind)
    }

    /// Says in one line what the match waits for.
    pub(crate) fn prompt(&self) -> &'static str {
        match (self.view.status(), self.proposed()) {
            (MatchStatus::Over, _) => "The match is over.",
            (MatchStatus::Open, _) => "Waiting for the other player.",
            (_, Some(ProposalKind::Draw)) => "The other player offers a draw: /accept or /decline.",
            (_, Some(ProposalKind::Takeback)) => "The other player asks for a takeback: /accept or /decline.",
            _ if self.is_to_act() => "Your move.",
            _ => "Waiting for the other player's move.",
        }
    }

    /// Returns the service's time now, as far as this machine's clock tells.
    fn now(&self) -> Option<Timestamp> {
        let (sent, arrived) = self.server_time?;
        let passed = arrived.elapsed();
        let nanos = i64::from(sent.nanos) + i64::from(passed.subsec_nanos());
        let seconds = sent.seconds.saturating_add(i64::try_from(passed.as_secs()).unwrap_or(i64::MAX));
        let mut now = Timestamp { seconds, nanos: 0 };
        now.seconds = now.seconds.saturating_add(nanos / 1_000_000_000);
        now.nanos = i32::try_from(nanos % 1_000_000_000).unwrap_or(0);
        Some(now)
    }
}

fn changes_board(event: &Event) -> bool {
    match &event.kind {
        Some(event::Kind::ProposalAnswered(answered)) => answered.moves_taken_back > 0,
        Some(
            event::Kind::MatchCreated(_)
            | event::Kind::MatchForked(_)
            | event::Kind::SeatTokenRotated(_)
            | event::Kind::ProposalMade(_),
        ) => false,
        // A kind of a newer service may have changed anything.
        Some(_) | None => true,
    }
}

#[cfg(test)]
mod tests {
    use wire::v1::{MatchEnded, ProposalMade, SeatClock, Viewer, WatchStart};

    use super::*;

    fn frame(frame: Frame, view: View) -> WatchMatchResponse {
        let server_time = Some(Timestamp { seconds: 100, nanos: 900_000_000 });
        WatchMatchResponse { frame: Some(frame), view: Some(view), server_time, ..Default::default() }
    }

    fn event(kind: event::Kind) -> Frame {
        Frame::Event(Event { kind: Some(kind), ..Event::default() })
    }

    fn running() -> View {
        let viewer = Some(Viewer::in_seat(1));
        View { viewer, to_act: vec![1], status: MatchStatus::Running.into(), ..View::default() }
    }

    #[test]
    fn frames_become_lines_and_boards() {
        let mut table = Table::default();
        let start = table.receive(frame(Frame::Start(WatchStart::default()), running()));
        assert_eq!(start, News { line: None, board: true });
        assert!(table.is_to_act());
        assert_eq!(table.prompt(), "Your move.");

        let kind = ProposalKind::Draw;
        let proposals = vec![Proposal { kind: kind.into(), seat: Some(0) }];
        let made = ProposalMade { kind: kind.into(), seat: Some(0) };
        let news =
            table.receive(frame(event(event::Kind::ProposalMade(made)), View { proposals, ..running() }));
        assert!(!news.board && news.line.unwrap().contains("offered a draw"));
        assert_eq!(table.proposed(), Some(kind));

        let over = View { status: MatchStatus::Over.into(), ..View::default() };
        let news = table.receive(frame(event(event::Kind::MatchEnded(MatchEnded::default())), over));
        assert!(news.board && table.is_over());
        assert_eq!(table.lines.len(), 2);
        assert_eq!(table.receive(WatchMatchResponse::default()), News::default(), "a heartbeat");
    }

    #[test]
    fn the_services_time_goes_on_between_frames() {
        let clock = SeatClock { seat: Some(1), due_time: Some(Timestamp::default()), remaining: None };
        let clocks = Some(wire::v1::Clocks { seats: vec![clock] });
        let mut table = Table::default();
        table.receive(frame(Frame::Start(WatchStart::default()), View { clocks, ..running() }));
        assert!(table.has_running_clock());
        let (sent, arrived) = table.server_time.unwrap();
        table.server_time = Some((sent, arrived.checked_sub(std::time::Duration::from_secs(5)).unwrap()));
        let now = table.now().unwrap();
        assert!(now.seconds >= 105, "{now:?}");
    }
}
