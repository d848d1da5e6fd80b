//! What the referee judges by, asked of the service after the players have gone: logs as each replica tells
//! them, and exported files, verified with their signatures.

use std::time::{Duration, Instant};

use event::Seq;
use replay::{FileForm, FileWriter, LogFile, PublicKey, Receipt as LogReceipt, Trust, Verdict};
use tonic::transport::Channel;
use tonic::{Request, Response, Status};
use wire::v1;
use wire::v1::log_service_client::LogServiceClient;
use wire::v1::match_service_client::MatchServiceClient;

use crate::caller::{Caller, Unsettled};
use crate::record::{Receipt, Record};
use crate::referee::Finding;
use crate::routes::Way;

/// The most that the service gives in a page.
const PAGE: u32 = 500;
const EXPORT_ATTEMPTS: u32 = 20;
const EXPORT_PAUSE: Duration = Duration::from_millis(250);
const EXPORT_WITHIN: Duration = Duration::from_secs(20);

/// A match's log as a spectator reads it on one way.
pub(crate) async fn log(caller: &mut Caller, way: Way, match_id: &str) -> Result<Vec<v1::Event>, Unsettled> {
    let mut log: Vec<v1::Event> = Vec::new();
    loop {
        let after_seq = log.last().map_or(0, |event| event.seq);
        let request = v1::ListEventsRequest {
            match_id: match_id.to_owned(),
            after_seq,
            page_size: Some(PAGE),
            min_seq: None,
        };
        let page = caller.settle_on(way, &request, None, list_events).await?.answer;
        let (head, empty) = (page.head_seq, page.events.is_empty());
        log.extend(page.events);
        if empty || log.last().is_some_and(|event| event.seq >= head) {
            return Ok(log);
        }
    }
}

/// The keys that the service signs with.
pub(crate) async fn keys(caller: &mut Caller) -> Result<Vec<PublicKey>, Unsettled> {
    let rpc = |channel, request| async { LogServiceClient::new(channel).list_keys(request).await };
    let answer = caller.settle(&v1::ListKeysRequest {}, None, rpc).await?.answer;
    Ok(answer.keys.iter().filter_map(|key| key.public_key.parse().ok()).collect())
}

/// Exports a match's log and verifies the file with everything that players hold in their hands.
pub(crate) async fn verify(caller: &mut Caller, record: &Record, keys: &[PublicKey]) -> Option<Finding> {
    let way = caller.routes.any(&mut caller.rng);
    let bytes = match exported(caller, way, &record.match_id).await {
        Ok(bytes) => bytes,
        Err(status) => return Some(Finding::NotVerified(format!("not exported: {status}"))),
    };
    let file = match LogFile::read(&bytes) {
        Ok((file, _)) => file,
        Err(error) => return Some(Finding::NotVerified(error.to_string())),
    };
    let told = record.acknowledged.iter().flat_map(|acknowledged| &acknowledged.events);
    let receipts = record.opening.iter().chain(told).filter_map(to_receipt).collect();
    let report = file.verify(&Trust { keys: keys.to_vec(), receipts });
    let why = report.failure.map_or_else(String::new, |failure| format!(": {}", failure.problem));
    (report.verdict != Verdict::Verified)
        .then(|| Finding::NotVerified(format!("{}{why}", report.verdict.as_str())))
}

fn to_receipt(receipt: &Receipt) -> Option<LogReceipt> {
    Some(LogReceipt::Hash { seq: Seq(receipt.seq), hash: receipt.hash.clone().try_into().ok()? })
}

async fn exported(caller: &Caller, way: Way, match_id: &str) -> Result<Vec<u8>, Status> {
    let mut attempt = 1;
    loop {
        let once = tokio::time::timeout(EXPORT_WITHIN, export(caller.routes.channel(way), match_id)).await;
        match once.unwrap_or_else(|_| Err(Status::cancelled("no answer in time"))) {
            Err(_) if attempt < EXPORT_ATTEMPTS && Instant::now() < caller.patience => {}
            done => return done,
        }
        attempt += 1;
        tokio::time::sleep(EXPORT_PAUSE).await;
    }
}

async fn export(channel: Channel, match_id: &str) -> Result<Vec<u8>, Status> {
    let request = v1::ExportLogRequest { match_id: match_id.to_owned() };
    let mut records = LogServiceClient::new(channel).export_log(request).await?.into_inner();
    let mut writer = FileWriter::new(FileForm::Binary);
    let mut bytes = Vec::new();
    while let Some(record) = records.message().await? {
        bytes.extend(writer.record(&record));
    }
    Ok(bytes)
}

async fn list_events(
    channel: Channel,
    request: Request<v1::ListEventsRequest>,
) -> Result<Response<v1::ListEventsResponse>, Status> {
    MatchServiceClient::new(channel).list_events(request).await
}
