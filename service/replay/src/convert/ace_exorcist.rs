//! Ace Exorcist: conversions of options, moves, views and facts. Input that names no move becomes a malformed
//! move, which the rules reject (G-2).

use rules::Side;
use rules::games::ace_exorcist::{Assault, Card, CardSet, Fact, Flaw, Move, Options, Suit, View};
use wire::games::ace_exorcist::v1 as proto;

pub(super) fn options_from_wire(_options: &proto::Options) -> Options {
    Options
}

pub(super) fn options_to_wire(_options: &Options) -> proto::Options {
    proto::Options {}
}

pub(super) fn move_from_wire(mv: &proto::Move) -> Move {
    read_move(mv).unwrap_or_else(Move::Malformed)
}

fn read_move(mv: &proto::Move) -> Result<Move, Flaw> {
    use proto::r#move::Kind;
    Ok(match mv.kind.as_ref().ok_or(Flaw::NoKind)? {
        Kind::Ritual(ritual) => Move::Ritual(required_card(ritual.card.as_ref())?),
        Kind::Attack(attack) => Move::Attack(read_set(&attack.cards)?),
        Kind::Trade(trade) => Move::Trade(read_set(&trade.cards)?),
        Kind::TakeHit(_) => Move::TakeHit,
        Kind::Guard(guard) => Move::Guard {
            low: guard.low.as_ref().map(read_card).transpose()?,
            high: guard.high.as_ref().map(read_card).transpose()?,
        },
        Kind::Banish(banish) => {
            Move::Banish { ritual: required_card(banish.ritual.as_ref())?, flush: read_set(&banish.flush)? }
        }
        Kind::Assault(assault) => Move::Assault(read_set(&assault.flush)?),
        Kind::Heal(heal) => Move::Heal(read_set(&heal.cards)?),
        Kind::PassTurn(_) => Move::Pass,
    })
}

fn required_card(card: Option<&proto::Card>) -> Result<Card, Flaw> {
    read_card(card.ok_or(Flaw::MissingCard)?)
}

fn read_card(card: &proto::Card) -> Result<Card, Flaw> {
    let suit = match proto::Suit::try_from(card.suit) {
        Ok(proto::Suit::Blood) => Suit::Blood,
        Ok(proto::Suit::Blade) => Suit::Blade,
        Ok(proto::Suit::Flame) => Suit::Flame,
        Ok(proto::Suit::Bell) => Suit::Bell,
        Ok(proto::Suit::Book) => Suit::Book,
        Ok(proto::Suit::Candle) => Suit::Candle,
        Ok(proto::Suit::Unspecified) | Err(_) => return Err(Flaw::NoSuchCard),
    };
    Card::new(suit, card.value).ok_or(Flaw::NoSuchCard)
}

fn read_set(cards: &[proto::Card]) -> Result<CardSet, Flaw> {
    let mut set = CardSet::EMPTY;
    for card in cards {
        if !set.insert(read_card(card)?) {
            return Err(Flaw::CardTwice);
        }
    }
    Ok(set)
}

pub(super) fn move_to_wire(mv: &Move) -> proto::Move {
    use proto::r#move::Kind;
    let kind = match *mv {
        Move::Ritual(card) => Kind::Ritual(proto::Ritual { card: Some(card_to_wire(card)) }),
        Move::Attack(cards) => Kind::Attack(proto::Attack { cards: set_to_wire(cards) }),
        Move::Trade(cards) => Kind::Trade(proto::Trade { cards: set_to_wire(cards) }),
        Move::TakeHit => Kind::TakeHit(proto::TakeHit {}),
        Move::Guard { low, high } => {
            Kind::Guard(proto::Guard { low: low.map(card_to_wire), high: high.map(card_to_wire) })
        }
        Move::Banish { ritual, flush } => {
            Kind::Banish(proto::Banish { ritual: Some(card_to_wire(ritual)), flush: set_to_wire(flush) })
        }
        Move::Assault(flush) => Kind::Assault(proto::Assault { flush: set_to_wire(flush) }),
        Move::Heal(cards) => Kind::Heal(proto::Heal { cards: set_to_wire(cards) }),
        Move::Pass => Kind::PassTurn(proto::Pass {}),
        Move::Malformed(_) => return proto::Move { kind: None },
    };
    proto::Move { kind: Some(kind) }
}

pub(super) fn view_to_wire(view: &View) -> proto::View {
    proto::View {
        summoner: Some(holding_to_wire(view, Side::Zero)),
        exorcist: Some(holding_to_wire(view, Side::One)),
        ritual: set_to_wire(view.ritual),
        attack: set_to_wire(view.attack),
        latest_assault: view.latest_assault.as_ref().map(assault_to_wire),
    }
}

fn holding_to_wire(view: &View, seat: Side) -> proto::Holding {
    let (hand, stack) = (&view.hands[seat], &view.stacks[seat]);
    proto::Holding {
        hit_points: view.hit_points[seat],
        hand_size: hand.size,
        hand: hand.cards.map(|cards| proto::CardList { cards: set_to_wire(cards) }),
        stack_size: stack.size,
        known_top: stack.known_top.map(card_to_wire),
        stack: stack.cards.as_ref().map(|cards| proto::CardList { cards: cards_to_wire(cards) }),
        discards: set_to_wire(view.discards[seat]),
    }
}

pub(super) fn fact_to_wire(fact: &Fact) -> proto::Fact {
    use proto::fact::Fact as Kind;
    let kind = match fact {
        Fact::TurnBegan { seat } => Kind::TurnBegan(proto::TurnBegan { side: side_to_wire(*seat) }),
        Fact::TurnSkipped => Kind::TurnSkipped(proto::TurnSkipped {}),
        Fact::Drew { seat, card } => {
            Kind::Drew(proto::Drew { side: side_to_wire(*seat), card: card.map(card_to_wire) })
        }
        Fact::HandFull { seat } => Kind::HandFull(proto::HandFull { side: side_to_wire(*seat) }),
        Fact::Played { seat, cards } => {
            Kind::Played(proto::Played { side: side_to_wire(*seat), cards: set_to_wire(*cards) })
        }
        Fact::RitualPlayed { card } => {
            Kind::RitualPlayed(proto::RitualPlayed { card: Some(card_to_wire(*card)) })
        }
        Fact::Attacked { cards } => Kind::Attacked(proto::Attacked { cards: set_to_wire(*cards) }),
        Fact::Guarded { low, high } => {
            Kind::Guarded(proto::Guarded { low: low.map(card_to_wire), high: high.map(card_to_wire) })
        }
        Fact::AttackDiscarded { cards } => {
            Kind::AttackDiscarded(proto::AttackDiscarded { cards: set_to_wire(*cards) })
        }
        Fact::Banished { card } => Kind::Banished(proto::Banished { card: Some(card_to_wire(*card)) }),
        Fact::Assaulted(assault) => {
            Kind::Assaulted(proto::Assaulted { result: Some(assault_to_wire(assault)) })
        }
        Fact::Damaged { seat, damage, hit_points } => Kind::Damaged(proto::Damaged {
            side: side_to_wire(*seat),
            damage: *damage,
            hit_points: *hit_points,
        }),
        Fact::Healed { healing, hit_points } => {
            Kind::Healed(proto::Healed { healing: *healing, hit_points: *hit_points })
        }
    };
    proto::Fact { fact: Some(kind) }
}

fn assault_to_wire(assault: &Assault) -> proto::AssaultResult {
    proto::AssaultResult {
        strength: assault.strength,
        taken: cards_to_wire(&assault.taken),
        put_back: assault.put_back.map(card_to_wire),
    }
}

fn side_to_wire(seat: Side) -> i32 {
    match seat {
        Side::Zero => proto::Side::Summoner.into(),
        Side::One => proto::Side::Exorcist.into(),
    }
}

fn set_to_wire(cards: CardSet) -> Vec<proto::Card> {
    cards.iter().map(card_to_wire).collect()
}

fn cards_to_wire(cards: &[Card]) -> Vec<proto::Card> {
    cards.iter().copied().map(card_to_wire).collect()
}

fn card_to_wire(card: Card) -> proto::Card {
    let suit = match card.suit() {
        Suit::Blood => proto::Suit::Blood,
        Suit::Blade => proto::Suit::Blade,
        Suit::Flame => proto::Suit::Flame,
        Suit::Bell => proto::Suit::Bell,
        Suit::Book => proto::Suit::Book,
        Suit::Candle => proto::Suit::Candle,
    };
    proto::Card { suit: suit.into(), value: card.value() }
}

#[cfg(test)]
mod tests {
    use proto::r#move::Kind;

    use super::*;

    fn read(kind: Kind) -> Move {
        move_from_wire(&proto::Move { kind: Some(kind) })
    }

    fn card(suit: proto::Suit, value: u32) -> proto::Card {
        proto::Card { suit: suit.into(), value }
    }

    #[test]
    fn input_that_names_no_move_becomes_a_malformed_move() {
        let bell = |value| card(proto::Suit::Bell, value);
        let incomplete = [
            (proto::Move { kind: None }, Flaw::NoKind),
            (proto::Move { kind: Some(Kind::Ritual(proto::Ritual { card: None })) }, Flaw::MissingCard),
        ];
        for (mv, flaw) in incomplete {
            assert_eq!(move_from_wire(&mv), Move::Malformed(flaw));
        }
        let unknown = [bell(0), bell(11), bell(u32::MAX), card(proto::Suit::Unspecified, 3)];
        for card in
            unknown.into_iter().chain([proto::Card { suit: 7, value: 3 }, proto::Card { suit: -1, value: 3 }])
        {
            assert_eq!(
                read(Kind::Attack(proto::Attack { cards: vec![card] })),
                Move::Malformed(Flaw::NoSuchCard)
            );
            assert_eq!(
                read(Kind::Guard(proto::Guard { low: None, high: Some(card) })),
                Move::Malformed(Flaw::NoSuchCard)
            );
        }
        let twice = proto::Heal { cards: vec![bell(3), bell(4), bell(3)] };
        assert_eq!(read(Kind::Heal(twice)), Move::Malformed(Flaw::CardTwice));
        let banish = proto::Banish { ritual: None, flush: vec![bell(3), bell(4)] };
        assert_eq!(read(Kind::Banish(banish)), Move::Malformed(Flaw::MissingCard));
    }

    #[test]
    fn card_sets_are_read_in_any_order_and_written_in_one() {
        let (three, four) = (card(proto::Suit::Flame, 3), card(proto::Suit::Blade, 4));
        let one = read(Kind::Attack(proto::Attack { cards: vec![three, four] }));
        let other = read(Kind::Attack(proto::Attack { cards: vec![four, three] }));
        assert_eq!(one, other);
        let sent = Kind::Attack(proto::Attack { cards: vec![three, four] });
        assert_eq!(move_to_wire(&other).kind, Some(sent));
    }

    #[test]
    fn every_move_of_a_match_survives_the_round_trip() {
        use rules::games::ace_exorcist::AceExorcist;
        use rules::{Dice, Game, Seed};
        for byte in 0..20 {
            let seed = Seed::new([byte; 32]);
            let mut dice = Dice::new(&seed);
            let mut state = AceExorcist::setup(&Options, &seed).expect("the game has no options");
            while let Some(seat) = AceExorcist::to_act(&state).iter().next() {
                for mv in AceExorcist::legal(&state, seat).moves {
                    assert_eq!(move_from_wire(&move_to_wire(&mv)), mv);
                }
                let mv = AceExorcist::sample(&state, seat, &mut dice).expect("a seat to act has a move");
                state = AceExorcist::play(&state, seat, &mv).expect("a sampled move is legal").state;
            }
        }
    }

    #[test]
    fn an_empty_hand_is_shown_and_a_hidden_one_is_not() {
        use rules::games::ace_exorcist::AceExorcist;
        use rules::{Game, Seed, Viewer};
        let state = AceExorcist::setup(&Options, &Seed::new([0; 32])).expect("the game has no options");
        let view = view_to_wire(&AceExorcist::view(&state, Viewer::Seat(Side::One)));
        let hands = [view.summoner, view.exorcist].map(|side| side.expect("both sides are sent").hand);
        assert_eq!(hands.map(|hand| hand.map(|hand| hand.cards.len())), [None, Some(5)]);
    }
}
