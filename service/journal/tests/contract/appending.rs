//! Appended events can be read back, complete and unchanged.

use bytes::Bytes;
use event::{Event, Sealed, SealedPart};
use journal::{Append, Deadline, DeadlineChange, Hlc, NewEvent, PageSize, RecordTime, Seq, StoredEvent};
use rstest::rstest;

use crate::samples::{create, created, created_beside, event, head_seq, log, move_at, new, new_id};
use crate::stores::{Kind, TestStore};

#[rstest]
#[tokio::test]
async fn stored_bytes_are_returned_unchanged(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    let every_byte: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let events = vec![
        new(Event { public: Bytes::new(), kind: u16::MAX, ..event(id, 2, "").event }),
        NewEvent {
            request_hash: Some([0xff; 32]),
            event: Event {
                record_time: RecordTime(-7),
                public: Bytes::from(every_byte.clone()),
                sealed: Sealed::from_bytes(Bytes::from(every_byte[..60_000].to_vec())).map(SealedPart::Open),
                ..event(id, 3, "").event
            },
        },
        new(Event { sealed: Some(SealedPart::Open(Sealed::new([9; 32], b""))), ..event(id, 4, "").event }),
        new(Event { sealed: Some(SealedPart::Closed([8; 32])), ..event(id, 5, "").event }),
    ];
    let append = Append { events: events.clone(), ..move_at(id, 2, hlc, "") };
    let committed = journal.append(append).await.unwrap();
    let stored = log(&journal, id).await;
    assert!(stored[1..].iter().all(|stored| stored.hlc == committed.hlc));
    let as_new = |stored: StoredEvent| NewEvent { event: stored.event, request_hash: stored.request_hash };
    let stored: Vec<NewEvent> = stored.into_iter().map(as_new).skip(1).collect();
    assert_eq!(stored, events);
}

#[rstest]
#[tokio::test]
async fn events_are_paged_and_the_head_is_the_last(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (other, _) = created(&journal).await;
    let (id, hlc) = created(&journal).await;
    let events = (2..=9).map(|seq| event(id, seq, "x")).collect();
    journal.append(Append { events, ..move_at(id, 2, hlc, "") }).await.unwrap();
    let page = async |after, limit| -> Vec<u32> {
        let events = journal.events(id, Seq(after), PageSize(limit)).await.unwrap();
        events.iter().map(|stored| stored.event.seq.0).collect()
    };
    assert_eq!(page(0, 4).await, [1, 2, 3, 4]);
    assert_eq!(page(4, 4).await, [5, 6, 7, 8]);
    assert_eq!(page(8, 4).await, [9]);
    assert_eq!(page(9, 4).await, [0_u32; 0]);
    assert_eq!(page(u32::MAX, 4).await, [0_u32; 0]);
    assert_eq!(head_seq(&journal, id).await, Some(Seq(9)));
    assert_eq!(head_seq(&journal, other).await, Some(Seq(1)));
    assert_eq!(head_seq(&journal, new_id()).await, None);
}

#[rstest]
#[tokio::test]
async fn an_hlc_is_larger_than_those_before_it(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, first) = created(&journal).await;
    let second = journal.append(move_at(id, 2, first, "x")).await.unwrap().hlc;
    assert!(second > first);
    // A replica whose clock is ahead wrote the predecessor.
    let ahead = Hlc(journal.now().0 + 3_600_000_000);
    let third = journal.append(move_at(id, 3, ahead, "x")).await.unwrap().hlc;
    assert!(third > ahead);
    // The writer's own hlc never decreases.
    let (_, fourth) = created_beside(&journal, id).await;
    assert!(fourth > third);
}

#[rstest]
#[tokio::test]
async fn a_deadline_can_be_set_replaced_kept_and_cleared(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let set = |seq, due| DeadlineChange::Set { seq: Seq(seq), due: RecordTime(due) };
    let (late, early) = (new_id(), new_id());
    let hlc = journal.append(Append { deadline: set(1, 500), ..create(late) }).await.unwrap().hlc;
    journal.append(Append { deadline: set(1, 100), ..create(early) }).await.unwrap();
    let due = async |until| journal.due(RecordTime(until), PageSize(10)).await.unwrap();
    let at = |match_id, seq, due| Deadline { match_id, seq: Seq(seq), due: RecordTime(due) };
    assert_eq!(due(99).await, []);
    assert_eq!(due(100).await, [at(early, 1, 100)]);
    assert_eq!(due(500).await, [at(early, 1, 100), at(late, 1, 500)]);
    assert_eq!(journal.due(RecordTime(500), PageSize(1)).await.unwrap(), [at(early, 1, 100)]);

    journal.append(Append { deadline: set(2, 50), ..move_at(late, 2, hlc, "x") }).await.unwrap();
    assert_eq!(due(500).await, [at(late, 2, 50), at(early, 1, 100)]);
    journal.append(move_at(late, 3, hlc, "x")).await.unwrap();
    assert_eq!(due(50).await, [at(late, 2, 50)]);
    journal.append(Append { deadline: DeadlineChange::Clear, ..move_at(late, 4, hlc, "x") }).await.unwrap();
    assert_eq!(due(500).await, [at(early, 1, 100)]);
}

#[rstest]
#[tokio::test]
async fn concurrent_appends_are_all_written(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    // Small batches, so that each limit applies to some.
    let journal = store
        .open_with(|config| {
            config.limits.batch_events = 7;
            config.limits.batch_bytes = 2000;
        })
        .await;
    let tasks: Vec<_> = (0..50)
        .map(|_| {
            let journal = journal.clone();
            tokio::spawn(async move {
                let (id, mut hlc) = created(&journal).await;
                for seq in 2..=10 {
                    hlc = journal.append(move_at(id, seq, hlc, "x")).await.unwrap().hlc;
                }
                id
            })
        })
        .collect();
    for task in tasks {
        let id = task.await.unwrap();
        assert_eq!(log(&journal, id).await.len(), 10);
    }
}
