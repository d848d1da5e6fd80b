//! Sticky Cresnovian Chess: the seats over their kingdoms, the field, what may
//! not be done, the poem.

mod field;
mod poem;
mod signs;
mod token;

use wire::games::cresnovian_chess::v1 as game;
use wire::v1::{MatchStatus, Seat, View};

use super::document::Scene;
use super::element::{Element, circle, group, rect};
use super::frame::{self, Area, BAR, Bar, HEADING, MARGIN};
use super::last_move::LastMove;
use crate::cresnovian_chess::{code, deed, name};
use crate::{printable, seats};
use field::Field;

const WIDTH: i32 = Field::WIDTH + 2 * (MARGIN + 12);
/// Between the two seats' bars.
const GAP: i32 = 12;
/// How many words of the poem are read out.
const MOST_SPOKEN: usize = 45;

/// Heading, seats, field, remarks, poem.
pub(super) fn scene(view: &View, board: &game::View, last: LastMove<'_>) -> Scene {
    let when = match (board.phase(), view.status()) {
        (_, MatchStatus::Over) => format!("over after {} turns", board.turns_taken),
        (game::Phase::Placing, _) => "placing the pieces".to_owned(),
        (game::Phase::Choosing, _) => "choosing a kingdom".to_owned(),
        (game::Phase::Playing | game::Phase::Unspecified, _) => {
            format!("turn {} of {}", u64::from(board.turns_taken) + 1, board.max_turns)
        }
    };
    let mut y = HEADING;
    let mut content = vec![frame::heading(WIDTH, "Sticky Cresnovian Chess", &when)];
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
        title: format!("Sticky Cresnovian Chess, {when}"),
        description: describe(view, board),
        content,
    }
}

/// The seats side by side, each over its kingdom once that is chosen.
fn seat_bars(view: &View, board: &game::View, y: i32) -> [Element; 2] {
    let is_left_two = board.player_two_kingdom.is_some() && board.player_two_kingdom() == game::Kingdom::Left;
    let order = if is_left_two { [Seat::One, Seat::Zero] } else { [Seat::Zero, Seat::One] };
    let width = (WIDTH - 2 * MARGIN - GAP) / 2;
    let bar = |seat: Seat, x| {
        let q = if seat == Seat::One { board.player_two_q } else { board.player_one_q };
        let ink = frame::ink(view, seat);
        // A square and a disc; what stands in a kingdom has no side of its own.
        let sign = match seat {
            Seat::One => rect(-38, -38, 76, 76).set("rx", 8).set("class", ink),
            Seat::Zero | Seat::Unspecified => circle(0, 0, 42).set("class", ink),
        };
        let score = q.map_or(String::new(), |q| format!("{q}Q"));
        frame::bar(view, seat, Area { x, y, width }, Bar { sign: group([sign]), score })
    };
    [bar(order[0], MARGIN), bar(order[1], MARGIN + width + GAP)]
}

fn remarks(board: &game::View) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(word) = board.field.as_ref().and_then(|field| field.word.as_ref()) {
        let at = word.square.unwrap_or_default();
        remarks.push(format!(
            "On {},{} lies the word \u{201c}{}\u{201d}.",
            at.row,
            at.col,
            printable(&word.word)
        ));
    }
    if board.locked.is_some() {
        remarks.push(format!("{} has just traveled and is locked.", name(board.locked())));
    }
    if let Some(forbidden) = &board.forbidden {
        remarks.push(format!("Rewound, so not now: {}.", deed(forbidden)));
    }
    remarks
}

fn describe(view: &View, board: &game::View) -> String {
    let mut told = frame::spoken(view);
    for (seat, q) in [(Seat::Zero, board.player_one_q), (Seat::One, board.player_two_q)] {
        if let Some(q) = q {
            told.push_str(&format!(" {} holds {q}Q.", seats::title(&view.seats, seat)));
        }
    }
    if let Some(field) = &board.field {
        for piece in &field.pieces {
            let condition = piece.condition.unwrap_or_default();
            let at = piece.square.unwrap_or_default();
            let status = field::told(condition.status());
            told.push_str(&format!(
                " {} on {},{}: {}Q{status}.",
                name(piece.umbration()),
                at.row,
                at.col,
                condition.q
            ));
        }
        for monument in &field.monuments {
            let at = monument.square.unwrap_or_default();
            told.push_str(&format!(" Monument {} on {},{}.", code(monument.umbration()), at.row, at.col));
        }
    }
    for remark in remarks(board) {
        told.push_str(&format!(" {remark}"));
    }
    let words = board.poem.as_ref().map_or(&[][..], |poem| &poem.words);
    if !words.is_empty() {
        let last: Vec<String> =
            words[words.len().saturating_sub(MOST_SPOKEN)..].iter().map(|word| printable(word)).collect();
        told.push_str(&format!(" The poem has {} words and ends: {}", words.len(), last.join(" ")));
    }
    told
}
