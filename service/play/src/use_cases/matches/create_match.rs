//! `CreateMatch`: the first event of a match, and a claim of a seat where the game has no chance.

use event::{Seat, Seq};
use journal::{Labels, PageSize, Registered};
use replay::{AppliedEvent, Entry, GivenTerms, Position, StartingPosition, TimeControl};
use rules::{GameId, Games, Options, Rules, Seed};
use wire::v1 as proto;

use super::creation::{Creation, InitialClaim, MatchSpec};
use crate::access::{ClaimSecret, TokenGrant};
use crate::live::{LiveHead, RequestKind};
use crate::registration::{Registration, add_notes};
use crate::requests::{RequestHash, RequestScope, fields, labels, player, request_id_reused};
use crate::use_cases::seats::is_same_player;
use crate::{Caller, Play, Refusal, ShareHolder};

/// A checked request.
struct CreateMatch {
    options: Options,
    rules: Rules,
    /// The rules version that the request names.
    asked_version: Option<u32>,
    visibility: proto::Visibility,
    control: Option<TimeControl>,
    given: GivenTerms,
    registered: Registered,
    labels: Labels,
    claim: Option<InitialClaim>,
}

impl Play {
    /// Creates a match, or returns the original response to a retry.
    pub async fn create_match(
        &self,
        caller: &Caller,
        request: proto::CreateMatchRequest,
    ) -> Result<proto::CreateMatchResponse, Refusal> {
        let owner = self.access.creator(caller)?;
        let create = CreateMatch::read(self.games(), request, owner, self.secret(), self.secret())?;
        if let Some(head) = self.created_in_another_shard(&create.registered, caller.share_holder()).await? {
            return self.repeat_create(&head, &create, caller.share_holder()).await;
        }
        let match_id = self.new_match_id(&create.registered);
        match self.create(match_id, create.spec(caller)).await? {
            Creation::New { position, registration } => {
                let token = create.claim.as_ref().map(|claim| self.token_of(match_id, claim));
                Ok(create.created(&registration, &position, token))
            }
            Creation::Existing(head) => self.repeat_create(&head, &create, caller.share_holder()).await,
        }
    }

    /// Returns the original response to the call that used this request id first.
    async fn repeat_create(
        &self,
        head: &LiveHead,
        create: &CreateMatch,
        holder: Option<ShareHolder>,
    ) -> Result<proto::CreateMatchResponse, Refusal> {
        let events = self.matches.applied_events(head, Seq(0), PageSize(2), holder).await?;
        let claimed = events.get(1).and_then(|event| create.claimed_by(head, event));
        let same_claim = match (claimed, &create.claim) {
            (None, None) => true,
            (Some(seat), Some(claim)) => {
                seat == claim.seat && is_same_player(&claim.player, head.registration.player(seat))
            }
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !create.has_same_content(head) || !same_claim {
            return Err(request_id_reused());
        }
        let token = create.claim.as_ref().map(|claim| {
            let grant = TokenGrant::of_claim(head.match_id(), claim.seat, &claim.secret);
            self.access.repeated_token(&head.registration, &grant)
        });
        let last = if create.claim.is_some() { Seq(2) } else { Seq(1) };
        let position = self.matches.position_at(head, last, holder).await?;
        Ok(create.created(&head.registration, &position, token))
    }
}

impl CreateMatch {
    fn read(
        games: Games,
        request: proto::CreateMatchRequest,
        owner: String,
        random: [u8; 32],
        salt: [u8; 32],
    ) -> Result<Self, Refusal> {
        let game = fields::game(&request.game_id)?;
        let rules = fields::rules(games, game, request.rules_version)?;
        let options = read_options(rules, request.options.as_ref())?;
        let request_id = fields::request_id(request.request_id.as_deref())?;
        let claim = request.claim.map(|claim| read_claim(game, claim, random, salt)).transpose()?;
        let visibility = fields::visibility(request.visibility, proto::Visibility::Public, &owner)?;
        let hash = request_id.map(|id| RequestHash::of(RequestScope::NewMatch, id).0);
        let labels = labels::labels("labels", request.labels)?;
        let external_id = labels::external_id(request.external_id)?;
        labels::check_owned(&owner, &labels, external_id.as_deref())?;
        if let Some(claim) = &claim {
            player::check_owned("claim.player", &claim.player, &owner)?;
        }
        let labels_hash = labels::labels_hash(&labels);
        Ok(Self {
            options,
            rules,
            asked_version: request.rules_version,
            visibility,
            control: fields::time_control(request.time_control.as_ref())?,
            given: GivenTerms { forbid_takebacks: request.forbid_takebacks },
            registered: Registered { external_id, labels_hash, ..Registered::new(owner, hash) },
            labels,
            claim,
        })
    }

    fn spec(&self, caller: &Caller) -> MatchSpec {
        MatchSpec {
            start: StartingPosition::Opening {
                options: self.options.clone(),
                rules_version: self.rules.rules_version(),
                given: self.given.clone(),
                rematch_of: None,
            },
            visibility: self.visibility,
            control: self.control,
            registered: self.registered.clone(),
            labels: self.labels.clone(),
            claim: self.claim.clone(),
            share_holder: caller.share_holder(),
        }
    }

    /// Returns the response to its creator. A retry has the labels of the first call, whatever they are now.
    fn created(
        &self,
        registration: &Registration,
        position: &Position,
        token: Option<String>,
    ) -> proto::CreateMatchResponse {
        // The creator is the owner.
        let mut shown = registration.match_shown_to_owner(position);
        add_notes(&mut shown, &self.registered, self.labels.clone());
        proto::CreateMatchResponse { r#match: Some(shown), seat_token: token.unwrap_or_default() }
    }

    /// Returns whether an existing match is what this request asks for, apart from the claim.
    fn has_same_content(&self, head: &LiveHead) -> bool {
        let position = &head.position;
        // Without a named version, a retry may come after an upgrade that made another one current.
        self.asked_version.is_none_or(|version| version == position.rules_version())
            && *head.registration.registered == self.registered
            && position.options() == &self.options
            && position.visibility() == self.visibility
            && position.clock_settings().map(|settings| settings.control) == self.control
            && position.given_terms() == &self.given
            && position.parent().is_none()
            && position.rematch_of().is_none()
    }

    /// Returns the seat that the original call claimed.
    fn claimed_by(&self, head: &LiveHead, event: &AppliedEvent) -> Option<Seat> {
        let Entry::SeatClaimed(claim) = event.entry() else { return None };
        let seat = claim.seat.and_then(replay::seat_from_wire)?;
        let known = head.known_request(seat, RequestHash(self.registered.create_request_hash?))?;
        (known.kind == RequestKind::Claim).then_some(seat)
    }
}

fn read_claim(
    game: GameId,
    claim: proto::SeatClaim,
    random: [u8; 32],
    salt: [u8; 32],
) -> Result<InitialClaim, Refusal> {
    if game.info().chance {
        let must = "must be absent in a game with chance; claim the seat after seeing the seed's commitment";
        return Err(Refusal::field("claim", must));
    }
    Ok(InitialClaim {
        seat: fields::seat("claim.seat", claim.seat, *game.info().seats().end())?,
        player: player::player("claim.player", claim.player, salt)?,
        secret: ClaimSecret::read("claim.claim_secret", claim.claim_secret.as_deref(), random)?,
    })
}

fn read_options(rules: Rules, options: Option<&proto::GameOptions>) -> Result<Options, Refusal> {
    let game = rules.game();
    let options = match options {
        None => Options::default_of(game),
        Some(options) => replay::options_from_wire(options).map_err(|_| {
            Refusal::field("options", "must have the options of exactly one game set, or be absent")
        })?,
    };
    if options.game() != game {
        let field = options_field(game);
        let must = format!("must be options of {game}: set {field}, or leave it out for the defaults");
        return Err(Refusal::field("options", must));
    }
    // Setting up with any seed shows whether these options are valid.
    rules.setup(&options, &Seed::new([0; 32])).map_err(|bad| {
        let field = format!("{}.{}", options_field(game), bad.option);
        Refusal::field(field, bad.illegal.text.clone()).with("paragraph", bad.illegal.paragraph)
    })?;
    Ok(options)
}

/// Returns the path of a game's options in a request.
fn options_field(game: GameId) -> String {
    format!("options.{}", game.as_str().replace('-', "_"))
}
