//! The matches that a caller may know of. Anyone may know of a match that is not private; of a private one
//! its row in the directory tells, before anything is read of its log. So a stranger's call costs one query,
//! whether the match exists or not.

use std::sync::Arc;

use event::MatchId;
use journal::Visibility;
use wire::v1 as proto;

use crate::changes::{Accepted, Call, Halt, Judgment};
use crate::live::{LiveHead, LiveMatch, Origin};
use crate::refusal::unknown_match;
use crate::registration::Registration;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns the newest head of a match that the caller may know of.
    pub(crate) async fn current(&self, caller: &Caller, match_id: MatchId) -> Result<Arc<LiveHead>, Refusal> {
        Ok(self.current_live(caller, match_id).await?.1)
    }

    /// Returns the newest head of a match of which the caller may know because of its credentials or of
    /// `proof`.
    pub(crate) async fn current_with_proof(
        &self,
        caller: &Caller,
        match_id: MatchId,
        proof: impl Fn(&Registration) -> bool,
    ) -> Result<Arc<LiveHead>, Refusal> {
        let (live, head) = self.known_live(caller, match_id, proof).await?;
        self.matches.newest(&live, head, caller.share_holder()).await
    }

    /// Returns a live match that the caller may know of, and its newest head.
    pub(crate) async fn current_live(
        &self,
        caller: &Caller,
        match_id: MatchId,
    ) -> Result<(Arc<LiveMatch>, Arc<LiveHead>), Refusal> {
        let (live, head) = self.known_live(caller, match_id, |_| false).await?;
        let head = self.matches.newest(&live, head, caller.share_holder()).await?;
        Ok((live, head))
    }

    /// Judges a caller's command on a match and appends its events.
    pub(crate) async fn change(
        &self,
        call: &Call,
        judge: impl Fn(&LiveHead) -> Judgment,
    ) -> Result<Accepted, Refusal> {
        self.change_with_proof(call, |_| false, judge).await
    }

    /// Judges a command on a match of which the caller may know because of its credentials or of `proof`, and
    /// appends its events. Answers retries, and refuses callers without a part in the match, before they wait
    /// for its lock.
    pub(crate) async fn change_with_proof(
        &self,
        call: &Call,
        proof: impl Fn(&Registration) -> bool,
        judge: impl Fn(&LiveHead) -> Judgment,
    ) -> Result<Accepted, Refusal> {
        let (live, head) = self.known_live(&call.caller, call.match_id, proof).await?;
        let origin = self.origin(&call.caller, &head);
        let holder = call.caller.share_holder();
        // A stale match is folded again in the caller's turn, and not while a change holds its lock.
        if origin == Origin::Other || call.is_known(&head) || live.is_stale() {
            let head = self.matches.newest(&live, head, holder).await?;
            match judge(&head) {
                Err(Halt::Repeated { first }) => return self.matches.repeated(&head, first).await,
                Err(Halt::Refused(refusal)) => return Err(refusal),
                Ok(_) | Err(Halt::Overdue(_)) => {}
            }
        }
        let _place = live.wait_as(origin)?;
        let permit = self.change_permits.acquire(holder)?;
        // Boxed: its future is large, and those of all calls are moved often.
        Box::pin(self.matches.change(live, Some(permit), judge)).await
    }

    /// Returns a live match that the caller may know of, and its published head, which may be behind the
    /// journal. A match that the caller may not know of is refused like one that does not exist, after the
    /// same query.
    async fn known_live(
        &self,
        caller: &Caller,
        match_id: MatchId,
        proof: impl Fn(&Registration) -> bool,
    ) -> Result<(Arc<LiveMatch>, Arc<LiveHead>), Refusal> {
        let knows =
            |registration: &Registration| self.access.may_know(caller, registration) || proof(registration);
        let live = self.matches.live(match_id);
        let may_know_head = live.head().is_some_and(|head| {
            head.position.visibility() != proto::Visibility::Private || knows(&head.registration)
        });
        let row = if may_know_head {
            None
        } else {
            self.access.key(caller)?;
            // From here on the newest tokens count: the caller's may have been issued by another replica.
            let row = Box::new(self.matches.row(match_id).await?);
            if row.visibility == Visibility::Private && !knows(&Registration::of_row(&row)) {
                return Err(unknown_match());
            }
            Some(row)
        };
        let head = self.matches.published(&live, row, caller.share_holder()).await?;
        Ok((live, head))
    }

    /// Returns what a caller is to a match, on a head that may be stale.
    pub(crate) fn origin(&self, caller: &Caller, head: &LiveHead) -> Origin {
        match self.access.party(caller, head) {
            Ok(party) => match party.seat() {
                Some(seat) => Origin::Seat(seat),
                None if party.is_owner() => Origin::Owner,
                None => Origin::Other,
            },
            Err(_) => Origin::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use journal::{Journal, JournalConfig};
    use wire::v1::ErrorReason;

    use super::*;
    use crate::requests::fields;
    use crate::{ApiKey, KeyRing, Role, ServiceKey, Settings};

    /// After a failover every match is stale, and strangers must not have all private ones folded again.
    #[tokio::test]
    async fn a_strangers_call_does_not_fold_a_stale_private_match_again() {
        let journal = Journal::open(JournalConfig::new("memory:".parse().unwrap())).await.unwrap();
        let [shop, other] = ["shop", "other"].map(|name| ApiKey::generate(name, Role::App).unwrap());
        let keys = KeyRing::new(vec![shop.0, other.0]).unwrap();
        let settings = Settings { keys, ..Settings::default() };
        let play = Play::start(journal, ServiceKey::from_bytes([9; 32]), settings).await.unwrap();
        let [owner, stranger] = [shop.1, other.1].map(|secret| Caller::anonymous().with_key(secret));
        let create = proto::CreateMatchRequest {
            game_id: "ludus-magus".to_owned(),
            visibility: Some(proto::Visibility::Private.into()),
            ..Default::default()
        };
        let match_id = play.create_match(&owner, create).await.unwrap().r#match.unwrap().match_id;
        let match_id = fields::match_id(&match_id).unwrap();
        let live = play.matches.live(match_id);
        live.invalidate();
        let refusal = play.current(&stranger, match_id).await.err().unwrap();
        assert_eq!(refusal.reason, ErrorReason::UnknownMatch);
        assert!(live.is_stale(), "the stranger's call has folded the match");
        play.current(&owner, match_id).await.unwrap();
        assert!(!live.is_stale());
    }
}
