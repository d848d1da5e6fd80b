//! Sticky Cresnovian Chess: the seats above their kingdoms, the field, remarks, and the poem.

mod field;
mod icons;
mod poem;
mod token;

use wire::games::cresnovian_chess::v1 as game;
use wire::v1::{MatchStatus, View};

use super::document::Scene;
use super::element::{Element, circle, group, rect};
use super::frame::{self, Area, BAR, Bar, HEADING, MARGIN};
use crate::last_move::LastMove;
use crate::printable;
use crate::words::counted;
use crate::words::cresnovian_chess::{code, name, remarks};
use crate::words::seats;
use field::Field;

const WIDTH: i32 = Field::WIDTH + 2 * (MARGIN + 12);
/// Distance between the seats' bars.
const GAP: i32 = 12;
/// Maximum number of words of the poem in the description.
const MAX_DESCRIBED_WORDS: usize = 45;

/// Draws the heading, the seats, the field, the remarks, and the poem.
pub(super) fn scene(view: &View, board: &game::View, last: LastMove<'_>) -> Scene {
    let progress = match (board.phase(), view.status()) {
        (_, MatchStatus::Over) => format!("over after {}", counted(board.turns_taken, "turn", "turns")),
        (game::Phase::Placing, _) => "placing the pieces".to_owned(),
        (game::Phase::Choosing, _) => "choosing a kingdom".to_owned(),
        (game::Phase::Playing | game::Phase::Unspecified, _) => {
            format!("turn {} of {}", u64::from(board.turns_taken) + 1, board.max_turns)
        }
    };
    let mut y = HEADING;
    let mut content = vec![frame::heading(WIDTH, "Sticky Cresnovian Chess", &progress)];
    content.extend(seat_bars(view, board, y));
    y += BAR + 12;
    let left = (WIDTH - Field::WIDTH) / 2;
    content.extend(Field { board, facts: last.facts(), left, top: y }.draw());
    y += Field::HEIGHT + 8;
    if board.phase() == game::Phase::Placing {
        content.extend(field::supply(left, y));
        y += token::SQUARE.1 + 8;
    }
    let remarks: Vec<String> = frame::result(view).into_iter().chain(remarks(board)).collect();
    let (drawn, height) = frame::remarks(WIDTH, y, &remarks);
    content.extend(drawn);
    y += height;
    let (drawn, height) = poem::draw(board, last.facts(), WIDTH, y);
    content.extend(drawn);
    Scene {
        class: "cresnovian-chess",
        width: WIDTH,
        height: y + height + MARGIN - 4,
        title: format!("Sticky Cresnovian Chess, {progress}"),
        description: describe(view, board),
        content,
    }
}

/// Draws the seats side by side, each above its kingdom once it has one.
fn seat_bars(view: &View, board: &game::View, y: i32) -> [Element; 2] {
    let is_left_two = board.player_two_kingdom.is_some() && board.player_two_kingdom() == game::Kingdom::Left;
    let order = if is_left_two { [1, 0] } else { [0, 1] };
    let width = (WIDTH - 2 * MARGIN - GAP) / 2;
    let bar = |seat: u32, x| {
        let q = if seat == 1 { board.player_two_q } else { board.player_one_q };
        let ink = frame::ink(view, seat);
        // A square and a disc: pieces belong to no seat, so no piece can stand for one.
        let icon = match seat {
            1 => rect(-38, -38, 76, 76).set("rx", 8).set("class", ink),
            _ => circle(0, 0, 42).set("class", ink),
        };
        let score = q.map_or(String::new(), |q| format!("{q}Q"));
        frame::bar(view, seat, Area { x, y, width }, Bar { icon: group([icon]), score })
    };
    [bar(order[0], MARGIN), bar(order[1], MARGIN + width + GAP)]
}

fn describe(view: &View, board: &game::View) -> String {
    let mut description = frame::spoken(view);
    for (seat, q) in [(0, board.player_one_q), (1, board.player_two_q)] {
        if let Some(q) = q {
            description.push_str(&format!(" {} holds {q}Q.", seats::title(&view.seats, seat)));
        }
    }
    if let Some(field) = &board.field {
        for piece in &field.pieces {
            let condition = piece.condition.unwrap_or_default();
            let at = piece.square.unwrap_or_default();
            let status = field::status_suffix(condition.status());
            description.push_str(&format!(
                " {} on {},{}: {}Q{status}.",
                name(piece.umbration()),
                at.row,
                at.col,
                condition.q
            ));
        }
        for monument in &field.monuments {
            let at = monument.square.unwrap_or_default();
            description.push_str(&format!(
                " Monument {} on {},{}.",
                code(monument.umbration()),
                at.row,
                at.col
            ));
        }
    }
    for remark in remarks(board) {
        description.push_str(&format!(" {remark}"));
    }
    if let Some(poem) = board.poem.as_ref().filter(|poem| poem.word_count > 0) {
        let from = poem.last_words.len().saturating_sub(MAX_DESCRIBED_WORDS);
        let last: Vec<String> = poem.last_words[from..].iter().map(|word| printable(word)).collect();
        let count = counted(poem.word_count, "word", "words");
        description.push_str(&format!(" The poem has {count} and ends: {}", last.join(" ")));
    }
    description
}
