//! `CreateMatch`: the first event of a match, and a seat at once where that is fair.

use std::sync::Arc;

use journal::{Append, AppendError, DeadlineChange, MatchId};
use replay::{Draft, Entry, NewMatch, Position, Told};
use rules::{BySeat, GameId, Options, Seat, Seed, State};
use uuid::Uuid;
use wire::v1 as proto;

use super::{Scope, request_hash, request_id_reused};
use crate::{
    Caller, Play, Refusal, fields,
    live::{Head, catch_up},
    stored::{IssuedToken, Registration},
    token::{self, Grant},
    turn,
};

/// Without API keys all matches have the same owner.
const NO_OWNER: &str = "";

/// A checked request.
struct Wanted {
    options: Options,
    request_id: Uuid,
    request_hash: Option<[u8; 32]>,
    claim: Option<(Seat, String)>,
}

impl Play {
    /// Creates a match, or finds the one that the same call made before.
    pub async fn create_match(
        &self,
        _caller: &Caller,
        request: proto::CreateMatchRequest,
    ) -> Result<proto::CreateMatchResponse, Refusal> {
        let wanted = Wanted::read(request)?;
        let match_id = Uuid::now_v7();
        let play = self.clone();
        self.detached(match_id, async move { play.create(match_id, wanted).await }).await
    }

    async fn create(&self, match_id: Uuid, wanted: Wanted) -> Result<proto::CreateMatchResponse, Refusal> {
        let new = NewMatch {
            match_id,
            options: wanted.options.clone(),
            visibility: proto::Visibility::Public,
            salt: rand::random(),
            seed_bytes: rand::random(),
        };
        let mut draft = Draft::create(&new, self.journal.now().0).map_err(catch_up::broken_log)?;
        let mut registration = Registration {
            owner: NO_OWNER.to_owned(),
            create_request_hash: wanted.request_hash,
            tokens: BySeat::default(),
        };
        if let Some((seat, name)) = &wanted.claim {
            draft.claim(*seat, name, Vec::new(), rand::random()).map_err(catch_up::broken_log)?;
            let hash = Some(token::hash(&self.first_token(match_id, *seat, wanted.request_id)));
            registration.tokens[*seat] = IssuedToken { hash, generation: 1 };
        }
        let ended = draft.finish();
        let append = Append {
            match_id: MatchId(match_id),
            events: turn::events_of(&ended, wanted.request_hash),
            after_clock: None,
            match_row: Some(registration.row(&ended.position)),
            deadline: DeadlineChange::Keep,
        };
        match self.journal.append(append).await {
            Ok(committed) => {
                let position = Arc::new(ended.position);
                let mut head = Head::at(Arc::clone(&position), committed.clock, registration);
                for told in ended.told {
                    let hash = wanted.request_hash.filter(|_| turn::carries_request(told.entry()));
                    head.remember(Arc::new(told), hash);
                }
                self.keep_new(match_id, head).await?;
                Ok(self.created(&position, &wanted))
            }
            Err(AppendError::DuplicateCreate) => self.created_before(&wanted).await,
            Err(error) => Err(turn::refusal_of(match_id, error)),
        }
    }

    async fn keep_new(&self, match_id: Uuid, head: Head) -> Result<(), Refusal> {
        let live = self.registry.enter(match_id);
        live.head_or_fold(async { Ok::<_, Refusal>(head) }).await?;
        self.registry.keep(&live);
        Ok(())
    }

    /// The answer of the call that used this `request_id` first.
    async fn created_before(&self, wanted: &Wanted) -> Result<proto::CreateMatchResponse, Refusal> {
        let hash = wanted.request_hash.ok_or_else(Refusal::internal)?;
        let row = self.journal.match_by_create_request(NO_OWNER, &hash).await;
        let row = row.map_err(catch_up::read_failed)?.ok_or_else(Refusal::internal)?;
        let (_, head) = self.fresh(row.match_id.0).await?;
        let first = self.events_told(&head, 0, 2).await?;
        let claim = first.get(1).and_then(|told| claim_of_create(&head, told, &hash));
        if head.position.options() != &wanted.options || claim != wanted.claim {
            return Err(request_id_reused());
        }
        let answered = if claim.is_some() { 2 } else { 1 };
        Ok(self.created(&*self.position_at(&head, answered).await?, wanted))
    }

    fn created(&self, position: &Position, wanted: &Wanted) -> proto::CreateMatchResponse {
        let token = wanted
            .claim
            .as_ref()
            .map(|(seat, _)| self.first_token(position.match_id(), *seat, wanted.request_id));
        proto::CreateMatchResponse {
            r#match: Some(position.match_shown()),
            seat_token: token.unwrap_or_default(),
        }
    }

    /// The token of a seat's claim.
    pub(super) fn first_token(&self, match_id: Uuid, seat: Seat, request_id: Uuid) -> String {
        Grant { match_id, seat, generation: 1, request_id }.token(&self.token_key)
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
    fn read(request: proto::CreateMatchRequest) -> Result<Self, Refusal> {
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
            request_id: given.unwrap_or_else(Uuid::new_v4),
            request_hash: given.map(|id| request_hash(Scope::NewMatch, id)),
            claim,
        })
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
