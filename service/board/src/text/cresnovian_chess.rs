//! The field of Sticky Cresnovian Chess: pieces as their abbreviations with their Q, monuments in brackets,
//! and below it remarks and the poem.

use wire::games::cresnovian_chess::v1 as game;
use wire::v1::View;

use super::ink::{Ink, paint};
use super::{Colour, TextStyle};
use crate::printable;
use crate::words::counted;
use crate::words::cresnovian_chess::{code, remarks};
use crate::words::seats;

/// Width of a square in characters.
const WIDTH: usize = 7;
/// Maximum number of lines of the poem; earlier ones are left out.
const LINES: usize = 6;
/// Words per line of the poem.
const WORDS: usize = 9;

/// Draws the heading, the seats, the field, the remarks, and the poem.
pub(super) fn draw(view: &View, board: &game::View, style: TextStyle) -> String {
    let when = match board.phase() {
        game::Phase::Placing => "placing the pieces".to_owned(),
        game::Phase::Choosing => "choosing a kingdom".to_owned(),
        game::Phase::Playing | game::Phase::Unspecified => {
            format!("{} of {} turns taken", board.turns_taken, board.max_turns)
        }
    };
    let heading = format!("Sticky Cresnovian Chess, {when}");
    let mut out = format!("{}\n\n", paint(&heading, Ink::Title, style.colour));
    for seat in [0, 1] {
        out.push_str(&seat_line(view, board, seat));
    }
    out.push('\n');
    out.push_str(&field(board, style.colour));
    for remark in remarks(board) {
        out.push_str(&format!("\n  {remark}\n"));
    }
    out.push_str(&poem(board, style.colour));
    out
}

fn seat_line(view: &View, board: &game::View, seat: u32) -> String {
    let (q, is_left) = match (seat, board.player_two_kingdom.map(|_| board.player_two_kingdom())) {
        (_, None) => (None, false),
        (1, Some(kingdom)) => (board.player_two_q, kingdom == game::Kingdom::Left),
        (_, Some(kingdom)) => (board.player_one_q, kingdom != game::Kingdom::Left),
    };
    let kingdom = if is_left { "Left Kingdom" } else { "Right Kingdom" };
    let holds = q.map_or(String::new(), |q| format!(", {kingdom}, {q}Q"));
    format!("  {}{holds}: {}\n", seats::title(&view.seats, seat), seats::player_and_activity(view, seat))
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

/// Returns the separator to the left of a column: a line between regions.
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

/// Returns a piece with its Q, and `b` if it is broken or `e` if it is eternal.
fn piece_text(piece: &game::Piece) -> String {
    let condition = piece.condition.unwrap_or_default();
    let mark = match condition.status() {
        game::Status::Broken => "b",
        game::Status::Eternal => "e",
        game::Status::Whole | game::Status::Unspecified => "",
    };
    format!("{}{}{mark}", code(piece.umbration()), condition.q)
}

/// Returns the end of the poem. Lines begin at multiples of [`WORDS`], as they do in the whole poem.
fn poem(board: &game::View, colour: Colour) -> String {
    let Some(poem) = board.poem.as_ref().filter(|poem| poem.word_count > 0) else { return String::new() };
    let words: Vec<String> = poem.last_words.iter().map(|word| printable(word)).collect();
    let count = poem.word_count as usize;
    let hidden = count.div_ceil(WORDS).saturating_sub(LINES) * WORDS;
    let first = hidden.saturating_sub(count.saturating_sub(words.len())).min(words.len());
    let mut out = format!(
        "\n{}\n",
        paint(&format!("Communal poem, {}", counted(poem.word_count, "word", "words")), Ink::Title, colour)
    );
    if hidden > 0 {
        out.push_str("  ...\n");
    }
    for line in words[first..].chunks(WORDS) {
        out.push_str(&format!("  {}\n", line.join(" ")));
    }
    out
}
