//! A builder of positions of Angels and Demons.

use wire::games::angels_and_demons::v1 as game;
use wire::v1::{
    Event, Fact, GameView, MatchResult, MatchStatus, Move, Outcome, Player, RevealedMove, SeatStatus,
    Standing, TurnRevealed, View, Viewer, event, fact, game_view, r#move,
};

/// A view under construction.
pub(crate) struct Position {
    view: View,
}

impl Position {
    /// Turn 4 of 20 on an 8 x 8 board, both seats to move, for a spectator.
    pub(crate) fn running() -> Self {
        let mut rows = empty(8, 8);
        for (row, col) in [(3, 4), (4, 3), (5, 4), (8, 7), (1, 2)] {
            cover(&mut rows, row, col, game::Cover::Angel);
        }
        for (row, col) in [(2, 5), (3, 6), (7, 8)] {
            cover(&mut rows, row, col, game::Cover::Demon);
        }
        Self::of(rows)
    }

    /// An empty board.
    pub(crate) fn blank(row_count: usize, col_count: usize) -> Self {
        Self::of(empty(row_count, col_count))
    }

    /// A board with all white spaces covered by angels or demons.
    pub(crate) fn chequered(row_count: usize, col_count: usize) -> Self {
        let mut rows = empty(row_count, col_count);
        for row in 1..=row_count {
            for col in (1..=col_count).filter(|col| (row + col) % 2 == 1) {
                let what = if col % 3 == 0 { game::Cover::Demon } else { game::Cover::Angel };
                cover(&mut rows, row, col, what);
            }
        }
        Self::of(rows)
    }

    fn of(rows: Vec<game::Row>) -> Self {
        let count = |what: game::Cover| {
            rows.iter()
                .flat_map(game::Row::spaces)
                .filter(|space| *space == what)
                .count()
                .try_into()
                .expect("a board has few spaces")
        };
        let board = game::View {
            turn: 4,
            turns: 20,
            angels: count(game::Cover::Angel),
            demons: count(game::Cover::Demon),
            rows,
            ..game::View::default()
        };
        let both = vec![0, 1];
        Self {
            view: View {
                match_id: "0190b5a0-0000-7000-8000-000000000000".to_owned(),
                seq: 10,
                status: MatchStatus::Running.into(),
                viewer: Some(Viewer::spectator()),
                seats: seats("Gabriel", "Lilith"),
                to_act: both,
                game_view: Some(GameView { game: Some(game_view::Game::AngelsAndDemons(board)) }),
                ..View::default()
            },
        }
    }

    pub(crate) fn viewer(mut self, viewer: Viewer) -> Self {
        self.view.viewer = viewer.into();
        self
    }

    pub(crate) fn status(mut self, status: MatchStatus) -> Self {
        self.view.status = status.into();
        self
    }

    pub(crate) fn named(mut self, zero: &str, one: &str) -> Self {
        self.view.seats = seats(zero, one);
        self
    }

    pub(crate) fn free(mut self, seat: u32) -> Self {
        let status = self
            .view
            .seats
            .iter_mut()
            .find(|status| status.seat == Some(seat))
            .expect("the view has both seats");
        status.claimed = false;
        status.player = None;
        self
    }

    pub(crate) fn without_board(mut self) -> Self {
        self.view.game_view = None;
        self
    }

    pub(crate) fn own_choice(mut self, row: u32, col: u32) -> Self {
        let Some(GameView { game: Some(game_view::Game::AngelsAndDemons(board)) }) = &mut self.view.game_view
        else {
            panic!("no board");
        };
        board.own_choice = Some(game::Space { row, col });
        self
    }

    pub(crate) fn sealed(mut self, seat: u32) -> Self {
        self.view.sealed = vec![seat];
        self.view.to_act.retain(|acting| *acting != seat);
        self
    }

    pub(crate) fn over(mut self, winner: Option<u32>, reason: &str) -> Self {
        self.view.status = MatchStatus::Over.into();
        self.view.to_act.clear();
        self.view.result = Some(result(winner, reason));
        self
    }

    pub(crate) fn view(self) -> View {
        self.view
    }
}

/// Returns the seats of a match with these players.
pub(crate) fn seats(zero: &str, one: &str) -> Vec<SeatStatus> {
    let seat = |seat: u32, title: &str, name: &str| SeatStatus {
        seat: Some(seat),
        title: title.to_owned(),
        claimed: true,
        player: Some(Player::named(name)),
    };
    vec![seat(0, "Angels", zero), seat(1, "Demons", one)]
}

/// Returns the reveal of a turn in which the Angels chose `zero` and the Demons `one`.
pub(crate) fn reveal(zero: (u32, u32), one: (u32, u32)) -> Event {
    let revealed = |seat: u32, (row, col): (u32, u32)| RevealedMove {
        seat: Some(seat),
        r#move: Some(Move { game: Some(r#move::Game::AngelsAndDemons(game::Move { row, col })) }),
        notation: format!("{row},{col}"),
    };
    let moves = vec![revealed(0, zero), revealed(1, one)];
    let kind = Some(event::Kind::TurnRevealed(TurnRevealed { moves }));
    Event { seq: 10, kind, ..Event::default() }
}

/// Returns the same reveal with the fact that ends turn 3.
pub(crate) fn resolved(zero: (u32, u32), one: (u32, u32)) -> Event {
    let end = game::TurnResolved { turn: 3, angels: 7, demons: 4 };
    let mut event = reveal(zero, one);
    event.facts.push(a_fact(game::fact::Fact::TurnResolved(end)));
    event
}

/// Wraps a fact of the game.
pub(crate) fn a_fact(what: game::fact::Fact) -> Fact {
    Fact { game: Some(fact::Game::AngelsAndDemons(game::Fact { fact: Some(what) })) }
}

fn empty(rows: usize, cols: usize) -> Vec<game::Row> {
    vec![game::Row { spaces: vec![game::Cover::Empty.into(); cols] }; rows]
}

fn cover(rows: &mut [game::Row], row: usize, col: usize, what: game::Cover) {
    rows[row - 1].spaces[col - 1] = what.into();
}

/// Returns the result of a match for two.
pub(crate) fn result(winner: Option<u32>, reason: &str) -> MatchResult {
    let outcome = match (winner, reason) {
        (_, "aborted" | "expired") => Outcome::None,
        (Some(_), _) => Outcome::Win,
        (None, _) => Outcome::Draw,
    };
    let rank = |seat: u32| if winner.is_none_or(|winner| winner == seat) { 1 } else { 2 };
    let standings = (0..2).filter(|_| outcome != Outcome::None);
    let standings = standings.map(|seat| Standing { seat: Some(seat), rank: rank(seat) });
    MatchResult { outcome: outcome.into(), standings: standings.collect(), reason: reason.to_owned() }
}
