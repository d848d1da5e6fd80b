//! Seat tokens. They are derived from the service key and the caller's claim secret, so that a retried claim
//! returns the same token again to the caller that made it. Only their hashes are stored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use event::{MatchId, Seat};
use subtle::ConstantTimeEq;

use super::claim_secret::ClaimSecret;
use crate::keys::{MacKey, sha256};

/// Prefix of every seat token. It makes leaked tokens recognizable and tells tokens from API keys.
pub const SEAT_TOKEN_PREFIX: &str = "mbs_";

/// Generation of the token that a claim returns.
pub(crate) const FIRST_GENERATION: u32 = 1;

/// The grant that a token derives from.
pub(crate) struct TokenGrant<'a> {
    pub match_id: MatchId,
    pub seat: Seat,
    /// Number of tokens issued for the seat, including this one.
    pub generation: u32,
    pub secret: &'a ClaimSecret,
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

impl<'a> TokenGrant<'a> {
    /// Returns the grant of a claim.
    pub(crate) fn of_claim(match_id: MatchId, seat: Seat, secret: &'a ClaimSecret) -> Self {
        Self { match_id, seat, generation: FIRST_GENERATION, secret }
    }

    pub(super) fn token(&self, key: &MacKey) -> String {
        let seat = [self.seat.number()];
        // Only the last part varies in length.
        let mac = key.mac(&[
            self.match_id.0.as_bytes(),
            &seat,
            &self.generation.to_be_bytes(),
            self.secret.as_bytes(),
        ]);
        format!("{SEAT_TOKEN_PREFIX}{}", URL_SAFE_NO_PAD.encode(mac))
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

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ServiceKey;

    #[test]
    fn a_token_is_specific_to_its_grant_and_key() {
        let key = ServiceKey::from_bytes([1; 32]).token_key();
        let [one, other] = [[1; 32], [2; 32]].map(|random| ClaimSecret::read("", None, random).ok().unwrap());
        let grant = |generation, secret| TokenGrant {
            match_id: MatchId(Uuid::nil()),
            seat: Seat::ALL[0],
            generation,
            secret,
        };
        let token = grant(1, &one).token(&key);
        assert_eq!(token, grant(1, &one).token(&key));
        assert_ne!(token, grant(2, &one).token(&key));
        assert_ne!(token, grant(1, &other).token(&key));
        assert_ne!(token, grant(1, &one).token(&ServiceKey::from_bytes([2; 32]).token_key()));
        assert!(TokenHash::of(&token).matches(&TokenHash::of(&token)));
        assert!(!TokenHash::of("mbs_other").matches(&TokenHash::of(&token)));
    }
}
