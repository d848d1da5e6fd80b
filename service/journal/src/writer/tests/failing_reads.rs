//! Outages in which the writer cannot read what it needs to settle a batch: it settles it afterwards, and
//! does not press a database in trouble.

use tokio::time::{Duration, sleep};

use super::faulty::{Fault, Faulty, Read};
use crate::batch::{Purpose, encode_empty_body};
use crate::ids::{BatchNumber, ReplicaId, WriterId};
use crate::samples::{create, head_seq, id, move_at};
use crate::{AppendError, Hlc, Journal, Seq, StopReason};

const OUTAGE: Duration = Duration::from_secs(60);

/// More than the writer reads in the outage if its pauses grow to about a second, and much less than if they
/// don't.
const MANY_READS: u32 = 100;

// Time is paused in these tests: it advances whenever every task waits.

/// Returns a journal with two events of a match.
async fn with_two_events(store: &Faulty) -> Journal {
    let journal = store.open().await;
    journal.append(create(id(1), [1; 32])).await.unwrap();
    journal.append(move_at(id(1), 2)).await.unwrap();
    journal
}

/// Appends at the start of an outage of these reads, and waits for its end.
async fn append_in_outage(store: &Faulty, journal: &Journal, read: Read, seq: u32) {
    store.fail_reads(read, OUTAGE);
    // Callers do not wait as long as the writer tries.
    assert_eq!(journal.append(move_at(id(1), seq)).await, Err(AppendError::OutcomeUnknown));
    sleep(OUTAGE).await;
    let reads = store.failed_reads();
    assert!((2..MANY_READS).contains(&reads), "the writer read {reads} times in a minute");
}

#[tokio::test(start_paused = true)]
async fn a_lost_connection_is_settled_after_the_outage() {
    let store = Faulty::default();
    let journal = with_two_events(&store).await;
    store.inject([Fault::LostBefore]);
    append_in_outage(&store, &journal, Read::Commit, 3).await;
    assert_eq!(head_seq(&journal, id(1)).await, Some(Seq(3)));
    journal.append(move_at(id(1), 4)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_conflict_is_settled_after_the_outage() {
    let store = Faulty::default();
    let journal = with_two_events(&store).await;
    append_in_outage(&store, &journal, Read::Heads, 2).await;
    assert_eq!(head_seq(&journal, id(1)).await, Some(Seq(2)));
    journal.append(move_at(id(1), 3)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_writer_that_others_closed_stops_after_the_outage() {
    let store = Faulty::default();
    let journal = with_two_events(&store).await;
    let body = encode_empty_body(ReplicaId::generate(), Purpose::Closing);
    store.memory.put_commit(WriterId(1), BatchNumber(4), Hlc(1), body);
    append_in_outage(&store, &journal, Read::Commit, 3).await;
    assert_eq!(journal.stopped().await, StopReason::Fenced);
    assert_eq!(head_seq(&journal, id(1)).await, Some(Seq(2)));
}
