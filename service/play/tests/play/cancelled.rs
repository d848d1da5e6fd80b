//! A caller may go away at any moment; what it asked for happens whole or not at
//! all, and the match goes on.

use std::time::Duration;

use play::{Caller, Limits};
use tokio::time::timeout;
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
    let mut made = 0;
    for turn in 0..50_u64 {
        let before = table.events(&play).await.len();
        // The wait is cut at ever later moments, sometimes before it began.
        let call = table.submit(&play, &table.angels, "1,1");
        if timeout(Duration::from_micros(turn * 4), call).await.is_err() {
            made += 1;
            // Whether it was made or not, asking again settles it.
            let _ = table.submit(&play, &table.angels, "1,1").await;
        }
        table.submit(&play, &table.demons, "4,4").await.unwrap();
        let after = table.events(&play).await;
        assert_eq!(after.len(), before + 3 + usize::from(turn == 49), "a choice each and one reveal");
        assert!(after.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    }
    assert!(made > 0, "no call was cut at all");
}
