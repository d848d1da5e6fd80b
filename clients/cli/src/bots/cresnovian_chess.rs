//! What a position of Cresnovian Chess is worth, and which of its moves are tried:
//! of the many that are much alike only some, of those too many to list a few.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng as _;
use replay::games::cresnovian_chess::{Kingdom, Move, Performance, Piece, Square, Status, Umbration, Word};
use replay::{Dice, Seat, Seed, State, View, Viewer};

use super::lookahead::Eye;
use super::{lot, shuffle};

/// Cresnovian Chess as the lookahead sees it.
pub(super) const EYE: Eye = Eye { worth, moves };

/// Moves tried of one kind by one piece.
const ALIKE: usize = 24;
/// Moves drawn from the families that are too large to list.
const DRAWN: usize = 12;

/// Q that a kingdom can well use.
const PLENTY: u32 = 40;
/// What is lost with a live piece that can only repair itself.
const BROKEN: i32 = 5;

/// Words for verses: a bot that documents has to write something.
const WORDS: [&str; 36] = [
    "a",
    "the",
    "no",
    "every",
    "sticky",
    "silent",
    "eternal",
    "broken",
    "umbral",
    "distant",
    "golden",
    "last",
    "kingdom",
    "word",
    "monument",
    "river",
    "dancer",
    "piece",
    "season",
    "mirror",
    "world",
    "echo",
    "hour",
    "road",
    "sleeps",
    "remembers",
    "returns",
    "burns",
    "travels",
    "becomes",
    "forgets",
    "answers",
    "within",
    "beyond",
    "without",
    "again",
];
const VERSE: usize = 9;

fn worth(state: &State, seat: Seat) -> i32 {
    let View::CresnovianChess(view) = state.view(Viewer::Spectator) else { return 0 };
    let (Some(kingdoms), Some(totals)) = (view.kingdoms, view.totals) else { return 0 };
    let side = |seat: Seat| {
        let own = view.field.pieces.iter().filter(|piece| stands_in(kingdoms[seat], piece.square));
        plenty(totals[seat]) + own.map(standing).sum::<i32>()
    };
    // To gain counts for more than to take: seats that only take from each other
    // get nowhere.
    3 * side(seat) - 2 * side(seat.other())
}

/// Beyond what is needed for elite abilities there is little use for more Q.
fn plenty(q: u32) -> i32 {
    let worth = 10 * q.min(PLENTY) + q.min(10 * PLENTY).saturating_sub(PLENTY);
    i32::try_from(worth).unwrap_or_default()
}

fn standing(piece: &Piece) -> i32 {
    match piece.condition.status {
        Status::Broken if piece.condition.q > 0 => -BROKEN,
        Status::Broken | Status::Whole | Status::Eternal => 0,
    }
}

fn stands_in(kingdom: Kingdom, square: Square) -> bool {
    match kingdom {
        Kingdom::Left => square.col() <= 3,
        Kingdom::Right => square.col() >= 7,
    }
}

fn moves(state: &State, seat: Seat, lots: &mut ChaCha8Rng) -> Vec<replay::Move> {
    let listing = state.legal(seat);
    let mut listed = listing.moves;
    shuffle(&mut listed, lots);
    let mut alike: BTreeMap<Kind, usize> = BTreeMap::new();
    listed.retain(|made| {
        let seen = alike.entry(kind(made)).or_default();
        *seen += 1;
        *seen <= ALIKE
    });
    if listing.unlisted_families.contains(&"document") {
        listed.push(replay::Move::CresnovianChess(Move::Document(verse(lots))));
    }
    if listing.unlisted_families.iter().any(|family| *family != "document") {
        listed.extend(drawn(state, seat, lots));
    }
    listed
}

/// What moves have in common that are much alike.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Travel(Umbration),
    Basic(Umbration),
    Elite(Umbration),
    Dance(Umbration),
    Other,
}

fn kind(made: &replay::Move) -> Kind {
    let replay::Move::CresnovianChess(made) = made else { return Kind::Other };
    match made {
        Move::Travel { piece, .. } => Kind::Travel(*piece),
        Move::Perform(Performance::Basic(basic)) => Kind::Basic(basic.umbration()),
        Move::Perform(Performance::Elite(elite)) => Kind::Elite(elite.umbration()),
        Move::Perform(Performance::Dance(basic)) => Kind::Dance(basic.umbration()),
        Move::Perform(Performance::Repair(_))
        | Move::Place(_)
        | Move::Choose(_)
        | Move::Document(_)
        | Move::Pass
        | Move::Malformed(_) => Kind::Other,
    }
}

/// Any legal moves but documents, which are written above.
fn drawn(state: &State, seat: Seat, lots: &mut ChaCha8Rng) -> Vec<replay::Move> {
    let mut seed = [0; 32];
    lots.fill_bytes(&mut seed);
    let mut dice = Dice::new(&Seed::new(seed));
    let moves = (0..DRAWN).filter_map(|_| state.sample(seat, &mut dice));
    moves.filter(|made| !matches!(made, replay::Move::CresnovianChess(Move::Document(_)))).collect()
}

fn verse(lots: &mut ChaCha8Rng) -> Vec<Word> {
    (0..VERSE).map(|_| Word::new(WORDS[lot(WORDS.len(), lots)])).collect()
}
