//! Seat tokens: derived, so that a repeated claim gives the same one again, while
//! only their hash is stored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::service_key::{MacKey, sha256};

/// Marks our tokens, so that a leaked one is recognized for what it is.
const PREFIX: &str = "mbs_";

/// What a token proves, and what it was asked for with.
pub(crate) struct Grant {
    pub match_id: Uuid,
    pub seat: rules::Seat,
    /// How many tokens the seat has had, this one included.
    pub generation: u32,
    /// The id of the call that gives it; secret like the token.
    pub request_id: Uuid,
}

impl Grant {
    pub(crate) fn token(&self, key: &MacKey) -> String {
        let seat = [u8::try_from(self.seat.index()).expect("there are two seats")];
        let mac = key.mac(&[
            self.match_id.as_bytes(),
            &seat,
            &self.generation.to_be_bytes(),
            self.request_id.as_bytes(),
        ]);
        format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(mac))
    }
}

/// What is stored of a token.
pub(crate) fn hash(token: &str) -> [u8; 32] {
    sha256(&[b"matchbook.token-hash.v1\0", token.as_bytes()])
}

/// Compares without telling by its duration how far two hashes agree.
pub(crate) fn equal(sent: &[u8; 32], stored: &[u8; 32]) -> bool {
    sent.ct_eq(stored).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServiceKey;

    #[test]
    fn a_token_is_the_same_for_the_same_call_and_for_no_other() {
        let key = ServiceKey::from_bytes([1; 32]).token_key();
        let grant = |generation, request| Grant {
            match_id: Uuid::nil(),
            seat: rules::Seat::Zero,
            generation,
            request_id: Uuid::from_u128(request),
        };
        let token = grant(1, 7).token(&key);
        assert_eq!(token, grant(1, 7).token(&key));
        assert_ne!(token, grant(2, 7).token(&key));
        assert_ne!(token, grant(1, 8).token(&key));
        assert_ne!(token, grant(1, 7).token(&ServiceKey::from_bytes([2; 32]).token_key()));
        assert!(equal(&hash(&token), &hash(&token)));
        assert!(!equal(&hash("mbs_other"), &hash(&token)));
    }
}
