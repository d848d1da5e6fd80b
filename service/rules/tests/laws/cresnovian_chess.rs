//! Sticky Cresnovian Chess as a subject of the laws.

use rules::games::cresnovian_chess::{
    Basic, Condition, CresnovianChess, Direction, Elite, Fact, FieldView, Flock, Kingdom, Move, Options,
    Performance, Phase, Piece, Square, Status, TectonicStep, Umbration, Undo, View, Word,
};
use rules::{BySide, Dice, Viewer};

use crate::subject::{Outcome, Subject};
use crate::walk::Walk;

pub(crate) struct UnderTest;

impl Subject for UnderTest {
    type Game = CresnovianChess;

    /// Options and stage; kingdom, turns and two deeds; two fields of nine pieces, monuments, word and hash.
    const LARGEST_CANONICAL: usize = 9 + (1 + 4 + 2 + 2) + 2 * (9 * 7 + (18 * 2 + 1) + (1 + 1 + 128) + 32);

    fn options() -> Vec<Options> {
        [1, 30].map(|max_turns| Options { max_turns }).to_vec()
    }

    fn longest(options: &Options) -> usize {
        options.max_turns as usize + 2
    }

    fn probes(_options: &Options, dice: &mut Dice) -> Vec<Move> {
        let fixed = [
            Move::Choose(Kingdom::Left),
            Move::Choose(Kingdom::Right),
            Move::Pass,
            Move::Document(Vec::new()),
            Move::Document([" "; 9].map(|_| Word::new("\u{200B}")).to_vec()),
            Move::Document(["word"; 9].map(Word::new).to_vec()),
            Move::Document(["word"; 10].map(Word::new).to_vec()),
        ];
        let probes = (0..40).map(|_| probe(dice));
        fixed.into_iter().chain(probes).collect()
    }

    /// Returns `None`: nothing is hidden.
    fn twin(_walk: &Walk<Self>, _viewer: Viewer, _dice: &mut Dice) -> Option<Outcome<CresnovianChess>> {
        None
    }

    fn follow(view: &mut View, _own: Option<&Move>, facts: &[Fact]) {
        let before = view.field.clone();
        for fact in facts {
            follow_one(view, fact, &before);
        }
    }
}

fn any<T: Copy>(dice: &mut Dice, items: &[T]) -> T {
    *dice.pick(items).expect("the list is not empty")
}

fn piece(dice: &mut Dice) -> Umbration {
    any(dice, &Umbration::ALL)
}

fn square(dice: &mut Dice) -> Square {
    Square::new(1 + dice.below(3), 1 + dice.below(9)).expect("it is on the field")
}

fn basic(dice: &mut Dice) -> Basic {
    let (one, at) = (piece(dice), square(dice));
    match dice.below(9) {
        0 => Basic::ReturnHome(one),
        1 => Basic::Cut(one),
        2 => Basic::Breakdown(one),
        3 => Basic::CriticalRewind,
        4 => Basic::Spectacle(one, at),
        5 => Basic::BuildMonument(one, at),
        6 => Basic::DestroyMonuments((0..dice.below(3)).map(|_| square(dice)).collect()),
        7 => Basic::Energize(one, dice.below(5)),
        _ => Basic::Propaganda((0..dice.below(4)).map(|_| piece(dice)).collect()),
    }
}

fn elite(dice: &mut Dice) -> Elite {
    let (one, at, to) = (piece(dice), square(dice), square(dice));
    match dice.below(9) {
        0 => Elite::PerfectEternal(one),
        1 => Elite::FlockTogether(Flock::new((0..dice.below(4)).map(|_| (piece(dice), square(dice))))),
        2 => {
            let near = dice.below(20);
            let put_back = any(dice, &[None, Some(0), Some(near), Some(u32::MAX)]);
            Elite::Redefinition { take: dice.below(20), put_back, square: at }
        }
        3 => Elite::Teleport { from: at, to },
        4 => Elite::UltraviolentRay,
        5 => {
            let steps = (0..dice.below(4))
                .map(|_| TectonicStep { from: square(dice), direction: any(dice, &Direction::ALL) })
                .collect();
            Elite::TectonicFailure(steps)
        }
        6 => Elite::SelectTheFit,
        7 => Elite::GoBerserk(one, at),
        _ => Elite::SumOfAllKnowledge,
    }
}

fn probe(dice: &mut Dice) -> Move {
    match dice.below(8) {
        0 => Move::Place([(); 9].map(|()| square(dice))),
        1 | 2 => Move::Travel { piece: piece(dice), to: square(dice) },
        3 => Move::Perform(Performance::Repair(piece(dice))),
        4 => Move::Perform(Performance::Dance(basic(dice))),
        5 => Move::Perform(Performance::Basic(basic(dice))),
        _ => Move::Perform(Performance::Elite(elite(dice))),
    }
}

fn piece_of(field: &mut FieldView, umbration: Umbration) -> &mut Piece {
    field.pieces.iter_mut().find(|piece| piece.umbration == umbration).expect("it is on the field")
}

fn move_piece(field: &mut FieldView, piece: Umbration, from: Square, to: Square) {
    let stands = &mut piece_of(field, piece).square;
    assert_eq!(std::mem::replace(stands, to), from);
}

fn take_monument(field: &mut FieldView, square: Square, umbration: Umbration) {
    let place = field.monuments.iter().position(|&monument| monument == (square, umbration));
    field.monuments.remove(place.expect("the monument was there"));
}

fn put_monument(field: &mut FieldView, square: Square, umbration: Umbration) {
    field.monuments.push((square, umbration));
    field.monuments.sort();
}

fn follow_one(view: &mut View, fact: &Fact, before: &FieldView) {
    let field = &mut view.field;
    match fact {
        Fact::Placed { piece, square } => {
            view.phase = Phase::Choosing;
            let condition = Condition { q: 3, status: Status::Whole };
            field.pieces.push(Piece { umbration: *piece, square: *square, home: *square, condition });
        }
        Fact::KingdomChosen { kingdom } => {
            view.phase = Phase::Playing;
            view.kingdoms = Some(BySide::new(kingdom.other(), *kingdom));
            view.totals = Some(BySide::new(9, 9));
        }
        Fact::Traveled { piece, from, to, .. } | Fact::PieceMoved { piece, from, to } => {
            move_piece(field, *piece, *from, *to);
        }
        Fact::PieceChanged { piece, from, to } => {
            let condition = &mut piece_of(field, *piece).condition;
            assert_eq!(std::mem::replace(condition, *to), *from);
            assert_ne!(from, to);
        }
        Fact::MonumentBuilt { square, umbration } => put_monument(field, *square, *umbration),
        Fact::MonumentDestroyed { square, umbration } => take_monument(field, *square, *umbration),
        Fact::MonumentMoved { umbration, from, to } => {
            take_monument(field, *from, *umbration);
            put_monument(field, *to, *umbration);
        }
        Fact::WordLifted { square, word } => assert_eq!(field.word.take(), Some((*square, word.clone()))),
        Fact::WordLaid { square, word } => assert_eq!(field.word.replace((*square, word.clone())), None),
        Fact::PoemChanged(change) => assert!(field.poem.apply(change)),
        Fact::TurnTaken { turn, deed, totals, locked, forbidden } => {
            view.turns_taken = *turn;
            view.totals = Some(*totals);
            view.locked = *locked;
            view.forbidden = *forbidden;
            view.undo = Some(Undo { deed: *deed, field: before.clone() });
        }
        Fact::Performed { .. }
        | Fact::Repaired { .. }
        | Fact::Documented { .. }
        | Fact::Passed { .. }
        | Fact::Rewound { .. } => {}
    }
}
