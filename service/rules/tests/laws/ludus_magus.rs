//! Ludus Magus as a subject of the laws.

use rules::games::ludus_magus::{Fact, Kind, LudusMagus, Move, Options, Piece, Place, Plane, View};
use rules::{BySide, Dice, Side, Viewer};

use crate::subject::{Outcome, Subject};
use crate::walk::Walk;

pub(crate) struct UnderTest;

/// Magi with everything at hand, close together, so that arts, binds and captures are frequent.
const CLOSE: [(Side, Kind, &str); 18] = [
    (Side::Zero, Kind::Magus, "d3"),
    (Side::Zero, Kind::Codex, "d2"),
    (Side::Zero, Kind::Famulus, "3,2"),
    (Side::Zero, Kind::Aether, "4,3"),
    (Side::Zero, Kind::Aer, "3,3"),
    (Side::Zero, Kind::Terra, "c3"),
    (Side::Zero, Kind::Ignis, "e4"),
    (Side::Zero, Kind::Aqua, "4,2"),
    (Side::Zero, Kind::Aer, "2,4"),
    (Side::One, Kind::Magus, "5,6"),
    (Side::One, Kind::Codex, "e6"),
    (Side::One, Kind::Famulus, "5,7"),
    (Side::One, Kind::Aether, "f6"),
    (Side::One, Kind::Aer, "e5"),
    (Side::One, Kind::Terra, "f5"),
    (Side::One, Kind::Ignis, "4,5"),
    (Side::One, Kind::Aqua, "5,4"),
    (Side::One, Kind::Aqua, "3,5"),
];

const BARE: [(Side, Kind, &str); 3] =
    [(Side::Zero, Kind::Magus, "a1"), (Side::One, Kind::Magus, "0,0"), (Side::One, Kind::Terra, "c3")];

fn start(pieces: &[(Side, Kind, &str)]) -> Options {
    let piece = |&(seat, kind, place): &(Side, Kind, &str)| {
        Some(Piece { seat, kind, place: Place::parse(place).expect("it is a place") })
    };
    Options { pieces: pieces.iter().map(piece).collect(), ..Options::default() }
}

fn any_place(dice: &mut Dice) -> Place {
    let places: Vec<_> = Place::all().collect();
    *dice.pick(&places).expect("there are places")
}

/// Returns a place at most two files and two ranks away, nearly always on the same plane.
fn near(place: Place, dice: &mut Dice) -> Place {
    let shift = |from: u32, dice: &mut Dice| (from + dice.below(5)).saturating_sub(2).min(8);
    let (col, row) = (shift(place.col(), dice), shift(place.row(), dice));
    let same = match place.plane() {
        Plane::Corporeal => Place::cell(col, row),
        Plane::Astral => Place::point(col, row),
    };
    same.unwrap_or(place)
}

impl Subject for UnderTest {
    type Game = LudusMagus;

    /// Seven numbers, the seat to act, and a byte per place.
    const LARGEST_CANONICAL: usize = 7 * 4 + 1 + (64 + 81);

    fn options() -> Vec<Options> {
        vec![
            Options { max_turns: 30, ..Options::default() },
            Options { mana: BySide::new(2, 1), first_seat: 1, max_turns: 30, ..start(&CLOSE) },
            Options { max_turns: 102, ..start(&BARE) },
            Options { max_turns: 1, ..start(&BARE) },
        ]
    }

    fn longest(options: &Options) -> usize {
        options.max_turns as usize
    }

    fn probes(_options: &Options, dice: &mut Dice) -> Vec<Move> {
        let mut probes = vec![Move::Swap, Move::Malformed];
        for _ in 0..6 {
            let from = any_place(dice);
            let victim = near(from, dice);
            let to = near(victim, dice);
            let &kind = dice.pick(&Kind::ALL).expect("there are kinds");
            probes.extend([
                Move::Go { from, to },
                Move::Go { from, to: victim },
                Move::Terra { from, victim, to },
                Move::Conjure { kind, to },
                Move::Summon { from, to: any_place(dice) },
            ]);
        }
        probes
    }

    /// Returns `None`: nothing is hidden.
    fn twin(_walk: &Walk<Self>, _viewer: Viewer, _dice: &mut Dice) -> Option<Outcome<LudusMagus>> {
        None
    }

    fn follow(view: &mut View, _own: Option<&Move>, facts: &[Fact]) {
        for fact in facts {
            match *fact {
                Fact::Captured { piece } => take(view, piece),
                Fact::Moved { piece, over: _, to } | Fact::Summoned { piece, to } => {
                    take(view, piece);
                    put(view, Piece { place: to, ..piece });
                }
                Fact::Swapped { seat, magus, famulus } => {
                    take(view, Piece { seat, kind: Kind::Magus, place: famulus });
                    take(view, Piece { seat, kind: Kind::Famulus, place: magus });
                    put(view, Piece { seat, kind: Kind::Magus, place: magus });
                    put(view, Piece { seat, kind: Kind::Famulus, place: famulus });
                }
                Fact::Conjured { piece } => put(view, piece),
                Fact::ManaChanged { seat, mana } => view.mana[seat] = mana,
                Fact::Bound { magus } => assert!(view.pieces.contains(&magus)),
                Fact::TurnTaken { turn, quiet_turns, occurrences } => {
                    assert_eq!(turn, view.turns_taken + 1);
                    (view.turns_taken, view.quiet_turns, view.occurrences) = (turn, quiet_turns, occurrences);
                }
            }
        }
    }
}

fn take(view: &mut View, piece: Piece) {
    let before = view.pieces.len();
    view.pieces.retain(|other| *other != piece);
    assert_eq!(view.pieces.len() + 1, before, "{piece:?} is not there");
}

fn put(view: &mut View, piece: Piece) {
    assert!(view.pieces.iter().all(|other| other.place != piece.place), "{:?} is taken", piece.place);
    view.pieces.push(piece);
    view.pieces.sort_by_key(|piece| piece.place);
}
