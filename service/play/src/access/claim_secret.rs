//! The secret by which a caller gets a seat's token again if the response with it was lost. Callers
//! choose it, unlike a `request_id`, for nobody but themselves. It is part of the token's derivation and
//! kept nowhere.

use std::ops::RangeInclusive;

use crate::Refusal;

/// Number of characters of a secret that a caller chose.
const CHARS: RangeInclusive<usize> = 16..=128;

/// The secret that a seat's token derives from. It is never part of an error, and has no `Debug`.
#[derive(Clone)]
pub(crate) struct ClaimSecret(Vec<u8>);

impl ClaimSecret {
    /// Reads the secret in a request. If it has none, returns `random`, with which no retry gets the token.
    pub(crate) fn read(field: &str, text: Option<&str>, random: [u8; 32]) -> Result<Self, Refusal> {
        let Some(text) = text else { return Ok(Self(random.to_vec())) };
        let visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        if !visible || !CHARS.contains(&text.len()) {
            let (least, most) = (CHARS.start(), CHARS.end());
            let must = format!("must have {least} to {most} visible ASCII characters and no spaces");
            return Err(Refusal::field(field, must));
        }
        Ok(Self(text.as_bytes().to_vec()))
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_visible_ascii_characters_and_no_error_repeats_one() {
        let read = |text: &str| ClaimSecret::read("claim_secret", Some(text), [7; 32]);
        for good in ["0123456789abcdef", "!#$%&'()*+,-./:;<=>?@[]^_`{|}~", &"x".repeat(128)] {
            assert_eq!(read(good).ok().unwrap().as_bytes(), good.as_bytes());
        }
        for bad in [
            "",
            "0123456789abcde",
            &"x".repeat(129),
            "0123456789 abcdef",
            "0123456789abcdef\n",
            "0123456789abcdé",
        ] {
            let refusal = read(bad).err().unwrap();
            assert_eq!(refusal.fields[0].field, "claim_secret");
            assert!(bad.is_empty() || !format!("{refusal:?}").contains(bad), "{bad}");
        }
    }

    #[test]
    fn without_a_secret_of_the_caller_a_random_one_is_used() {
        assert_eq!(ClaimSecret::read("claim_secret", None, [7; 32]).ok().unwrap().as_bytes(), [7; 32]);
    }
}
