//! The id of a delivery: the event's match and seq. A receiver recognizes repetitions by it.

use event::{MatchId, Seq};
use journal::FeedCursor;

use crate::Refusal;
use crate::requests::fields;

/// Returns the id of an event's deliveries.
pub(crate) fn delivery_id(position: FeedCursor) -> String {
    format!("{}-{}", position.match_id(), position.seq())
}

/// Reads the id of a delivery.
pub(crate) fn parse_delivery_id(field: &str, text: &str) -> Result<(MatchId, Seq), Refusal> {
    let refused = || Refusal::field(field, "must be the delivery_id of a dead letter");
    let (match_id, seq) = text.rsplit_once('-').ok_or_else(refused)?;
    let match_id = fields::match_id(match_id).map_err(|_| refused())?;
    let seq = seq.parse::<u32>().ok().filter(|number| number.to_string() == seq).ok_or_else(refused)?;
    Ok((match_id, Seq(seq)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_was_written() {
        let mut bytes = [3; FeedCursor::BYTES];
        bytes[24..].copy_from_slice(&[0, 0, 1, 0]);
        let position = FeedCursor::from_bytes(&bytes).unwrap();
        let id = delivery_id(position);
        assert_eq!(parse_delivery_id("delivery_ids", &id).unwrap(), (position.match_id(), Seq(256)));
        for bad in ["", "-", "1", &id[1..], &format!("{id}x"), &format!("{id}-1"), &id.replace("256", "+256")]
        {
            let refusal = parse_delivery_id("delivery_ids", bad).unwrap_err();
            assert_eq!(refusal.fields[0].field, "delivery_ids", "{bad}");
        }
    }
}
