//! The field of Sticky Cresnovian Chess: pieces as their letters of the notation
//! with their Q, monuments in brackets, and what stands under the field.

use wire::games::cresnovian_chess::v1 as game;
use wire::v1::{Seat, View};

use crate::paint::{Ink, paint};
use crate::{Colour, Style, printable, seats};

/// How many columns a square is wide.
const WIDTH: usize = 7;
/// How many lines of the poem are shown: the last ones.
const LINES: usize = 6;
/// How many words stand in a line of the poem.
const WORDS: usize = 9;

/// Heading, seats, field, what is forbidden, poem.
pub(crate) fn draw(view: &View, board: &game::View, style: Style) -> String {
    let when = match board.phase() {
        game::Phase::Placing => "the pieces are placed".to_owned(),
        game::Phase::Choosing => "a kingdom is chosen".to_owned(),
        game::Phase::Playing | game::Phase::Unspecified => {
            format!("{} of {} turns taken", board.turns_taken, board.max_turns)
        }
    };
    let heading = format!("Sticky Cresnovian Chess, {when}");
    let mut out = format!("{}\n\n", paint(&heading, Ink::Title, style.colour));
    for seat in [Seat::Zero, Seat::One] {
        out.push_str(&seat_line(view, board, seat));
    }
    out.push('\n');
    out.push_str(&field(board, style.colour));
    out.push_str(&remarks(board));
    out.push_str(&poem(board, style.colour));
    out
}

fn seat_line(view: &View, board: &game::View, seat: Seat) -> String {
    let (q, is_left) = match (seat, board.player_two_kingdom.map(|_| board.player_two_kingdom())) {
        (_, None) => (None, false),
        (Seat::One, Some(kingdom)) => (board.player_two_q, kingdom == game::Kingdom::Left),
        (_, Some(kingdom)) => (board.player_one_q, kingdom != game::Kingdom::Left),
    };
    let kingdom = if is_left { "Left Kingdom" } else { "Right Kingdom" };
    let holds = q.map_or(String::new(), |q| format!(", {kingdom}, {q}Q"));
    format!("  {}{holds}: {}\n", seats::title(&view.seats, seat), seats::player_and_doing(view, seat))
}

fn field(board: &game::View, colour: Colour) -> String {
    let border = |text: &str| paint(text, Ink::Faint, colour);
    let numbers: String = (1..=9).map(|col| format!("{}{col:^WIDTH$}", gap(col))).collect();
    let mut out = format!("   {}\n", border(numbers.trim_end()));
    for row in 1..=3 {
        let squares: String =
            (1..=9).map(|col| format!("{}{}", gap(col), square(board, row, col, colour))).collect();
        out.push_str(&format!(" {} {} {}\n", border(&row.to_string()), squares, border(&row.to_string())));
    }
    out
}

/// What parts the regions from each other.
fn gap(col: u32) -> &'static str {
    if col == 4 || col == 7 { "| " } else { "" }
}

fn square(board: &game::View, row: u32, col: u32, colour: Colour) -> String {
    let here = |at: Option<&game::Square>| at.is_some_and(|at| (at.row, at.col) == (row, col));
    let Some(field) = &board.field else { return " ".repeat(WIDTH) };
    let (text, ink) = if let Some(piece) = field.pieces.iter().find(|piece| here(piece.square.as_ref())) {
        (piece_text(piece), piece_ink(board, col))
    } else if let Some(monument) = field.monuments.iter().find(|monument| here(monument.square.as_ref())) {
        (format!("[{}]", code(monument.umbration())), Ink::Dark)
    } else if field.word.as_ref().is_some_and(|word| here(word.square.as_ref())) {
        ("\"..\"".to_owned(), Ink::Dark)
    } else {
        ("·".to_owned(), Ink::Light)
    };
    paint(&format!("{text:^WIDTH$}"), ink, colour)
}

fn piece_ink(board: &game::View, col: u32) -> Ink {
    let is_left_two = board.player_two_kingdom() == game::Kingdom::Left;
    match (col, board.player_two_kingdom) {
        (4..=6, _) | (_, None) => Ink::Light,
        (1..=3, _) if is_left_two => Ink::OneOnLight,
        (7..=9, _) if !is_left_two => Ink::OneOnLight,
        _ => Ink::ZeroOnLight,
    }
}

/// The piece with its Q, `b` for broken, `e` for eternal.
fn piece_text(piece: &game::Piece) -> String {
    let condition = piece.condition.unwrap_or_default();
    let mark = match condition.status() {
        game::Status::Broken => "b",
        game::Status::Eternal => "e",
        game::Status::Whole | game::Status::Unspecified => "",
    };
    format!("{}{}{mark}", code(piece.umbration()), condition.q)
}

/// What can't be seen on the field: the word, what may not be done.
fn remarks(board: &game::View) -> String {
    let mut out = String::new();
    if let Some(word) = board.field.as_ref().and_then(|field| field.word.as_ref()) {
        let at = word.square.unwrap_or_default();
        out.push_str(&format!("\n  On {},{} lies the word \"{}\".\n", at.row, at.col, printable(&word.word)));
    }
    if board.locked.is_some() {
        out.push_str(&format!("\n  {} has just traveled and is locked.\n", name(board.locked())));
    }
    if let Some(forbidden) = &board.forbidden {
        out.push_str(&format!("\n  Rewound, so not now: {}.\n", deed(forbidden)));
    }
    out
}

/// What was or may not be done, in words.
pub(crate) fn deed(deed: &game::Deed) -> String {
    match deed.deed {
        Some(game::deed::Deed::Travel(piece)) => format!("to travel with {}", name(piece_of(piece))),
        Some(game::deed::Deed::Perform(piece)) => format!("to perform with {}", name(piece_of(piece))),
        Some(game::deed::Deed::Document(_)) => "to document".to_owned(),
        Some(game::deed::Deed::Pass(_)) => "to pass".to_owned(),
        None => "something that this program doesn't know".to_owned(),
    }
}

fn poem(board: &game::View, colour: Colour) -> String {
    let words: Vec<String> =
        board.poem.iter().flat_map(|poem| &poem.words).map(|word| printable(word)).collect();
    if words.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = words.chunks(WORDS).map(|line| line.join(" ")).collect();
    let mut out =
        format!("\n{}\n", paint(&format!("Communal poem, {} words", words.len()), Ink::Title, colour));
    let hidden = lines.len().saturating_sub(LINES);
    if hidden > 0 {
        out.push_str("  ...\n");
    }
    for line in &lines[hidden..] {
        out.push_str(&format!("  {line}\n"));
    }
    out
}

/// The piece of an enumeration's number.
pub(crate) fn piece_of(piece: i32) -> game::Umbration {
    game::Umbration::try_from(piece).unwrap_or_default()
}

/// The letters of the notation.
pub(crate) fn code(umbration: game::Umbration) -> &'static str {
    match umbration {
        game::Umbration::Unspecified => "???",
        game::Umbration::Essence => "ess",
        game::Umbration::Duality => "dua",
        game::Umbration::Cosmos => "cos",
        game::Umbration::Velocity => "vel",
        game::Umbration::Radiance => "rad",
        game::Umbration::Corporeality => "cor",
        game::Umbration::Innervation => "inn",
        game::Umbration::Caprice => "cap",
        game::Umbration::Cognizance => "cog",
    }
}

/// The name in print.
pub(crate) fn name(umbration: game::Umbration) -> &'static str {
    match umbration {
        game::Umbration::Unspecified => "an unknown piece",
        game::Umbration::Essence => "Essence",
        game::Umbration::Duality => "Duality",
        game::Umbration::Cosmos => "Cosmos",
        game::Umbration::Velocity => "Velocity",
        game::Umbration::Radiance => "Radiance",
        game::Umbration::Corporeality => "Corporeality",
        game::Umbration::Innervation => "Innervation",
        game::Umbration::Caprice => "Caprice",
        game::Umbration::Cognizance => "Cognizance",
    }
}

/// What a turn leads to, for the end of its line.
pub(crate) fn outcome(fact: &game::Fact) -> Option<String> {
    match &fact.fact {
        Some(game::fact::Fact::TurnTaken(end)) => Some(format!(
            "turn {}, Player One {}Q, Player Two {}Q",
            end.turn, end.player_one_q, end.player_two_q
        )),
        _ => None,
    }
}
