//! Candidate moves in a position, legal or not: all moves of each family, or its edge where there are too
//! many.

use rules::Dice;
use rules::games::cresnovian_chess::{
    Basic, Direction, Elite, Flock, Move, Performance, Square, SquareSet, TectonicStep, Umbration, Word,
};

use crate::board::{are_adjacent, at};
use crate::legality::Turn;

/// Flocks up to this size and lists of up to this many steps are tried exhaustively.
pub(crate) const SMALL: usize = 2;

pub(crate) fn squares() -> impl Iterator<Item = Square> + Clone {
    (1..=3).flat_map(|row| (1..=9).filter_map(move |col| Square::new(row, col)))
}

fn targets() -> impl Iterator<Item = (Umbration, Square)> + Clone {
    Umbration::ALL.into_iter().flat_map(|piece| squares().map(move |square| (piece, square)))
}

/// Returns whether the index is one of the first or last of a poem.
pub(crate) const fn is_edge(index: i64, words: i64) -> bool {
    index < 3 || index + 3 > words
}

pub(crate) fn document() -> Move {
    Move::Document(["word"; 9].map(Word::new).to_vec())
}

pub(crate) fn candidates(turn: &Turn, dice: &mut Dice) -> Vec<Move> {
    let mut moves = vec![document()];
    moves.extend(targets().map(|(piece, to)| Move::Travel { piece, to }));
    let mut performances: Vec<Performance> = Umbration::ALL.map(Performance::Repair).to_vec();
    for basic in basics(turn) {
        performances.extend([Performance::Basic(basic), Performance::Dance(basic)]);
    }
    performances.extend(elites(turn, dice).into_iter().map(Performance::Elite));
    moves.extend(performances.into_iter().map(Move::Perform));
    moves
}

fn basics(turn: &Turn) -> Vec<Basic> {
    let mut basics = vec![Basic::CriticalRewind];
    for piece in Umbration::ALL {
        basics.extend([Basic::ReturnHome(piece), Basic::Cut(piece), Basic::Breakdown(piece)]);
        basics.extend((0..5).map(|amount| Basic::Energize(piece, amount)));
    }
    for (piece, square) in targets() {
        basics.extend([Basic::Spectacle(piece, square), Basic::BuildMonument(piece, square)]);
    }
    basics.extend(subsets(&Umbration::ALL).map(|pieces| Basic::Propaganda(pieces.collect())));
    // Every set around a piece that may destroy, and every one or two squares anywhere.
    for destroyer in [Umbration::Corporeality, Umbration::Caprice] {
        let here = turn.board.piece(destroyer).at;
        let around: Vec<Square> = squares().filter(|&square| are_adjacent(here, at(square))).collect();
        basics.extend(subsets(&around).map(|squares| Basic::DestroyMonuments(squares.collect())));
    }
    for square in squares() {
        basics.extend(
            squares().map(|other| Basic::DestroyMonuments(SquareSet::EMPTY.with(square).with(other))),
        );
    }
    basics.sort_unstable();
    basics.dedup();
    basics
}

fn subsets<T: Copy>(items: &[T]) -> impl Iterator<Item = impl Iterator<Item = T>> {
    (0..1_u32 << items.len()).map(move |chosen| {
        let is_chosen = move |&(nth, _): &(usize, &T)| chosen >> nth & 1 == 1;
        items.iter().enumerate().filter(is_chosen).map(|(_, &item)| item)
    })
}

fn elites(turn: &Turn, dice: &mut Dice) -> Vec<Elite> {
    let mut elites = vec![Elite::UltraviolentRay, Elite::SelectTheFit, Elite::SumOfAllKnowledge];
    elites.extend(Umbration::ALL.map(Elite::PerfectEternal));
    elites.extend(targets().map(|(piece, square)| Elite::GoBerserk(piece, square)));
    for from in squares() {
        elites.extend(squares().map(|to| Elite::Teleport { from, to }));
    }
    elites.extend(redefinitions(turn.board.poem.len()));
    elites.extend(tectonics(turn, dice));
    elites.extend(flocks(turn, dice).into_iter().map(Elite::FlockTogether));
    elites.sort_unstable();
    elites.dedup();
    elites
}

fn redefinitions(words: usize) -> Vec<Elite> {
    let words = u32::try_from(words).expect("a poem is short");
    let indices: Vec<u32> = (0..=words + 1).filter(|&index| is_edge(index.into(), words.into())).collect();
    let mut elites = Vec::new();
    for &take in &indices {
        for put_back in indices.iter().copied().map(Some).chain([None]) {
            elites.extend(squares().map(|square| Elite::Redefinition { take, put_back, square }));
        }
    }
    elites
}

/// Returns every single step and, if the ability may be legal at all, every pair whose first step is; plus
/// some longer lists.
fn tectonics(turn: &Turn, dice: &mut Dice) -> Vec<Elite> {
    let directions = Direction::ALL.into_iter();
    let steps =
        squares().flat_map(|from| directions.clone().map(move |direction| TectonicStep { from, direction }));
    let steps: Vec<TectonicStep> = steps.collect();
    let mut lists: Vec<Vec<TectonicStep>> = vec![Vec::new()];
    lists.extend(steps.iter().map(|&step| vec![step]));
    if turn.allows_some_elite(Umbration::Corporeality) {
        let allowed = steps.iter().filter(|&&step| turn.allows_shift(&[step]));
        lists.extend(allowed.flat_map(|&one| steps.iter().map(move |&two| vec![one, two])));
    }
    let any = |dice: &mut Dice| *dice.pick(&steps).expect("there are steps");
    lists.extend((0..200).map(|_| (0..3).map(|_| any(dice)).collect()));
    lists.into_iter().map(Elite::TectonicFailure).collect()
}

/// Returns every flock of up to two pieces if the ability may be legal at all, plus random destinations for
/// the actual flock.
fn flocks(turn: &Turn, dice: &mut Dice) -> Vec<Flock> {
    let mut flocks = vec![Flock::new([])];
    flocks.extend(targets().map(|target| Flock::new([target])));
    if !turn.allows_some_elite(Umbration::Duality) {
        return flocks;
    }
    for (nth, one) in targets().enumerate() {
        let others = targets().skip(nth + 1).filter(|other| other.0 != one.0);
        flocks.extend(others.map(|other| Flock::new([one, other])));
    }
    let members = turn.flock(Umbration::Duality);
    let all: Vec<Square> = squares().collect();
    let any = |dice: &mut Dice| *dice.pick(&all).expect("there are squares");
    let stands = |piece: Umbration| {
        let standing = turn.board.piece(piece).at;
        squares().find(|&square| at(square) == standing).expect("it stands on the field")
    };
    flocks.push(Flock::new(members.iter().map(|&piece| (piece, stands(piece)))));
    for _ in 0..2_000 {
        let goes = |dice: &mut Dice, piece| if dice.below(3) == 0 { stands(piece) } else { any(dice) };
        flocks.push(Flock::new(members.iter().map(|&piece| (piece, goes(dice, piece))).collect::<Vec<_>>()));
    }
    flocks
}
