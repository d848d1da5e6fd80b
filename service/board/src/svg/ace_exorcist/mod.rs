//! The table of Ace Exorcist: the cards of each side, and between them the Ritual Space and a pending attack.
//! Hidden cards are drawn face down.

mod cards;
mod side;

use wire::games::ace_exorcist::v1 as game;
use wire::v1::{Fact, View, fact};

use super::document::Scene;
use super::element::{Align, Element, group, rect, text};
use super::frame::{self, Area, BAR, Bar, HEADING, MARGIN};
use crate::last_move::LastMove;
use crate::words::ace_exorcist::{activity, assault, count, list, total};
use crate::words::seats;
use cards::Highlight;
use side::Side;

const WIDTH: i32 = 560;
/// Number of cards that complete the ritual.
const RITUAL: i32 = 3;
/// Distance from the upper edge of the middle to its cards.
const LABEL: i32 = 34;
const GAP: i32 = 10;

/// Draws the heading, the far side, the middle, the near side, and the remarks.
pub(super) fn scene(view: &View, table: &game::View, last: LastMove<'_>, near: u32) -> Scene {
    let far = if near == 0 { 1 } else { 0 };
    let progress = activity(view, table);
    let touched: Vec<game::Card> = last.facts().iter().flat_map(touched).collect();
    let sides = [0, 1].map(|seat| holding(table, seat));
    let side = |seat: u32| {
        let (holding, most) = if seat == 1 { (&sides[1], 30) } else { (&sides[0], 60) };
        Side { seat, holding, most, width: WIDTH, touched: &touched }
    };
    let (far_side, near_side) = (side(far), side(near));

    let mut y = HEADING;
    let mut content = vec![frame::heading(WIDTH, "Ace Exorcist", &progress), seat_bar(view, &far_side, y)];
    y += BAR + GAP;
    content.extend(far_side.draw(y, true));
    y += far_side.height() + GAP;
    content.extend(middle(table, &touched, y));
    y += LABEL + cards::HEIGHT + GAP + GAP;
    content.extend(near_side.draw(y, false));
    y += near_side.height() + GAP;
    content.push(seat_bar(view, &near_side, y));
    y += BAR + GAP;
    let assault = table.latest_assault.as_ref().map(|result| format!("Latest assault: {}.", assault(result)));
    let remarks: Vec<String> = assault.into_iter().chain(frame::result(view)).collect();
    let (drawn, height) = frame::remarks(WIDTH, y, &remarks);
    content.extend(drawn);
    Scene {
        class: "ace-exorcist",
        width: WIDTH,
        height: y + height + MARGIN - GAP,
        title: format!("Ace Exorcist, {progress}"),
        description: describe(view, table),
        content,
    }
}

fn holding(table: &game::View, seat: u32) -> game::Holding {
    let holding = if seat == 1 { &table.exorcist } else { &table.summoner };
    holding.clone().unwrap_or_default()
}

fn seat_bar(view: &View, side: &Side<'_>, y: i32) -> Element {
    let icon = cards::side_icon(side.seat, frame::ink(view, side.seat));
    let score = format!("{} / {}", side.holding.hit_points, side.most);
    frame::bar(view, side.seat, Area::across(WIDTH, y), Bar { icon, score })
}

/// Draws the Ritual Space on the left and the attack on the right.
fn middle(table: &game::View, touched: &[game::Card], y: i32) -> Vec<Element> {
    let highlight = |card: &game::Card| Highlight::of(card, touched);
    let row = y + LABEL - 4;
    let ground = rect(MARGIN - 8, y, WIDTH - 2 * MARGIN + 16, LABEL + cards::HEIGHT + 6).set("rx", 10);
    let label = |x, name: &str| text(x, y + 16, 16, Align::Start, name).set("class", "ink b");
    let mut drawn = vec![ground.set("class", "none-soft"), label(MARGIN, "Ritual Space")];

    let places = |left: i32, step: i32| (0..).map(move |nth| left + nth * step);
    let lying = i32::try_from(table.ritual.len()).unwrap_or(RITUAL);
    let free = places(MARGIN, cards::STEP).zip(0..RITUAL).skip_while(|(_, nth)| *nth < lying);
    drawn.extend(free.map(|(x, _)| cards::vacant(x, row)));
    let ritual = table.ritual.iter().zip(places(MARGIN, cards::STEP));
    drawn.push(group(ritual.map(|(card, x)| cards::card(card, x, row, highlight(card)))));

    let left = MARGIN + RITUAL * cards::STEP + 22;
    if table.attack.is_empty() {
        drawn.push(text(left, y + 16, 16, Align::Start, "No attack").set("class", "faint"));
        return drawn;
    }
    drawn.push(label(left, &format!("Attack, damage {}", total(&table.attack))));
    let room = WIDTH - MARGIN - cards::WIDTH - left;
    let others = i32::try_from(table.attack.len()).unwrap_or(1).max(2) - 1;
    let attack = table.attack.iter().zip(places(left, cards::STEP.min(room / others)));
    drawn.push(group(attack.map(|(card, x)| cards::card(card, x, row, highlight(card)))));
    drawn
}

/// Returns the cards that a fact names.
fn touched(fact: &Fact) -> Vec<game::Card> {
    use game::fact::Fact as Kind;
    let Some(fact::Game::AceExorcist(game::Fact { fact: Some(fact) })) = &fact.game else {
        return Vec::new();
    };
    match fact {
        Kind::Drew(drew) => drew.card.into_iter().collect(),
        Kind::Played(played) => played.cards.clone(),
        Kind::RitualPlayed(ritual) => ritual.card.into_iter().collect(),
        Kind::Attacked(attacked) => attacked.cards.clone(),
        Kind::Guarded(guarded) => guarded.low.into_iter().chain(guarded.high).collect(),
        Kind::AttackDiscarded(discarded) => discarded.cards.clone(),
        Kind::Banished(banished) => banished.card.into_iter().collect(),
        Kind::Assaulted(assaulted) => {
            let result = assaulted.result.clone().unwrap_or_default();
            result.taken.into_iter().chain(result.put_back).collect()
        }
        Kind::TurnBegan(_)
        | Kind::TurnSkipped(_)
        | Kind::HandFull(_)
        | Kind::Damaged(_)
        | Kind::Healed(_) => Vec::new(),
    }
}

fn describe(view: &View, table: &game::View) -> String {
    let side = |seat: u32| {
        let holding = holding(table, seat);
        let hand = match &holding.hand {
            Some(hand) => format!("the hand {}", list(&hand.cards)),
            None => format!("{} in the hand", count(holding.hand_size)),
        };
        let top = holding.known_top.map(|card| format!(" with {} on top", list(&[card])));
        format!(
            "{}: {} hit points, {hand}, {} on the stack{}, discarded {}.",
            seats::title(&view.seats, seat),
            holding.hit_points,
            count(holding.stack_size),
            top.unwrap_or_default(),
            list(&holding.discards)
        )
    };
    let mut description = format!("{} {} {}", frame::spoken(view), side(0), side(1));
    description.push_str(&format!(" Ritual Space: {}.", list(&table.ritual)));
    if !table.attack.is_empty() {
        description.push_str(&format!(
            " Pending attack: {}, damage {}.",
            list(&table.attack),
            total(&table.attack)
        ));
    }
    if let Some(result) = &table.latest_assault {
        description.push_str(&format!(" Latest assault: {}.", assault(result)));
    }
    description
}
