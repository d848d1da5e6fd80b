//! The result of a match in one line.

use wire::v1::{MatchResult, SeatStatus, View, game_view};
use wire::{
    AceExorcistReason, AngelsAndDemonsReason, CresnovianChessReason, EndReason, GameKind, LudusMagusReason,
    ServiceReason,
};

use super::counted;
use super::seats;
use crate::printable;

/// Describes how the match ended, with the scores of the last position, or says that it is not over.
pub fn result_line(view: &View) -> String {
    let Some(result) = &view.result else { return "The match is not over.".to_owned() };
    in_words(result, GameKind::of_view(view), &view.seats, score(view))
}

/// Returns the scores of seat 0 and seat 1, spaces or Q; `None` in games without a score.
fn score(view: &View) -> Option<(u32, u32)> {
    match view.game_view.as_ref()?.game.as_ref()? {
        game_view::Game::AngelsAndDemons(board) => Some((board.angels, board.demons)),
        game_view::Game::CresnovianChess(board) => board.player_one_q.zip(board.player_two_q),
        game_view::Game::AceExorcist(_) | game_view::Game::LudusMagus(_) => None,
    }
}

/// Describes a result, with the scores of seat 0 and seat 1 where they are known.
pub(super) fn in_words(
    result: &MatchResult,
    game: Option<GameKind>,
    seats: &[SeatStatus],
    score: Option<(u32, u32)>,
) -> String {
    let reason = EndReason::parse(game, &result.reason);
    let why = reason.map_or_else(|| printable(&result.reason), |reason| why(reason, score));
    let is_void = matches!(reason, Some(EndReason::Service(reason)) if reason.is_void());
    match winner(result) {
        Some(seat) => format!("Winner: {}, {why}", seats::title_and_name(seats, seat)),
        None if is_void => format!("Nobody wins: {why}"),
        None => format!("Draw, {why}"),
    }
}

fn why(reason: EndReason, score: Option<(u32, u32)>) -> String {
    match reason {
        EndReason::Service(reason) => by_service(reason).to_owned(),
        EndReason::AngelsAndDemons(reason) => angels_and_demons(reason, score),
        EndReason::AceExorcist(reason) => ace_exorcist(reason).to_owned(),
        EndReason::CresnovianChess(reason) => cresnovian_chess(reason, score),
        EndReason::LudusMagus(reason) => ludus_magus(reason).to_owned(),
    }
}

const fn by_service(reason: ServiceReason) -> &'static str {
    match reason {
        ServiceReason::Resignation => "the other side gave up",
        ServiceReason::Agreement => "by agreement",
        ServiceReason::Time => "out of time",
        ServiceReason::Aborted => "called off before it had begun",
        ServiceReason::Expired => "not started in time",
    }
}

fn angels_and_demons(reason: AngelsAndDemonsReason, score: Option<(u32, u32)>) -> String {
    match (reason, score) {
        (AngelsAndDemonsReason::Count, Some((zero, one))) => {
            format!("{} to {}", counted(zero.max(one), "space", "spaces"), zero.min(one))
        }
        (AngelsAndDemonsReason::Count, None) => "more spaces".to_owned(),
        (AngelsAndDemonsReason::EqualCount, Some((zero, _))) => {
            format!("{} each", counted(zero, "space", "spaces"))
        }
        (AngelsAndDemonsReason::EqualCount, None) => "equal counts".to_owned(),
    }
}

const fn ace_exorcist(reason: AceExorcistReason) -> &'static str {
    match reason {
        AceExorcistReason::Ritual => "the ritual is complete",
        AceExorcistReason::HitPoints => "no hit points are left",
        AceExorcistReason::Stack => "a draw stack is empty",
        AceExorcistReason::Repetition => "the same position for the third time",
    }
}

fn cresnovian_chess(reason: CresnovianChessReason, score: Option<(u32, u32)>) -> String {
    match (reason, score) {
        (CresnovianChessReason::KingdomLost, Some((zero, one))) => format!("{}Q to 0Q", zero.max(one)),
        (CresnovianChessReason::KingdomLost, None) => "the other kingdom has no Q left".to_owned(),
        (CresnovianChessReason::BothKingdomsLost, _) => "no Q left in either kingdom".to_owned(),
        (CresnovianChessReason::MaxTurns, _) => "the last turn is taken".to_owned(),
    }
}

const fn ludus_magus(reason: LudusMagusReason) -> &'static str {
    match reason {
        LudusMagusReason::MagusCaptured => "the Magus is captured",
        LudusMagusReason::Bind => "the Magus is bound",
        LudusMagusReason::NoMove => "no legal move",
        LudusMagusReason::Repetition => "the same position for the third time",
        LudusMagusReason::Quiet => "too long without a capture",
        LudusMagusReason::MaxTurns => "the last turn is taken",
    }
}

fn winner(result: &MatchResult) -> Option<u32> {
    result.winner()
}
