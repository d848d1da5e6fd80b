//! The seats of a rematch are reserved for the players of the match before it: each seat that had a player
//! there can be claimed with that player's token of that match, or by the owner's API key, by nobody else.

use event::{MatchId, Seat};
use replay::{MatchPhase, Position};
use wire::v1::ErrorReason;

use crate::access::Party;
use crate::live::LiveHead;
use crate::refusal::{Needed, of_read_error};
use crate::registration::Registration;
use crate::{Caller, Play, Refusal};

/// A caller that wants to claim a seat.
pub(super) struct Claimant {
    /// The caller in the match whose seat it claims: without a token that is of the match before.
    pub caller: Caller,
    pub party: Party,
    before: Option<Before>,
}

/// The match before a rematch.
struct Before {
    match_id: MatchId,
    registration: Registration,
    /// The seat of the rematch that the caller's token of the match before entitles it to.
    entitled_to: Option<Seat>,
}

/// Returns the seat that the holder of a seat has in the rematch: the next one, after the last the first.
pub(in crate::use_cases) fn seat_in_rematch(position: &Position, seat: Seat) -> Seat {
    position.seats().find(|other| other > &seat).unwrap_or(Seat::ALL[0])
}

impl Play {
    /// Returns the match other than this one whose seat the caller holds, if its token names one. Its rematch
    /// is known to the caller, also if it is private.
    pub(super) async fn match_before(
        &self,
        caller: &Caller,
        match_id: MatchId,
    ) -> Result<Option<MatchId>, Refusal> {
        let holder = caller.seat_token().and_then(|token| self.access.seat_tokens().holder(token));
        let Some(before) = holder.map(|holder| holder.match_id).filter(|id| *id != match_id) else {
            return Ok(None);
        };
        let row = self.journal.match_row(before).await.map_err(of_read_error)?;
        let held = row.and_then(|row| self.access.seat_held(caller, &Registration::of_row(&row)));
        Ok(held.map(|_| before))
    }

    /// Returns what a caller is to a match in which it wants a seat.
    pub(super) async fn claimant(&self, caller: &Caller, head: &LiveHead) -> Result<Claimant, Refusal> {
        let Some(match_id) = head.position.rematch_of() else {
            let party = self.access.party(caller, head)?;
            return Ok(Claimant { caller: caller.clone(), party, before: None });
        };
        // Over, so its tokens do not change any more.
        let row = self.journal.match_row(match_id).await.map_err(of_read_error)?;
        let registration = Registration::of_row(&row.ok_or_else(|| is_missing(match_id, head))?);
        let held = self.access.seat_held(caller, &registration);
        let entitled_to = held.map(|seat| seat_in_rematch(&head.position, seat));
        let before = Some(Before { match_id, registration, entitled_to });
        if entitled_to.is_none() {
            let party = self.access.party(caller, head)?;
            return Ok(Claimant { caller: caller.clone(), party, before });
        }
        let party = self.access.party_of_player_before(caller, head)?;
        Ok(Claimant { caller: caller.without_seat_token(), party, before })
    }
}

impl Claimant {
    /// Returns whether the caller proved that the seat is reserved for it.
    pub(super) fn is_entitled_to(&self, seat: Seat) -> bool {
        self.before.as_ref().is_some_and(|before| before.entitled_to == Some(seat))
    }

    /// Returns the owning app's id of the player whose token of the match before the caller sent, for a claim
    /// of the seat that the token entitles it to. An erased player has none.
    pub(super) fn player_id_before(&self, rematch: &Position, seat: Seat) -> Option<String> {
        let before = self.before.as_ref().filter(|before| before.entitled_to == Some(seat))?;
        let player = before.player_of(rematch, seat)?;
        before.registration.player(player)?.player_id.clone()
    }

    /// Refuses a seat that is reserved for another caller and not claimed yet.
    pub(super) fn check_reservation(&self, head: &LiveHead, seat: Seat) -> Result<(), Refusal> {
        let Some(before) = &self.before else { return Ok(()) };
        let is_open = matches!(head.position.phase(), MatchPhase::Open);
        if !is_open || head.position.seating(seat).is_some() || self.party.is_owner() {
            return Ok(());
        }
        let Some(player) = before.player_of(&head.position, seat) else { return Ok(()) };
        if before.entitled_to == Some(seat) {
            return Ok(());
        }
        let sent_token = before.entitled_to.is_some() || self.party.seat().is_some();
        Err(reserved(before.match_id, player, sent_token))
    }
}

impl Before {
    /// Returns the seat whose player a seat of the rematch is reserved for, if it was ever claimed.
    fn player_of(&self, rematch: &Position, seat: Seat) -> Option<Seat> {
        let claimed = self.registration.tokens.iter().filter(|(_, token)| token.hash.is_some());
        claimed.map(|(player, _)| player).find(|player| seat_in_rematch(rematch, *player) == seat)
    }
}

fn reserved(before: MatchId, player: Seat, sent_token: bool) -> Refusal {
    let seat = player.number();
    let message = format!(
        "the seat is reserved for the player who had seat {seat} in match {before}, of which this is the \
         rematch; send that seat's token as `matchbook-seat-token: TOKEN`, or the API key that owns the match"
    );
    let refusal = match sent_token {
        true => Refusal::not_allowed(&[Needed::SeatToken, Needed::OwnerKey], message),
        false => Refusal::new(ErrorReason::MissingToken, message),
    };
    refusal.with("rematch_of", before).with("seat", seat)
}

fn is_missing(before: MatchId, head: &LiveHead) -> Refusal {
    tracing::error!(match.id = %head.match_id(), rematch_of = %before, "the match before is missing");
    Refusal::internal()
}
