//! `ClaimSeat`: a player takes a seat and gets its token. The last claim starts the match.

use event::{MatchId, Seat};
use journal::PlayerRow;
use replay::{AppliedEvent, Entry, MatchPhase};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use super::reservation::Claimant;
use crate::access::{AccessControl, ClaimSecret, SeatToken, TokenGrant};
use crate::changes::{Call, Judgment};
use crate::live::{LiveHead, RequestKind};
use crate::preconditions::match_over;
use crate::refusal::{Needed, of_replay_error};
use crate::registration::Registration;
use crate::requests::{fields, player, request_id_reused};
use crate::{Caller, Play, Refusal};

/// A checked request.
pub(in crate::use_cases) struct ClaimSeat {
    call: Call,
    seat: Seat,
    player: PlayerRow,
    entropy: Vec<u8>,
    secret: ClaimSecret,
}

impl Play {
    /// Claims an unclaimed seat, or returns the original response to a retry.
    pub async fn claim_seat(
        &self,
        caller: &Caller,
        request: proto::ClaimSeatRequest,
    ) -> Result<proto::ClaimSeatResponse, Refusal> {
        let mut call = self.read_call(caller, &request.match_id, request.request_id.as_deref())?;
        let mut player = player::player("player", request.player, self.secret())?;
        fields::entropy(&request.entropy)?;
        let secret = ClaimSecret::read("claim_secret", request.claim_secret.as_deref(), self.secret())?;
        let before = self.match_before(caller, call.match_id).await?;
        let is_rematch =
            |registration: &Registration| before.is_some_and(|id| registration.is_rematch_of(id));
        let head = self.current_with_proof(caller, call.match_id, is_rematch).await?;
        let claimant = self.claimant(caller, &head).await?;
        let seat = fields::seat("seat", request.seat, head.position.seat_count())?;
        check_may_claim(&claimant, &head, seat, &player)?;
        player.player_id = player.player_id.or_else(|| claimant.player_id_before(&head.position, seat));
        call.caller = claimant.caller;
        let claim = ClaimSeat { call, seat, player, entropy: request.entropy, secret };
        self.claim(claim).await
    }

    /// Returns the claim that a rematch makes for its caller.
    pub(in crate::use_cases) fn claim_in_rematch(
        &self,
        match_id: MatchId,
        seat: Seat,
        of_parent: &PlayerRow,
        (caller, request_id): (&Caller, Option<Uuid>),
        secret: ClaimSecret,
    ) -> ClaimSeat {
        // The seat's token is the parent's.
        let call = Call::new(match_id, caller.without_seat_token(), request_id, self.now());
        let player = PlayerRow { salt: self.secret(), ..of_parent.clone() };
        ClaimSeat { call, seat, player, entropy: Vec::new(), secret }
    }

    pub(in crate::use_cases) async fn claim(
        &self,
        claim: ClaimSeat,
    ) -> Result<proto::ClaimSeatResponse, Refusal> {
        let match_id = claim.call.match_id;
        let grant = TokenGrant::of_claim(match_id, claim.seat, &claim.secret);
        let mut token = self.access.seat_token(&grant);
        // Who may claim was judged before, for a rematch on its parent.
        let accepted =
            self.change_with_proof(&claim.call, |_| true, |head| claim.judge(head, &token)).await?;
        if accepted.repeated {
            let holder = claim.call.caller.share_holder();
            let (_, head) = self.matches.cached(match_id, holder).await?;
            let known = claim.known_player(&self.access, &head.registration);
            if !accepted.events.first().is_some_and(|event| claim.has_same_content(event, known.as_ref())) {
                return Err(request_id_reused());
            }
            token = self.access.repeated_token(&head.registration, &grant);
        }
        let shown =
            self.changed_match(&claim.call.caller, &accepted.registration, &accepted.position).await?;
        Ok(proto::ClaimSeatResponse { r#match: Some(shown), seat_token: token })
    }
}

/// Refuses claims in a private match, of a reserved seat, and with an id of the player, unless the match's
/// owner makes them, or the player for whom the seat is reserved. Elsewhere anyone who knows of the match may
/// claim a seat.
fn check_may_claim(
    claimant: &Claimant,
    head: &LiveHead,
    seat: Seat,
    player: &PlayerRow,
) -> Result<(), Refusal> {
    let party = claimant.party;
    claimant.check_reservation(head, seat)?;
    let may_claim = party.is_owner() || claimant.is_entitled_to(seat);
    if head.position.visibility() == proto::Visibility::Private && !may_claim {
        let message = "only the API key that owns a private match can claim its seats; send it as \
                       `authorization: Bearer KEY`";
        return Err(Refusal::not_allowed(&[Needed::OwnerKey], message));
    }
    player::check_owned("player", player, &head.registration.registered.owner)?;
    if player.player_id.is_some() { party.require_owner("a player's player_id") } else { Ok(()) }
}

/// Returns whether a claim names the player that an earlier one did. Nobody knows that of an erased player.
pub(in crate::use_cases) fn is_same_player(claimed: &PlayerRow, registered: Option<&PlayerRow>) -> bool {
    registered.is_none_or(|player| {
        player.display_name == claimed.display_name && player.player_id == claimed.player_id
    })
}

impl ClaimSeat {
    fn judge(&self, head: &LiveHead, token: &str) -> Judgment {
        self.call.check_repeated(head, self.seat, RequestKind::Claim)?;
        self.call.check_no_other_claim(head, self.seat)?;
        match head.position.phase() {
            MatchPhase::Over(_) => return Err(match_over(head).into()),
            MatchPhase::Open | MatchPhase::Running(_) if head.position.seating(self.seat).is_some() => {
                return Err(self.seat_taken(head).into());
            }
            MatchPhase::Open | MatchPhase::Running(_) => {}
        }
        let mut decision = self.call.decide(head);
        decision
            .claim(self.seat, &self.player.display_name, self.entropy.clone(), self.player.salt)
            .map_err(of_replay_error)?;
        let change = self.call.change(decision, head);
        Ok(Box::new(change.with_claim(self.seat, SeatToken::first(token), self.player.clone())))
    }

    fn seat_taken(&self, head: &LiveHead) -> Refusal {
        let seat = self.seat.number();
        let message = format!(
            "seat {seat} is already claimed; its player plays on with its token, others claim a free seat or \
             watch"
        );
        Refusal::new(ErrorReason::SeatTaken, message).with("match_id", head.match_id()).with("seat", seat)
    }

    /// Returns the seat's player as far as the caller may know it. Who may not know the owner's id of the
    /// player gets that of this claim: whether the retry is accepted tells nothing about it.
    fn known_player(&self, access: &AccessControl, registration: &Registration) -> Option<PlayerRow> {
        let mut player = registration.player(self.seat)?.clone();
        if !access.sees_notes(&self.call.caller, registration) {
            player.player_id.clone_from(&self.player.player_id);
        }
        Some(player)
    }

    /// Returns whether an earlier claim had the same content. The secret is not part of it: a retry with
    /// another one differs in the token it gets and in nothing else.
    fn has_same_content(&self, event: &AppliedEvent, player: Option<&PlayerRow>) -> bool {
        match event.entry() {
            Entry::SeatClaimed(claim) => {
                is_same_player(&self.player, player) && claim.entropy == self.entropy
            }
            _ => false,
        }
    }
}
