//! AE-1 to AE-8: material, start, and how the seed decides the deal.

use alloc::string::String;
use alloc::vec::Vec;

use super::{
    EXORCIST, SUMMONER, VIEWERS, accepted, after, card, cards, dealt, hit_points, pack, refused, seen, set,
    table,
};
use crate::games::ace_exorcist::notation::print_card;
use crate::games::ace_exorcist::{AceExorcist, Card, CardSet, Deal, Fact, Options, Suit};
use crate::{BySide, Game, Seed, Side, Sides};

fn seed_of(end: [u8; 4]) -> Seed {
    let mut bytes = [0; 32];
    bytes[28..].copy_from_slice(&end);
    Seed::new(bytes)
}

fn counting_seed() -> Seed {
    let mut bytes = [0; 32];
    bytes.iter_mut().zip(0..).for_each(|(byte, number)| *byte = number);
    Seed::new(bytes)
}

fn top_five(seed: &Seed, seat: Side) -> Vec<String> {
    Deal::shuffled(seed).0[seat][..5].iter().map(|card| print_card(*card)).collect()
}

#[test]
fn ae_1_each_pack_has_every_suit_and_value_once() {
    for seat in Side::ALL {
        let suits = Suit::ALL.into_iter().filter(|suit| suit.owner() == seat);
        let all = suits.flat_map(|suit| (1..=10).filter_map(move |value| Card::new(suit, value)));
        let all: Vec<_> = all.collect();
        assert_eq!((all.len(), all.iter().copied().collect()), (30, CardSet::pack(seat)));
        assert!(all.iter().all(|card| card.owner() == seat));
        let dealt: CardSet = Deal::shuffled(&counting_seed()).0[seat].into_iter().collect();
        assert_eq!(dealt, CardSet::pack(seat));
    }
    for suit in Suit::ALL {
        for value in 1..=10 {
            let card = Card::new(suit, value).expect("the value is in range");
            assert_eq!((card.suit(), card.value()), (suit, value));
        }
        assert_eq!([0, 11, 257, u32::MAX].map(|value| Card::new(suit, value)), [None; 4]);
    }
}

#[test]
fn ae_1_faces_have_names_and_numbers_have_none() {
    let faces = |suit| [10, 9, 8, 1].map(|value| Card::new(suit, value).and_then(Card::face));
    assert_eq!(faces(Suit::Flame), ["Elder", "Daemon", "Beast", "Imp"].map(Some));
    assert_eq!(faces(Suit::Bell), ["Archon", "Seraph", "Deva", "Angel"].map(Some));
    assert!((2..=7).all(|value| Card::new(Suit::Blade, value).is_some_and(|card| card.face().is_none())));
}

#[test]
fn ae_2_hit_points_start_at_60_and_30() {
    assert_eq!(hit_points(&dealt("", "")), (60, 30));
}

#[test]
fn ae_2_hit_points_stay_within_their_range() {
    let healed = after(&dealt("", "bell-2 book-2"), &["pass", "heal bell-2 book-2"]);
    assert_eq!(hit_points(&healed), (60, 30));
    let hand = "blood-3 blood-4 blood-5 blood-6 blood-7 blade-7";
    let hit =
        after(&dealt(hand, ""), &["attack blood-3 blood-4 blood-5 blood-6 blood-7", "take-hit", "pass"]);
    let (over, facts) = accepted(&after(&hit, &["attack blade-7"]), "take-hit");
    assert_eq!(hit_points(&over), (60, 0));
    let damage = Fact::Damaged { seat: EXORCIST, damage: 7, hit_points: 0 };
    assert!(facts.contains(&damage));
}

#[test]
fn ae_3_zones_at_the_start() {
    let view = table(&dealt("", ""));
    assert_eq!(
        (view.discards, view.ritual, view.attack),
        (BySide::default(), CardSet::EMPTY, CardSet::EMPTY)
    );
    assert_eq!(view.latest_assault, None);
}

#[test]
fn ae_3_hands_and_piles_are_sets() {
    let one = dealt("flame-4 blade-3 blood-2 blood-5 blood-6 blood-7", "bell-3 bell-2");
    let other = dealt("blood-7 blade-3 blood-2 blood-5 blood-6 flame-4", "bell-2 bell-3");
    for viewer in VIEWERS {
        assert_eq!(seen(&one, viewer), seen(&other, viewer));
    }
    assert_eq!(one.canonical(), other.canonical());
    let [one, other] =
        [one, other].map(|state| after(&state, &["attack blade-3 flame-4", "take-hit"]).canonical());
    assert_eq!(one, other);
}

#[test]
fn ae_3_stacks_have_an_order() {
    let (six, five) =
        ("blood-2 blood-3 blood-4 blood-5 blood-6 blood-7", "bell-2 bell-3 bell-4 bell-5 bell-6");
    let one = dealt(&[six, "flame-2 flame-3"].join(" "), five);
    let other = dealt(&[six, "flame-3 flame-2"].join(" "), five);
    assert_ne!(one.canonical(), other.canonical());
}

#[test]
fn ae_4_play_opens_with_six_and_five_cards() {
    let state = AceExorcist::setup(&Options, &counting_seed()).expect("there are no options");
    assert_eq!(AceExorcist::to_act(&state), Sides::only(SUMMONER));
    let view = table(&state);
    let sizes = |seat: Side| (view.hands[seat].size, view.stacks[seat].size);
    assert_eq!((sizes(SUMMONER), sizes(EXORCIST)), ((6, 24), (5, 25)));
    let deal = Deal::shuffled(&counting_seed());
    assert_eq!(state.hands[SUMMONER], deal.0[SUMMONER][..6].iter().copied().collect());
    assert_eq!(state.hands[EXORCIST], deal.0[EXORCIST][..5].iter().copied().collect());
    assert_eq!(state.stack(EXORCIST), &deal.0[EXORCIST][5..]);
}

#[test]
fn ae_5_a_draw_with_six_cards_does_not_happen_and_that_is_public() {
    let start = dealt("", "");
    let (passed, facts) = accepted(&start, "pass");
    assert_eq!(facts[0], Fact::HandFull { seat: SUMMONER });
    assert_eq!(passed.stack(SUMMONER), start.stack(SUMMONER));
    assert_eq!(passed.hands[SUMMONER], start.hands[SUMMONER]);
}

#[test]
fn ae_5_the_limit_is_tested_card_by_card() {
    let start = dealt("blood-2 blade-2 blood-3 blood-4 blood-5 blood-6 flame-7 flame-6", "");
    let (_, facts) = accepted(&start, "trade blood-2 blade-2");
    let drew = |word| Fact::Drew { seat: SUMMONER, card: Some(card(word)) };
    assert_eq!(facts[1..4], [drew("flame-7"), drew("flame-6"), Fact::HandFull { seat: SUMMONER }]);
}

#[test]
fn ae_6_cards_are_played_from_the_own_hand() {
    let start = dealt(
        "blood-2 blood-3 blood-4 blood-5 blood-elder blood-imp",
        "bell-2 bell-3 book-2 bell-4 bell-5 bell-6",
    );
    for text in [
        "ritual blade-elder",
        "ritual bell-archon",
        "attack blade-2",
        "attack blood-2 blade-3",
        "attack bell-2",
    ] {
        assert_eq!(refused(&start, text), "AE-6", "{text}");
    }
    assert_eq!(refused(&start, "trade blade-2 flame-2"), "AE-6");
    let attacked = after(&start, &["attack blood-2 blood-3"]);
    assert_eq!(refused(&attacked, "guard low book-angel"), "AE-6");
    assert_eq!(refused(&attacked, "guard high book-4"), "AE-6");
    let hit = after(&attacked, &["take-hit"]);
    for text in ["assault book-7", "heal book-3 candle-3", "assault bell-2 bell-7", "heal blood-2 blade-2"] {
        assert_eq!(refused(&hit, text), "AE-6", "{text}");
    }
    let ritual = after(&start, &["ritual blood-imp"]);
    assert_eq!(refused(&ritual, "banish blood-imp with book-6 book-7"), "AE-6");
}

#[test]
fn ae_6_played_cards_lie_on_the_own_discard_pile() {
    let start = dealt("blood-2 blade-2", "bell-7 book-7");
    let (traded, facts) = accepted(&start, "trade blood-2 blade-2");
    assert_eq!(facts[0], Fact::Played { seat: SUMMONER, cards: set("blood-2 blade-2") });
    assert_eq!(traded.discards, BySide::new(set("blood-2 blade-2"), CardSet::EMPTY));
    let (healed, facts) = accepted(&traded, "heal book-7 bell-7");
    assert_eq!(facts[0], Fact::Played { seat: EXORCIST, cards: set("bell-7 book-7") });
    assert_eq!(healed.discards[EXORCIST], set("bell-7 book-7"));
}

#[test]
fn ae_6_ritual_and_attack_cards_lie_elsewhere() {
    let start = dealt("blood-imp blood-2", "");
    let ritual = after(&start, &["ritual blood-imp"]);
    assert_eq!((ritual.ritual, ritual.discards), (set("blood-imp"), BySide::default()));
    let attacked = after(&start, &["attack blood-2"]);
    assert_eq!((attacked.attack, attacked.discards), (set("blood-2"), BySide::default()));
}

#[test]
fn ae_7_each_pack_has_a_key_stream_of_its_own() {
    let deal = Deal::shuffled(&Seed::new([0; 32]));
    let places = |seat: Side| deal.0[seat].map(|card| (card.value(), card.suit() as usize % 3));
    assert_ne!(places(SUMMONER), places(EXORCIST));
}

#[test]
fn ae_8_the_published_checks_hold() {
    let summoner = ["flame-daemon", "blade-7", "blood-beast", "flame-imp", "blade-5"];
    assert_eq!(top_five(&counting_seed(), SUMMONER), summoner);
    let exorcist = ["bell-archon", "candle-3", "bell-4", "bell-7", "candle-7"];
    assert_eq!(top_five(&counting_seed(), EXORCIST), exorcist);
    let summoner = ["blade-imp", "blood-daemon", "blood-3", "flame-7", "flame-imp"];
    assert_eq!(top_five(&seed_of([0x44, 0x0f, 0x7e, 0x02]), SUMMONER), summoner);
    let exorcist = ["book-deva", "candle-2", "candle-deva", "book-5", "bell-7"];
    assert_eq!(top_five(&seed_of([0x50, 0x77, 0x02, 0x01]), EXORCIST), exorcist);
}

#[test]
fn ae_8_index_0_is_the_top() {
    let state = dealt("blood-2 blood-3 blood-4 blood-5 blood-6 blood-7 blade-7 blade-6", "");
    assert_eq!(state.stack(SUMMONER)[..2], cards("blade-7 blade-6"));
}

#[test]
fn ae_8_only_whole_packs_can_be_arranged() {
    let (zero, one) = (pack(SUMMONER, "flame-imp"), pack(EXORCIST, ""));
    assert!(Deal::arranged(BySide::new(zero, one)).is_some());
    assert!(Deal::arranged(BySide::new(one, zero)).is_none());
    let mut doubled = zero;
    doubled[3] = doubled[4];
    assert!(Deal::arranged(BySide::new(doubled, one)).is_none());
}
