//! What a choice in Angels and Demons is worth: the covered spaces that it gains on
//! average, where the other side rather chooses what is good for itself.

use replay::Seat;
use wire::games::angels_and_demons::v1::{Cover, Move, View};

/// Choices that differ by no more than that, in hundredths of a space, are equals:
/// who always takes the very best is easy to foresee.
pub(super) const MARGIN: i32 = 200;

/// What can be hoped for from each choice in one position.
pub(super) struct Hopes {
    field: Field,
    /// Black spaces and how likely the other side takes each, as weights.
    answers: Vec<(Space, i64)>,
}

type Space = (usize, usize);

/// The board as one seat sees it: 1 for a space of its own, -1 for the other's.
struct Field {
    rows: Vec<Vec<i64>>,
}

impl Hopes {
    /// Looks at the board from this seat.
    pub(super) fn of(view: &View, seat: Seat) -> Self {
        let field = Field::seen(view, seat);
        let theirs = Field::seen(view, seat.other());
        let answer = |space| {
            let gain = theirs.gain(space, None).max(0);
            (space, 1 + gain * gain)
        };
        let answers = field.black().map(answer).collect();
        Self { field, answers }
    }

    /// How much the choice is expected to gain, in hundredths of a space; none for a
    /// space off the board.
    pub(super) fn score(&self, made: &Move) -> Option<i32> {
        let index = |number: u32| usize::try_from(number).ok()?.checked_sub(1);
        let own = (index(made.row)?, index(made.col)?);
        self.field.at(own)?;
        let weights: i64 = self.answers.iter().map(|(_, weight)| weight).sum();
        let hoped: i64 =
            self.answers.iter().map(|(theirs, weight)| weight * self.field.gain(own, Some(*theirs))).sum();
        i32::try_from(100 * hoped / weights.max(1)).ok()
    }
}

impl Field {
    fn seen(view: &View, seat: Seat) -> Self {
        let own = match seat {
            Seat::Zero => Cover::Angel,
            Seat::One => Cover::Demon,
        };
        let seen = |cover: Cover| match cover {
            Cover::Empty | Cover::Unspecified => 0,
            cover if cover == own => 1,
            Cover::Angel | Cover::Demon => -1,
        };
        Self { rows: view.rows.iter().map(|row| row.spaces().map(seen).collect()).collect() }
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

    /// What changes in one's own lead if these spaces are chosen (AD-6).
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

/// The orthogonal neighbours; some may lie off the board.
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
    fn a_choice_gains_what_is_empty_and_twice_what_is_the_others() {
        let board = view(&[".D...", "D....", ".....", ".....", "....."]);
        let angels = Field::seen(&board, Seat::Zero);
        assert_eq!(angels.gain((0, 0), None), 4);
        assert_eq!(angels.gain((1, 1), None), 6);
        // All four of its spaces are contested: both gain nothing but what empties.
        assert_eq!(angels.gain((1, 1), Some((1, 1))), 2);
        assert_eq!(Field::seen(&board, Seat::One).gain((1, 1), None), 2);
    }

    #[test]
    fn spaces_off_the_board_have_no_score_and_no_view_is_too_odd() {
        let hopes = Hopes::of(&view(&["...", "...", "..."]), Seat::Zero);
        assert!(hopes.score(&Move { row: 2, col: 2 }) > hopes.score(&Move { row: 1, col: 1 }));
        for (row, col) in [(0, 0), (4, 4), (u32::MAX, 1)] {
            assert_eq!(hopes.score(&Move { row, col }), None);
        }
        assert_eq!(Hopes::of(&View::default(), Seat::One).score(&Move { row: 1, col: 1 }), None);
    }
}
