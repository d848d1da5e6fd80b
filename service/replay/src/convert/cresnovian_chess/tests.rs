//! Moves survive the round trip through protobuf; all other input is malformed.

use rules::games::cresnovian_chess::{Basic, CresnovianChess, Flaw, Move, Options, Performance, Umbration};
use rules::{Dice, Game, Seed};
use wire::games::cresnovian_chess::v1 as proto;

use super::{fact_to_wire, move_from_wire, move_to_wire, options_from_wire, options_to_wire, view_to_wire};

#[test]
fn every_move_survives_the_round_trip() {
    for byte in 0..8 {
        let seed = Seed::new([byte; 32]);
        let mut dice = Dice::new(&seed);
        let mut state = CresnovianChess::setup(&Options { max_turns: 60 }, &seed).unwrap();
        while let Some(seat) = CresnovianChess::to_act(&state).iter().next() {
            for mv in CresnovianChess::legal(&state, seat).moves {
                assert_eq!(move_from_wire(&move_to_wire(&mv)), mv);
            }
            let mv = CresnovianChess::sample(&state, seat, &mut dice).unwrap();
            assert_eq!(move_from_wire(&move_to_wire(&mv)), mv);
            let played = CresnovianChess::play(&state, seat, &mv).unwrap();
            for fact in &played.facts {
                let fact = fact_to_wire(fact).fact.expect("every fact has its message");
                // Only the seat to act performs.
                match fact {
                    proto::fact::Fact::Performed(performed) => {
                        let player = [proto::Player::One, proto::Player::Two][seat.index()];
                        assert_eq!(performed.player(), player);
                    }
                    proto::fact::Fact::TurnTaken(taken) => {
                        assert!(taken.turn > 0 && taken.deed.is_some(), "{taken:?}");
                    }
                    _ => {}
                }
            }
            state = played.state;
            let view = view_to_wire(&CresnovianChess::view(&state, rules::Viewer::Spectator));
            assert_eq!(view.field.unwrap().pieces.len(), 9);
        }
    }
}

#[test]
fn absent_options_take_their_defaults() {
    assert_eq!(options_from_wire(&proto::Options { max_turns: None }), Options::default());
    let options = Options { max_turns: 7 };
    assert_eq!(options_from_wire(&options_to_wire(&options)), options);
}

fn basic(ability: proto::basic::Ability) -> Move {
    let basic = proto::Basic { ability: Some(ability) };
    let performance = Some(proto::perform::Performance::Basic(basic));
    let kind = Some(proto::r#move::Kind::Perform(proto::Perform { performance }));
    move_from_wire(&proto::Move { kind })
}

fn square(row: u32, col: u32) -> proto::Square {
    proto::Square { row, col }
}

#[test]
fn input_that_names_no_move_is_malformed() {
    assert_eq!(move_from_wire(&proto::Move::default()), Move::Malformed(Flaw::Kind));
    let empty = proto::Perform::default();
    let kind = Some(proto::r#move::Kind::Perform(empty));
    assert_eq!(move_from_wire(&proto::Move { kind }), Move::Malformed(Flaw::Kind));
    for number in [0, 10, -1, i32::MAX] {
        assert_eq!(basic(proto::basic::Ability::Cut(number)), Move::Malformed(Flaw::Piece));
    }
    for (row, col) in [(0, 1), (4, 1), (1, 10), (u32::MAX, u32::MAX)] {
        let to = proto::Travel { piece: 1, to: Some(square(row, col)) };
        let kind = Some(proto::r#move::Kind::Travel(to));
        assert_eq!(move_from_wire(&proto::Move { kind }), Move::Malformed(Flaw::Square));
    }
    let kind = Some(proto::r#move::Kind::Travel(proto::Travel { piece: 1, to: None }));
    assert_eq!(move_from_wire(&proto::Move { kind }), Move::Malformed(Flaw::Parts));
    let kind = Some(proto::r#move::Kind::Choose(proto::Choose { kingdom: 3 }));
    assert_eq!(move_from_wire(&proto::Move { kind }), Move::Malformed(Flaw::Place));
    let kind = Some(proto::r#move::Kind::Place(proto::Place::default()));
    assert_eq!(move_from_wire(&proto::Move { kind }), Move::Malformed(Flaw::Parts));
}

#[test]
fn members_of_a_set_may_come_in_any_order_but_not_twice() {
    let propaganda = |pieces: &[i32]| {
        basic(proto::basic::Ability::Propaganda(proto::Propaganda { pieces: pieces.to_vec() }))
    };
    let set = [Umbration::Essence, Umbration::Cognizance].into_iter().collect();
    let expected = Move::Perform(Performance::Basic(Basic::Propaganda(set)));
    assert_eq!(propaganda(&[1, 9]), expected);
    assert_eq!(propaganda(&[9, 1]), expected);
    assert_eq!(propaganda(&[9, 1, 9]), Move::Malformed(Flaw::Parts));
    let squares = vec![square(1, 1), square(1, 1)];
    let destroy = proto::basic::Ability::DestroyMonuments(proto::DestroyMonuments { squares });
    assert_eq!(basic(destroy), Move::Malformed(Flaw::Parts));
}
