//! Seat tokens. They are derived from the service key and the caller's claim secret, so that a retried claim
//! returns the same token again to the caller that made it. Only their hashes are stored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use event::{MatchId, Seat};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::claim_secret::ClaimSecret;
use crate::keys::{MacKey, sha256};

/// Prefix of every seat token. It makes leaked tokens recognizable and tells tokens from API keys.
pub const SEAT_TOKEN_PREFIX: &str = "mbs_";

/// Bytes of a token that name its holder: match, seat, generation.
const HOLDER_BYTES: usize = 16 + 1 + 4;

/// Bytes of a token that prove that the service issued it.
const TAG_BYTES: usize = 16;

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

    pub(super) fn token(&self, SeatTokens(key): &SeatTokens) -> String {
        let holder = TokenHolder { match_id: self.match_id, seat: self.seat, generation: self.generation };
        let holder = holder.to_bytes();
        // Only the last part varies in length.
        let mac = key.mac(&[&holder, self.secret.as_bytes()]);
        let tag = tag(key, &holder, &mac);
        format!("{SEAT_TOKEN_PREFIX}{}", URL_SAFE_NO_PAD.encode([&holder[..], &mac, &tag].concat()))
    }
}

/// Whose a seat's token is. The token says so, under a tag that only the service can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenHolder {
    /// The match.
    pub match_id: MatchId,
    /// The seat.
    pub seat: Seat,
    /// Number of tokens issued for the seat up to this one. All but the newest are void.
    pub generation: u32,
}

impl TokenHolder {
    fn to_bytes(self) -> [u8; HOLDER_BYTES] {
        let mut bytes = [0; HOLDER_BYTES];
        bytes[..16].copy_from_slice(self.match_id.0.as_bytes());
        bytes[16] = self.seat.number();
        bytes[17..].copy_from_slice(&self.generation.to_be_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; HOLDER_BYTES]) -> Option<Self> {
        let (match_id, rest) = bytes.split_first_chunk()?;
        let (&[seat], generation) = rest.split_first_chunk()?;
        Some(Self {
            match_id: MatchId(Uuid::from_bytes(*match_id)),
            seat: Seat::from_number(seat.into())?,
            generation: u32::from_be_bytes(generation.try_into().ok()?),
        })
    }
}

/// Makes seats' tokens, and tells whose one is without asking the database whether it is still the newest.
#[derive(Clone)]
pub struct SeatTokens(MacKey);

impl SeatTokens {
    pub(crate) fn new(key: MacKey) -> Self {
        Self(key)
    }

    /// Returns the holder of a token that was issued under this service key, `None` for any other text.
    pub fn holder(&self, token: &str) -> Option<TokenHolder> {
        let bytes = URL_SAFE_NO_PAD.decode(token.strip_prefix(SEAT_TOKEN_PREFIX)?).ok()?;
        let (holder, rest) = bytes.split_first_chunk::<HOLDER_BYTES>()?;
        let (mac, sent) = rest.split_first_chunk::<32>()?;
        let is_ours: bool = tag(&self.0, holder, mac).ct_eq(sent).into();
        if is_ours { TokenHolder::from_bytes(holder) } else { None }
    }
}

fn tag(key: &MacKey, holder: &[u8; HOLDER_BYTES], mac: &[u8; 32]) -> [u8; TAG_BYTES] {
    let whole = key.mac(&[b"matchbook.token-tag.v1\0", holder, mac]);
    *whole.first_chunk().expect("a MAC is longer than a tag")
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
    use super::*;
    use crate::ServiceKey;

    #[test]
    fn a_token_is_specific_to_its_grant_and_key() {
        let key = ServiceKey::from_bytes([1; 32]).seat_tokens();
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
        assert_ne!(token, grant(1, &one).token(&ServiceKey::from_bytes([2; 32]).seat_tokens()));
        assert!(TokenHash::of(&token).matches(&TokenHash::of(&token)));
        assert!(!TokenHash::of("mbs_other").matches(&TokenHash::of(&token)));
    }

    #[test]
    fn a_token_names_its_holder_and_nobody_else_can_make_one_that_does() {
        let key = ServiceKey::from_bytes([1; 32]).seat_tokens();
        let secret = ClaimSecret::read("", None, [1; 32]).ok().unwrap();
        let (match_id, seat) = (MatchId(Uuid::from_bytes([9; 16])), Seat::ALL[1]);
        let token = TokenGrant { match_id, seat, generation: 3, secret: &secret }.token(&key);
        assert_eq!(key.holder(&token), Some(TokenHolder { match_id, seat, generation: 3 }));
        let other = ServiceKey::from_bytes([2; 32]).seat_tokens();
        assert_eq!(other.holder(&token), None);
        let bytes = URL_SAFE_NO_PAD.decode(&token[SEAT_TOKEN_PREFIX.len()..]).unwrap();
        for at in 0..bytes.len() {
            let mut forged = bytes.clone();
            forged[at] ^= 1;
            let forged = format!("{SEAT_TOKEN_PREFIX}{}", URL_SAFE_NO_PAD.encode(&forged));
            assert_eq!(key.holder(&forged), None, "byte {at}");
        }
        let cut = URL_SAFE_NO_PAD.encode(&bytes[..bytes.len() - 1]);
        for text in ["", "mbs_", &token[1..], &token[..token.len() - 4], &format!("mbs_{cut}")] {
            assert_eq!(key.holder(text), None, "{text}");
        }
    }
}
