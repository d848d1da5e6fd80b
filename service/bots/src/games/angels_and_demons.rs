//! The worth of a choice in Angels and Demons: the spaces it gains on average, with the other side more
//! likely to choose what is good for itself.

use rules::Side;
use wire::games::angels_and_demons::v1::{Cover, Move, View};

/// Choices within this margin of the best, in hundredths of a space, count as equals: always taking the very
/// best would be predictable.
pub(crate) const MARGIN: i32 = 200;

/// The expected gain of each choice in one position.
pub(crate) struct ExpectedGains {
    board: Board,
    /// Black spaces, weighted by how likely the other side chooses each.
    replies: Vec<(Space, i64)>,
}

type Space = (usize, usize);

/// The board from one seat's side: 1 for a space of its own, -1 for one of the other seat.
struct Board {
    rows: Vec<Vec<i64>>,
}

impl ExpectedGains {
    /// Weighs the replies of the other seat.
    pub(crate) fn new(view: &View, seat: Side) -> Self {
        let board = Board::new(view, seat);
        let theirs = Board::new(view, seat.other());
        let reply = |space| {
            let gain = theirs.gain(space, None).max(0);
            (space, 1 + gain * gain)
        };
        let replies = board.black().map(reply).collect();
        Self { board, replies }
    }

    /// Returns the expected gain of a choice in hundredths of a space, or `None` for a space off the board.
    pub(crate) fn score(&self, made: &Move) -> Option<i32> {
        let index = |number: u32| usize::try_from(number).ok()?.checked_sub(1);
        let own = (index(made.row)?, index(made.col)?);
        self.board.at(own)?;
        let weights: i64 = self.replies.iter().map(|(_, weight)| weight).sum();
        let expected: i64 =
            self.replies.iter().map(|(theirs, weight)| weight * self.board.gain(own, Some(*theirs))).sum();
        i32::try_from(100 * expected / weights.max(1)).ok()
    }
}

impl Board {
    fn new(view: &View, seat: Side) -> Self {
        let own = match seat {
            Side::Zero => Cover::Angel,
            Side::One => Cover::Demon,
        };
        let side = |cover: Cover| match cover {
            Cover::Empty | Cover::Unspecified => 0,
            cover if cover == own => 1,
            Cover::Angel | Cover::Demon => -1,
        };
        Self { rows: view.rows.iter().map(|row| row.spaces().map(side).collect()).collect() }
    }

    fn at(&self, (row, col): Space) -> Option<i64> {
        self.rows.get(row)?.get(col).copied()
    }

    fn black(&self) -> impl Iterator<Item = Space> {
        let spaces = self.rows.iter().enumerate();
        spaces
            .flat_map(|(row, spaces)| (0..spaces.len()).map(move |col| (row, col)))
            .filter(|(row, col)| (row + col) % 2 == 0)
    }

    /// Returns the change of one's own lead if these spaces are chosen (AD-6).
    fn gain(&self, own: Space, theirs: Option<Space>) -> i64 {
        let mut gain = 0;
        for space in neighbours(own) {
            let Some(now) = self.at(space) else { continue };
            let contested = theirs.is_some_and(|theirs| are_neighbours(space, theirs));
            gain += if contested { -now } else { 1 - now };
        }
        for space in theirs.into_iter().flat_map(neighbours) {
            let Some(now) = self.at(space) else { continue };
            if !are_neighbours(space, own) {
                gain += -1 - now;
            }
        }
        gain
    }
}

/// Returns the orthogonal neighbours; some may lie off the board.
fn neighbours((row, col): Space) -> [Space; 4] {
    [(row.wrapping_sub(1), col), (row + 1, col), (row, col.wrapping_sub(1)), (row, col + 1)]
}

fn are_neighbours(one: Space, two: Space) -> bool {
    one.0.abs_diff(two.0) + one.1.abs_diff(two.1) == 1
}

#[cfg(test)]
mod tests {
    use wire::games::angels_and_demons::v1::Row;

    use super::*;

    fn view(rows: &[&str]) -> View {
        let cover = |drawn: char| match drawn {
            'A' => Cover::Angel,
            'D' => Cover::Demon,
            _ => Cover::Empty,
        };
        let row = |row: &&str| Row { spaces: row.chars().map(|drawn| cover(drawn).into()).collect() };
        View { rows: rows.iter().map(row).collect(), ..View::default() }
    }

    #[test]
    fn a_choice_gains_empty_spaces_once_and_the_others_twice() {
        let board = view(&[".D...", "D....", ".....", ".....", "....."]);
        let angels = Board::new(&board, Side::Zero);
        assert_eq!(angels.gain((0, 0), None), 4);
        assert_eq!(angels.gain((1, 1), None), 6);
        // All four spaces are contested: the only gain is the spaces that become empty.
        assert_eq!(angels.gain((1, 1), Some((1, 1))), 2);
        assert_eq!(Board::new(&board, Side::One).gain((1, 1), None), 2);
    }

    #[test]
    fn spaces_off_the_board_have_no_score_whatever_the_view() {
        let gains = ExpectedGains::new(&view(&["...", "...", "..."]), Side::Zero);
        assert!(gains.score(&Move { row: 2, col: 2 }) > gains.score(&Move { row: 1, col: 1 }));
        for (row, col) in [(0, 0), (4, 4), (u32::MAX, 1)] {
            assert_eq!(gains.score(&Move { row, col }), None);
        }
        assert_eq!(ExpectedGains::new(&View::default(), Side::One).score(&Move { row: 1, col: 1 }), None);
    }
}
