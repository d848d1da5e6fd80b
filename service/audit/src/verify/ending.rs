//! How a match may end, as far as that needs no rules. Those who have them judge it again.

use event::{Seat, Seats};
use replay::{ProposalKind, result_to_log};
use wire::ServiceReason;
use wire::log::v1 as log;

use super::outline::{Outline, Stage};

impl Outline {
    /// Returns whether the match can end here, by these means, with this result.
    pub(super) fn may_end(&self, ended: &log::MatchEnded, result: &log::MatchResult) -> bool {
        let reason = ServiceReason::parse(&result.reason);
        match (ended.ended_by(), ended.seat.and_then(Seat::from_number)) {
            (log::EndedBy::Rules, None) => {
                self.has_just_moved && reason.is_none() && self.is_any_result(result)
            }
            (log::EndedBy::Seat, Some(seat)) => self.may_end_by_seat(seat, reason, result),
            (log::EndedBy::Service, None) => self.may_end_by_deadline(reason, result),
            _ => false,
        }
    }

    fn may_end_by_seat(&self, seat: Seat, reason: Option<ServiceReason>, result: &log::MatchResult) -> bool {
        match reason {
            Some(ServiceReason::Resignation) => {
                self.stage == Stage::Running && self.is_won_by(self.seats.without(Seats::only(seat)), result)
            }
            Some(ServiceReason::Agreement) => {
                let is_asked = self.proposals.may_answer(ProposalKind::Draw, seat);
                self.stage == Stage::Running && is_asked && self.is_won_by(Seats::NONE, result)
            }
            Some(ServiceReason::Aborted) => {
                let in_time = !self.has_started || !self.has_moved && !self.has_chance;
                self.claimed.contains(seat) && in_time && is_called_off(result)
            }
            Some(ServiceReason::Time | ServiceReason::Expired) | None => false,
        }
    }

    fn may_end_by_deadline(&self, reason: Option<ServiceReason>, result: &log::MatchResult) -> bool {
        match reason {
            // Whose clock ran is for the rules to say.
            Some(ServiceReason::Time) => {
                self.stage == Stage::Running && self.has_clocks && self.is_any_result(result)
            }
            Some(ServiceReason::Expired) => {
                self.stage == Stage::Open && self.claimed != self.seats && is_called_off(result)
            }
            Some(ServiceReason::Resignation | ServiceReason::Agreement | ServiceReason::Aborted) | None => {
                false
            }
        }
    }

    /// Returns whether a result is any win or draw: the winners share the first rank, the others the next.
    fn is_any_result(&self, result: &log::MatchResult) -> bool {
        let first = result.standings.iter().filter(|standing| standing.rank == 1);
        let winners: Seats = first.filter_map(|standing| Seat::from_number(standing.seat?)).collect();
        let is_win = winners != self.seats && !winners.is_empty() && self.is_won_by(winners, result);
        is_win || self.is_won_by(Seats::NONE, result)
    }

    /// Returns whether a result is that these seats won, or a draw if there are none.
    fn is_won_by(&self, winners: Seats, result: &log::MatchResult) -> bool {
        result_to_log(self.seats.len(), winners, &result.reason) == *result
    }
}

fn is_called_off(result: &log::MatchResult) -> bool {
    result.outcome() == log::Outcome::None
}
