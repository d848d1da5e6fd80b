//! Ace Exorcist as a subject of the laws.

use rules::games::ace_exorcist::{
    AceExorcist, Card, CardSet, Deal, Fact, Flaw, Move, Options, State, Suit, View,
};
use rules::{BySide, Dice, Game, Side, Viewer};

use crate::subject::{Outcome, Subject};
use crate::walk::Walk;

pub(crate) struct UnderTest;

impl Subject for UnderTest {
    type Game = AceExorcist;

    /// Version, phase, idle moves; hit points; eight counted lists of 60 cards; the latest assault.
    const LARGEST_CANONICAL: usize = 6 + 2 + (8 + 60) + (1 + 31 + 2 + 1);

    fn options() -> Vec<Options> {
        vec![Options]
    }

    /// Each move except an idle pass plays or draws at least one of 60 cards, and four idle passes end the
    /// match; taking a hit plays none but follows an attack.
    fn longest(_options: &Options) -> usize {
        5 * 2 * 60
    }

    fn probes(_options: &Options, dice: &mut Dice) -> Vec<Move> {
        let mut probes = vec![
            Move::Pass,
            Move::TakeHit,
            Move::Guard { low: None, high: None },
            Move::Attack(CardSet::EMPTY),
            Move::Trade(CardSet::EMPTY),
            Move::Heal(CardSet::EMPTY),
            Move::Assault(CardSet::EMPTY),
        ];
        let flaws = [Flaw::NoKind, Flaw::MissingCard, Flaw::NoSuchCard, Flaw::CardTwice];
        probes.extend(flaws.map(Move::Malformed));
        for _ in 0..12 {
            let (one, other) = (any_card(dice), any_card(dice));
            let cards: CardSet = (0..=dice.below(4)).map(|_| any_card(dice)).collect();
            probes.extend([
                Move::Ritual(one),
                Move::Attack(cards),
                Move::Attack(CardSet::only(one)),
                Move::Trade(cards),
                Move::Trade(CardSet::only(one).with(other)),
                Move::Guard { low: Some(one), high: None },
                Move::Guard { low: None, high: Some(one) },
                Move::Guard { low: Some(one), high: Some(other) },
                Move::Banish { ritual: one, flush: cards },
                Move::Assault(cards),
                Move::Assault(CardSet::only(one)),
                Move::Heal(CardSet::only(one).with(other)),
            ]);
        }
        probes
    }

    /// Replays the moves after a deal in which the cards that the viewer has never seen are permuted.
    fn twin(walk: &Walk<Self>, viewer: Viewer, dice: &mut Dice) -> Option<Outcome<AceExorcist>> {
        let hidden = unseen(walk, viewer);
        let mut packs = dealt(walk);
        for seat in Side::ALL {
            let places: Vec<_> = (0..30).filter(|&place| hidden[seat].contains(packs[seat][place])).collect();
            for last in (1..places.len()).rev() {
                let other = dice.below(u32::try_from(last + 1).expect("a pack is small")) as usize;
                packs[seat].swap(places[last], places[other]);
            }
        }
        let deal = Deal::arranged(packs).expect("the same cards make the same packs");
        let opening = Outcome { state: State::opening(&deal, 1), facts: Vec::new() };
        let twin = walk.history.iter().fold(opening, |now, (seat, mv)| Outcome::of(&now.state, *seat, mv));
        let differs = AceExorcist::canonical(&twin.state) != AceExorcist::canonical(&walk.now.state);
        differs.then_some(twin)
    }

    fn follow(view: &mut View, _own: Option<&Move>, facts: &[Fact]) {
        for fact in facts {
            follow(view, fact);
        }
    }
}

fn any_card(dice: &mut Dice) -> Card {
    let &suit = dice.pick(&Suit::ALL).expect("there are six");
    Card::new(suit, dice.below(10) + 1).expect("values are 1 to 10")
}

/// Returns the packs in order, except that each first hand is in card order: hands are sets.
fn dealt(walk: &Walk<UnderTest>) -> BySide<[Card; 30]> {
    let opening = AceExorcist::setup(&walk.options, &walk.seed).expect("the options were accepted before");
    let view = AceExorcist::view(&opening, Viewer::Open);
    let pack = |seat: Side| {
        let hand = view.hands[seat].cards.into_iter().flat_map(CardSet::iter);
        let mut cards = hand.chain(view.stacks[seat].cards.iter().flatten().copied());
        std::array::from_fn(|_| cards.next().expect("a pack has 30 cards"))
    };
    BySide::new(pack(Side::Zero), pack(Side::One))
}

/// Returns the cards of each seat that the viewer has never seen: neither on the table, in the own hand, nor
/// revealed by any assault (put-back cards may be hidden again).
fn unseen(walk: &Walk<UnderTest>, viewer: Viewer) -> BySide<CardSet> {
    let view = AceExorcist::view(&walk.now.state, viewer);
    let truth = AceExorcist::view(&walk.now.state, Viewer::Open);
    let mut unseen = BySide::<CardSet>::default();
    for seat in Side::ALL {
        if view.stacks[seat].cards.is_none() {
            unseen[seat] = truth.stacks[seat].cards.iter().flatten().copied().collect();
        }
        if view.hands[seat].cards.is_none() {
            unseen[seat] = unseen[seat].union(truth.hands[seat].cards.expect("the open view has hands"));
        }
    }
    let mut state = AceExorcist::setup(&walk.options, &walk.seed).expect("the options were accepted before");
    for (seat, mv) in &walk.history {
        let outcome = Outcome::<AceExorcist>::of(&state, *seat, mv);
        for fact in &outcome.facts {
            if let Fact::Assaulted(assault) = fact {
                unseen[Side::Zero].remove(assault.put_back.into_iter().collect());
            }
        }
        state = outcome.state;
    }
    unseen
}

fn follow(view: &mut View, fact: &Fact) {
    const SUMMONER: Side = Side::Zero;
    match fact {
        Fact::TurnBegan { .. } | Fact::TurnSkipped => {}
        Fact::HandFull { seat } => assert_eq!(view.hands[*seat].size, 6),
        Fact::Drew { seat, card } => draw(view, *seat, *card),
        Fact::Played { seat, cards } => {
            leave_hand(view, *seat, *cards);
            view.discards[*seat] = view.discards[*seat].union(*cards);
        }
        Fact::RitualPlayed { card } => {
            leave_hand(view, SUMMONER, CardSet::only(*card));
            assert!(view.ritual.insert(*card));
        }
        Fact::Attacked { cards } => {
            leave_hand(view, SUMMONER, *cards);
            view.attack = *cards;
        }
        Fact::Guarded { low, high } => {
            let cards = low.iter().chain(high).copied().collect();
            leave_hand(view, Side::One, cards);
            view.discards[Side::One] = view.discards[Side::One].union(cards);
        }
        Fact::AttackDiscarded { cards } => {
            assert_eq!(view.attack, *cards);
            view.attack = CardSet::EMPTY;
            view.discards[SUMMONER] = view.discards[SUMMONER].union(*cards);
        }
        Fact::Banished { card } => {
            view.ritual.remove(CardSet::only(*card));
            assert!(view.discards[SUMMONER].insert(*card));
        }
        Fact::Assaulted(assault) => {
            let stack = &mut view.stacks[SUMMONER];
            stack.size -= u32::try_from(assault.taken.len()).expect("a stack is small");
            stack.known_top = assault.put_back;
            if let Some(cards) = &mut stack.cards {
                assert_eq!(cards.drain(..assault.taken.len()).collect::<Vec<_>>(), assault.taken);
            }
            view.discards[SUMMONER] = view.discards[SUMMONER].union(assault.taken.iter().copied().collect());
            view.latest_assault = Some(assault.clone());
        }
        Fact::Damaged { seat, damage, hit_points } => {
            assert_eq!(view.hit_points[*seat].saturating_sub(*damage), *hit_points);
            view.hit_points[*seat] = *hit_points;
        }
        Fact::Healed { hit_points, .. } => view.hit_points[Side::One] = *hit_points,
    }
}

fn draw(view: &mut View, seat: Side, card: Option<Card>) {
    let stack = &mut view.stacks[seat];
    stack.size -= 1;
    stack.known_top = None;
    if let Some(cards) = &mut stack.cards {
        assert_eq!(Some(cards.remove(0)), card);
    }
    let hand = &mut view.hands[seat];
    hand.size += 1;
    assert_eq!(hand.cards.is_some(), card.is_some(), "who sees the hand sees what is drawn");
    if let (Some(cards), Some(card)) = (&mut hand.cards, card) {
        assert!(cards.insert(card));
    }
}

fn leave_hand(view: &mut View, seat: Side, cards: CardSet) {
    view.hands[seat].size -= cards.len();
    if let Some(held) = &mut view.hands[seat].cards {
        assert!(cards.is_within(*held));
        held.remove(cards);
    }
}
