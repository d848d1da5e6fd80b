//! Cards of Ace Exorcist: face up, face down, and the small ones in a row that shows a whole deck.

use wire::games::ace_exorcist::v1::{Card, Suit};

use crate::svg::element::{Align, Element, circle, group, path, rect, text};
use crate::svg::shapes;
use crate::words::ace_exorcist::{face, name};

/// Width of a card.
pub(super) const WIDTH: i32 = 58;
/// Height of a card.
pub(super) const HEIGHT: i32 = 80;
/// Distance between cards in a row.
pub(super) const STEP: i32 = 64;

/// Whether a card is highlighted because the last move touched it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Highlight {
    LastMove,
    None,
}

impl Highlight {
    /// Highlights the card if it is among the cards that the last move touched.
    pub(super) fn of(card: &Card, touched: &[Card]) -> Self {
        if touched.contains(card) { Self::LastMove } else { Self::None }
    }

    /// Returns the class of the card's ground.
    fn ground(self) -> &'static str {
        match self {
            Self::LastMove => "mark",
            Self::None => "bright",
        }
    }
}

/// Returns the suits of a seat's deck.
pub(super) fn suits(seat: u32) -> [Suit; 3] {
    match seat {
        1 => [Suit::Bell, Suit::Book, Suit::Candle],
        _ => [Suit::Blood, Suit::Blade, Suit::Flame],
    }
}

/// Returns the card in notation, which is also its value in choices: `blade-3`, `blood-elder`.
pub(super) fn value(card: &Card) -> String {
    let rank = face(card).map_or_else(|| card.value.to_string(), str::to_lowercase);
    format!("{}-{rank}", suit_name(card.suit()))
}

/// Draws a card face up.
pub(super) fn card(card: &Card, x: i32, y: i32, highlight: Highlight) -> Element {
    let value = value(card);
    let (ink, outline) = inks(seat(card));
    let ground = highlight.ground();
    let x_middle = x + WIDTH / 2;
    let (size, y_icon) = if face(card).is_some() { (26, y + 48) } else { (34, y + 56) };
    let bottom = face(card).map(|face| text(x_middle, y + 70, 11, Align::Middle, face).set("class", "ink b"));
    group([
        rect(x, y, WIDTH, HEIGHT)
            .set("rx", 8)
            .set("class", format!("{ground} {outline}"))
            .set("stroke-width", 2),
        text(x_middle, y + 19, 28, Align::Middle, &card.value.to_string()).set("class", format!("{ink} b")),
        shapes::place(suit_icon(card.suit(), ink), x_middle, y_icon, size),
    ])
    .add_all(bottom)
    .set("id", format!("card-{value}"))
    .set("data-card", &value)
    .named(&name(card))
}

/// Draws a card face down.
pub(super) fn back(owner: u32, x: i32, y: i32) -> Element {
    let (ink, outline) = inks(owner);
    let on = if owner == 1 { "on-one" } else { "on-zero" };
    group([
        rect(x, y, WIDTH, HEIGHT)
            .set("rx", 8)
            .set("class", format!("{ink} paper-line"))
            .set("stroke-width", 2),
        rect(x + 6, y + 6, WIDTH - 12, HEIGHT - 12)
            .set("rx", 5)
            .set("class", format!("{on} {outline}"))
            .set("fill-opacity", "0.16"),
        shapes::place(side_icon(owner, on), x + WIDTH / 2, y + HEIGHT / 2, 34),
    ])
    .set("class", "back")
}

/// Draws an empty place for a card.
pub(super) fn vacant(x: i32, y: i32) -> Element {
    let slot = rect(x, y, WIDTH, HEIGHT).set("rx", 8).set("class", "none-soft none-line");
    slot.set("stroke-width", 2).set("stroke-dasharray", "6 5")
}

/// Draws a side's icon: a star for the Summoner, a cross for the Exorcist.
pub(super) fn side_icon(seat: u32, class: &'static str) -> Element {
    match seat {
        1 => path("M-11 -48H11V-20H36V2H11V48H-11V2H-36V-20H-11Z").set("class", class),
        _ => shapes::star(class),
    }
}

/// Draws a small card in a row of its suit.
pub(super) fn small(card: &Card, x: i32, y: i32, width: i32, highlight: Highlight) -> Element {
    let (_, outline) = inks(seat(card));
    let ground = highlight.ground();
    let size = if card.value < 10 { 13 } else { 10 };
    group([
        rect(x, y, width - 1, 24).set("rx", 3).set("class", format!("{ground} {outline}")),
        text(x + width / 2, y + 12, size, Align::Middle, &card.value.to_string()).set("class", "ink b"),
    ])
    .named(&name(card))
}

/// Draws a small card with its suit.
pub(super) fn medium(card: &Card, x: i32, y: i32) -> Element {
    let (ink, outline) = inks(seat(card));
    group([
        rect(x, y, 19, 36).set("rx", 3).set("class", format!("bright {outline}")),
        text(x + 9, y + 10, if card.value < 10 { 14 } else { 12 }, Align::Middle, &card.value.to_string())
            .set("class", "ink b"),
        shapes::place(suit_icon(card.suit(), ink), x + 9, y + 26, 16),
    ])
    .named(&name(card))
}

/// Returns the classes of fill and outline of a seat's cards.
pub(super) fn inks(seat: u32) -> (&'static str, &'static str) {
    if seat == 1 { ("one", "one-line") } else { ("zero", "zero-line") }
}

fn seat(card: &Card) -> u32 {
    if suits(1).contains(&card.suit()) { 1 } else { 0 }
}

fn suit_name(suit: Suit) -> &'static str {
    match suit {
        Suit::Blood => "blood",
        Suit::Blade => "blade",
        Suit::Flame => "flame",
        Suit::Bell => "bell",
        Suit::Book => "book",
        Suit::Candle => "candle",
        Suit::Unspecified => "unknown",
    }
}

/// Draws a suit's icon in a box from -50 to 50.
pub(super) fn suit_icon(suit: Suit, class: &'static str) -> Element {
    let part = |data: &str| path(data).set("class", class);
    match suit {
        Suit::Blood => part("M0 -48C14 -20 34 0 34 16A34 34 0 0 1 -34 16C-34 0 -14 -20 0 -48Z"),
        Suit::Blade => part("M0 -50L10 -36V12H30V23H7V48H-7V23H-30V12H-10V-36Z"),
        Suit::Flame => part(
            "M4 -50C10 -26 38 -14 38 14A38 36 0 0 1 -38 14C-38 -4 -26 -14 -26 -34\
             C-14 -28 -8 -18 -8 -8C4 -18 8 -34 4 -50Z\
             M0 42C-14 42 -18 32 -14 22C-10 14 0 12 2 0C14 10 20 22 16 32C14 38 8 42 0 42Z",
        )
        .set("fill-rule", "evenodd"),
        Suit::Bell => group([
            part(
                "M0 -46C22 -44 28 -26 28 -6C28 12 34 18 42 26H-42C-34 18 -28 12 -28 -6\
                 C-28 -26 -22 -44 0 -46Z",
            ),
            circle(0, 37, 10).set("class", class),
        ]),
        Suit::Book => group([
            part("M-4 -26C-16 -36 -32 -36 -46 -33V29C-32 26 -16 26 -4 36Z"),
            part("M4 -26C16 -36 32 -36 46 -33V29C32 26 16 26 4 36Z"),
        ]),
        Suit::Candle => group([
            part("M0 -50C9 -36 13 -30 13 -23A13 13 0 0 1 -13 -23C-13 -30 -9 -36 0 -50Z"),
            part("M-13 -4H13V34H30V46H-30V34H-13Z"),
        ]),
        Suit::Unspecified => circle(0, 0, 30).set("class", class),
    }
}
