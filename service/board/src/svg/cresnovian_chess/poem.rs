//! The communal poem below the field: its last lines, with new words in bold.

use wire::games::cresnovian_chess::v1 as game;
use wire::v1::Fact;

use super::field::own_fact;
use crate::printable;
use crate::svg::element::{Align, Element, text};
use crate::svg::frame::MARGIN;
use crate::svg::text_width;
use crate::words::counted;

const SIZE: i32 = 16;
const LINE: i32 = 24;
/// Maximum number of lines; earlier ones are left out.
const LINES: usize = 9;

/// Draws the poem and returns its height, which is 0 for an empty poem.
pub(super) fn draw(board: &game::View, facts: &[Fact], width: i32, top: i32) -> (Vec<Element>, i32) {
    let Some(poem) = board.poem.as_ref().filter(|poem| poem.word_count > 0) else { return (Vec::new(), 0) };
    let words: Vec<String> = poem.last_words.iter().map(|word| printable(word)).collect();
    let count = poem.word_count as usize;
    let lines = text_width::wrap(words.iter().map(String::as_str), SIZE, width - 2 * MARGIN);
    let hidden = lines.len().saturating_sub(LINES);
    let shown: usize = lines[hidden..].iter().map(Vec::len).sum();
    let before = count.saturating_sub(shown);
    let mut title = format!("Communal poem, {}", counted(poem.word_count, "word", "words"));
    if before > 0 {
        title.push_str(&format!("; the last {shown}:"));
    }
    let mut drawn = vec![text(MARGIN, top + LINE / 2, SIZE, Align::Start, &title).set("class", "ink b")];
    let mut y = top + LINE + 2;
    let mut index = before;
    for line in &lines[hidden..] {
        drawn.push(draw_line(line, index, facts, y + LINE / 2));
        index += line.len();
        y += LINE;
    }
    (drawn, y - top)
}

/// Draws one line. Each word has its 0-based index in the poem as `data-word`.
fn draw_line(line: &[String], first: usize, facts: &[Fact], y: i32) -> Element {
    let mut out = text(MARGIN, y, SIZE, Align::Start, "").set("class", "ink");
    for (word, index) in line.iter().zip(first..) {
        let span = Element::new("tspan").set("data-word", index);
        let span = if is_new(index, facts) { span.set("class", "b") } else { span };
        out = out.add(span.text(word));
        if index + 1 < first + line.len() {
            out = out.text(" ");
        }
    }
    out
}

/// Returns whether the last turn inserted the word.
fn is_new(index: usize, facts: &[Fact]) -> bool {
    facts.iter().filter_map(own_fact).any(|fact| match fact {
        game::fact::Fact::PoemChanged(changed) => {
            let from = usize::try_from(changed.index).unwrap_or(usize::MAX);
            index >= from && index - from < changed.inserted.len()
        }
        _ => false,
    })
}
