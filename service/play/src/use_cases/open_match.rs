//! How a match comes into being, whatever it was asked for with: created, forked, or as a rematch.

use std::sync::Arc;

use journal::{Append, AppendError, DeadlineChange, MatchId, RecordedTime, Seq};
use replay::{Draft, NewMatch, Origin, Position, TimeControl, Timing};
use rules::{BySeat, Seat};
use uuid::Uuid;
use wire::v1 as proto;

use crate::live::{Head, catch_up};
use crate::stored::{IssuedToken, Registration};
use crate::token::{self, Grant};
use crate::{Play, Refusal, fields, turn};

/// What a match is opened with.
pub(super) struct Opening {
    pub origin: Origin,
    pub visibility: proto::Visibility,
    pub control: Option<TimeControl>,
    pub owner: String,
    /// Known for ever, together with the owner.
    pub request_hash: Option<[u8; 32]>,
    /// A seat to be claimed at once: which, for whom, and the id that its token derives from.
    pub claim: Option<(Seat, String, Uuid)>,
}

/// What came of it.
pub(super) enum Opened {
    /// The match is new, and this is it.
    New(Arc<Position>),
    /// The owner's request has opened a match before.
    Before(Arc<Head>),
}

impl Play {
    pub(super) async fn open_match(&self, match_id: Uuid, opening: Opening) -> Result<Opened, Refusal> {
        let Opening { origin, visibility, control, owner, request_hash, claim } = opening;
        let new = NewMatch {
            match_id: MatchId(match_id),
            origin,
            visibility,
            timing: control.map(|control| Timing { control, grace_ms: self.grace_ms() }),
            salt: self.secret(),
            seed_bytes: self.secret(),
        };
        let mut draft = Draft::create(&new, RecordedTime(self.now())).map_err(catch_up::broken_log)?;
        let mut registration =
            Registration { owner, create_request_hash: request_hash, tokens: BySeat::default() };
        if let Some((seat, name, request_id)) = &claim {
            draft.claim(*seat, name, Vec::new(), self.secret()).map_err(catch_up::broken_log)?;
            let hash = Some(token::hash(&self.first_token(match_id, *seat, *request_id)));
            registration.tokens[*seat] = IssuedToken { hash, generation: 1 };
        }
        let ended = draft.finish();
        let append = Append {
            match_id: MatchId(match_id),
            events: turn::events_of(&ended, request_hash),
            after_hlc: None,
            match_row: Some(registration.row(&ended.position)),
            deadline: DeadlineChange::Set { seq: Seq(1), due: RecordedTime(self.expires(&ended.position)) },
        };
        match self.journal.append(append).await {
            Ok(committed) => {
                let position = Arc::new(ended.position);
                let mut head = Head::at(Arc::clone(&position), committed.hlc, registration);
                for told in ended.told {
                    let hash = request_hash.filter(|_| turn::carries_request(told.entry()));
                    head.remember(Arc::new(told), hash);
                }
                self.keep_new(match_id, head).await?;
                Ok(Opened::New(position))
            }
            Err(AppendError::DuplicateCreate) => {
                self.opened_before(&registration.owner, request_hash).await.map(Opened::Before)
            }
            Err(AppendError::TooLarge) => Err(too_large()),
            Err(error) => Err(turn::refusal_of(match_id, error)),
        }
    }

    async fn keep_new(&self, match_id: Uuid, head: Head) -> Result<(), Refusal> {
        let live = self.registry.enter(match_id);
        live.head_or_fold(async { Ok::<_, Refusal>(head) }).await?;
        self.registry.keep(&live);
        Ok(())
    }

    /// The match that this owner's request has opened.
    async fn opened_before(&self, owner: &str, hash: Option<[u8; 32]>) -> Result<Arc<Head>, Refusal> {
        let hash = hash.ok_or_else(Refusal::internal)?;
        let row = self.journal.match_by_create_request(owner, &hash).await;
        let row = row.map_err(catch_up::read_failed)?.ok_or_else(Refusal::internal)?;
        Ok(self.fresh(row.match_id.0).await?.1)
    }

    /// When a match ends that nobody has come to.
    fn expires(&self, position: &Position) -> i64 {
        let patience = i64::try_from(self.limits.expiry.as_micros()).unwrap_or(i64::MAX);
        position.recorded_time().0.saturating_add(patience)
    }

    fn grace_ms(&self) -> u32 {
        u32::try_from(self.limits.grace.as_millis()).unwrap_or(u32::MAX)
    }

    /// The token of a seat's claim.
    pub(super) fn first_token(&self, match_id: Uuid, seat: Seat, request_id: Uuid) -> String {
        Grant { match_id, seat, generation: 1, request_id }.token(&self.token_key)
    }
}

/// A time control as a request gives it.
pub(super) fn read_control(asked: Option<&proto::TimeControl>) -> Result<Option<TimeControl>, Refusal> {
    asked
        .map(TimeControl::from_wire)
        .transpose()
        .map_err(|bad| Refusal::field(format!("time_control.{}", bad.field), format!("must be {}", bad.must)))
}

/// A visibility as a request gives it. A private match belongs to a key, so somebody without one can't have it.
pub(super) fn read_visibility(
    asked: Option<i32>,
    default: proto::Visibility,
    owner: &str,
) -> Result<proto::Visibility, Refusal> {
    let visibility = match asked {
        None => default,
        Some(asked) => fields::visibility("visibility", asked)?,
    };
    if visibility == proto::Visibility::Private && owner.is_empty() {
        let message =
            "a private match belongs to the API key that created it; this service runs without keys";
        return Err(Refusal::new(proto::ErrorReason::MissingKey, message));
    }
    Ok(visibility)
}

fn too_large() -> Refusal {
    Refusal::new(
        proto::ErrorReason::NotForkable,
        "the moves up to this position are more than one event can hold",
    )
}
