//! A match without a position, usually because it has not started: its seats.

use wire::v1::View;

use super::document::Scene;
use super::element::{circle, group, path};
use super::frame::{self, Area, BAR, Bar, HEADING, MARGIN};
use crate::words::seats;

const WIDTH: i32 = 480;

/// Draws a bar for each seat.
pub(super) fn scene(view: &View) -> Scene {
    let title = seats::lobby_heading(view);
    let mut content = vec![frame::heading(WIDTH, title, "")];
    let mut y = HEADING + 8;
    for seat in [0, 1] {
        let ink = frame::ink(view, seat);
        let head = [circle(0, -20, 22), path("M-44 48A44 44 0 0 1 44 48Z")];
        let icon = group(head.map(|part| part.set("class", ink)));
        content.push(frame::bar(view, seat, Area::across(WIDTH, y), Bar { icon, score: String::new() }));
        y += BAR + 12;
    }
    let remarks: Vec<String> = frame::result(view).into_iter().collect();
    let (drawn, height) = frame::remarks(WIDTH, y, &remarks);
    content.extend(drawn);
    Scene {
        class: "waiting",
        width: WIDTH,
        height: y + height + MARGIN - 8,
        title: title.to_owned(),
        description: format!("{title}. {}", frame::spoken(view)),
        content,
    }
}
