//! `CreateMatch`: the first event of a match, and a seat at once where that is fair.

use replay::{Entry, Origin, Position, TimeControl, Told};
use rules::{GameId, Options, Seat, Seed, State};
use uuid::Uuid;
use wire::v1 as proto;

use super::open_match::{Opened, Opening, read_control, read_visibility};
use super::{Scope, check_token, request_hash, request_id_reused};
use crate::live::Head;
use crate::{Caller, Play, Refusal, access, fields};

/// A checked request.
struct Wanted {
    options: Options,
    visibility: proto::Visibility,
    control: Option<TimeControl>,
    owner: String,
    request_id: Uuid,
    request_hash: Option<[u8; 32]>,
    claim: Option<(Seat, String)>,
}

impl Play {
    /// Creates a match, or finds the one that the same call made before.
    pub async fn create_match(
        &self,
        caller: &Caller,
        request: proto::CreateMatchRequest,
    ) -> Result<proto::CreateMatchResponse, Refusal> {
        let owner = access::creator(&self.keys, caller)?;
        let wanted = Wanted::read(request, owner, self.fresh_id())?;
        let match_id = self.new_match_id();
        let play = self.clone();
        self.detached(match_id, async move { play.create(match_id, wanted).await }).await
    }

    async fn create(&self, match_id: Uuid, wanted: Wanted) -> Result<proto::CreateMatchResponse, Refusal> {
        match self.open_match(match_id, wanted.opening()).await? {
            Opened::New(position) => Ok(self.created(&position, &wanted)),
            Opened::Before(head) => self.created_before(&head, &wanted).await,
        }
    }

    /// The answer of the call that used this `request_id` first.
    async fn created_before(
        &self,
        head: &Head,
        wanted: &Wanted,
    ) -> Result<proto::CreateMatchResponse, Refusal> {
        let first = self.events_told(head, 0, 2).await?;
        let hash = wanted.request_hash.unwrap_or_default();
        let claim = first.get(1).and_then(|told| claim_of_create(head, told, &hash));
        if !wanted.is(&head.position) || claim != wanted.claim {
            return Err(request_id_reused());
        }
        if let Some((seat, _)) = &claim {
            let token = self.first_token(head.position.match_id().0, *seat, wanted.request_id);
            check_token(head, *seat, 1, &token)?;
        }
        let answered = if claim.is_some() { 2 } else { 1 };
        Ok(self.created(&*self.position_at(head, answered).await?, wanted))
    }

    fn created(&self, position: &Position, wanted: &Wanted) -> proto::CreateMatchResponse {
        let token = wanted
            .claim
            .as_ref()
            .map(|(seat, _)| self.first_token(position.match_id().0, *seat, wanted.request_id));
        proto::CreateMatchResponse {
            r#match: Some(position.match_shown()),
            seat_token: token.unwrap_or_default(),
        }
    }
}

/// The seat and name of a claim, if the creating call itself made it.
fn claim_of_create(head: &Head, told: &Told, hash: &[u8; 32]) -> Option<(Seat, String)> {
    let Entry::SeatClaimed(claim) = told.entry() else { return None };
    let seat = replay::seat_from_wire(claim.seat)?;
    head.known_claim(seat, hash)?;
    Some((seat, told.claimed_name()?.to_owned()))
}

impl Wanted {
    fn read(request: proto::CreateMatchRequest, owner: String, fresh_id: Uuid) -> Result<Self, Refusal> {
        let game = fields::game(&request.game)?;
        let options = read_options(game, request.options.as_ref())?;
        let given = fields::request_id(request.request_id.as_deref())?;
        let claim = match request.claim {
            None => None,
            Some(_) if game.info().chance => {
                let why = "can't be given in a game with chance: claim the seat after seeing the commitment";
                return Err(Refusal::field("claim", why));
            }
            Some(claim) => {
                fields::player_name("claim.player_name", &claim.player_name)?;
                Some((fields::seat("claim.seat", claim.seat)?, claim.player_name))
            }
        };
        Ok(Self {
            options,
            visibility: read_visibility(request.visibility, proto::Visibility::Public, &owner)?,
            control: read_control(request.time_control.as_ref())?,
            owner,
            request_id: given.unwrap_or(fresh_id),
            request_hash: given.map(|id| request_hash(Scope::NewMatch, id)),
            claim,
        })
    }

    fn opening(&self) -> Opening {
        let claim = self.claim.clone();
        Opening {
            origin: Origin::Opening { options: self.options.clone(), rematch_of: None },
            visibility: self.visibility,
            control: self.control,
            owner: self.owner.clone(),
            request_hash: self.request_hash,
            claim: claim.map(|(seat, name)| (seat, name, self.request_id)),
        }
    }

    /// Whether a match is what this call asks for.
    fn is(&self, position: &Position) -> bool {
        position.options() == &self.options
            && position.visibility() == self.visibility
            && position.timing().map(|timing| timing.control) == self.control
            && position.parent().is_none()
            && position.rematch_of().is_none()
    }
}

fn read_options(game: GameId, options: Option<&proto::GameOptions>) -> Result<Options, Refusal> {
    let options = match options {
        None => Options::default_of(game),
        Some(options) => replay::options_from_wire(options)
            .map_err(|_| Refusal::field("options", "must have one game's options set, or be absent"))?,
    };
    if options.game() != game {
        return Err(Refusal::field("options", format!("must be options of {game}")));
    }
    // A setting-up with any seed tells whether a match can have these options.
    State::setup(&options, &Seed::new([0; 32])).map_err(|bad| {
        let field = format!("options.{}.{}", game.as_str().replace('-', "_"), bad.option);
        Refusal::field(field, bad.illegal.text.clone()).with("paragraph", bad.illegal.paragraph)
    })?;
    Ok(options)
}
