//! The field of Sticky Cresnovian Chess: regions in the colours of their seats, pieces with their Q,
//! monuments, and the word.

use wire::games::cresnovian_chess::v1 as game;
use wire::v1::{Fact, fact};

use super::icons;
use super::token::{SQUARE, Token};
use crate::printable;
use crate::svg::element::{Align, Element, group, rect, text};
use crate::svg::{shapes, text_width};
use crate::words::cresnovian_chess::{code, name, umbration};

/// Distance between regions.
const REGION_GAP: i32 = 14;
/// Height of the names of the regions above the field.
const HEADING: i32 = 26;
/// The squares on which the pieces are placed at the start (CC-10).
const FOUNDATION: [(u32, u32); 9] = [(1, 1), (1, 9), (2, 1), (2, 9), (3, 1), (3, 4), (3, 5), (3, 6), (3, 9)];

/// A square's row and column.
type At = (u32, u32);

/// The field, the facts of the last turn, and its position in the drawing.
pub(super) struct Field<'a> {
    pub(super) board: &'a game::View,
    pub(super) facts: &'a [Fact],
    pub(super) left: i32,
    pub(super) top: i32,
}

impl Field<'_> {
    /// Width of the field.
    pub(super) const WIDTH: i32 = 9 * SQUARE.0 + 2 * REGION_GAP;
    /// Height of the field, with the names and numbers around it.
    pub(super) const HEIGHT: i32 = HEADING + 3 * SQUARE.1 + 22;

    /// Draws, back to front: labels, squares, arrows, monuments, the word, pieces.
    pub(super) fn draw(&self) -> Vec<Element> {
        let touched: Vec<At> = self.facts.iter().flat_map(|fact| self.touched(fact)).collect();
        let squares = (1..=3).flat_map(|row| (1..=9).map(move |col| (row, col)));
        let mut drawn = vec![self.labels()];
        drawn.extend(squares.map(|at| self.square(at, touched.contains(&at))));
        drawn.extend(self.facts.iter().filter_map(|fact| self.arrow(fact)));
        let Some(field) = &self.board.field else { return drawn };
        drawn.extend(field.monuments.iter().filter_map(|monument| self.monument(monument)));
        drawn.extend(field.word.iter().filter_map(|word| self.word(word)));
        drawn.extend(field.pieces.iter().filter_map(|piece| self.piece(piece, &touched)));
        drawn
    }

    fn labels(&self) -> Element {
        let middle = |col| self.corner((1, col)).0 + SQUARE.0 / 2;
        let region =
            |col, name| text(middle(col), self.top + 10, 15, Align::Middle, name).set("class", "faint");
        let below = self.top + HEADING + 3 * SQUARE.1 + 12;
        let columns = (1..=9)
            .map(|col| text(middle(col), below, 14, Align::Middle, &col.to_string()).set("class", "faint"));
        let rows = (1..=3).flat_map(|row| {
            let y = self.corner((row, 1)).1 + SQUARE.1 / 2;
            let number = move |x| text(x, y, 14, Align::Middle, &row.to_string()).set("class", "faint");
            [number(self.left - 12), number(self.left + Self::WIDTH + 12)]
        });
        group([region(2, "Left Kingdom"), region(5, "World"), region(8, "Right Kingdom")])
            .add_all(columns)
            .add_all(rows)
    }

    /// Returns the upper left corner of a square.
    fn corner(&self, (row, col): At) -> (i32, i32) {
        let steps = |number: u32| i32::try_from(number.clamp(1, 9)).unwrap_or(1) - 1;
        let gaps = steps(col) / 3 * REGION_GAP;
        (self.left + steps(col) * SQUARE.0 + gaps, self.top + HEADING + steps(row) * SQUARE.1)
    }

    fn middle(&self, at: At) -> (i32, i32) {
        let (x, y) = self.corner(at);
        (x + SQUARE.0 / 2, y + SQUARE.1 / 2)
    }

    fn square(&self, at: At, is_touched: bool) -> Element {
        let (x, y) = self.corner(at);
        let [soft, outline, _] = self.inks(at);
        let ground = if is_touched { "mark" } else { soft };
        let back = rect(x + 1, y + 1, SQUARE.0 - 2, SQUARE.1 - 2).set("rx", 6);
        let name = format!("{},{}", at.0, at.1);
        group([back.set("class", format!("{ground} {outline}"))])
            .add_all(self.home(at))
            .set("id", format!("square-{name}"))
            .set("data-square", &name)
            .named(&name)
    }

    /// Draws a house on the blank home of a piece, or, before the placement, on the squares where pieces can
    /// be placed.
    fn home(&self, at: At) -> Option<Element> {
        let (x, y) = self.middle(at);
        let house = shapes::place(icons::home(), x, y - 6, 20);
        let field = self.board.field.as_ref()?;
        if field.pieces.is_empty() {
            return FOUNDATION.contains(&at).then_some(house);
        }
        let owner = field.pieces.iter().find(|piece| place(piece.home.as_ref()) == Some(at))?;
        let is_there = |piece: &game::Piece| place(piece.square.as_ref()) == Some(at);
        let is_blank = !field.pieces.iter().any(is_there)
            && !field.monuments.iter().any(|monument| place(monument.square.as_ref()) == Some(at))
            && !field.word.iter().any(|word| place(word.square.as_ref()) == Some(at));
        let name = text(x, y + 16, 14, Align::Middle, code(owner.umbration())).set("class", "faint");
        is_blank.then(|| group([house, name]))
    }

    /// Returns the classes of ground, outline and full colour of a square's region.
    fn inks(&self, (_, col): At) -> [&'static str; 3] {
        match self.owner(col) {
            Some(1) => ["one-soft", "one-line", "one"],
            Some(_) => ["zero-soft", "zero-line", "zero"],
            None => ["none-soft", "none-line", "faint"],
        }
    }

    /// Returns the seat whose kingdom contains a column; `None` for the World and before kingdoms are chosen.
    fn owner(&self, col: u32) -> Option<u32> {
        self.board.player_two_kingdom?;
        let is_left_two = self.board.player_two_kingdom() == game::Kingdom::Left;
        match col {
            1..=3 if is_left_two => Some(1),
            7..=9 if !is_left_two => Some(1),
            4..=6 => None,
            _ => Some(0),
        }
    }

    fn piece(&self, piece: &game::Piece, touched: &[At]) -> Option<Element> {
        let at = place(piece.square.as_ref())?;
        let (x, y) = self.corner(at);
        let [_, outline, ink] = self.inks(at);
        let condition = piece.condition.unwrap_or_default();
        let token = Token { umbration: piece.umbration(), condition, outline, ink };
        let ground = match condition.q {
            _ if touched.contains(&at) => "mark",
            0 => "dim",
            _ => "bright",
        };
        let square = format!("{},{}", at.0, at.1);
        let status = status_suffix(condition.status());
        let name = format!("{} on {square}, {}Q{status}", name(piece.umbration()), condition.q);
        let drawn =
            token.draw(x, y, ground).add_all(self.warning(piece.umbration(), x + SQUARE.0 - 20, y + 22));
        Some(drawn.set("data-square", &square).named(&name))
    }

    /// Draws a padlock on the piece that may not travel, and a barred ring on the one that may not repeat
    /// what was rewound.
    fn warning(&self, warned: game::Umbration, x: i32, y: i32) -> Option<Element> {
        use game::deed::Deed;
        let forbidden = self.board.forbidden.as_ref().and_then(|forbidden| forbidden.deed.as_ref());
        if let Some(Deed::Travel(piece) | Deed::Perform(piece)) = forbidden
            && umbration(*piece) == warned
        {
            return Some(shapes::place(shapes::forbidden("alarm-line"), x, y, 24));
        }
        let is_locked = self.board.locked.is_some() && self.board.locked() == warned;
        is_locked.then(|| shapes::place(shapes::padlock("alarm", "alarm-line"), x, y, 24))
    }

    fn monument(&self, monument: &game::Placement) -> Option<Element> {
        let at = place(monument.square.as_ref())?;
        let (x, y) = self.middle(at);
        let umbration = monument.umbration();
        let name = format!("monument of {} on {},{}", name(umbration), at.0, at.1);
        let parts = [
            shapes::place(icons::monument(), x, y - 9, 48),
            text(x, y + 27, 15, Align::Middle, code(umbration)).set("class", "ink b"),
        ];
        Some(group(parts).set("data-square", format!("{},{}", at.0, at.1)).named(&name))
    }

    fn word(&self, word: &game::FieldWord) -> Option<Element> {
        let at = place(word.square.as_ref())?;
        let (x, y) = self.corner(at);
        let written = printable(&word.word);
        let (width, height) = (SQUARE.0 - 8, 34);
        let scroll = rect(x + 4, y + (SQUARE.1 - height) / 2, width, height).set("rx", 4);
        let shown = text_width::truncate(&written, 15, width - 6);
        let parts = [
            scroll.set("class", "bright ink-line").set("stroke-width", 2),
            text(x + SQUARE.0 / 2, y + SQUARE.1 / 2, 15, Align::Middle, &shown).set("class", "ink i"),
        ];
        let name = format!("the word \u{201c}{written}\u{201d} on {},{}", at.0, at.1);
        Some(group(parts).set("data-square", format!("{},{}", at.0, at.1)).named(&name))
    }

    /// Returns the squares that a fact is about, including those of pieces that changed.
    fn touched(&self, fact: &Fact) -> Vec<At> {
        use game::fact::Fact as Kind;
        let pieces = |touched: game::Umbration| {
            let pieces = self.board.field.iter().flat_map(|field| &field.pieces);
            let at = |piece: &game::Piece| place(piece.square.as_ref());
            pieces.filter(|piece| piece.umbration() == touched).filter_map(at).collect::<Vec<At>>()
        };
        let squares = |squares: [&Option<game::Square>; 2]| {
            squares.into_iter().filter_map(|square| place(square.as_ref())).collect::<Vec<At>>()
        };
        match own_fact(fact) {
            Some(Kind::Traveled(moved)) => squares([&moved.origin, &moved.to]),
            Some(Kind::PieceMoved(moved)) => squares([&moved.origin, &moved.to]),
            Some(Kind::MonumentMoved(moved)) => squares([&moved.origin, &moved.to]),
            Some(Kind::Performed(performed)) => pieces(performed.performer()),
            Some(Kind::Repaired(repaired)) => pieces(repaired.piece()),
            Some(Kind::PieceChanged(changed)) => pieces(changed.piece()),
            Some(Kind::MonumentBuilt(placement) | Kind::MonumentDestroyed(placement)) => {
                squares([&placement.square, &None])
            }
            Some(Kind::WordLifted(word) | Kind::WordLaid(word)) => squares([&word.square, &None]),
            _ => Vec::new(),
        }
    }

    fn arrow(&self, fact: &Fact) -> Option<Element> {
        use game::fact::Fact as Kind;
        let (from, to) = match own_fact(fact)? {
            Kind::Traveled(moved) => (moved.origin, moved.to),
            Kind::PieceMoved(moved) => (moved.origin, moved.to),
            Kind::MonumentMoved(moved) => (moved.origin, moved.to),
            _ => return None,
        };
        let (from, to) = (place(from.as_ref())?, place(to.as_ref())?);
        Some(shapes::arrow(self.middle(from), self.middle(to), 32))
    }
}

/// Draws the nine pieces in a row below the field, while they are not placed yet.
pub(super) fn supply(left: i32, top: i32) -> Vec<Element> {
    let token = |(number, x): (i32, i32)| {
        let umbration = umbration(number);
        let condition = game::Condition { q: 3, status: game::Status::Whole.into() };
        let token = Token { umbration, condition, outline: "none-line", ink: "faint" };
        token.draw(x, top, "bright").named(name(umbration))
    };
    let gap = REGION_GAP / 4;
    (1..=9).zip((0..).map(|nth| left + gap + nth * (SQUARE.0 + gap))).map(token).collect()
}

/// Returns what a status adds to a piece's name.
pub(super) fn status_suffix(status: game::Status) -> &'static str {
    match status {
        game::Status::Broken => " broken",
        game::Status::Eternal => " eternal",
        game::Status::Whole | game::Status::Unspecified => "",
    }
}

/// Returns a fact of this game.
pub(super) fn own_fact(fact: &Fact) -> Option<&game::fact::Fact> {
    match fact.game.as_ref()? {
        fact::Game::CresnovianChess(game::Fact { fact }) => fact.as_ref(),
        _ => None,
    }
}

/// Returns the row and column of a square that exists.
fn place(square: Option<&game::Square>) -> Option<At> {
    square.map(|at| (at.row, at.col)).filter(|(row, col)| (1..=3).contains(row) && (1..=9).contains(col))
}
