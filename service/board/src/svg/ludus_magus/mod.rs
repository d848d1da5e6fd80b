//! Both planes of Ludus Magus in one drawing: cells between the lines, points where lines cross. What the
//! last turn touched is highlighted.

mod geometry;
mod pieces;

use wire::games::ludus_magus::v1 as game;
use wire::v1::{Fact, MatchStatus, View, fact};

use super::document::Scene;
use super::element::{Align, Element, circle, group, rect, text};
use super::frame::{self, Area, BAR, Bar, HEADING, MARGIN};
use super::shapes;
use crate::last_move::LastMove;
use crate::words::counted;
use crate::words::ludus_magus::{self as words, name};
use crate::words::seats;
use geometry::{Boards, STEP, Spot};

const WIDTH: i32 = 520;
/// Distance from a bar to the outermost lines.
const GUTTER: i32 = 44;
/// Size of a token.
const TOKEN: i32 = 36;

/// Draws the heading, the far seat, both planes, the near seat, and the remarks.
pub(super) fn scene(view: &View, board: &game::View, last: LastMove<'_>, near: u32) -> Scene {
    let far = if near == 0 { 1 } else { 0 };
    let progress = match view.status() {
        MatchStatus::Over => format!("over after {}", counted(board.turns_taken, "turn", "turns")),
        _ => format!("turn {}", u64::from(board.turns_taken) + 1),
    };
    let far_bar = HEADING + BAR;
    let boards = Boards { left: (WIDTH - 8 * STEP) / 2, top: far_bar + GUTTER, near };
    let near_bar = boards.top + 8 * STEP + GUTTER;

    let mut content =
        vec![frame::heading(WIDTH, "Ludus Magus", &progress), seat_bar(view, board, far, HEADING)];
    content.extend(draw(boards, board, last.facts()));
    content.push(seat_bar(view, board, near, near_bar));
    let remarks: Vec<String> = remarks(board).chain(frame::result(view)).collect();
    let (drawn, height) = frame::remarks(WIDTH, near_bar + BAR + 8, &remarks);
    content.extend(drawn);
    Scene {
        class: "ludus-magus",
        width: WIDTH,
        height: near_bar + BAR + height + MARGIN,
        title: format!("Ludus Magus, {progress}"),
        description: describe(view, board, &remarks),
        content,
    }
}

fn seat_bar(view: &View, board: &game::View, seat: u32, y: i32) -> Element {
    let mana = board.mana.unwrap_or_default();
    let (side, mana) = match seat {
        1 => (game::Side::Black, mana.black),
        _ => (game::Side::White, mana.white),
    };
    let icon = pieces::token(side, game::Kind::Magus);
    frame::bar(view, seat, Area::across(WIDTH, y), Bar { icon, score: format!("mana {mana}") })
}

/// Draws, back to front: cells, lines and points, arrows, pieces, losses.
fn draw(boards: Boards, board: &game::View, facts: &[Fact]) -> Vec<Element> {
    let touched: Vec<Spot> = facts.iter().flat_map(touched).collect();
    let mut drawn: Vec<Element> = Spot::cells().map(|cell| place(boards, cell, &touched)).collect();
    drawn.push(lines(boards));
    drawn.extend(Spot::points().map(|point| place(boards, point, &touched)));
    drawn.push(labels(boards));
    drawn.extend(facts.iter().flat_map(|fact| arrows(boards, fact)));
    drawn.extend(board.pieces.iter().filter_map(|piece| token(boards, piece)));
    drawn.extend(facts.iter().filter_map(|fact| loss(boards, board, fact)));
    drawn
}

/// Draws a place without its piece.
fn place(boards: Boards, spot: Spot, touched: &[Spot]) -> Element {
    let (x, y) = boards.middle(spot);
    let is_touched = touched.contains(&spot);
    let shapes = match spot {
        Spot::Cell(along, up) => {
            let ground = if (along + up) % 2 == 0 { "dim" } else { "bright" };
            let cell = rect(x - STEP / 2, y - STEP / 2, STEP, STEP);
            vec![cell.set("class", if is_touched { "mark" } else { ground })]
        }
        // The visible dot is small, so a transparent circle enlarges the area that can be clicked.
        Spot::Point(..) if is_touched => {
            vec![circle(x, y, 17).set("class", "mark mark-line").set("stroke-width", 8)]
        }
        Spot::Point(..) => {
            vec![circle(x, y, 14).set("fill-opacity", 0), circle(x, y, 4).set("class", "faint")]
        }
    };
    let name = spot.name();
    group(shapes).set("id", format!("square-{name}")).set("data-square", &name).named(&name)
}

fn lines(boards: Boards) -> Element {
    let far = 8 * STEP;
    let lines = (0..9).flat_map(|nth| {
        let (x, y) = (boards.left + nth * STEP, boards.top + nth * STEP);
        [
            super::element::line((x, boards.top), (x, boards.top + far)),
            super::element::line((boards.left, y), (boards.left + far, y)),
        ]
    });
    group(lines).set("class", "line").set("stroke-width", 2)
}

/// Draws files and ranks of cells below and on the left, and numbers of points above and on the right.
fn labels(boards: Boards) -> Element {
    let far = 8 * STEP;
    let mut labels = Vec::new();
    for nth in 0..8 {
        let (x, y) = boards.middle(Spot::Cell(nth, nth));
        let name = Spot::Cell(nth, nth).name();
        let (file, rank) = name.split_at(1);
        labels.push(text(x, boards.top + far + 31, 15, Align::Middle, file).set("class", "ink"));
        labels.push(text(boards.left - 31, y, 15, Align::Middle, rank).set("class", "ink"));
    }
    for nth in 0..9 {
        let (x, y) = boards.middle(Spot::Point(nth, nth));
        labels.push(text(x, boards.top - 31, 13, Align::Middle, &nth.to_string()).set("class", "faint i"));
        labels.push(
            text(boards.left + far + 31, y, 13, Align::Middle, &nth.to_string()).set("class", "faint i"),
        );
    }
    group(labels)
}

fn token(boards: Boards, piece: &game::Piece) -> Option<Element> {
    let spot = Spot::of(piece.place.as_ref()?)?;
    let (x, y) = boards.middle(spot);
    let place = spot.name();
    let side = if piece.side() == game::Side::Black { "Black" } else { "White" };
    let token = shapes::place(pieces::token(piece.side(), piece.kind()), x, y, TOKEN);
    let token =
        token.set("id", format!("piece-{place}")).set("data-piece", &place).set("data-square", &place);
    Some(token.named(&format!("{side} {} on {place}", name(piece.kind()))))
}

/// Returns the existing places that a fact is about.
fn touched(fact: &Fact) -> Vec<Spot> {
    words::touched(fact).iter().filter_map(Spot::of).collect()
}

fn own(fact: &Fact) -> Option<&game::fact::Fact> {
    match fact.game.as_ref()? {
        fact::Game::LudusMagus(game::Fact { fact }) => fact.as_ref(),
        _ => None,
    }
}

/// Draws the arrows of a fact: the path of each piece that moved.
fn arrows(boards: Boards, fact: &Fact) -> Vec<Element> {
    use game::fact::Fact as Kind;
    let from = |piece: &Option<game::Piece>| piece.as_ref().and_then(|piece| piece.place);
    let stops = match own(fact) {
        Some(Kind::Moved(moved)) => vec![from(&moved.piece), moved.over, moved.to],
        Some(Kind::Summoned(summoned)) => vec![from(&summoned.piece), summoned.to],
        Some(Kind::Swapped(swapped)) => vec![swapped.famulus, swapped.magus, swapped.famulus],
        _ => Vec::new(),
    };
    let stops: Vec<Spot> = stops.into_iter().flatten().filter_map(|place| Spot::of(&place)).collect();
    let arrow = |pair: &[Spot]| shapes::arrow(boards.middle(pair[0]), boards.middle(pair[1]), 19);
    stops.windows(2).map(arrow).collect()
}

/// Draws what a fact warns of: a captured piece whose place is empty now, or a bound Magus.
fn loss(boards: Boards, board: &game::View, fact: &Fact) -> Option<Element> {
    match own(fact)? {
        game::fact::Fact::Captured(captured) => {
            let spot = Spot::of(captured.piece.as_ref()?.place.as_ref()?)?;
            let is_taken = |piece: &game::Piece| piece.place.as_ref().and_then(Spot::of) == Some(spot);
            let (x, y) = boards.middle(spot);
            let cross = || shapes::place(shapes::cross("alarm-line"), x, y, 34);
            (!board.pieces.iter().any(is_taken)).then(cross)
        }
        game::fact::Fact::Bound(bound) => {
            let (x, y) = boards.middle(Spot::of(bound.magus.as_ref()?.place.as_ref()?)?);
            let ring = circle(x, y, 23).set("class", "alarm-line").set("fill", "none");
            Some(ring.set("stroke-width", 5).set("stroke-dasharray", "8 4"))
        }
        _ => None,
    }
}

/// Returns the remarks as sentences.
fn remarks(board: &game::View) -> impl Iterator<Item = String> {
    words::remarks(board).into_iter().map(|remark| {
        let (first, rest) = remark.split_at(1);
        format!("{}{rest}.", first.to_uppercase())
    })
}

fn describe(view: &View, board: &game::View, remarks: &[String]) -> String {
    let pieces = |side: game::Side, seat: u32| {
        let own = board.pieces.iter().filter(|piece| piece.side() == side);
        let placed = own.filter_map(|piece| {
            Some(format!("{} {}", name(piece.kind()), Spot::of(piece.place.as_ref()?)?.name()))
        });
        format!("{} has {}.", seats::title(&view.seats, seat), placed.collect::<Vec<_>>().join("; "))
    };
    let mut description =
        format!("{} {} {}", frame::spoken(view), pieces(game::Side::White, 0), pieces(game::Side::Black, 1));
    for remark in remarks.iter().filter(|_| view.status() != MatchStatus::Over) {
        description.push_str(&format!(" {remark}"));
    }
    description
}
