//! Seat tokens. They are derived from the service key, so that a retried claim returns the same token again,
//! and only their hashes are stored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use event::MatchId;
use rules::Seat;
use subtle::ConstantTimeEq;
use uuid::Uuid;
use wire::v1::ErrorReason;

use crate::keys::{MacKey, sha256};
use crate::live::LiveHead;
use crate::{Play, Refusal};

/// Prefix of every seat token, by which a leaked one is recognized.
const PREFIX: &str = "mbs_";

/// Generation of the token that a claim returns.
pub(crate) const FIRST_GENERATION: u32 = 1;

/// The grant that a token derives from.
pub(crate) struct TokenGrant {
    pub match_id: MatchId,
    pub seat: Seat,
    /// Number of tokens issued for the seat, including this one.
    pub generation: u32,
    /// Id of the granting call; as secret as the token.
    pub request_id: Uuid,
}

/// The newest token of a seat, as the directory stores it.
#[derive(Clone, Copy, Default)]
pub(crate) struct SeatToken {
    /// `None` before the seat is claimed.
    pub hash: Option<TokenHash>,
    pub generation: u32,
}

/// The stored hash of a token.
#[derive(Clone, Copy)]
pub(crate) struct TokenHash(pub [u8; 32]);

impl TokenGrant {
    /// Returns the grant of a claim.
    pub(crate) fn of_claim(match_id: MatchId, seat: Seat, request_id: Uuid) -> Self {
        Self { match_id, seat, generation: FIRST_GENERATION, request_id }
    }

    pub(super) fn token(&self, key: &MacKey) -> String {
        let seat = [u8::try_from(self.seat.index()).expect("there are two seats")];
        let mac = key.mac(&[
            self.match_id.0.as_bytes(),
            &seat,
            &self.generation.to_be_bytes(),
            self.request_id.as_bytes(),
        ]);
        format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(mac))
    }
}

impl SeatToken {
    /// Returns the stored form of a token.
    pub(crate) fn new(token: &str, generation: u32) -> Self {
        Self { hash: Some(TokenHash::of(token)), generation }
    }

    /// Returns the stored form of a claim's token.
    pub(crate) fn first(token: &str) -> Self {
        Self::new(token, FIRST_GENERATION)
    }
}

impl TokenHash {
    pub(crate) fn of(token: &str) -> Self {
        Self(sha256(&[b"matchbook.token-hash.v1\0", token.as_bytes()]))
    }

    /// Compares in constant time.
    pub(crate) fn matches(&self, stored: &Self) -> bool {
        self.0.ct_eq(&stored.0).into()
    }
}

/// Checks that the token derived for a retried call is the one of its original response. It is not if the
/// service key was replaced since; such a token would be invalid.
pub(crate) fn check_repeated_token(head: &LiveHead, grant: &TokenGrant, token: &str) -> Result<(), Refusal> {
    let current = head.registration.tokens[grant.seat];
    let differs = current.hash.is_some_and(|stored| !TokenHash::of(token).matches(&stored));
    // A token of an earlier generation is invalid anyway.
    if current.generation == grant.generation && differs {
        return Err(Refusal::new(
            ErrorReason::RequestIdReused,
            "the call took effect, but its token cannot be returned again because the service key was \
             replaced; rotate the seat's token with a new request_id",
        ));
    }
    Ok(())
}

impl Play {
    /// Checks the token of a retried call as [`check_repeated_token`] does.
    pub(crate) async fn check_repeated_token(&self, grant: &TokenGrant, token: &str) -> Result<(), Refusal> {
        let (_, head) = self.matches.cached(grant.match_id).await?;
        check_repeated_token(&head, grant, token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServiceKey;

    #[test]
    fn a_token_is_specific_to_its_grant_and_key() {
        let key = ServiceKey::from_bytes([1; 32]).token_key();
        let grant = |generation, request| TokenGrant {
            match_id: MatchId(Uuid::nil()),
            seat: Seat::Zero,
            generation,
            request_id: Uuid::from_u128(request),
        };
        let token = grant(1, 7).token(&key);
        assert_eq!(token, grant(1, 7).token(&key));
        assert_ne!(token, grant(2, 7).token(&key));
        assert_ne!(token, grant(1, 8).token(&key));
        assert_ne!(token, grant(1, 7).token(&ServiceKey::from_bytes([2; 32]).token_key()));
        assert!(TokenHash::of(&token).matches(&TokenHash::of(&token)));
        assert!(!TokenHash::of("mbs_other").matches(&TokenHash::of(&token)));
    }
}
