//! Recognizable secrets that must not appear in a response, a refusal or the log before they are opened, and
//! never in what a collector receives.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use event::{MatchId, RecordTime};
use journal::Journal;
use play::Environment;
use prost::Message;
use server::Config;
use server::telemetry::{OtlpSettings, TracePipeline};
use tokio_stream::StreamExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use uuid::Uuid;
use wire::v1::{self};

use crate::stage::collector::{Collector, Received};
use crate::stage::{Backend, CLAIM_SECRET, Client, Stage, Storage, Table, sent};

/// Prefix of every salt and every seed of the service.
const MARK: &[u8; 16] = b"PLANTED-SECRET::";

/// An environment with real time and recognizable randomness.
#[derive(Default)]
pub(crate) struct Planted(AtomicU64);

impl Environment for Planted {
    fn now(&self, journal: &Journal) -> RecordTime {
        journal.now()
    }

    fn secret(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(MARK);
        bytes[16..24].copy_from_slice(&self.0.fetch_add(1, Ordering::SeqCst).to_be_bytes());
        bytes
    }

    fn new_match_id(&self) -> MatchId {
        MatchId(Uuid::now_v7())
    }
}

/// Everything that this thread logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// The responses to all callers, with the names of their calls.
#[derive(Default)]
struct Seen(Vec<(&'static str, Vec<u8>)>);

impl Seen {
    fn note<M: Message>(&mut self, of: &'static str, response: Result<tonic::Response<M>, tonic::Status>) {
        let bytes = match response {
            Ok(response) => response.get_ref().encode_to_vec(),
            Err(status) => [status.message().as_bytes(), status.details()].concat(),
        };
        self.0.push((of, bytes));
    }
}

/// Returns whether the text contains the mark in any encoding.
pub(crate) fn is_planted(text: &[u8]) -> bool {
    shows(text, MARK)
}

/// Returns whether the text contains the secret: raw, in hexadecimal, as a printed list of bytes, or in
/// base64.
pub(crate) fn shows(text: &[u8], secret: &[u8]) -> bool {
    let hex: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let list = format!("{secret:?}");
    let mut encodings =
        vec![secret.to_vec(), hex.into_bytes(), list.trim_matches(['[', ']']).as_bytes().to_vec()];
    for before in 0..3 {
        let encoded = STANDARD_NO_PAD.encode([&vec![0; before], secret].concat());
        // Without the characters that also encode neighbouring bytes.
        let whole = &encoded.as_bytes()[(before * 8).div_ceil(6)..encoded.len() - 1];
        encodings.push(whole.to_vec());
    }
    encodings.iter().any(|encoding| text.windows(encoding.len()).any(|window| window == encoding))
}

#[test]
fn a_secret_is_found_in_every_encoding() {
    use base64::engine::general_purpose::STANDARD;
    for before in 0..5 {
        for behind in 0..5 {
            let text = [&vec![1; before], &MARK[..], &vec![2; behind]].concat();
            assert!(is_planted(STANDARD.encode(&text).as_bytes()), "{before} {behind}");
            assert!(is_planted(&text));
        }
    }
    assert!(!is_planted(STANDARD.encode([7; 100]).as_bytes()));
}

#[tokio::test]
async fn sealed_values_appear_nowhere_before_they_are_opened() {
    let log = Log::default();
    let collector = Collector::start();
    let otlp = OtlpSettings::to(&collector.url).unwrap();
    let traces = TracePipeline::new(&otlp).unwrap();
    let lines = fmt::layer().with_writer(log.clone()).with_filter(LevelFilter::TRACE);
    let subscriber = tracing_subscriber::registry().with(lines).with(traces.layer());
    let _logging = tracing::subscriber::set_default(subscriber);
    // With a single dispatcher, tracing caches whether the first thread at a callsite, even of another test,
    // is interested.
    let _another = tracing::Dispatch::new(tracing_subscriber::registry());
    let storage = Storage::here(Backend::Sqlite).await;
    let stage = Stage::within(Config { otlp, ..storage.config() }, Planted::default()).await;

    let mut seen = Seen::default();
    let choosing = stage.client.table(8, 8, 20).await;
    stage.client.submit(&choosing, 0, "3,5").await.unwrap();
    let dealt = deal(&stage.client).await;
    for table in [&choosing, &dealt] {
        for token in [None, Some(table.tokens[0].as_str()), Some(table.tokens[1].as_str()), Some("mbs_wrong")]
        {
            call_everything(&stage.client, table, token, &mut seen).await;
        }
    }
    for (of, bytes) in &seen.0 {
        assert!(!is_planted(bytes), "{of} discloses a sealed value");
    }

    // Proves that the mark would be found: the end of a match opens its seed to everybody.
    let resign = v1::ResignRequest { match_id: dealt.match_id.clone(), request_id: None };
    let ended = stage.client.matches.clone().resign(sent(resign, Some(&dealt.tokens[0]))).await.unwrap();
    assert!(is_planted(&ended.get_ref().encode_to_vec()));
    let logged = log.0.lock().unwrap().clone();
    assert!(String::from_utf8_lossy(&logged).contains("Resign"), "the log was captured");
    assert!(!is_planted(&logged), "the log contains a sealed value");
    assert!(!String::from_utf8_lossy(&logged).contains(CLAIM_SECRET), "the log contains a claim secret");
    stage.close().await;
    traces.shut_down().await;
    check_exported(&collector.received(), &[&choosing, &dealt]);
}

/// Asserts that the collector received the calls and their waits, but no secret.
fn check_exported(received: &Received, tables: &[&Table]) {
    assert!(!is_planted(&received.raw), "a sealed value was exported");
    let text = format!("{:?} {:?} {:?}", received.spans, received.series, received.resource);
    for name in ["/Resign", "/SubmitMove", "/WatchMatch", "INSERT event", "matchbook.rpc.duration"] {
        assert!(text.contains(name), "{name} was not exported");
    }
    let tokens = tables.iter().flat_map(|table| &table.tokens).map(String::as_str);
    for secret in tokens.chain(["mbs_", CLAIM_SECRET, "Ann", "Ben", "3,5", "Bearer", "VALUES"]) {
        assert!(!text.contains(secret), "`{secret}` was exported");
    }
}

async fn deal(client: &Client) -> Table {
    let request = v1::CreateMatchRequest { game_id: "ace-exorcist".to_owned(), ..Default::default() };
    let created = client.matches.clone().create_match(request).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    let summoner = client.claim(&match_id, 0, "Ann").await.unwrap();
    let exorcist = client.claim(&match_id, 1, "Ben").await.unwrap();
    Table { match_id, tokens: [summoner, exorcist] }
}

async fn call_everything(client: &Client, table: &Table, token: Option<&str>, seen: &mut Seen) {
    let mut matches = client.matches.clone();
    let match_id = || table.match_id.clone();
    let request = v1::GetMatchRequest { match_id: match_id() };
    seen.note("GetMatch", matches.get_match(sent(request, token)).await);
    let request = v1::GetViewRequest { match_id: match_id(), ..Default::default() };
    seen.note("GetView", matches.get_view(sent(request, token)).await);
    let request =
        v1::GetViewRequest { match_id: match_id(), viewer: Some(v1::Viewer::open()), ..Default::default() };
    seen.note("GetView open", matches.get_view(sent(request, token)).await);
    let request = v1::ListEventsRequest { match_id: match_id(), ..Default::default() };
    seen.note("ListEvents", matches.list_events(sent(request, token)).await);
    let request = v1::ListLegalMovesRequest { match_id: match_id(), ..Default::default() };
    seen.note("ListLegalMoves", matches.list_legal_moves(sent(request, token)).await);
    let request = v1::SuggestMoveRequest { match_id: match_id(), ..Default::default() };
    seen.note("SuggestMove", matches.suggest_move(sent(request, token)).await);
    let request = v1::ForkMatchRequest { match_id: match_id(), ..Default::default() };
    seen.note("ForkMatch", matches.fork_match(sent(request, token)).await);
    seen.note("ListMatches", matches.list_matches(sent(v1::ListMatchesRequest::default(), token)).await);
    // The start frame covers the first event; each later event has its own frame.
    let head = client.head_seq(&table.match_id).await;
    if let Ok(frames) = client.watch(&table.match_id, Some(1), token).await {
        let frames: Vec<_> = frames.take(usize::try_from(head).unwrap()).collect().await;
        for frame in frames {
            seen.note("WatchMatch", frame.map(tonic::Response::new));
        }
    }
}
