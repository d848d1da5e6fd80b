//! What all pictures have around the board: the heading, a bar for each seat,
//! remarks, the result.

use wire::v1::{MatchStatus, Seat, View};

use super::element::{Align, Element, group, rect, text};
use super::{measure, shapes};
use crate::{result_line, seats};

/// The space to the picture's edge.
pub(super) const MARGIN: i32 = 16;
/// How much the heading needs.
pub(super) const HEADING: i32 = 44;
/// How high a seat's bar is.
pub(super) const BAR: i32 = 58;
/// How high a line of remarks is.
const REMARK: i32 = 26;

/// The game's name and how far the match has come.
pub(super) fn heading(width: i32, game: &str, when: &str) -> Element {
    let room = width - 2 * MARGIN;
    let when_width = measure::width(when, 17);
    let game = measure::fit(game, 22, room - when_width - 12);
    group([
        text(MARGIN, 27, 22, Align::Start, &game).set("class", "ink b"),
        text(width - MARGIN, 28, 17, Align::End, when).set("class", "faint"),
    ])
}

/// Where a seat's bar lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: i32,
}

impl Area {
    /// Across a whole picture of this width.
    pub(super) fn across(width: i32, y: i32) -> Self {
        Self { x: MARGIN, y, width: width - 2 * MARGIN }
    }
}

/// A seat's bar: what it needs beside what the view says.
pub(super) struct Bar {
    /// The sign of the side, in a box from -50 to 50, in the colour of [`ink`].
    pub(super) sign: Element,
    /// What it has scored, or has left.
    pub(super) score: String,
}

/// What a seat's bar tells of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    Moves,
    HasChosen,
    Ready,
    Won,
    Waits,
}

/// The class of what is drawn on the bar of a seat.
pub(super) fn ink(view: &View, seat: Seat) -> &'static str {
    match (is_filled(doing(view, seat)), seat) {
        (true, Seat::One) => "on-one",
        (true, Seat::Zero | Seat::Unspecified) => "on-zero",
        (false, Seat::One) => "one",
        (false, Seat::Zero | Seat::Unspecified) => "zero",
    }
}

/// A seat's bar. It is filled while the seat may move, and for the winner.
pub(super) fn bar(view: &View, seat: Seat, area: Area, bar: Bar) -> Element {
    let Area { x, y, width: room } = area;
    let doing = doing(view, seat);
    let [full, soft, outline] = match seat {
        Seat::One => ["one", "one-soft", "one-line"],
        Seat::Zero | Seat::Unspecified => ["zero", "zero-soft", "zero-line"],
    };
    let ground = if is_filled(doing) { full } else { soft };
    let back = rect(x, y, room, BAR).set("rx", 10).set("class", format!("{ground} {outline}"));
    let back = if doing == Doing::Waits && !is_claimed(view, seat) {
        back.set("stroke-dasharray", "7 6")
    } else {
        back
    };
    let ink = if is_filled(doing) { ink(view, seat) } else { "ink" };

    let right = x + room - 14;
    let (word, word_sign) = word(doing, ink);
    let word_width = measure::width(word, 16) + if word_sign.is_some() { 24 } else { 0 };
    let title =
        measure::fit(&seats::title(&view.seats, seat), 20, room - 100 - measure::width(&bar.score, 22));
    let player = seats::player(view, seat);
    let name = measure::fit(&player, 17, room - 90 - word_width);
    let left = x + 58;
    let parts = [
        back.set("stroke-width", 2),
        shapes::place(bar.sign, x + 30, y + BAR / 2, 38),
        text(left, y + 19, 20, Align::Start, &title).set("class", format!("{ink} b")),
        text(left, y + 42, 17, Align::Start, &name).set("class", ink),
        text(right, y + 19, 22, Align::End, &bar.score).set("class", format!("{ink} b")),
        text(right, y + 42, 16, Align::End, word).set("class", format!("{ink} b")),
    ];
    let sign = word_sign.map(|sign| shapes::place(sign, right - word_width + 8, y + 42, 18));
    group(parts).add_all(sign).set("data-seat", seat_number(seat)).named(&seats::player_and_doing(view, seat))
}

fn seat_number(seat: Seat) -> u32 {
    if seat == Seat::One { 1 } else { 0 }
}

fn is_claimed(view: &View, seat: Seat) -> bool {
    view.seats.iter().any(|status| status.seat() == seat && status.claimed)
}

fn is_filled(doing: Doing) -> bool {
    matches!(doing, Doing::Moves | Doing::Won)
}

fn doing(view: &View, seat: Seat) -> Doing {
    let winner = view.result.as_ref().filter(|result| result.winner.is_some()).map(wire::v1::Result::winner);
    match view.status() {
        MatchStatus::Over if winner == Some(seat) => Doing::Won,
        MatchStatus::Running if view.sealed().any(|sealed| sealed == seat) => Doing::HasChosen,
        MatchStatus::Running if view.to_act().any(|acting| acting == seat) => Doing::Moves,
        MatchStatus::Open if is_claimed(view, seat) => Doing::Ready,
        _ => Doing::Waits,
    }
}

fn word(doing: Doing, ink: &'static str) -> (&'static str, Option<Element>) {
    match doing {
        Doing::Moves => ("to move", Some(shapes::pointer(ink))),
        Doing::HasChosen => ("has chosen", Some(shapes::padlock(ink, "ink-line"))),
        Doing::Won => ("winner", Some(shapes::star(ink))),
        Doing::Ready => ("ready", None),
        Doing::Waits => ("", None),
    }
}

/// Lines under the board, and how high they are together.
pub(super) fn remarks(width: i32, y: i32, remarks: &[String]) -> (Vec<Element>, i32) {
    let mut drawn = Vec::new();
    let mut bottom = y;
    for remark in remarks {
        for line in measure::lines(remark.split(' '), 17, width - 2 * MARGIN) {
            let line = line.join(" ");
            drawn.push(text(MARGIN, bottom + REMARK / 2, 17, Align::Start, &line).set("class", "ink"));
            bottom += REMARK;
        }
    }
    (drawn, bottom - y)
}

/// How the match ended, as remarks; none while it runs.
pub(super) fn result(view: &View) -> Option<String> {
    (view.status() == MatchStatus::Over).then(|| result_line(view))
}

/// Whose turn it is or who won, as a sentence for people who hear the picture.
pub(super) fn spoken(view: &View) -> String {
    if let Some(result) = result(view) {
        return format!("{result}.");
    }
    let seat =
        |seat: Seat| format!("{}: {}.", seats::title(&view.seats, seat), seats::player_and_doing(view, seat));
    format!("{} {}", seat(Seat::Zero), seat(Seat::One))
}
