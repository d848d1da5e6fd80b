//! `CreateRematch`: a new match with seats swapped. A match has one rematch, whichever seat asks first.

use event::{MatchId, Seat};
use journal::{Labels, Registered};
use replay::{MatchPhase, StartingPosition};
use rules::{Games, Rules, Seed};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use super::creation::{Creation, MatchSpec};
use crate::access::{ClaimSecret, Party};
use crate::live::LiveHead;
use crate::requests::{RequestHash, fields};
use crate::use_cases::seats::seat_in_rematch;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns the rematch of a match that is over, creating it if necessary, and the caller's seat in it.
    pub async fn create_rematch(
        &self,
        caller: &Caller,
        request: proto::CreateRematchRequest,
    ) -> Result<proto::CreateRematchResponse, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let request_id = fields::request_id(request.request_id.as_deref())?;
        let secret = ClaimSecret::read("claim_secret", request.claim_secret.as_deref(), self.secret())?;
        let parent = self.current(caller, match_id).await?;
        let seat = requesting_seat(self.access.party(caller, &parent)?)?;
        if !matches!(parent.position.phase(), MatchPhase::Over(_)) {
            let message = "the match is not over; create the rematch after its end";
            return Err(Refusal::new(ErrorReason::MatchNotOver, message));
        }
        let asked = request.rules_version;
        let rules = rematch_rules(self.games(), &parent, asked)?;
        let (rematch, shown) = self.rematch_of(caller, &parent, rules, asked).await?;
        let Some(seat) = seat else {
            return Ok(proto::CreateRematchResponse { r#match: Some(shown), ..Default::default() });
        };
        self.take_seat((caller, request_id), &parent, (rematch, shown), seat, secret).await
    }

    /// Returns the rematch, after creating it if necessary.
    async fn rematch_of(
        &self,
        caller: &Caller,
        parent: &LiveHead,
        rules: Rules,
        asked: Option<u32>,
    ) -> Result<(MatchId, proto::Match), Refusal> {
        let labels = self.labels_of(parent.match_id()).await?;
        let spec = spec(caller, parent, rules, labels);
        let given = spec.registered.clone();
        let head = match self.create(self.new_match_id(&given), spec).await? {
            Creation::New { position, registration } => {
                let shown = self.changed_match(caller, &registration, &position).await?;
                return Ok((position.match_id(), shown));
            }
            Creation::Existing(head) => head,
        };
        let pinned = head.position.rules_version();
        if asked.is_some_and(|version| version != pinned) {
            let must = format!("must be {pinned} or absent: the rematch exists and is pinned to it");
            return Err(Refusal::field("rules_version", must));
        }
        Ok((head.match_id(), self.changed_match(caller, &head.registration, &head.position).await?))
    }

    /// Claims the caller's seat in the rematch, if the game allows that before a look at the commitment.
    async fn take_seat(
        &self,
        call: (&Caller, Option<Uuid>),
        parent: &LiveHead,
        (rematch, shown): (MatchId, proto::Match),
        seat: Seat,
        secret: ClaimSecret,
    ) -> Result<proto::CreateRematchResponse, Refusal> {
        let position = &parent.position;
        let swapped = seat_in_rematch(position, seat);
        let seat_number = Some(replay::seat_to_wire(swapped));
        let player = parent.registration.player(seat);
        // In a game with chance the players claim their seats after they have seen the seed's commitment. An
        // erased player claims anew as well, with a name.
        let (Some(player), false) = (player, position.game().info().chance) else {
            return Ok(proto::CreateRematchResponse {
                r#match: Some(shown),
                seat: seat_number,
                seat_token: String::new(),
            });
        };
        let claim = self.claim_in_rematch(rematch, swapped, player, call, secret);
        let claimed = self.claim(claim).await?;
        Ok(proto::CreateRematchResponse {
            r#match: claimed.r#match,
            seat: seat_number,
            seat_token: claimed.seat_token,
        })
    }
}

/// Returns the rules of a rematch, which must accept the finished match's options.
fn rematch_rules(games: Games, parent: &LiveHead, asked: Option<u32>) -> Result<Rules, Refusal> {
    let rules = fields::rules(games, parent.position.game(), asked)?;
    rules.setup(parent.position.options(), &Seed::new([0; 32])).map_err(|bad| {
        let version = rules.rules_version();
        let (option, text) = (bad.option, &bad.illegal.text);
        let must = format!("version {version} does not accept the match's options: {option}: {text}");
        Refusal::field("rules_version", must).with("paragraph", bad.illegal.paragraph)
    })?;
    Ok(rules)
}

fn spec(caller: &Caller, parent: &LiveHead, rules: Rules, labels: Labels) -> MatchSpec {
    let position = &parent.position;
    MatchSpec {
        start: StartingPosition::Opening {
            options: position.options().clone(),
            rules_version: rules.rules_version(),
            given: position.given_terms().clone(),
            rematch_of: Some(position.match_id()),
        },
        visibility: position.visibility(),
        control: position.clock_settings().map(|settings| settings.control),
        // Not the caller's request, since both seats must get the same match.
        registered: Registered::new(
            parent.registration.registered.owner.clone(),
            Some(RequestHash::of_rematch(parent.match_id()).0),
        ),
        labels,
        claim: None,
        share_holder: caller.share_holder(),
    }
}

/// Returns the seat that a player asks for; an owner without a seat asks for the match only.
fn requesting_seat(party: Party) -> Result<Option<Seat>, Refusal> {
    if party.seat().is_none() && !party.is_owner() {
        return Err(Refusal::new(
            ErrorReason::MissingToken,
            "a rematch requires a seat's token of the match, sent as `matchbook-seat-token: TOKEN`, or the \
             API key that created it, sent as `authorization: Bearer KEY`",
        ));
    }
    Ok(party.seat())
}
