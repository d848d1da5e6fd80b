//! What is written is read back unchanged.

use archive::{ArchivedMatch, OpenSegment, SegmentError, SegmentId, SegmentWriter};
use event::{MatchId, Seq};
use journal::{Hlc, StoredEvent};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, proptest};
use proptest::{option, prop_assert_eq, prop_oneof};
use rules::GameId;
use uuid::Uuid;

use crate::logs::{Content, Sealing, large_log, log};
use crate::sample::random_match;
use crate::written::{archive_key, public_keys, signer, verify, write};

#[test]
fn finished_matches_of_every_game_come_back_with_every_byte() {
    for game in GameId::ALL {
        let played = random_match(game, 3);
        let stored = |event: &event::Event| {
            let hlc = Hlc(event.record_time.0 + 700);
            StoredEvent { event: event.to_part(), request_hash: Some([7; 32]), hlc }
        };
        let events: Vec<_> = played.events.iter().map(stored).collect();
        let archived = ArchivedMatch::new(MatchId(Uuid::from_u128(7)), events).unwrap();
        let written = write(std::slice::from_ref(&archived));
        assert_eq!(verify(written.id, &written.bytes).unwrap(), [archived]);
    }
}

#[test]
fn matches_in_several_blocks_come_back_in_the_order_in_which_they_were_added() {
    let matches: Vec<_> = [5, 1, 9, 3].into_iter().map(|id| large_log(id, 400 << 10)).collect();
    let written = write(&matches);
    let (segment, read) =
        OpenSegment::verify(&written.bytes, written.id, &[archive_key()], &public_keys()).unwrap();
    assert_eq!(read, matches);
    assert_eq!(segment.summary(), written.summary);
    assert_eq!((written.summary.matches, written.summary.events), (4, 4));
    let ids: Vec<_> = segment.match_ids().map(|id| id.0.as_u128()).collect();
    assert_eq!(ids, [1, 3, 5, 9]);
}

#[test]
fn a_log_that_is_no_chain_is_not_archived() {
    let id = MatchId(Uuid::from_u128(1));
    let events = log(1, &[Content::of(b"a"), Content::of(b"b"), Content::of(b"c")]).events().to_vec();
    let broken = |events: Vec<StoredEvent>| match ArchivedMatch::new(id, events) {
        Err(SegmentError::BrokenChain { match_id, seq }) => (match_id, seq),
        other => panic!("{other:?}"),
    };
    assert_eq!(broken(Vec::new()), (id, Seq(1)));
    assert_eq!(broken(events[1..].to_vec()), (id, Seq(1)));
    assert_eq!(broken(vec![events[0].clone(), events[2].clone()]), (id, Seq(2)));
    let mut changed = events.clone();
    changed[2].event.public = b"C".as_slice().into();
    assert_eq!(broken(changed), (id, Seq(3)));
    let mut of_other_match = events;
    of_other_match.truncate(1);
    assert!(ArchivedMatch::new(MatchId(Uuid::from_u128(2)), of_other_match).is_err());
}

#[test]
fn a_match_is_not_written_twice() {
    let archived = log(1, &[Content::of(b"a")]);
    let mut writer = SegmentWriter::new(SegmentId::generate(), &archive_key());
    assert!(writer.is_empty());
    writer.push(&archived);
    writer.push(&archived);
    assert!(!writer.is_empty() && !writer.is_full());
    let error = writer.finish(&signer(1)).err();
    assert_eq!(error, Some(SegmentError::DuplicateMatch(archived.match_id())));
}

fn contents() -> impl Strategy<Value = Content> {
    let digest = (vec(any::<u8>(), 0..40), any::<[u8; 32]>())
        .prop_map(|(text, digest)| [text.as_slice(), &[32], &digest].concat());
    let public = prop_oneof![vec(any::<u8>(), 0..80), digest];
    let sealed = prop_oneof![
        proptest::prelude::Just(Sealing::None),
        any::<[u8; 32]>().prop_map(Sealing::Closed),
        vec(any::<u8>(), 0..40).prop_map(Sealing::Open),
    ];
    let times = (0..i64::from(u32::MAX), -5_000_i64..5_000_000);
    let parts = (any::<u16>(), public, sealed, option::of(any::<[u8; 32]>()), times);
    parts.prop_map(|(kind, public, sealed, request_hash, (after, lag))| Content {
        kind,
        public,
        sealed,
        request_hash,
        after,
        lag,
    })
}

proptest! {
    #[test]
    fn any_logs_come_back(all in vec(vec(contents(), 1..12), 1..8)) {
        let matches: Vec<_> = all.iter().zip(1..).map(|(contents, id)| log(id, contents)).collect();
        let written = write(&matches);
        prop_assert_eq!(verify(written.id, &written.bytes).unwrap(), matches);
    }
}
