//! Places in the feed as readers keep them. A place names a match that the reader may not know of (an app is moved past
//! those of others), so its text is encrypted; and nobody makes one up, so it is authenticated. The same place has the
//! same text on every replica: the tag is a MAC of the place, and the pad a MAC of the tag.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use journal::FeedCursor;
use subtle::ConstantTimeEq;

use crate::service_key::MacKey;
use crate::{Refusal, ServiceKey};

/// Begins every cursor, so that none begins with a hyphen, which command lines take for a flag.
const PREFIX: &str = "mbc_";

const TAG_BYTES: usize = 16;

/// Writes and reads cursors under one service key.
pub(crate) struct Cursors {
    tag: MacKey,
    pad: MacKey,
}

impl Cursors {
    pub(crate) fn new(key: &ServiceKey) -> Self {
        let [tag, pad] = key.cursor_keys();
        Self { tag, pad }
    }

    /// The text of a place, always of the same length.
    pub(crate) fn write(&self, place: FeedCursor) -> String {
        let mut bytes = place.to_bytes();
        let tag = self.tag_of(&bytes);
        self.mask(&mut bytes, &tag);
        PREFIX.to_owned() + &URL_SAFE_NO_PAD.encode([&tag[..], &bytes].concat())
    }

    /// The place of a text that was written here; none for the beginning.
    pub(crate) fn read(&self, text: &str) -> Result<Option<FeedCursor>, Refusal> {
        if text.is_empty() {
            return Ok(None);
        }
        let refused =
            || Refusal::field("after", "must be the cursor of a frame of this service's feed, or empty");
        // So much text can't be one, whatever it is.
        let fitting =
            text.strip_prefix(PREFIX).filter(|text| text.len() <= 2 * (TAG_BYTES + FeedCursor::BYTES));
        let sent = fitting.and_then(|text| URL_SAFE_NO_PAD.decode(text).ok()).ok_or_else(refused)?;
        let (tag, rest) = sent.split_first_chunk::<TAG_BYTES>().ok_or_else(refused)?;
        let mut bytes: [u8; FeedCursor::BYTES] = rest.try_into().map_err(|_| refused())?;
        self.mask(&mut bytes, tag);
        let known: bool = self.tag_of(&bytes).ct_eq(tag).into();
        FeedCursor::from_bytes(&bytes).filter(|_| known).map(Some).ok_or_else(refused)
    }

    fn tag_of(&self, place: &[u8]) -> [u8; TAG_BYTES] {
        *self.tag.mac(&[place]).first_chunk().expect("a MAC has 32 bytes")
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

    fn place(first: u8) -> FeedCursor {
        let mut bytes = [7; FeedCursor::BYTES];
        bytes[0] = first;
        FeedCursor::from_bytes(&bytes).unwrap()
    }

    #[test]
    fn a_cursor_is_read_back_and_says_nothing_of_its_place() {
        let cursors = Cursors::new(&ServiceKey::from_bytes([1; 32]));
        let (one, other) = (cursors.write(place(0)), cursors.write(place(1)));
        assert_eq!(cursors.read(&one).unwrap(), Some(place(0)));
        assert_eq!(cursors.read("").unwrap(), None);
        assert_eq!(one, Cursors::new(&ServiceKey::from_bytes([1; 32])).write(place(0)));
        assert_eq!(one.len(), other.len());
        let [one, other] = [one, other].map(|text| URL_SAFE_NO_PAD.decode(&text[PREFIX.len()..]).unwrap());
        assert!(!one.windows(4).any(|window| window == [7; 4]));
        let same = one.iter().zip(&other).filter(|(a, b)| a == b).count();
        assert!(same < 8, "places that differ in one byte look unlike: {same} bytes are the same");
    }

    #[test]
    fn a_text_that_was_not_written_here_is_refused() {
        let cursors = Cursors::new(&ServiceKey::from_bytes([1; 32]));
        let good = cursors.write(place(0));
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad.replace_range(at..=at, if &good[at..=at] == "A" { "B" } else { "A" });
            assert!(cursors.read(&bad).is_err(), "{bad}");
        }
        let strange = Cursors::new(&ServiceKey::from_bytes([2; 32])).write(place(0));
        for bad in [
            &good[1..],
            &good[PREFIX.len()..],
            &format!("{good}A"),
            &format!("{good}="),
            "x",
            "é",
            &strange,
            &format!("{PREFIX}{}", "A".repeat(9000)),
        ] {
            assert_eq!(cursors.read(bad).unwrap_err().fields[0].field, "after");
        }
    }
}
