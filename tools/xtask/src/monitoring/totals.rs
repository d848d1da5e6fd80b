//! Prometheus's totals against the log: equal, once all scrapes are in.

use anyhow::{Context, Result};

use super::play::Played;
use super::prometheus::Prometheus;
use crate::output;

/// Compares the totals, waiting for late scrapes.
pub(super) fn check(prometheus: &Prometheus, played: &Played) -> Result<()> {
    let Played { matches, moves, refusals } = *played;
    // Per match: its creation and two claims.
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
        ("sum(matchbook_open_streams)".to_owned(), 0),
        ("sum(matchbook_journal_queue_appends)".to_owned(), 0),
    ];
    output::print_line(format_args!("the log has {matches} matches with {moves} moves"));
    for (query, count) in expected {
        let measured = || prometheus.value(&query).ok().flatten();
        let equal = || measured().is_some_and(|measured| measured.to_string() == count.to_string());
        prometheus
            .wait_until(&format!("{query} is {count}"), equal)
            .with_context(|| format!("it is {:?}", measured()))?;
        output::print_line(format_args!("{count:>6} = {query}"));
    }
    Ok(())
}
