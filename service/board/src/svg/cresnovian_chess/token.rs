//! A piece of Sticky Cresnovian Chess as a token: its sign, its Q, its letters,
//! and whether it is dead, broken or eternal.

use wire::games::cresnovian_chess::v1::{Condition, Status, Umbration};

use super::signs;
use crate::cresnovian_chess::code;
use crate::svg::element::{Align, Element, group, rect, text};
use crate::svg::shapes;

/// How wide and how high a square is.
pub(super) const SQUARE: (i32, i32) = (66, 80);
/// From a square's edge to the token's.
const INSET: i32 = 5;

/// A piece and the colours of the region that it stands in.
pub(super) struct Token {
    pub(super) umbration: Umbration,
    pub(super) condition: Condition,
    pub(super) outline: &'static str,
    pub(super) ink: &'static str,
}

impl Token {
    /// The token on a square whose upper left corner this is.
    pub(super) fn draw(&self, x: i32, y: i32, ground: &'static str) -> Element {
        let (left, top) = (x + INSET, y + INSET);
        let (width, height) = (SQUARE.0 - 2 * INSET, SQUARE.1 - 2 * INSET);
        let middle = left + width / 2;
        let is_dead = self.condition.q == 0;
        let card =
            rect(left, top, width, height).set("rx", 9).set("class", format!("{ground} {}", self.outline));
        let card = if is_dead { card.set("stroke-dasharray", "5 4") } else { card };
        let [sign, line, number_ink] =
            if is_dead { ["faint", "none-line", "faint b"] } else { [self.ink, self.outline, "ink b"] };
        let number = self.condition.q.to_string();
        let size = match number.len() {
            1 | 2 => 32,
            3 => 26,
            more => (80 / i32::try_from(more).unwrap_or(10)).max(8),
        };
        let behind = match self.condition.status() {
            Status::Broken => Some(signs::crack(left, top, width, height)),
            Status::Eternal => Some(self.eternal(left, top, width, height)),
            Status::Whole | Status::Unspecified => None,
        };
        let value = code(self.umbration);
        group([card.set("stroke-width", 3)])
            .add_all(behind)
            .add(shapes::place(signs::umbration(self.umbration, sign, line), left + 17, top + 18, 22))
            .add(text(middle, top + 41, size, Align::Middle, &number).set("class", number_ink))
            .add(text(middle, top + height - 8, 14, Align::Middle, value).set("class", "ink"))
            .set("id", format!("piece-{value}"))
            .set("data-piece", value)
    }

    /// A second outline and a lying eight.
    fn eternal(&self, left: i32, top: i32, width: i32, height: i32) -> Element {
        let inner = rect(left + 4, top + 4, width - 8, height - 8).set("rx", 6).set("class", self.outline);
        let eight = shapes::place(signs::eternal(self.outline), left + width - 17, top + 18, 24);
        group([inner.set("fill", "none"), eight])
    }
}
