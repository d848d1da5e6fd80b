//! `ForkMatch`: a new match that continues from a position of another one.

use std::sync::Arc;

use event::Seq;
use journal::{Labels, Registered};
use replay::{AppliedEvent, MatchPhase, MoveHistory, Parent, Position, StartingPosition, TimeControl};
use wire::v1::{self as proto, ErrorReason};

use super::creation::{Creation, MatchSpec};
use crate::live::{FOLD_PAGE, LiveHead, LogReader};
use crate::preconditions::check_reached;
use crate::requests::{RequestHash, RequestScope, fields, request_id_reused};
use crate::shares::SpentBytes;
use crate::{ApiKey, Caller, Play, Refusal, ShareHolder};

/// A checked request.
struct ForkMatch {
    parent: Arc<LiveHead>,
    at_seq: Option<Seq>,
    visibility: proto::Visibility,
    control: Option<TimeControl>,
    registered: Registered,
}

/// The search for the position to fork.
struct ForkSearch {
    at_seq: Option<Seq>,
    moves: MoveHistory,
    /// The position, and the number of moves that led to it.
    found: Option<(Arc<Position>, usize)>,
    /// The last position that can be forked, up to the requested one.
    nearest: Option<Seq>,
}

impl Play {
    /// Forks a match, or returns the original response to a retry.
    pub async fn fork_match(
        &self,
        caller: &Caller,
        request: proto::ForkMatchRequest,
    ) -> Result<proto::ForkMatchResponse, Refusal> {
        let parent_id = fields::match_id(&request.match_id)?;
        let request_id = fields::request_id(request.request_id.as_deref())?;
        let parent = self.current(caller, parent_id).await?;
        let owner = self.owner_of_fork(caller, &parent)?;
        let hash = request_id.map(|id| RequestHash::of(RequestScope::NewMatch, id).0);
        let fork = ForkMatch {
            at_seq: fields::seq(request.at_seq),
            visibility: fork_visibility(request.visibility, &parent, &owner)?,
            control: fields::time_control(request.time_control.as_ref())?,
            registered: Registered::new(owner, hash),
            parent,
        };
        check_phase(&fork.parent)?;
        // Before the parent's log is read: a retry costs little.
        if let Some(head) = self.created_before(&fork.registered, caller.share_holder()).await? {
            return self.repeat_fork(caller, &fork, &head).await;
        }
        // A caller that has nothing left costs no fold.
        drop(self.spend_on_fork(caller.share_holder(), 1)?);
        let (position, moves) = self.forkable(&fork.parent, fork.at_seq, caller.share_holder()).await?;
        let forked = position.forked(moves).ok_or_else(|| not_in_play(None))?;
        let labels = self.labels_of_fork(&fork).await?;
        let spec = MatchSpec {
            start: StartingPosition::Fork(forked),
            visibility: fork.visibility,
            control: fork.control,
            registered: fork.registered.clone(),
            labels,
            claim: None,
            share_holder: caller.share_holder(),
        };
        match self.create(self.new_match_id(&fork.registered), spec).await? {
            Creation::New { position, registration } => {
                let shown = self.changed_match(caller, &registration, &position).await?;
                Ok(proto::ForkMatchResponse { r#match: Some(shown) })
            }
            Creation::Existing(head) => self.repeat_fork(caller, &fork, &head).await,
        }
    }

    /// Returns the original response to the call that used this request id first.
    async fn repeat_fork(
        &self,
        caller: &Caller,
        fork: &ForkMatch,
        head: &LiveHead,
    ) -> Result<proto::ForkMatchResponse, Refusal> {
        if !fork.has_same_content(head) {
            return Err(request_id_reused());
        }
        let position = self.matches.position_at(head, Seq::FIRST, None).await?;
        let shown = self.match_for(caller, &head.registration, &position).await?;
        Ok(proto::ForkMatchResponse { r#match: Some(shown) })
    }

    /// Spends bytes that a caller's fork stores, or refuses it. They are given back unless they are kept.
    pub(super) fn spend_on_fork(
        &self,
        holder: Option<ShareHolder>,
        bytes: u64,
    ) -> Result<SpentBytes, Refusal> {
        let budget = &self.fork_bytes;
        budget.spend(holder, bytes).map_err(|wait| {
            let per_hour = budget.per_hour;
            let message = format!(
                "this caller's forks have stored the {per_hour} bytes that they may in an hour, or those of \
                 its network eight times as many; retry later, or fork from an earlier at_seq"
            );
            Refusal::new(ErrorReason::RateLimited, message)
                .with("fork_bytes_per_hour", per_hour)
                .retry_after(wait)
        })
    }

    /// Returns the owner of a fork: the calling API key if it creates matches, or for a seat the parent's
    /// owner.
    fn owner_of_fork(&self, caller: &Caller, parent: &LiveHead) -> Result<String, Refusal> {
        let party = self.access.party(caller, parent)?;
        let creates = self.access.key(caller)?.is_some_and(ApiKey::creates_matches);
        match party.seat() {
            Some(_) if !creates => Ok(parent.registration.registered.owner.clone()),
            _ => self.access.creator(caller),
        }
    }

    /// Returns the parent's labels if the fork has the same owner. They are nobody else's business.
    async fn labels_of_fork(&self, fork: &ForkMatch) -> Result<Labels, Refusal> {
        match fork.registered.owner == fork.parent.registration.registered.owner {
            true => self.labels_of(fork.parent.match_id()).await,
            false => Ok(Labels::default()),
        }
    }

    /// Returns the requested position, or the last one that can be forked, and the moves up to it.
    async fn forkable(
        &self,
        parent: &LiveHead,
        at_seq: Option<Seq>,
        holder: Option<ShareHolder>,
    ) -> Result<(Arc<Position>, MoveHistory), Refusal> {
        check_reached(at_seq, parent)?;
        let last = at_seq.unwrap_or(parent.seq());
        let mut reader = LogReader::to_decide(parent.match_id()).on_behalf_of(holder);
        let mut search = ForkSearch { at_seq, moves: MoveHistory::default(), found: None, nearest: None };
        while reader.seq() < last {
            let read = reader.read_into(&self.matches, last, FOLD_PAGE, search, ForkSearch::visit);
            let (searched, count) = read.await?;
            if count == 0 {
                return Err(Refusal::internal());
            }
            search = searched;
        }
        let (position, count) = search.found.ok_or_else(|| not_in_play(search.nearest))?;
        Ok((position, search.moves.up_to(count)))
    }
}

impl ForkSearch {
    fn visit(&mut self, position: &Arc<Position>, event: Arc<AppliedEvent>) {
        self.moves.record(position, &event);
        if !position.is_forkable() {
            return;
        }
        self.nearest = Some(position.seq());
        if self.at_seq.is_none_or(|seq| seq == position.seq()) {
            self.found = Some((Arc::clone(position), self.moves.count()));
        }
    }
}

impl ForkMatch {
    /// Returns whether an existing match is what this request asks for.
    fn has_same_content(&self, head: &LiveHead) -> bool {
        let position = &head.position;
        let parent = self.parent.position.match_id();
        let same_parent =
            |from: Parent| from.match_id == parent && self.at_seq.is_none_or(|seq| seq == from.seq);
        *head.registration.registered == self.registered
            && position.parent().is_some_and(same_parent)
            && position.visibility() == self.visibility
            && position.clock_settings().map(|settings| settings.control) == self.control
    }
}

/// Reads a fork's visibility. A fork names its parent, so it must not be more visible than the parent.
fn fork_visibility(
    visibility: Option<i32>,
    parent: &LiveHead,
    owner: &str,
) -> Result<proto::Visibility, Refusal> {
    let of_parent = parent.position.visibility();
    let visibility = fields::visibility(visibility, of_parent, owner)?;
    // The enum is ordered from the most to the least visible.
    if visibility < of_parent {
        return Err(Refusal::field("visibility", "must not make the fork more visible than its parent"));
    }
    Ok(visibility)
}

/// Refuses a parent that has not started, or whose secrets are still hidden.
fn check_phase(parent: &LiveHead) -> Result<(), Refusal> {
    match parent.position.phase() {
        MatchPhase::Open => Err(Refusal::new(
            ErrorReason::NotForkable,
            "the match has not started; fork it once both seats are claimed",
        )),
        MatchPhase::Running(_) if parent.position.game().info().secrets => Err(Refusal::new(
            ErrorReason::NotForkable,
            "a match of a game with secrets can be forked only once it is over",
        )),
        MatchPhase::Running(_) | MatchPhase::Over(_) => Ok(()),
    }
}

/// Returns the refusal of a position that cannot be forked, with the nearest one before it that can.
fn not_in_play(nearest: Option<Seq>) -> Refusal {
    let must = "a fork must begin at a position in play without a sealed choice";
    let message = match nearest {
        Some(seq) => format!("{must}; the last such position up to this one is at_seq {seq}"),
        None => format!("{must}; this match has none up to here: choose a later at_seq"),
    };
    Refusal::new(ErrorReason::NotForkable, message)
}
