//! The table of Ace Exorcist in lines: each side with its cards, between them
//! the Ritual Space, a waiting attack and the latest assault.

pub(crate) mod cards;
mod told;

use wire::games::ace_exorcist::v1 as game;
use wire::v1::{MatchStatus, Seat, View};

use crate::Style;
use crate::paint::{Ink, paint};
use crate::seats::{self, bottom_seat};
use cards::{list, name, total};

pub(crate) use told::told;

/// Heading, far side, table, near side.
pub(crate) fn draw(view: &View, table: &game::View, style: Style) -> String {
    let near = bottom_seat(view, style.near);
    let far = if near == Seat::Zero { Seat::One } else { Seat::Zero };
    let heading = format!("Ace Exorcist, {}", doing(view, table));
    let mut out = format!("{}\n\n", paint(&heading, Ink::Title, style.colour));
    out.push_str(&side(view, table, far, style));
    out.push('\n');
    out.push_str(&middle(table, style));
    out.push('\n');
    out.push_str(&side(view, table, near, style));
    out
}

/// What the match waits for.
pub(crate) fn doing(view: &View, table: &game::View) -> String {
    let acting = view.to_act().next();
    match (view.status(), acting) {
        (MatchStatus::Over, _) | (_, None) => "over".to_owned(),
        (_, Some(seat)) if !table.attack.is_empty() => {
            format!("{} answers an attack", seats::title(&view.seats, seat))
        }
        (_, Some(seat)) => format!("{}'s turn", seats::title(&view.seats, seat)),
    }
}

/// One side: who it is, hit points, hand, stack and discard pile.
fn side(view: &View, table: &game::View, seat: Seat, style: Style) -> String {
    let (holding, most, ink) = match seat {
        Seat::One => (table.exorcist.as_ref(), 30, Ink::OneOnLight),
        Seat::Zero | Seat::Unspecified => (table.summoner.as_ref(), 60, Ink::ZeroOnLight),
    };
    let title = paint(&seats::title(&view.seats, seat), ink, style.colour);
    let player = seats::player_and_doing(view, seat);
    let Some(holding) = holding else { return format!("{title}   {player}\n") };
    let points = holding.hit_points;
    let hand = match &holding.hand {
        Some(hand) => list(&hand.cards),
        None => count(holding.hand_size),
    };
    let mut stack = count(holding.stack_size);
    if let Some(cards) = &holding.stack {
        stack = format!("{stack}, from the top: {}", list(&cards.cards));
    } else if let Some(top) = &holding.known_top {
        stack = format!("{stack}, {} on top", name(top));
    }
    let line = |label: &str, text: &str| format!("  {} {text}\n", faint(&format!("{label:<13}"), style));
    let mut out = format!("{title}   {player}\n");
    out.push_str(&line("hit points", &format!("{points} of {most}  {}", bar(points, most))));
    out.push_str(&line("hand", &hand));
    out.push_str(&line("stack", &stack));
    out.push_str(&line("discards", &list(&holding.discards)));
    out
}

/// What lies between the sides.
fn middle(table: &game::View, style: Style) -> String {
    let mut spaces: Vec<String> = table.ritual.iter().map(|card| format!("[ {} ]", name(card))).collect();
    while spaces.len() < 3 {
        spaces.push("[   ]".to_owned());
    }
    let mut out = format!("  {} {}\n", faint("Ritual Space ", style), spaces.join(" "));
    if !table.attack.is_empty() {
        let attack = format!("{}, together {}", list(&table.attack), total(&table.attack));
        out.push_str(&format!("  {} {attack}\n", faint("attack       ", style)));
    }
    if let Some(assault) = &table.latest_assault {
        let assault = cards::assault(assault);
        out.push_str(&format!("  {} {assault}\n", faint("last assault ", style)));
    }
    out
}

fn faint(text: &str, style: Style) -> String {
    paint(text, Ink::Faint, style.colour)
}

fn count(cards: u32) -> String {
    match cards {
        1 => "1 card".to_owned(),
        more => format!("{more} cards"),
    }
}

/// Ten places, filled as far as there are hit points.
fn bar(points: u32, most: u32) -> String {
    (0..10).map(|place| if place * most < points * 10 { '█' } else { '░' }).collect()
}
