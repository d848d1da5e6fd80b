//! The referee's evidence, read from the service after the match: logs as each replica returns them, and
//! exported files, verified with their signatures.

use std::time::{Duration, Instant};

use audit::{FileForm, FileWriter, LogFile, PublicKey, Receipt, Trust, Verification};
use event::Seq;
use futures_util::TryStreamExt;
use matchbook_client::{Client, v1};

use crate::caller::{CallFailure, RetryingCaller};
use crate::history::{EventHash, MatchHistory};
use crate::referee::Finding;
use crate::routes::ServiceRoute;

/// The service's maximum.
const PAGE_SIZE: u32 = 500;
const EXPORT_ATTEMPTS: u32 = 20;
const EXPORT_DELAY: Duration = Duration::from_millis(250);
const EXPORT_TIMEOUT: Duration = Duration::from_secs(20);

/// Reads a match's log as a spectator, on one route.
pub(crate) async fn log(
    caller: &mut RetryingCaller,
    route: ServiceRoute,
    match_id: &str,
) -> Result<Vec<v1::Event>, CallFailure> {
    let list_events = |client: Client, message| async move { client.list_events(message).await };
    let mut log: Vec<v1::Event> = Vec::new();
    loop {
        let after_seq = log.last().map_or(0, |event| event.seq);
        let request = v1::ListEventsRequest {
            match_id: match_id.to_owned(),
            after_seq,
            page_size: PAGE_SIZE,
            ..v1::ListEventsRequest::default()
        };
        let page = caller.call_on(route, &request, list_events).await?.response;
        let (head, empty) = (page.head_seq, page.events.is_empty());
        log.extend(page.events);
        if empty || log.last().is_some_and(|event| event.seq >= head) {
            return Ok(log);
        }
    }
}

/// Reads the keys that the service signs with.
pub(crate) async fn keys(caller: &mut RetryingCaller) -> Result<Vec<PublicKey>, CallFailure> {
    let list_keys = |client: Client, message| async move { client.list_keys(message).await };
    let response = caller.call(&v1::ListKeysRequest::default(), None, list_keys).await?.response;
    Ok(response.keys.iter().filter_map(|key| key.public_key.parse().ok()).collect())
}

/// Exports a match's log and verifies the file against everything that the players received.
pub(crate) async fn verify(
    caller: &mut RetryingCaller,
    history: &MatchHistory,
    keys: &[PublicKey],
) -> Option<Finding> {
    let route = caller.routes.random(&mut caller.rng);
    let bytes = match export(caller, route, &history.match_id).await {
        Ok(bytes) => bytes,
        Err(reason) => return Some(Finding::NotVerified(format!("cannot export the log: {reason}"))),
    };
    let file = match LogFile::read(&bytes) {
        Ok((file, _)) => file,
        Err(error) => return Some(Finding::NotVerified(error.to_string())),
    };
    let acknowledged = history.acknowledged.iter().flat_map(|call| &call.events);
    let receipts = history.opening.iter().chain(acknowledged).filter_map(receipt).collect();
    let report = file.verify(&Trust { keys: keys.to_vec(), receipts, ..Trust::default() });
    let reason = report.failure.map_or_else(String::new, |failure| format!(": {}", failure.problem));
    (report.verdict != Verification::Verified)
        .then(|| Finding::NotVerified(format!("{}{reason}", report.verdict.as_str())))
}

fn receipt(event: &EventHash) -> Option<Receipt> {
    Some(Receipt::Hash { seq: Seq(event.seq), hash: event.hash.clone().try_into().ok()? })
}

/// Retries exports on one route, since a stream has no `request_id` and the client does not resume it.
async fn export(caller: &RetryingCaller, route: ServiceRoute, match_id: &str) -> Result<Vec<u8>, String> {
    let mut attempt = 1;
    loop {
        let once = tokio::time::timeout(EXPORT_TIMEOUT, export_once(caller.routes.client(route), match_id));
        let result = match once.await {
            Ok(result) => result.map_err(|error| error.to_string()),
            Err(_) => Err("no response in time".to_owned()),
        };
        if result.is_ok() || attempt == EXPORT_ATTEMPTS || Instant::now() > caller.deadline {
            return result;
        }
        attempt += 1;
        tokio::time::sleep(EXPORT_DELAY).await;
    }
}

async fn export_once(client: &Client, match_id: &str) -> Result<Vec<u8>, matchbook_client::Error> {
    let mut records = client.export_log(match_id).await?;
    let mut writer = FileWriter::new(FileForm::Binary);
    let mut bytes = Vec::new();
    while let Some(record) = records.try_next().await? {
        bytes.extend(writer.record(&record));
    }
    Ok(bytes)
}
