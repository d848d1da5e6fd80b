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
            1 | 2 => 27,
            3 => 24,
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
            .add(shapes::place(icons::umbration(self.umbration, fill, stroke), left + 16, top + 16, 20))
            .add(text(middle, top + 39, size, Align::Middle, &number).set("class", number_ink))
            .add(text(middle, top + height - 9, 13, Align::Middle, value).set("class", "ink"))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Least distance in pixels between a number's baseline and the tops of the letters below.
    const GAP: i32 = 6;

    #[test]
    fn the_number_stands_clear_of_the_name() {
        for q in [0, 7, 12, 100, 12_345] {
            let condition = Condition { q, ..Default::default() };
            let token = Token { umbration: Umbration::Cognizance, condition, outline: "", ink: "" };
            let drawn = token.draw(0, 0, "").to_document();
            let texts: Vec<&str> = drawn.lines().filter(|line| line.starts_with("<text")).collect();
            let [number, name] = texts[..] else { panic!("a number and a name: {drawn}") };
            // Letters with ascenders are about 0.76 times the font size high.
            let top = attribute(name, "y") - attribute(name, "font-size") * 76 / 100;
            assert!(top - attribute(number, "y") >= GAP, "{q}: {number} {name}");
        }
    }

    fn attribute(element: &str, name: &str) -> i32 {
        let (_, value) = element.split_once(&format!(" {name}=\"")).unwrap();
        value.split_once('"').unwrap().0.parse().unwrap()
    }
}
