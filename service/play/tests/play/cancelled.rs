//! A caller may go away at any moment; what it asked for happens whole or not at
//! all, and the match goes on.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use play::{Caller, Limits};
use wire::v1::ErrorReason;

use crate::table::{self, Table};

#[tokio::test]
async fn work_that_nobody_waits_for_is_counted_too() {
    let play = table::with_limits(Limits { changes: 0, ..Limits::default() }).await;
    let refusal = play.create_match(&Caller::anonymous(), table::create(1)).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::Overloaded);
    assert!(refusal.retry_after.is_some());
}

#[tokio::test]
async fn a_cancelled_call_leaves_the_match_playable() {
    let play = table::in_memory().await;
    let table = Table::start(&play, 50).await;
    let mut cut = 0;
    for turn in 0..50 {
        let before = table.events(&play).await.len();
        // The wait is cut at ever later moments, sometimes before it began.
        let call = table.submit(&play, &table.angels, "1,1");
        if cut_after(turn / 4, call).await.is_none() {
            cut += 1;
            // Whether it was made or not, asking again settles it.
            let _ = table.submit(&play, &table.angels, "1,1").await;
        }
        table.submit(&play, &table.demons, "4,4").await.unwrap();
        let after = table.events(&play).await;
        assert_eq!(after.len(), before + 3 + usize::from(turn == 49), "a choice each and one reveal");
        assert!(after.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    }
    assert!(cut > 0, "no call was cut at all");
}

/// Looks so often whether the call is done, letting others work in between, and then drops it.
async fn cut_after<T>(looks: usize, call: impl Future<Output = T>) -> Option<T> {
    let mut call = pin!(call);
    for _ in 0..looks {
        if let Poll::Ready(done) = poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await {
            return Some(done);
        }
        tokio::task::yield_now().await;
    }
    None
}
