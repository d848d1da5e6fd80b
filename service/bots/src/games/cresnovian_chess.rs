//! The worth of a position of Cresnovian Chess, and its candidate moves: a sample of similar
//! moves, and a few from each family too large to list.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng as _;
use rules::games::cresnovian_chess::{Kingdom, Move, Performance, Piece, Square, Status, Umbration, Word};
use rules::{Dice, Seed, Side, State, View, Viewer};

use crate::lookahead::Heuristic;
use crate::random::{pick, shuffle};

/// Kingdoms' Q, gained rather than taken.
pub(crate) const HEURISTIC: Heuristic = Heuristic { worth, candidates };

/// Maximum number of candidates of one kind by one piece.
const ALIKE: usize = 24;
/// Number of candidates drawn from the families too large to list.
const DRAWN: usize = 12;

/// Q that a kingdom can put to use.
const PLENTY: u32 = 40;
/// The cost of a live piece that can only repair itself.
const BROKEN: i32 = 5;

/// Words for the verses of documents.
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
/// Words in a verse.
const VERSE: usize = 9;

fn worth(state: &State, seat: Side) -> i32 {
    let View::CresnovianChess(view) = state.view(Viewer::Spectator) else { return 0 };
    let (Some(kingdoms), Some(totals)) = (view.kingdoms, view.totals) else { return 0 };
    let side = |seat: Side| {
        let own = view.field.pieces.iter().filter(|piece| is_in(kingdoms[seat], piece.square));
        worth_of_q(totals[seat]) + own.map(worth_of_piece).sum::<i32>()
    };
    // A gain counts for more than a loss of the other side: seats that only take from each other get nowhere.
    3 * side(seat) - 2 * side(seat.other())
}

/// Returns the worth of Q. Beyond the needs of elite abilities, more is of little use.
fn worth_of_q(q: u32) -> i32 {
    let worth = 10 * q.min(PLENTY) + q.min(10 * PLENTY).saturating_sub(PLENTY);
    i32::try_from(worth).unwrap_or_default()
}

fn worth_of_piece(piece: &Piece) -> i32 {
    match piece.condition.status {
        Status::Broken if piece.condition.q > 0 => -BROKEN,
        Status::Broken | Status::Whole | Status::Eternal => 0,
    }
}

fn is_in(kingdom: Kingdom, square: Square) -> bool {
    match kingdom {
        Kingdom::Left => square.col() <= 3,
        Kingdom::Right => square.col() >= 7,
    }
}

fn candidates(state: &State, seat: Side, rng: &mut ChaCha8Rng) -> Vec<rules::Move> {
    let listing = state.legal(seat);
    let mut listed = listing.moves;
    shuffle(&mut listed, rng);
    let mut alike: BTreeMap<Kind, usize> = BTreeMap::new();
    listed.retain(|made| {
        let seen = alike.entry(kind(made)).or_default();
        *seen += 1;
        *seen <= ALIKE
    });
    if listing.unlisted_families.contains(&"document") {
        listed.push(rules::Move::CresnovianChess(Move::Document(verse(rng))));
    }
    if listing.unlisted_families.iter().any(|family| *family != "document") {
        listed.extend(drawn(state, seat, rng));
    }
    listed
}

/// What moves that are much alike have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Travel(Umbration),
    Basic(Umbration),
    Elite(Umbration),
    Dance(Umbration),
    Other,
}

fn kind(made: &rules::Move) -> Kind {
    let rules::Move::CresnovianChess(made) = made else { return Kind::Other };
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

/// Draws random legal moves, except documents, which `candidates` writes itself.
fn drawn(state: &State, seat: Side, rng: &mut ChaCha8Rng) -> Vec<rules::Move> {
    let mut seed = [0; 32];
    rng.fill_bytes(&mut seed);
    let mut dice = Dice::new(&Seed::new(seed));
    let moves = (0..DRAWN).filter_map(|_| state.sample(seat, &mut dice));
    moves.filter(|made| !matches!(made, rules::Move::CresnovianChess(Move::Document(_)))).collect()
}

fn verse(rng: &mut ChaCha8Rng) -> Vec<Word> {
    (0..VERSE).map(|_| Word::new(WORDS[pick(WORDS.len(), rng)])).collect()
}
