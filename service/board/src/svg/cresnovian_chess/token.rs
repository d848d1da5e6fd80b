//! A piece of Sticky Cresnovian Chess as a token: its icon, its Q, its abbreviation, and whether it is dead,
//! broken or eternal.

use wire::games::cresnovian_chess::v1::{Condition, Status, Umbration};

use super::icons;
use crate::svg::element::{Align, Element, group, rect, text};
use crate::svg::shapes;
use crate::words::cresnovian_chess::code;

/// Width and height of a square.
pub(super) const SQUARE: (i32, i32) = (66, 80);
/// Distance from a square's edge to the token's edge.
const INSET: i32 = 5;

/// A piece and the classes of its region's colours.
pub(super) struct Token {
    pub(super) umbration: Umbration,
    pub(super) condition: Condition,
    pub(super) outline: &'static str,
    pub(super) ink: &'static str,
}

impl Token {
    /// Draws the token on the square whose upper left corner is at `x`, `y`.
    pub(super) fn draw(&self, x: i32, y: i32, ground: &'static str) -> Element {
        let (left, top) = (x + INSET, y + INSET);
        let (width, height) = (SQUARE.0 - 2 * INSET, SQUARE.1 - 2 * INSET);
        let middle = left + width / 2;
        let is_dead = self.condition.q == 0;
        let card =
            rect(left, top, width, height).set("rx", 9).set("class", format!("{ground} {}", self.outline));
        let card = if is_dead { card.set("stroke-dasharray", "5 4") } else { card };
        let [fill, stroke, number_ink] =
            if is_dead { ["faint", "none-line", "faint b"] } else { [self.ink, self.outline, "ink b"] };
        let number = self.condition.q.to_string();
        let size = match number.len() {
            1 | 2 => 32,
            3 => 26,
            more => (80 / i32::try_from(more).unwrap_or(10)).max(8),
        };
        let behind = match self.condition.status() {
            Status::Broken => Some(icons::crack(left, top, width, height)),
            Status::Eternal => Some(self.eternal(left, top, width, height)),
            Status::Whole | Status::Unspecified => None,
        };
        let value = code(self.umbration);
        group([card.set("stroke-width", 3)])
            .add_all(behind)
            .add(shapes::place(icons::umbration(self.umbration, fill, stroke), left + 17, top + 18, 22))
            .add(text(middle, top + 41, size, Align::Middle, &number).set("class", number_ink))
            .add(text(middle, top + height - 8, 14, Align::Middle, value).set("class", "ink"))
            .set("id", format!("piece-{value}"))
            .set("data-piece", value)
    }

    /// Draws a second outline and an infinity sign.
    fn eternal(&self, left: i32, top: i32, width: i32, height: i32) -> Element {
        let inner = rect(left + 4, top + 4, width - 8, height - 8).set("rx", 6).set("class", self.outline);
        let infinity = shapes::place(icons::eternal(self.outline), left + width - 17, top + 18, 24);
        group([inner.set("fill", "none"), infinity])
    }
}
