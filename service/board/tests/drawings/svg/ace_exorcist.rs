//! Ace Exorcist as SVG.

use board::{SvgStyle, Theme};
use wire::games::ace_exorcist::v1 as game;
use wire::v1::{Event, Fact, MatchStatus, MoveMade, View, Viewer, event, fact};

use super::{AUTO, golden_svg, styled_golden_svg};
use crate::ace_exorcist::{attacked, card, holding, table};
use crate::positions::result;

fn event(facts: Vec<game::fact::Fact>) -> Event {
    let facts = facts
        .into_iter()
        .map(|fact| Fact { game: Some(fact::Game::AceExorcist(game::Fact { fact: Some(fact) })) });
    let kind = Some(event::Kind::MoveMade(MoveMade::default()));
    Event { kind, facts: facts.collect(), ..Event::default() }
}

fn attack() -> Event {
    let cards = vec![card(game::Suit::Blade, 3), card(game::Suit::Flame, 4)];
    event(vec![game::fact::Fact::Attacked(game::Attacked { cards })])
}

#[test]
fn an_attack_for_a_spectator() {
    golden_svg("ace-exorcist", &attacked(), &[attack()]);
}

/// The README's picture has these drawings.
#[test]
fn an_attack_in_each_theme() {
    for (theme, name) in [(Theme::Light, "ace-exorcist-light"), (Theme::Dark, "ace-exorcist-dark")] {
        styled_golden_svg(name, SvgStyle { theme, ..AUTO }, &attacked(), &[attack()]);
    }
}

#[test]
fn the_hand_of_the_viewer() {
    let mut view = attacked();
    view.viewer = Some(Viewer::in_seat(1));
    let cards = vec![
        card(game::Suit::Bell, 2),
        card(game::Suit::Book, 5),
        card(game::Suit::Candle, 8),
        card(game::Suit::Book, 10),
    ];
    holding(&mut view, 1).hand = Some(game::CardList { cards });
    golden_svg("ace-exorcist-own-hand", &view, &[attack()]);
}

/// Returns a table with as many cards as possible.
fn crowded() -> View {
    use game::Suit::{Bell, Blade, Blood, Book, Candle, Flame};
    let mut view = attacked();
    view.viewer = Some(Viewer::in_seat(0));
    let summoner = holding(&mut view, 0);
    let hand = [(Blood, 1), (Blade, 1), (Flame, 1), (Blood, 8), (Blade, 8), (Flame, 9)];
    summoner.hand = Some(game::CardList { cards: hand.map(|(suit, value)| card(suit, value)).to_vec() });
    summoner.known_top = Some(card(Blade, 10));
    summoner.discards = [2, 3, 4, 5, 6, 7].map(|value| card(Blood, value)).to_vec();
    let exorcist = holding(&mut view, 1);
    exorcist.hand_size = 6;
    exorcist.discards = (1..=10).flat_map(|value| [card(Bell, value), card(Candle, value)]).collect();
    exorcist.discards.push(card(Book, 7));
    let table = table(&mut view);
    table.ritual = vec![card(Blood, 10), card(Flame, 10)];
    table.attack = vec![2, 3, 4, 5, 6, 7].into_iter().map(|value| card(Flame, value)).collect();
    view
}

#[test]
fn a_crowded_table() {
    golden_svg("ace-exorcist-crowded", &crowded(), &[]);
}

#[test]
fn the_deal() {
    let mut view = attacked();
    view.to_act = vec![0];
    for (seat, points, hand, stack) in [(0, 60, 6, 24), (1, 30, 5, 25)] {
        *holding(&mut view, seat) = game::Holding {
            hit_points: points,
            hand_size: hand,
            stack_size: stack,
            ..game::Holding::default()
        };
    }
    let table = table(&mut view);
    table.ritual.clear();
    table.attack.clear();
    table.latest_assault = None;
    golden_svg("ace-exorcist-deal", &view, &[]);
}

#[test]
fn the_open_view_at_the_end() {
    let mut view = crowded();
    view.viewer = Some(Viewer::open());
    view.status = MatchStatus::Over.into();
    view.to_act.clear();
    view.result = Some(result(Some(0), "hit-points"));
    table(&mut view).attack.clear();
    let exorcist = holding(&mut view, 1);
    exorcist.hit_points = 0;
    exorcist.hand = Some(game::CardList { cards: vec![card(game::Suit::Book, 1)] });
    exorcist.stack =
        Some(game::CardList { cards: (2..=6).map(|value| card(game::Suit::Book, value)).collect() });
    exorcist.stack_size = 5;
    let damage = game::Damaged { side: game::Side::Exorcist.into(), damage: 27, hit_points: 0 };
    let discarded = (2..=7).map(|value| card(game::Suit::Blood, value)).collect();
    let last = event(vec![
        game::fact::Fact::AttackDiscarded(game::AttackDiscarded { cards: discarded }),
        game::fact::Fact::Damaged(damage),
    ]);
    golden_svg("ace-exorcist-open", &view, &[last]);
}
