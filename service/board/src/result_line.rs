//! How a match ended, in one line.

use wire::v1::{Result as MatchResult, Seat, SeatStatus, View, game_view};

use crate::{printable, seats};

/// How the match ended, with the counts of the last position; says so if it has
/// not ended.
pub fn result_line(view: &View) -> String {
    let Some(result) = &view.result else { return "The match is not over.".to_owned() };
    let score = view.game.as_ref().and_then(|game| game.game.as_ref()).and_then(|game| match game {
        game_view::Game::AngelsAndDemons(board) => Some((board.angels, board.demons)),
        game_view::Game::CresnovianChess(board) => board.player_one_q.zip(board.player_two_q),
        game_view::Game::AceExorcist(_) | game_view::Game::LudusMagus(_) => None,
    });
    in_words(result, &view.seats, score)
}

/// The result alone, with the counts (seat 0's, seat 1's) where they are known.
pub(crate) fn in_words(result: &MatchResult, seats: &[SeatStatus], score: Option<(u32, u32)>) -> String {
    let why = match (result.reason.as_str(), score) {
        ("count", Some((zero, one))) => format!("{} spaces to {}", zero.max(one), zero.min(one)),
        ("count", None) => "more spaces".to_owned(),
        ("equal-count", Some((zero, _))) => format!("{zero} spaces each"),
        ("equal-count", None) => "equal counts".to_owned(),
        ("ritual", _) => "the ritual is complete".to_owned(),
        ("hit-points", _) => "no hit points are left".to_owned(),
        ("stack", _) => "a draw stack is empty".to_owned(),
        ("kingdom-lost", Some((zero, one))) => format!("{}Q to 0Q", zero.max(one)),
        ("kingdom-lost", None) => "the other kingdom has no Q left".to_owned(),
        ("both-kingdoms-lost", _) => "no Q left in either kingdom".to_owned(),
        ("magus-captured", _) => "the Magus is captured".to_owned(),
        ("bind", _) => "the Magus is bound".to_owned(),
        ("no-move", _) => "no legal move".to_owned(),
        ("repetition", _) => "the same position for the third time".to_owned(),
        ("quiet", _) => "too long without a capture".to_owned(),
        ("max-turns", _) => "the last turn is taken".to_owned(),
        ("time", _) => "out of time".to_owned(),
        ("resignation", _) => "the other side gave up".to_owned(),
        ("agreement", _) => "by agreement".to_owned(),
        ("aborted", _) => "called off before it had begun".to_owned(),
        ("expired", _) => "not started in time".to_owned(),
        (other, _) => printable(other),
    };
    match winner(result) {
        Some(seat) => format!("Winner: {}, {why}", seats::title_and_name(seats, seat)),
        // These endings have no winner and are no draw either.
        None if matches!(result.reason.as_str(), "aborted" | "expired") => format!("Nobody wins: {why}"),
        None => format!("Draw, {why}"),
    }
}

fn winner(result: &MatchResult) -> Option<Seat> {
    result.winner.and_then(|winner| Seat::try_from(winner).ok()).filter(|seat| *seat != Seat::Unspecified)
}
