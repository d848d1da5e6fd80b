//! What all drawings have around the board: the heading, a bar for each seat, remarks, and the result.

use wire::v1::{MatchStatus, View};

use super::element::{Align, Element, group, rect, text};
use super::{shapes, text_width};
use crate::words::{result_line, seats};

/// Distance to the drawing's edge.
pub(super) const MARGIN: i32 = 16;
/// Height of the heading.
pub(super) const HEADING: i32 = 44;
/// Height of a seat's bar.
pub(super) const BAR: i32 = 58;
/// Height of a line of remarks.
const REMARK: i32 = 26;

/// Draws the game's name and the progress of the match.
pub(super) fn heading(width: i32, game: &str, progress: &str) -> Element {
    let room = width - 2 * MARGIN;
    let progress_width = text_width::width(progress, 17);
    let game = text_width::truncate(game, 22, room - progress_width - 12);
    group([
        text(MARGIN, 27, 22, Align::Start, &game).set("class", "ink b"),
        text(width - MARGIN, 28, 17, Align::End, progress).set("class", "faint"),
    ])
}

/// The position and width of a seat's bar.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: i32,
}

impl Area {
    /// Returns the area across a whole drawing of this width.
    pub(super) fn across(width: i32, y: i32) -> Self {
        Self { x: MARGIN, y, width: width - 2 * MARGIN }
    }
}

/// What a game adds to a seat's bar.
pub(super) struct Bar {
    /// The side's icon, in a box from -50 to 50, in the colour of [`ink`].
    pub(super) icon: Element,
    /// Points scored or left.
    pub(super) score: String,
}

/// What a seat is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Activity {
    Moves,
    HasChosen,
    Ready,
    Won,
    Waits,
}

/// Returns the class of text and icons on a seat's bar.
pub(super) fn ink(view: &View, seat: u32) -> &'static str {
    match (is_filled(activity(view, seat)), seat) {
        (true, 1) => "on-one",
        (true, _) => "on-zero",
        (false, 1) => "one",
        (false, _) => "zero",
    }
}

/// Draws a seat's bar, which is filled while the seat is to move, and for the winner.
pub(super) fn bar(view: &View, seat: u32, area: Area, bar: Bar) -> Element {
    let Area { x, y, width: room } = area;
    let activity = activity(view, seat);
    let [full, soft, outline] = match seat {
        1 => ["one", "one-soft", "one-line"],
        _ => ["zero", "zero-soft", "zero-line"],
    };
    let ground = if is_filled(activity) { full } else { soft };
    let back = rect(x, y, room, BAR).set("rx", 10).set("class", format!("{ground} {outline}"));
    let back = if activity == Activity::Waits && !is_claimed(view, seat) {
        back.set("stroke-dasharray", "7 6")
    } else {
        back
    };
    let ink = if is_filled(activity) { ink(view, seat) } else { "ink" };

    let right = x + room - 14;
    let (word, word_icon) = word(activity, ink);
    let word_width = text_width::width(word, 16) + if word_icon.is_some() { 24 } else { 0 };
    let title = text_width::truncate(
        &seats::title(&view.seats, seat),
        20,
        room - 100 - text_width::width(&bar.score, 22),
    );
    let player = seats::player(view, seat);
    let name = text_width::truncate(&player, 17, room - 90 - word_width);
    let left = x + 58;
    let parts = [
        back.set("stroke-width", 2),
        shapes::place(bar.icon, x + 30, y + BAR / 2, 38),
        text(left, y + 19, 20, Align::Start, &title).set("class", format!("{ink} b")),
        text(left, y + 42, 17, Align::Start, &name).set("class", ink),
        text(right, y + 19, 22, Align::End, &bar.score).set("class", format!("{ink} b")),
        text(right, y + 42, 16, Align::End, word).set("class", format!("{ink} b")),
    ];
    let icon = word_icon.map(|icon| shapes::place(icon, right - word_width + 8, y + 42, 18));
    group(parts)
        .add_all(icon)
        .set("data-seat", seat_number(seat))
        .named(&seats::player_and_activity(view, seat))
}

fn seat_number(seat: u32) -> u32 {
    if seat == 1 { 1 } else { 0 }
}

fn is_claimed(view: &View, seat: u32) -> bool {
    view.seats.iter().any(|status| status.seat == Some(seat) && status.claimed)
}

fn is_filled(activity: Activity) -> bool {
    matches!(activity, Activity::Moves | Activity::Won)
}

fn activity(view: &View, seat: u32) -> Activity {
    let winner = view.result.as_ref().and_then(wire::v1::MatchResult::winner);
    match view.status() {
        MatchStatus::Over if winner == Some(seat) => Activity::Won,
        MatchStatus::Running if view.sealed.contains(&seat) => Activity::HasChosen,
        MatchStatus::Running if view.to_act.contains(&seat) => Activity::Moves,
        MatchStatus::Open if is_claimed(view, seat) => Activity::Ready,
        _ => Activity::Waits,
    }
}

fn word(activity: Activity, ink: &'static str) -> (&'static str, Option<Element>) {
    match activity {
        Activity::Moves => ("to move", Some(shapes::pointer(ink))),
        Activity::HasChosen => ("has chosen", Some(shapes::padlock(ink, "ink-line"))),
        Activity::Won => ("winner", Some(shapes::star(ink))),
        Activity::Ready => ("ready", None),
        Activity::Waits => ("", None),
    }
}

/// Draws remarks below the board and returns their height.
pub(super) fn remarks(width: i32, y: i32, remarks: &[String]) -> (Vec<Element>, i32) {
    let mut drawn = Vec::new();
    let mut bottom = y;
    for remark in remarks {
        for line in text_width::wrap(remark.split(' '), 17, width - 2 * MARGIN) {
            let line = line.join(" ");
            drawn.push(text(MARGIN, bottom + REMARK / 2, 17, Align::Start, &line).set("class", "ink"));
            bottom += REMARK;
        }
    }
    (drawn, bottom - y)
}

/// Returns the result as a remark; `None` until the match is over.
pub(super) fn result(view: &View) -> Option<String> {
    (view.status() == MatchStatus::Over).then(|| result_line(view))
}

/// Describes the seats, or the result, for screen readers.
pub(super) fn spoken(view: &View) -> String {
    if let Some(result) = result(view) {
        return format!("{result}.");
    }
    let seat = |seat: u32| {
        format!("{}: {}.", seats::title(&view.seats, seat), seats::player_and_activity(view, seat))
    };
    format!("{} {}", seat(0), seat(1))
}
