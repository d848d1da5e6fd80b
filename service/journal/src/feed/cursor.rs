//! A place in the feed, and its text, which readers keep and give back without understanding it.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::{Clock, MatchId, Seq};

/// A place in the feed: that of one event. Cursors sort as the feed does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeedCursor {
    pub(crate) clock: Clock,
    pub(crate) match_id: MatchId,
    pub(crate) seq: Seq,
}

/// The text is no cursor of a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a place in the feed")]
pub struct CursorError;

impl FeedCursor {
    /// Before every event.
    pub(crate) const BEGINNING: FeedCursor =
        FeedCursor { clock: Clock(0), match_id: MatchId(Uuid::nil()), seq: Seq(0) };
}

impl fmt::Display for FeedCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}-{}-{:x}", self.clock.0, self.match_id.0.simple(), self.seq.0)
    }
}

impl FromStr for FeedCursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<FeedCursor, CursorError> {
        let cursor = parse(text).ok_or(CursorError)?;
        // One text for one place: what was not written here is not taken.
        if cursor.to_string() == text { Ok(cursor) } else { Err(CursorError) }
    }
}

fn parse(text: &str) -> Option<FeedCursor> {
    let mut parts = text.split('-');
    let clock = i64::from_str_radix(parts.next()?, 16).ok().filter(|&clock| clock >= 0)?;
    let match_id = Uuid::try_parse(parts.next()?).ok()?;
    let seq = u32::from_str_radix(parts.next()?, 16).ok().filter(|&seq| i32::try_from(seq).is_ok())?;
    let cursor = FeedCursor { clock: Clock(clock), match_id: MatchId(match_id), seq: Seq(seq) };
    parts.next().is_none().then_some(cursor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_from_its_text_and_nothing_else_is_one() {
        let match_id = MatchId(Uuid::from_u128(0x0192_0000_7000_8000_0000_0000_0000_00ab));
        for (clock, seq) in [(0, 0), (1, 1), (1_700_000_000_000_000, 17), (i64::MAX, i32::MAX as u32)] {
            let cursor = FeedCursor { clock: Clock(clock), match_id, seq: Seq(seq) };
            let text = cursor.to_string();
            assert_eq!(text.parse(), Ok(cursor));
            for wrong in [
                format!("{text}-"),
                format!(" {text}"),
                format!("+{text}"),
                format!("0{text}"),
                text.to_uppercase(),
                text.replacen('-', "", 1),
                String::new(),
                "ffffffffffffffff-01920000700080000000000000000000-1".to_owned(),
                "1-01920000700080000000000000000000-ffffffff".to_owned(),
            ] {
                assert_eq!(wrong.parse::<FeedCursor>(), Err(CursorError), "{wrong}");
            }
        }
    }
}
