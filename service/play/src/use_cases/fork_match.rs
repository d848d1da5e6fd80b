//! `ForkMatch`: a new match that goes on from a position of another one.

use std::sync::Arc;

use replay::{Moves, Origin, Parent, Phase, Position, TimeControl};
use wire::v1::{self as proto, ErrorReason};

use super::open_match::{Opened, Opening, read_control, read_visibility};
use super::{Scope, request_hash, request_id_reused};
use crate::history::Walk;
use crate::live::{Head, catch_up};
use crate::{Caller, Play, Refusal, access, fields, judge};

/// A checked request.
struct Fork {
    parent: Arc<Head>,
    at_seq: Option<u32>,
    visibility: proto::Visibility,
    control: Option<TimeControl>,
    owner: String,
    request_hash: Option<[u8; 32]>,
}

impl Play {
    /// Goes on elsewhere from a position, or finds the match that the same call made before.
    pub async fn fork_match(
        &self,
        caller: &Caller,
        request: proto::ForkMatchRequest,
    ) -> Result<proto::ForkMatchResponse, Refusal> {
        let parent_id = fields::match_id(&request.match_id)?;
        let request_id = fields::request_id(request.request_id.as_deref())?;
        let (_, parent) = self.fresh(parent_id).await?;
        let owner = self.owner_of_offspring(caller, &parent)?;
        let fork = Fork {
            at_seq: request.at_seq,
            visibility: fork_visibility(request.visibility, &parent, &owner)?,
            control: read_control(request.time_control.as_ref())?,
            owner,
            request_hash: request_id.map(|id| request_hash(Scope::NewMatch, id)),
            parent,
        };
        let play = self.clone();
        self.detached(parent_id, async move { play.fork(fork).await }).await
    }

    async fn fork(&self, fork: Fork) -> Result<proto::ForkMatchResponse, Refusal> {
        check_phase(&fork.parent)?;
        let (position, moves) = self.forkable(&fork.parent, fork.at_seq).await?;
        let forked = position.forked(moves).ok_or_else(not_in_play)?;
        let opening = Opening {
            origin: Origin::Fork(forked),
            visibility: fork.visibility,
            control: fork.control,
            owner: fork.owner.clone(),
            request_hash: fork.request_hash,
            claim: None,
        };
        let position = match self.open_match(self.new_match_id(), opening).await? {
            Opened::New(position) => position,
            Opened::Before(head) if fork.has_made(&head.position) => self.position_at(&head, 1).await?,
            Opened::Before(_) => return Err(request_id_reused()),
        };
        Ok(proto::ForkMatchResponse { r#match: Some(position.match_shown()) })
    }

    /// Whose a match is that comes from another one: the calling key's, or for a seat its own match's owner's.
    pub(super) fn owner_of_offspring(&self, caller: &Caller, parent: &Head) -> Result<String, Refusal> {
        match access::party(&self.keys, caller, parent)?.seat() {
            Some(_) => Ok(parent.registration.owner.clone()),
            None => access::creator(&self.keys, caller),
        }
    }

    /// The position asked for, or the last one that can be gone on from, and the moves up to it.
    async fn forkable(&self, parent: &Head, at_seq: Option<u32>) -> Result<(Arc<Position>, Moves), Refusal> {
        judge::check_min(at_seq, parent)?;
        let last = at_seq.unwrap_or(parent.seq());
        let mut walk = Walk::to_decide(parent.position.match_id().0);
        let (mut moves, mut found) = (Moves::default(), None);
        while walk.seq() < last {
            let passed = walk.advance_telling(self, last, catch_up::PAGE, |position, told| {
                moves.gather(position, &told);
                let asked = at_seq.is_none_or(|asked| asked == position.seq().0);
                if asked && position.is_forkable() {
                    found = Some((Arc::clone(position), moves.count()));
                }
            });
            if passed.await? == 0 {
                return Err(Refusal::internal());
            }
        }
        let (position, count) = found.ok_or_else(not_in_play)?;
        Ok((position, moves.up_to(count)))
    }
}

impl Fork {
    /// Whether a match came from such a call.
    fn has_made(&self, position: &Position) -> bool {
        let parent = self.parent.position.match_id();
        let from_here =
            |from: Parent| from.match_id == parent && self.at_seq.is_none_or(|asked| asked == from.seq.0);
        position.parent().is_some_and(from_here)
            && position.visibility() == self.visibility
            && position.timing().map(|timing| timing.control) == self.control
    }
}

/// A fork names its parent, so it must not be found by more people than the parent.
fn fork_visibility(asked: Option<i32>, parent: &Head, owner: &str) -> Result<proto::Visibility, Refusal> {
    let of_parent = parent.position.visibility();
    let visibility = read_visibility(asked, of_parent, owner)?;
    // The enum goes from open to shut.
    if visibility < of_parent {
        return Err(Refusal::field(
            "visibility",
            "a fork can't be more visible than the match it comes from",
        ));
    }
    Ok(visibility)
}

/// While a match runs its secrets are shut, so it can't be gone on from.
fn check_phase(parent: &Head) -> Result<(), Refusal> {
    match parent.position.phase() {
        Phase::Open => Err(Refusal::new(ErrorReason::NotForkable, "the match has not started")),
        Phase::Running(_) if parent.position.game().info().secrets => Err(Refusal::new(
            ErrorReason::NotForkable,
            "a match of a game with secrets can be forked once it is over",
        )),
        Phase::Running(_) | Phase::Over(_) => Ok(()),
    }
}

fn not_in_play() -> Refusal {
    let message =
        "a fork begins at a position in play in which no sealed choice waits; ask for another at_seq";
    Refusal::new(ErrorReason::NotForkable, message)
}
