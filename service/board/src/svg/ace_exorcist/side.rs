//! One side of the table: hit points, hand, stack, and the discard pile as a row with a place for each card
//! of the deck.

use wire::games::ace_exorcist::v1::{Card, Holding};

use super::cards::{self, Highlight};
use crate::svg::element::{Align, Element, group, rect, text};
use crate::svg::frame::MARGIN;
use crate::svg::shapes;

/// Height of the discard row.
const DISCARDS: i32 = 26;
/// Height of the row of a revealed stack.
const STACK: i32 = 38;
/// Height of the gauge of hit points.
const GAUGE: i32 = 14;
const GAP: i32 = 8;
/// Number of cards in a hand from which they overlap more.
const HAND: i32 = 6;

/// One side of the table.
pub(super) struct Side<'a> {
    pub(super) seat: u32,
    pub(super) holding: &'a Holding,
    /// Hit points at the start.
    pub(super) most: u32,
    pub(super) width: i32,
    /// The cards that the last move touched.
    pub(super) touched: &'a [Card],
}

impl Side<'_> {
    /// Returns the height of the drawn side.
    pub(super) fn height(&self) -> i32 {
        let open = if self.stack().is_empty() { 0 } else { STACK + GAP };
        GAUGE + GAP + cards::HEIGHT + GAP + DISCARDS + open
    }

    /// Draws the rows from the player's edge to the middle of the table: top to bottom for the far side,
    /// bottom to top for the near side.
    pub(super) fn draw(&self, top: i32, is_far: bool) -> Vec<Element> {
        let mut rows: Vec<(i32, Row)> = vec![(GAUGE, Row::Gauge), (cards::HEIGHT, Row::Cards)];
        if !self.stack().is_empty() {
            rows.push((STACK, Row::Stack));
        }
        rows.push((DISCARDS, Row::Discards));
        if !is_far {
            rows.reverse();
        }
        let mut y = top;
        let mut drawn = Vec::new();
        for (height, row) in rows {
            drawn.extend(match row {
                Row::Gauge => self.gauge(y),
                Row::Cards => self.cards(y),
                Row::Stack => self.revealed_stack(y),
                Row::Discards => self.discards(y),
            });
            y += height + GAP;
        }
        drawn
    }

    fn gauge(&self, y: i32) -> Vec<Element> {
        let room = self.width - 2 * MARGIN;
        let most = self.most.max(1);
        let part = u64::from(self.holding.hit_points.min(most)) * 1000 / u64::from(most);
        let filled = room * i32::try_from(part).unwrap_or(1000) / 1000;
        let (ink, outline) = cards::inks(self.seat);
        let name = format!("{} of {most} hit points", self.holding.hit_points);
        let ground = rect(MARGIN, y, room, GAUGE).set("rx", 7).set("class", format!("none-soft {outline}"));
        let full = rect(MARGIN, y, filled, GAUGE).set("rx", 7.min(filled / 2)).set("class", ink);
        vec![group([ground.set("stroke-width", 2), full]).named(&name)]
    }

    /// Draws the hand, and the stack on the right.
    fn cards(&self, y: i32) -> Vec<Element> {
        let shown = self.holding.hand.as_ref().map(|hand| hand.cards.as_slice());
        let held =
            shown.map_or(self.holding.hand_size, |cards| u32::try_from(cards.len()).unwrap_or(u32::MAX));
        let held = i32::try_from(held.min(60)).unwrap_or(60);
        let step = cards::STEP.min((HAND - 1) * cards::STEP / (held - 1).max(1));
        let places = (0..held).map(|nth| MARGIN + nth * step);
        let mut drawn: Vec<Element> = match shown {
            Some(hand) => {
                places.zip(hand).map(|(x, card)| cards::card(card, x, y, self.highlight(card))).collect()
            }
            None => places.map(|x| cards::back(self.seat, x, y)).collect(),
        };
        if held == 0 {
            drawn.push(cards::vacant(MARGIN, y));
        }
        drawn.push(self.stack_pile(y));
        drawn
    }

    fn stack_pile(&self, y: i32) -> Element {
        let x = self.width - MARGIN - cards::WIDTH - 4;
        let size = self.holding.stack_size;
        let top = self.holding.known_top.or_else(|| self.stack().first().copied());
        let below = (size > 1).then(|| cards::back(self.seat, x + 4, y));
        let pile = match (size, top) {
            (0, _) => cards::vacant(x, y),
            (_, Some(card)) => cards::card(&card, x, y, self.highlight(&card)),
            (_, None) => cards::back(self.seat, x, y),
        };
        let x_text = x - 10;
        group(below)
            .add(pile)
            .add(text(x_text, y + 28, 28, Align::End, &size.to_string()).set("class", "ink b"))
            .add(text(x_text, y + 54, 15, Align::End, "stack").set("class", "faint"))
    }

    /// Returns the cards of a revealed stack, top card first.
    fn stack(&self) -> &[Card] {
        self.holding.stack.as_ref().map_or(&[], |stack| &stack.cards)
    }

    fn revealed_stack(&self, y: i32) -> Vec<Element> {
        let label = text(MARGIN, y + 18, 14, Align::Start, "stack").set("class", "faint");
        let places = (0..).map(|nth| MARGIN + 46 + nth * 20);
        let shown = self.stack().iter().take(24).zip(places);
        [label].into_iter().chain(shown.map(|(card, x)| cards::medium(card, x, y))).collect()
    }

    /// Draws ten places for each of the three suits, with the discarded cards in theirs.
    fn discards(&self, y: i32) -> Vec<Element> {
        let step = 15;
        let group_width = 26 + 10 * step;
        let (ink, _) = cards::inks(self.seat);
        let mut drawn = Vec::new();
        for (suit, nth) in cards::suits(self.seat).into_iter().zip(0..) {
            let left = MARGIN + nth * group_width;
            drawn.push(shapes::place(cards::suit_icon(suit, ink), left + 11, y + 12, 20));
            for value in 1..=10 {
                let card = Card { suit: suit.into(), value };
                let x = left + 24 + step * (i32::try_from(value).unwrap_or(1) - 1);
                drawn.push(self.discard(&card, x, y, step));
            }
        }
        vec![group(drawn)]
    }

    fn discard(&self, card: &Card, x: i32, y: i32, width: i32) -> Element {
        if self.holding.discards.contains(card) {
            let value = cards::value(card);
            let small = cards::small(card, x, y, width, self.highlight(card));
            return small.set("id", format!("card-{value}")).set("data-card", value);
        }
        rect(x + width / 2 - 3, y + 10, 4, 4).set("rx", 2).set("class", "none-soft none-line")
    }

    fn highlight(&self, card: &Card) -> Highlight {
        Highlight::of(card, self.touched)
    }
}

/// A row of a side.
#[derive(Debug, Clone, Copy)]
enum Row {
    Gauge,
    Cards,
    Stack,
    Discards,
}
