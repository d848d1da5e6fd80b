//! One side of the table: hit points, hand, stack, and the discard pile as a row
//! in which each card of the pack has its place.

use wire::games::ace_exorcist::v1::{Card, Holding};
use wire::v1::Seat;

use super::cards::{self, Touch};
use crate::svg::element::{Align, Element, group, rect, text};
use crate::svg::frame::MARGIN;
use crate::svg::shapes;

/// How high the row of the pack is.
const PACK: i32 = 26;
/// How high the row of an open stack is.
const STACK: i32 = 38;
/// How high the gauge of the hit points is.
const GAUGE: i32 = 14;
const GAP: i32 = 8;
/// How many cards a hand has place for before they overlap.
const HAND: i32 = 6;

/// One side and all that is to be known to draw it.
pub(super) struct Side<'a> {
    pub(super) seat: Seat,
    pub(super) holding: &'a Holding,
    /// The hit points at the start.
    pub(super) most: u32,
    pub(super) width: i32,
    /// The cards that the last move touched.
    pub(super) touched: &'a [Card],
}

impl Side<'_> {
    /// How high the side is drawn.
    pub(super) fn height(&self) -> i32 {
        let open = if self.stack().is_empty() { 0 } else { STACK + GAP };
        GAUGE + GAP + cards::HEIGHT + GAP + PACK + open
    }

    /// From the player's edge towards the middle of the table; `is_far` turns
    /// the order round.
    pub(super) fn draw(&self, top: i32, is_far: bool) -> Vec<Element> {
        let mut rows: Vec<(i32, Part)> = vec![(GAUGE, Part::Gauge), (cards::HEIGHT, Part::Cards)];
        if !self.stack().is_empty() {
            rows.push((STACK, Part::Stack));
        }
        rows.push((PACK, Part::Discards));
        if !is_far {
            rows.reverse();
        }
        let mut y = top;
        let mut drawn = Vec::new();
        for (height, part) in rows {
            drawn.extend(match part {
                Part::Gauge => self.gauge(y),
                Part::Cards => self.cards(y),
                Part::Stack => self.open_stack(y),
                Part::Discards => self.discards(y),
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

    /// The hand and, at the right, the stack.
    fn cards(&self, y: i32) -> Vec<Element> {
        let shown = self.holding.hand.as_ref().map(|hand| hand.cards.as_slice());
        let held =
            shown.map_or(self.holding.hand_size, |cards| u32::try_from(cards.len()).unwrap_or(u32::MAX));
        let held = i32::try_from(held.min(60)).unwrap_or(60);
        let step = cards::STEP.min((HAND - 1) * cards::STEP / (held - 1).max(1));
        let places = (0..held).map(|nth| MARGIN + nth * step);
        let mut drawn: Vec<Element> = match shown {
            Some(hand) => {
                places.zip(hand).map(|(x, card)| cards::card(card, x, y, self.touch(card))).collect()
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
            (_, Some(card)) => cards::card(&card, x, y, self.touch(&card)),
            (_, None) => cards::back(self.seat, x, y),
        };
        let x_text = x - 10;
        group(below)
            .add(pile)
            .add(text(x_text, y + 28, 28, Align::End, &size.to_string()).set("class", "ink b"))
            .add(text(x_text, y + 54, 15, Align::End, "stack").set("class", "faint"))
    }

    /// The cards of the stack, top first.
    fn stack(&self) -> &[Card] {
        self.holding.stack.as_ref().map_or(&[], |stack| &stack.cards)
    }

    fn open_stack(&self, y: i32) -> Vec<Element> {
        let label = text(MARGIN, y + 18, 14, Align::Start, "stack").set("class", "faint");
        let places = (0..).map(|nth| MARGIN + 46 + nth * 20);
        let shown = self.stack().iter().take(24).zip(places);
        [label].into_iter().chain(shown.map(|(card, x)| cards::medium(card, x, y))).collect()
    }

    /// Three suits with ten places each, in which the discarded cards lie.
    fn discards(&self, y: i32) -> Vec<Element> {
        let step = 15;
        let group_width = 26 + 10 * step;
        let (ink, _) = cards::inks(self.seat);
        let mut drawn = Vec::new();
        for (suit, nth) in cards::suits(self.seat).into_iter().zip(0..) {
            let left = MARGIN + nth * group_width;
            drawn.push(shapes::place(cards::icon(suit, ink), left + 11, y + 12, 20));
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
            let small = cards::small(card, x, y, width, self.touch(card));
            return small.set("id", format!("card-{value}")).set("data-card", value);
        }
        rect(x + width / 2 - 3, y + 10, 4, 4).set("rx", 2).set("class", "none-soft none-line")
    }

    fn touch(&self, card: &Card) -> Touch {
        if self.touched.contains(card) { Touch::Last } else { Touch::None }
    }
}

/// A row of a side.
#[derive(Debug, Clone, Copy)]
enum Part {
    Gauge,
    Cards,
    Stack,
    Discards,
}
