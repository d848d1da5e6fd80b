//! Invalid appends are rejected with the violated rule, before they reach the database.

use bytes::Bytes;
use event::{Event, Sealed, SealedPart};
use journal::{Append, AppendError, MAX_BYTES, MAX_EVENTS, MAX_SEALED_BYTES};
use rstest::rstest;

use crate::samples::{create, created, event, log, move_at, new, new_id, row};
use crate::stores::{Kind, TestStore};

#[rstest]
#[tokio::test]
async fn an_append_that_violates_a_rule_is_rejected(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    let second = || move_at(id, 2, hlc, "x");
    let with = |event| Append { events: vec![event], ..second() };
    let broken = [
        Append { events: vec![], ..second() },
        Append { events: vec![event(id, 2, "x"), event(id, 4, "x")], ..second() },
        Append { after: None, ..second() },
        Append { after: second().after, ..create(new_id()) },
        Append { match_row: Some(row(new_id())), ..second() },
        with(event(id, 0, "x")),
        with(event(id, 1 << 31, "x")),
        with(new(Event { kind: 0, ..event(id, 2, "x").event })),
    ];
    for append in broken {
        let shown = format!("{append:?}");
        let answer = journal.append(append).await;
        assert!(matches!(answer, Err(AppendError::Refused { .. })), "{shown} was answered {answer:?}");
    }
    assert_eq!(log(&journal, id).await.len(), 1);
}

#[rstest]
#[tokio::test]
async fn an_append_at_the_limit_is_written_and_above_it_rejected(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    let public = |len| Append {
        events: vec![new(Event { public: Bytes::from(vec![7; len]), ..event(id, 2, "x").event })],
        ..move_at(id, 2, hlc, "x")
    };
    let sealed = |len| Append {
        events: vec![new(Event {
            sealed: Sealed::from_bytes(Bytes::from(vec![7; len])).map(SealedPart::Open),
            ..event(id, 3, "x").event
        })],
        ..move_at(id, 3, hlc, "x")
    };
    let many = |count: u32| Append {
        events: (4..4 + count).map(|seq| event(id, seq, "x")).collect(),
        ..move_at(id, 4, hlc, "x")
    };
    let most = u32::try_from(MAX_EVENTS).unwrap();
    assert_eq!(journal.append(public(MAX_BYTES + 1)).await, Err(AppendError::TooLarge));
    journal.append(public(MAX_BYTES - 1000)).await.unwrap();
    assert_eq!(journal.append(sealed(MAX_SEALED_BYTES + 1)).await, Err(AppendError::TooLarge));
    journal.append(sealed(MAX_SEALED_BYTES)).await.unwrap();
    assert_eq!(journal.append(many(most + 1)).await, Err(AppendError::TooLarge));
    journal.append(many(most)).await.unwrap();
    assert_eq!(log(&journal, id).await.len(), 3 + MAX_EVENTS);
}

#[test]
fn debug_output_of_an_event_contains_none_of_its_bytes() {
    let secret = Bytes::from_static(b"queen of hearts");
    let sealed = Sealed::new([1; 32], &secret);
    let event = new(Event {
        public: secret,
        sealed: Some(SealedPart::Open(sealed)),
        ..event(new_id(), 1, "x").event
    });
    let shown = format!("{event:?}");
    assert!(!shown.contains("queen") && !shown.contains("113, 117"), "{shown}");
}
