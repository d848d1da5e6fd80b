//! What Prometheus has counted in the end is what the log has: no more, no less.

use anyhow::{Context, Result};

use super::play::Played;
use super::prometheus::Prometheus;

/// Compares the sums; what is scraped late is waited for.
pub(super) fn check(prometheus: &Prometheus, played: &Played) -> Result<()> {
    let Played { matches, moves, refusals } = *played;
    // Each match was created and two seats were claimed.
    let appends = 3 * matches + moves;
    let calls = |method: &str| {
        format!("sum(matchbook_rpc_duration_seconds_count{{code=\"OK\",method=\"MatchService/{method}\"}})")
    };
    let expected = [
        (calls("CreateMatch"), matches),
        (calls("ClaimSeat"), 2 * matches),
        (calls("SubmitMove"), moves),
        ("sum(matchbook_journal_append_duration_seconds_count{outcome=\"committed\"})".to_owned(), appends),
        ("sum(matchbook_journal_batch_appends_sum)".to_owned(), appends),
        ("sum(matchbook_refusals_total)".to_owned(), refusals),
        ("sum(matchbook_live_matches)".to_owned(), matches),
        ("sum(matchbook_open_watches)".to_owned(), 0),
        ("sum(matchbook_journal_queue_appends)".to_owned(), 0),
    ];
    println!("the log has {matches} matches with {moves} moves");
    for (query, count) in expected {
        let told = || prometheus.value(&query).ok().flatten();
        prometheus
            .until(&format!("{query} is {count}"), || {
                told().is_some_and(|told| told.to_string() == count.to_string())
            })
            .with_context(|| format!("it is {:?}", told()))?;
        println!("{count:>6} = {query}");
    }
    Ok(())
}
