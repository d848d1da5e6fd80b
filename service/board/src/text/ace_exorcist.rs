//! The table of Ace Exorcist: the cards of each side, and between them the Ritual Space, a pending attack and
//! the latest assault.

use wire::games::ace_exorcist::v1 as game;
use wire::v1::View;

use super::TextStyle;
use super::ink::{Ink, paint};
use crate::words::ace_exorcist::{activity, assault, count, list, name, total};
use crate::words::seats::{self, bottom_seat};

/// Draws the heading, the far side, the middle of the table, and the near side.
pub(super) fn draw(view: &View, table: &game::View, style: TextStyle) -> String {
    let near = bottom_seat(view, style.orientation);
    let far = if near == 0 { 1 } else { 0 };
    let heading = format!("Ace Exorcist, {}", activity(view, table));
    let mut out = format!("{}\n\n", paint(&heading, Ink::Title, style.colour));
    out.push_str(&side(view, table, far, style));
    out.push('\n');
    out.push_str(&middle(table, style));
    out.push('\n');
    out.push_str(&side(view, table, near, style));
    out
}

/// Draws one side: player, hit points, hand, stack and discard pile.
fn side(view: &View, table: &game::View, seat: u32, style: TextStyle) -> String {
    let (holding, most, ink) = match seat {
        1 => (table.exorcist.as_ref(), 30, Ink::OneOnLight),
        _ => (table.summoner.as_ref(), 60, Ink::ZeroOnLight),
    };
    let title = paint(&seats::title(&view.seats, seat), ink, style.colour);
    let player = seats::player_and_activity(view, seat);
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

/// Draws what lies between the sides.
fn middle(table: &game::View, style: TextStyle) -> String {
    let mut spaces: Vec<String> = table.ritual.iter().map(|card| format!("[ {} ]", name(card))).collect();
    while spaces.len() < 3 {
        spaces.push("[   ]".to_owned());
    }
    let mut out = format!("  {} {}\n", faint("Ritual Space ", style), spaces.join(" "));
    if !table.attack.is_empty() {
        let attack = format!("{}, total {}", list(&table.attack), total(&table.attack));
        out.push_str(&format!("  {} {attack}\n", faint("attack       ", style)));
    }
    if let Some(result) = &table.latest_assault {
        out.push_str(&format!("  {} {}\n", faint("last assault ", style), assault(result)));
    }
    out
}

fn faint(text: &str, style: TextStyle) -> String {
    paint(text, Ink::Faint, style.colour)
}

/// Draws a bar of ten characters, filled in proportion to `points`.
fn bar(points: u32, most: u32) -> String {
    (0..10).map(|place| if place * most < points * 10 { '█' } else { '░' }).collect()
}
