//! Events in words, one line each.

use wire::GameKind;
use wire::v1::{
    Event, Fact, MoveMade, MoveSealed, ProposalAnswered, ProposalKind, ProposalMade, SeatClaimed, SeatStatus,
    event, fact,
};

use super::{
    ace_exorcist, angels_and_demons, cresnovian_chess, ludus_magus, match_start, result_line, seats,
};
use crate::printable;

/// Describes an event in one line without a line break. `game` is the match's game, if known; `seats` are
/// those of any view of the match, for the names of seats and players.
pub fn event_line(event: &Event, game: Option<GameKind>, seats: &[SeatStatus]) -> String {
    let title = |seat| seats::title(seats, seat);
    match &event.kind {
        Some(event::Kind::MatchCreated(created)) => match_start::match_created(created),
        Some(event::Kind::MatchForked(forked)) => match_start::match_forked(forked),
        Some(event::Kind::SeatTokenRotated(rotated)) => format!("{} got a new token", title(rotated.seat)),
        Some(event::Kind::ProposalMade(made)) => proposal_made(made, seats),
        Some(event::Kind::ProposalAnswered(answered)) => proposal_answered(answered, seats),
        Some(event::Kind::SeatClaimed(claimed)) => seat_claimed(claimed, seats),
        Some(event::Kind::MatchStarted(_)) => "The match begins".to_owned(),
        Some(event::Kind::MoveMade(made)) => move_made(made, &event.facts, seats),
        Some(event::Kind::MoveSealed(sealed)) => move_sealed(sealed, seats),
        Some(event::Kind::TurnRevealed(turn)) => angels_and_demons::turn_revealed(turn, &event.facts, seats),
        Some(event::Kind::MatchEnded(ended)) => match &ended.result {
            Some(result) => {
                format!("The match is over. {}", result_line::in_words(result, game, seats, None))
            }
            None => "The match is over".to_owned(),
        },
        None => "An event that this version does not know".to_owned(),
    }
}

fn proposal_made(made: &ProposalMade, seats: &[SeatStatus]) -> String {
    let title = seats::title(seats, made.seat);
    match made.kind() {
        ProposalKind::Draw => format!("{title} offered a draw"),
        ProposalKind::Takeback => format!("{title} asked for a takeback"),
        ProposalKind::Unspecified => format!("{title} made a proposal that this version does not know"),
    }
}

fn proposal_answered(answered: &ProposalAnswered, seats: &[SeatStatus]) -> String {
    let title = seats::title(seats, answered.seat);
    let verb = if answered.accepted { "accepted" } else { "declined" };
    match answered.kind() {
        ProposalKind::Draw => format!("{title} {verb} the draw"),
        ProposalKind::Takeback => {
            format!("{title} {verb} the takeback{}", taken_back(answered.moves_taken_back))
        }
        ProposalKind::Unspecified => format!("{title} {verb} a proposal that this version does not know"),
    }
}

fn taken_back(moves: u32) -> String {
    match moves {
        0 => String::new(),
        1 => ": the last move is taken back".to_owned(),
        moves => format!(": the last {moves} moves are taken back"),
    }
}

fn seat_claimed(claimed: &SeatClaimed, seats: &[SeatStatus]) -> String {
    format!("{}: {} took the seat", seats::title(seats, claimed.seat), seats::name(claimed.player.as_ref()))
}

fn move_sealed(sealed: &MoveSealed, seats: &[SeatStatus]) -> String {
    let title = seats::title(seats, sealed.seat);
    if sealed.notation.is_empty() {
        return format!("{title} chose in secret");
    }
    format!("{title} chose {} in secret", printable(&sealed.notation))
}

/// Describes a move with its effects. Ace Exorcist describes its moves by their facts, the other games by
/// notation.
fn move_made(made: &MoveMade, facts: &[Fact], seats: &[SeatStatus]) -> String {
    if let Some(line) = ace_exorcist::move_line(made, facts, seats) {
        return line;
    }
    let played = format!("{} played {}", seats::title(seats, made.seat), printable(&made.notation));
    played + &facts.iter().map(effect).collect::<String>()
}

/// Returns what a line adds for a fact, with its separator; empty for facts that the notation implies.
fn effect(fact: &Fact) -> String {
    match &fact.game {
        Some(fact::Game::CresnovianChess(fact)) => cresnovian_chess::effect(fact),
        Some(fact::Game::LudusMagus(fact)) => ludus_magus::effect(fact),
        Some(fact::Game::AngelsAndDemons(_) | fact::Game::AceExorcist(_)) | None => String::new(),
    }
}
