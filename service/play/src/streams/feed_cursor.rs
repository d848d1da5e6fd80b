//! Feed cursors in the form that readers keep. A cursor names a match that the reader may not know of, since
//! an app is moved past the matches of others; so it is encrypted, and authenticated so that none can be made
//! up. The same cursor has the same text on every replica: the tag is a MAC of the cursor, and the pad a MAC
//! of the tag.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use journal::FeedCursor;
use subtle::ConstantTimeEq;

use crate::keys::MacKey;
use crate::{Refusal, ServiceKey};

/// Prefix of every cursor, so that none begins with a hyphen and is taken for a flag on a command line.
const PREFIX: &str = "mbc_";

const TAG_BYTES: usize = 16;

/// Encodes and decodes cursors under one service key.
pub(crate) struct CursorCodec {
    tag: MacKey,
    pad: MacKey,
}

impl CursorCodec {
    pub(super) fn new(key: &ServiceKey) -> Self {
        let [tag, pad] = key.cursor_keys();
        Self { tag, pad }
    }

    /// Returns the text of a cursor, always of the same length.
    pub(crate) fn encode(&self, cursor: FeedCursor) -> String {
        let mut bytes = cursor.to_bytes();
        let tag = self.tag_of(&bytes);
        self.mask(&mut bytes, &tag);
        PREFIX.to_owned() + &URL_SAFE_NO_PAD.encode([&tag[..], &bytes].concat())
    }

    /// Returns the cursor of a text that a service with this key encoded, or `None` for the start of the
    /// feed.
    pub(crate) fn decode(&self, text: &str) -> Result<Option<FeedCursor>, Refusal> {
        if text.is_empty() {
            return Ok(None);
        }
        let refused =
            || Refusal::field("after", "must be the cursor of a frame of this service's feed, or empty");
        // Do not decode a text that is too long to be a cursor.
        let encoded =
            text.strip_prefix(PREFIX).filter(|text| text.len() <= 2 * (TAG_BYTES + FeedCursor::BYTES));
        let sent = encoded.and_then(|text| URL_SAFE_NO_PAD.decode(text).ok()).ok_or_else(refused)?;
        let (tag, rest) = sent.split_first_chunk::<TAG_BYTES>().ok_or_else(refused)?;
        let mut bytes: [u8; FeedCursor::BYTES] = rest.try_into().map_err(|_| refused())?;
        self.mask(&mut bytes, tag);
        let authentic: bool = self.tag_of(&bytes).ct_eq(tag).into();
        FeedCursor::from_bytes(&bytes).filter(|_| authentic).map(Some).ok_or_else(refused)
    }

    fn tag_of(&self, cursor: &[u8]) -> [u8; TAG_BYTES] {
        *self.tag.mac(&[cursor]).first_chunk().expect("a MAC has 32 bytes")
    }

    fn mask(&self, bytes: &mut [u8; FeedCursor::BYTES], tag: &[u8; TAG_BYTES]) {
        for (byte, pad) in bytes.iter_mut().zip(self.pad.mac(&[tag])) {
            *byte ^= pad;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(first: u8) -> FeedCursor {
        let mut bytes = [7; FeedCursor::BYTES];
        bytes[0] = first;
        FeedCursor::from_bytes(&bytes).unwrap()
    }

    #[test]
    fn a_cursor_is_decoded_again_and_hides_its_content() {
        let codec = CursorCodec::new(&ServiceKey::from_bytes([1; 32]));
        let (one, other) = (codec.encode(cursor(0)), codec.encode(cursor(1)));
        assert_eq!(codec.decode(&one).unwrap(), Some(cursor(0)));
        assert_eq!(codec.decode("").unwrap(), None);
        assert_eq!(one, CursorCodec::new(&ServiceKey::from_bytes([1; 32])).encode(cursor(0)));
        assert_eq!(one.len(), other.len());
        let [one, other] = [one, other].map(|text| URL_SAFE_NO_PAD.decode(&text[PREFIX.len()..]).unwrap());
        assert!(!one.windows(4).any(|window| window == [7; 4]));
        let same = one.iter().zip(&other).filter(|(a, b)| a == b).count();
        assert!(same < 8, "cursors that differ in one byte share {same} bytes of text");
    }

    #[test]
    fn a_text_from_elsewhere_is_refused() {
        let codec = CursorCodec::new(&ServiceKey::from_bytes([1; 32]));
        let good = codec.encode(cursor(0));
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad.replace_range(at..=at, if &good[at..=at] == "A" { "B" } else { "A" });
            assert!(codec.decode(&bad).is_err(), "{bad}");
        }
        let foreign = CursorCodec::new(&ServiceKey::from_bytes([2; 32])).encode(cursor(0));
        for bad in [
            &good[1..],
            &good[PREFIX.len()..],
            &format!("{good}A"),
            &format!("{good}="),
            "x",
            "é",
            &foreign,
            &format!("{PREFIX}{}", "A".repeat(9000)),
        ] {
            assert_eq!(codec.decode(bad).unwrap_err().fields[0].field, "after");
        }
    }
}
