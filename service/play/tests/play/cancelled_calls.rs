//! A call can be cancelled at any moment. It takes effect as a whole or not at all, and the match stays
//! playable.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use play::{Caller, Capacity};
use wire::v1::ErrorReason;

use crate::fixture::{self, Fixture};

#[tokio::test]
async fn changes_beyond_the_capacity_are_refused() {
    let play = fixture::with_capacity(Capacity { changes: 0, ..Capacity::default() }).await;
    let refusal = play.create_match(&Caller::anonymous(), fixture::create(1)).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::Overloaded);
    assert!(refusal.retry_after.is_some());
}

#[tokio::test]
async fn a_cancelled_call_leaves_the_match_playable() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 50).await;
    let mut cancelled = 0;
    for turn in 0..50 {
        let before = fixture.events(&play).await.len();
        // Cancel later from turn to turn, at first before the call has started.
        let call = fixture.submit(&play, &fixture.angels, "1,1");
        if poll_times(turn / 4, call).await.is_none() {
            cancelled += 1;
            // Whether the move was made or not, submitting it again settles it.
            let _ = fixture.submit(&play, &fixture.angels, "1,1").await;
        }
        fixture.submit(&play, &fixture.demons, "4,4").await.unwrap();
        let after = fixture.events(&play).await;
        assert_eq!(after.len(), before + 3 + usize::from(turn == 49), "expected two choices and a reveal");
        assert!(after.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    }
    assert!(cancelled > 0, "no call was cancelled");
}

/// Polls a call up to `times` times, yielding after each, and cancels it if it is not done.
async fn poll_times<T>(times: usize, call: impl Future<Output = T>) -> Option<T> {
    let mut call = pin!(call);
    for _ in 0..times {
        if let Poll::Ready(done) = poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await {
            return Some(done);
        }
        tokio::task::yield_now().await;
    }
    None
}
