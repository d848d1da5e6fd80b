//! Clocks, proposals, and the origin of a match, on drawings and in event lines.

use std::time::Duration;

use board::{Colour, Orientation, TextStyle, event_line, result_line, text};
use wire::v1::time_control::Kind;
use wire::v1::{
    Bank, Clocks, Event, ForkedFrom, MatchCreated, MatchForked, MatchStatus, Proposal, ProposalKind,
    SeatClock, TimeControl, View, Viewer, Visibility, event,
};

use crate::golden::golden;
use crate::positions::{Position, seats};

const PLAIN: TextStyle = TextStyle { colour: Colour::Plain, orientation: Orientation::Viewer };
const PARENT: &str = "0190b5a0-0000-7000-8000-00000000000a";

fn duration(ms: u64) -> prost_types::Duration {
    prost_types::Duration::try_from(Duration::from_millis(ms)).expect("a short time")
}

/// Adds clocks: `zero_ms` left for seat 0, 90 seconds less for seat 1.
fn timed(mut view: View, zero_ms: u64) -> View {
    let clock =
        |seat: u32, ms| SeatClock { seat: Some(seat), remaining: Some(duration(ms)), ..SeatClock::default() };
    let seats = vec![clock(0, zero_ms), clock(1, zero_ms.saturating_sub(90_000))];
    view.clocks = Some(Clocks { seats });
    view
}

fn forked(mut view: View) -> View {
    view.forked_from = Some(ForkedFrom { match_id: PARENT.to_owned(), seq: 7 });
    view
}

#[test]
fn seat_lines_show_clocks_and_proposals() {
    let mut view = timed(Position::running().sealed(1).viewer(Viewer::in_seat(0)).view(), 95_250);
    view.proposals = vec![Proposal { kind: ProposalKind::Draw.into(), seat: Some(1) }];
    golden("clocks-and-offer.txt", &text(&view, PLAIN));
    view.proposals.push(Proposal { kind: ProposalKind::Takeback.into(), seat: Some(0) });
    let drawn = text(&view, PLAIN);
    assert!(drawn.contains("(you), to move, 1:35 left, asks for a takeback"), "{drawn}");
}

#[test]
fn a_fork_with_open_information_says_so_below_the_heading() {
    let mut view = forked(Position::running().view());
    view.open_information = true;
    golden("open-fork.txt", &text(&view, PLAIN));
    golden(
        "open-fork.ansi",
        &text(&view, TextStyle { colour: Colour::Ansi, orientation: Orientation::Viewer }),
    );
}

#[test]
fn an_open_fork_names_its_parent() {
    let view = forked(Position::running().status(MatchStatus::Open).without_board().free(1).view());
    golden("fork-waiting.txt", &text(&view, PLAIN));
}

#[test]
fn a_finished_match_shows_no_offer() {
    let drawn = text(&Position::running().over(None, "agreement").view(), PLAIN);
    assert!(!drawn.contains("offers") && drawn.ends_with("Draw, by agreement\n"), "{drawn}");
}

#[test]
fn the_first_event_lists_the_terms() {
    let line =
        |kind| event_line(&Event { kind: Some(kind), ..Event::default() }, None, &seats("Gabriel", "Lilith"));
    let bank = Kind::Bank(Bank { budget: Some(duration(300_000)), increment: Some(duration(3_000)) });
    let created = MatchCreated {
        game_id: "ace-exorcist".to_owned(),
        visibility: Visibility::Private.into(),
        time_control: Some(TimeControl { kind: Some(bank) }),
        rematch_of: Some(PARENT.to_owned()),
        forbid_takebacks: true,
        ..MatchCreated::default()
    };
    assert_eq!(
        line(event::Kind::MatchCreated(created)),
        format!(
            "Match of ace-exorcist created; rematch of match {PARENT}; 5 min + 3 s per move; private; \
             no takebacks"
        )
    );
    let forked = MatchForked {
        game_id: "ludus-magus".to_owned(),
        visibility: Visibility::Unlisted.into(),
        forked_from: Some(ForkedFrom { match_id: "\u{1b}[2J".to_owned(), seq: 7 }),
        open_information: true,
        ..MatchForked::default()
    };
    assert_eq!(
        line(event::Kind::MatchForked(forked)),
        "Match of ludus-magus forked from match \u{FFFD}[2J, position 7; everyone sees everything; unlisted"
    );
}

#[test]
fn endings_other_than_by_a_move() {
    let line =
        |winner: Option<u32>, reason: &str| result_line(&Position::running().over(winner, reason).view());
    assert_eq!(line(Some(0), "resignation"), "Winner: Angels (Gabriel), the other side gave up");
    assert_eq!(line(Some(1), "time"), "Winner: Demons (Lilith), out of time");
    assert_eq!(line(None, "time"), "Draw, out of time");
    assert_eq!(line(None, "aborted"), "Nobody wins: called off before it had begun");
}
