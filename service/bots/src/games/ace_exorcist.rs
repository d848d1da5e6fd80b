//! The worth of a move in Ace Exorcist to the seat that makes it, by its own hand and the table. What the
//! other hand and the stacks hold is estimated.

use rules::Side;
use wire::games::ace_exorcist::v1::{Attack, Banish, Card, Guard, Heal, Holding, Move, Trade, View, r#move};

/// A move that wins the match, or is about to.
const DECIDES: i32 = 100_000;
/// A hit point of either side.
const POINT: i32 = 10;
/// A card spent.
const CARD: i32 = 5;
/// A card drawn.
const DRAWN: i32 = 22;
/// The turn lost by guarding (AE-24).
const TURN: i32 = 75;
/// Cards in a full hand (AE-5).
const FULL: i32 = 6;

/// Returns the score of a move, the higher the better, or `None` if the view or the move is incomplete.
pub(crate) fn score(view: &View, seat: Side, made: &Move) -> Option<i32> {
    use r#move::Kind;
    let table = Table::new(view, seat)?;
    Some(match made.kind.as_ref()? {
        Kind::Ritual(ritual) => table.ritual(ritual.card.as_ref()?),
        Kind::Attack(attack) => table.attack(attack),
        Kind::Trade(trade) => table.trade(trade),
        Kind::TakeHit(_) => table.hit(sum(&view.attack)),
        Kind::Guard(guard) => table.guard(guard),
        Kind::Banish(banish) => table.banish(banish)?,
        Kind::Assault(assault) => table.assault(&assault.flush),
        Kind::Heal(heal) => table.heal(heal),
        Kind::PassTurn(_) => table.pass(),
    })
}

struct Table<'a> {
    view: &'a View,
    summoner: &'a Holding,
    exorcist: &'a Holding,
    /// The side of the seat that moves.
    own: &'a Holding,
}

impl<'a> Table<'a> {
    fn new(view: &'a View, seat: Side) -> Option<Self> {
        let (summoner, exorcist) = (view.summoner.as_ref()?, view.exorcist.as_ref()?);
        // In a fork with open information both hands are visible, so visibility does not tell the own side.
        let own = match seat {
            Side::Zero => summoner,
            Side::One => exorcist,
        };
        Some(Self { view, summoner, exorcist, own })
    }

    /// The third card wins; the first protects the stack from assaults. A high card is hard to banish.
    fn ritual(&self, card: &Card) -> i32 {
        match self.view.ritual.len() {
            0 => 70 + 4 * number(card.value),
            1 => 100 + 4 * number(card.value),
            _ => DECIDES,
        }
    }

    fn attack(&self, attack: &Attack) -> i32 {
        let values = attack.cards.iter().map(|card| number(card.value));
        let (Some(lowest), Some(highest)) = (values.clone().min(), values.max()) else { return 0 };
        let (low, high) = (self.guard_chance(lowest - 1), self.guard_chance(highest + 1));
        let damage = sum(&attack.cards);
        let least = if lowest == highest { 0 } else { damage - lowest - highest };
        let hit_points = number(self.exorcist.hit_points);
        if least >= hit_points {
            return DECIDES;
        }
        // In percent; one guard suffices against a single card (AE-22).
        let guarded = if lowest == highest { lowest * low.max(high) } else { lowest * low + highest * high };
        let expected = (100 * damage - guarded) / 100;
        let finishes = if expected >= hit_points { 100 } else { 0 };
        finishes + POINT * expected + TURN * low.max(high) / 200 - CARD * count(&attack.cards)
    }

    /// Returns the chance that the Exorcist holds a card of that value, in percent.
    fn guard_chance(&self, value: i32) -> i32 {
        let gone = self.exorcist.discards.iter().filter(|card| number(card.value) == value).count();
        let unseen = 3 - i32::try_from(gone).unwrap_or(3).min(3);
        let (hand, stack) = (number(self.exorcist.hand_size), number(self.exorcist.stack_size));
        (100 * unseen * hand / (hand + stack).max(1)).min(100)
    }

    fn trade(&self, trade: &Trade) -> i32 {
        let faces = trade.cards.iter().filter(|card| !(2..=7).contains(&card.value)).count();
        let held = number(self.own.hand_size) - count(&trade.cards);
        let draws = (count(&trade.cards) + 1).min(FULL - held);
        // Faces are worth keeping for the ritual.
        self.draw(draws) - (DRAWN - CARD) * count(&trade.cards) - 15 * i32::try_from(faces).unwrap_or(0)
    }

    fn pass(&self) -> i32 {
        self.draw(1.min(FULL - number(self.own.hand_size)))
    }

    /// Drawing the last card of a stack loses (AE-40).
    fn draw(&self, draws: i32) -> i32 {
        match number(self.own.stack_size) - draws {
            ..=0 if draws > 0 => -DECIDES,
            ..=5 => -DRAWN * draws,
            _ => DRAWN * draws,
        }
    }

    /// The cost of damage to oneself grows as hit points run out.
    fn hit(&self, damage: i32) -> i32 {
        match number(self.exorcist.hit_points) - damage {
            ..=0 => -DECIDES,
            left @ 1..=9 => -POINT * damage - 8 * (10 - left),
            _ => -POINT * damage,
        }
    }

    fn guard(&self, guard: &Guard) -> i32 {
        let values = self.view.attack.iter().map(|card| number(card.value));
        let (Some(lowest), Some(highest)) = (values.clone().min(), values.max()) else { return 0 };
        let guarded =
            if guard.low.is_some() { lowest } else { 0 } + if guard.high.is_some() { highest } else { 0 };
        let cards: i32 = guard.low.iter().chain(&guard.high).map(|card| CARD + number(card.value)).sum();
        // With two cards in the ritual, a skipped turn may lose the match.
        let danger = if self.view.ritual.len() >= 2 { 4 * TURN } else { TURN };
        self.hit(sum(&self.view.attack) - guarded) - cards - danger
    }

    fn banish(&self, banish: &Banish) -> Option<i32> {
        let value = number(banish.ritual.as_ref()?.value);
        let urgency = if self.view.ritual.len() >= 2 { 500 } else { 40 };
        let wasted = sum(&banish.flush) - value;
        Some(self.damage(value) + urgency - 4 * wasted - CARD * count(&banish.flush))
    }

    /// A flush wins about its strength in cards, less the card that goes back; each card won counts as drawn.
    fn assault(&self, flush: &[Card]) -> i32 {
        let strength = sum(flush);
        let top = self.summoner.known_top.as_ref().map_or(0, |card| number(card.value));
        if strength < top {
            return -CARD * count(flush);
        }
        let expected = (strength * strength / (strength + 3)).max(top);
        // Cards are worth 5.5 on average (AE-1).
        let taken = expected * 2 / 11;
        let empties = if taken >= number(self.summoner.stack_size) { 200 } else { 0 };
        let draws = taken.min(FULL - number(self.own.hand_size) + count(flush));
        self.damage(expected) + empties + self.draw(draws) - (DRAWN - CARD) * count(flush)
    }

    /// What damage to the Summoner is worth.
    fn damage(&self, damage: i32) -> i32 {
        if damage >= number(self.summoner.hit_points) { DECIDES } else { POINT * damage }
    }

    fn heal(&self, heal: &Heal) -> i32 {
        let hit_points = number(self.exorcist.hit_points);
        let healed = sum(&heal.cards).min(30 - hit_points);
        let need = if hit_points <= 12 { POINT } else { POINT / 2 };
        need * healed - CARD * count(&heal.cards)
    }
}

fn sum(cards: &[Card]) -> i32 {
    cards.iter().map(|card| number(card.value)).sum()
}

fn count(cards: &[Card]) -> i32 {
    i32::try_from(cards.len().min(1_000)).unwrap_or_default()
}

/// Converts a count. Counts are small in this game, but a service may send anything.
fn number(counted: u32) -> i32 {
    i32::try_from(counted.min(1_000)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use wire::games::ace_exorcist::v1::{Assault, CardList, Pass, Ritual, Suit, TakeHit};

    use super::*;

    fn card(suit: Suit, value: u32) -> Card {
        Card { suit: suit.into(), value }
    }

    fn holding(hit_points: u32, hand: Option<Vec<Card>>) -> Option<Holding> {
        let hand = hand.map(|cards| CardList { cards });
        Some(Holding { hit_points, hand_size: 5, hand, stack_size: 20, ..Holding::default() })
    }

    fn made(kind: r#move::Kind) -> Move {
        Move { kind: Some(kind) }
    }

    #[test]
    fn a_third_ritual_beats_every_other_move() {
        let faces = [8, 9, 10].map(|value| card(Suit::Blood, value));
        let view = View {
            summoner: holding(60, Some(faces.to_vec())),
            exorcist: holding(30, None),
            ritual: faces[..2].to_vec(),
            ..View::default()
        };
        let ritual = made(r#move::Kind::Ritual(Ritual { card: Some(faces[2]) }));
        let cards = (2..=7).map(|value| card(Suit::Flame, value)).collect();
        let attack = made(r#move::Kind::Attack(Attack { cards }));
        assert!(score(&view, Side::Zero, &ritual) > score(&view, Side::Zero, &attack));
    }

    #[test]
    fn a_small_hit_is_taken_and_a_deadly_one_guarded() {
        let attack = vec![card(Suit::Blade, 4), card(Suit::Flame, 5)];
        let guard = made(r#move::Kind::Guard(Guard { low: None, high: Some(card(Suit::Book, 6)) }));
        let hit = made(r#move::Kind::TakeHit(TakeHit {}));
        let view = |hit_points, attack: &[Card]| View {
            summoner: holding(60, None),
            exorcist: holding(hit_points, Some(vec![card(Suit::Book, 6)])),
            attack: attack.to_vec(),
            ..View::default()
        };
        let healthy = view(30, &attack[..1]);
        assert!(score(&healthy, Side::One, &hit) > score(&healthy, Side::One, &guard));
        let dying = view(9, &attack);
        assert!(score(&dying, Side::One, &guard) > score(&dying, Side::One, &hit));
    }

    #[test]
    fn the_last_card_is_not_drawn_and_no_assault_wasted_on_a_higher_top() {
        let weak = [card(Suit::Bell, 4)];
        let mut view = View {
            summoner: holding(60, None),
            exorcist: holding(30, Some(weak.to_vec())),
            ..View::default()
        };
        let pass = made(r#move::Kind::PassTurn(Pass {}));
        let assault = made(r#move::Kind::Assault(Assault { flush: weak.to_vec() }));
        view.summoner.as_mut().unwrap().known_top = Some(card(Suit::Blood, 10));
        assert!(score(&view, Side::One, &pass) > score(&view, Side::One, &assault));
        view.exorcist.as_mut().unwrap().stack_size = 1;
        assert!(score(&view, Side::One, &pass) < score(&view, Side::One, &assault));
    }

    #[test]
    fn with_open_hands_each_side_still_judges_by_its_own_cards() {
        let pass = made(r#move::Kind::PassTurn(Pass {}));
        let view = |summoners| {
            let mut view = View {
                summoner: holding(60, summoners),
                exorcist: holding(30, Some(vec![card(Suit::Book, 6)])),
                ..View::default()
            };
            // Passing draws its last card.
            view.exorcist.as_mut().unwrap().stack_size = 1;
            view
        };
        let open = view(Some(vec![card(Suit::Blade, 2)]));
        assert_eq!(score(&open, Side::One, &pass), score(&view(None), Side::One, &pass));
        assert!(score(&open, Side::One, &pass) < score(&open, Side::Zero, &pass));
    }

    #[test]
    fn an_incomplete_view_or_move_has_no_score() {
        assert_eq!(score(&View::default(), Side::One, &made(r#move::Kind::PassTurn(Pass {}))), None);
        let view = View { summoner: holding(60, None), exorcist: holding(30, None), ..View::default() };
        assert_eq!(score(&view, Side::One, &Move::default()), None);
        assert!(score(&view, Side::One, &made(r#move::Kind::Attack(Attack { cards: vec![] }))).is_some());
    }
}
