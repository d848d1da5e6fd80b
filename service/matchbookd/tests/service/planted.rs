//! Secrets that can be recognized wherever they turn up: in no answer, no refusal and no line of the log before they are
//! opened, and in nothing that a collector is told, ever.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use event::{MatchId, RecordedTime};
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
use wire::v1::{self, Seat};

use crate::stage::collector::{Collector, Received};
use crate::stage::{Backend, Client, Stage, Storage, Table, sent};

/// Begins every salt and every seed's bytes of the service.
const MARK: &[u8; 16] = b"PLANTED-SECRET::";

/// Real time, and randomness that can be told.
#[derive(Default)]
pub(crate) struct Planted(AtomicU64);

impl Environment for Planted {
    fn now(&self, journal: &Journal) -> RecordedTime {
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

/// Everything that was logged by this thread.
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

/// What was seen by everybody who looked.
#[derive(Default)]
struct Seen(Vec<(&'static str, Vec<u8>)>);

impl Seen {
    fn note<M: Message>(&mut self, of: &'static str, answer: Result<tonic::Response<M>, tonic::Status>) {
        let bytes = match answer {
            Ok(answer) => answer.get_ref().encode_to_vec(),
            Err(status) => [status.message().as_bytes(), status.details()].concat(),
        };
        self.0.push((of, bytes));
    }
}

/// Whether the mark is there.
pub(crate) fn is_planted(text: &[u8]) -> bool {
    shows(text, MARK)
}

/// Whether bytes turn up as they are, in hexadecimal digits, as the log prints lists of bytes, or in base64.
pub(crate) fn shows(text: &[u8], secret: &[u8]) -> bool {
    let hex: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let list = format!("{secret:?}");
    let mut spellings =
        vec![secret.to_vec(), hex.into_bytes(), list.trim_matches(['[', ']']).as_bytes().to_vec()];
    for before in 0..3 {
        let encoded = STANDARD_NO_PAD.encode([&vec![0; before], secret].concat());
        // The characters that what stands before and behind has a part in.
        let whole = &encoded.as_bytes()[(before * 8).div_ceil(6)..encoded.len() - 1];
        spellings.push(whole.to_vec());
    }
    spellings.iter().any(|spelling| text.windows(spelling.len()).any(|window| window == spelling))
}

#[test]
fn a_secret_is_found_in_every_spelling() {
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
async fn what_is_sealed_turns_up_nowhere_before_it_is_opened() {
    let log = Log::default();
    let collector = Collector::start();
    let otlp = OtlpSettings::to(&collector.url).unwrap();
    let traces = TracePipeline::new(&otlp).unwrap();
    let lines = fmt::layer().with_writer(log.clone()).with_filter(LevelFilter::TRACE);
    let listening = tracing_subscriber::registry().with(lines).with(traces.layer());
    let _logging = tracing::subscriber::set_default(listening);
    // While there is but one, tracing asks whatever thread comes first, another test's too, whether anybody listens.
    let _another = tracing::Dispatch::new(tracing_subscriber::registry());
    let storage = Storage::here(Backend::Sqlite).await;
    let stage = Stage::within(Config { otlp, ..storage.config() }, Planted::default()).await;

    let mut seen = Seen::default();
    let choosing = stage.client.table(8, 8, 20).await;
    stage.client.submit(&choosing, 0, "3,5").await.unwrap();
    let dealt = dealt(&stage.client).await;
    for table in [&choosing, &dealt] {
        for eyes in [None, Some(table.tokens[0].as_str()), Some(table.tokens[1].as_str()), Some("mbs_wrong")]
        {
            look(&stage.client, table, eyes, &mut seen).await;
        }
    }
    for (of, bytes) in &seen.0 {
        assert!(!is_planted(bytes), "{of} shows a sealed part");
    }

    // That the mark would be found: once the match is over its seed is opened to all.
    let resign = v1::ResignRequest { match_id: dealt.match_id.clone(), request_id: None };
    let ended = stage.client.matches.clone().resign(sent(resign, Some(&dealt.tokens[0]))).await.unwrap();
    assert!(is_planted(&ended.get_ref().encode_to_vec()));
    let logged = log.0.lock().unwrap().clone();
    assert!(String::from_utf8_lossy(&logged).contains("Resign"), "the log was listened to");
    assert!(!is_planted(&logged), "the log has a sealed part");
    stage.close().await;
    traces.shut_down().await;
    check_told(&collector.received(), &[&choosing, &dealt]);
}

/// A collector hears of calls, of what they waited for, and of no secret of theirs.
fn check_told(told: &Received, tables: &[&Table]) {
    assert!(!is_planted(&told.raw), "a sealed part was sent to the collector");
    let text = format!("{:?} {:?} {:?}", told.spans, told.series, told.resource);
    for name in ["/Resign", "/SubmitMove", "/WatchMatch", "INSERT event", "matchbook.rpc.duration"] {
        assert!(text.contains(name), "{name} was listened to");
    }
    let tokens = tables.iter().flat_map(|table| &table.tokens).map(String::as_str);
    for secret in tokens.chain(["mbs_", "Ann", "Ben", "3,5", "Bearer", "VALUES"]) {
        assert!(!text.contains(secret), "`{secret}` was sent to the collector");
    }
}

async fn dealt(client: &Client) -> Table {
    let request = v1::CreateMatchRequest { game: "ace-exorcist".to_owned(), ..Default::default() };
    let created = client.matches.clone().create_match(request).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    let summoner = client.claim(&match_id, Seat::Zero, "Ann").await.unwrap();
    let exorcist = client.claim(&match_id, Seat::One, "Ben").await.unwrap();
    Table { match_id, tokens: [summoner, exorcist] }
}

async fn look(client: &Client, table: &Table, eyes: Option<&str>, seen: &mut Seen) {
    let mut matches = client.matches.clone();
    let match_id = || table.match_id.clone();
    let request = v1::GetMatchRequest { match_id: match_id() };
    seen.note("GetMatch", matches.get_match(sent(request, eyes)).await);
    let request = v1::GetViewRequest { match_id: match_id(), ..Default::default() };
    seen.note("GetView", matches.get_view(sent(request, eyes)).await);
    let request = v1::GetViewRequest { match_id: match_id(), open: true, ..Default::default() };
    seen.note("GetView open", matches.get_view(sent(request, eyes)).await);
    let request = v1::ListEventsRequest { match_id: match_id(), ..Default::default() };
    seen.note("ListEvents", matches.list_events(sent(request, eyes)).await);
    let request = v1::ListLegalMovesRequest { match_id: match_id(), ..Default::default() };
    seen.note("ListLegalMoves", matches.list_legal_moves(sent(request, eyes)).await);
    let request = v1::SampleMoveRequest { match_id: match_id(), seed: None };
    seen.note("SampleMove", matches.sample_move(sent(request, eyes)).await);
    let request = v1::ForkMatchRequest { match_id: match_id(), ..Default::default() };
    seen.note("ForkMatch", matches.fork_match(sent(request, eyes)).await);
    seen.note("ListMatches", matches.list_matches(sent(v1::ListMatchesRequest::default(), eyes)).await);
    // The first frame stands for the first event, and every other event has its own.
    let head = client.head_seq(&table.match_id).await;
    if let Ok(frames) = client.watch(&table.match_id, Some(1), eyes).await {
        let frames: Vec<_> = frames.take(usize::try_from(head).unwrap()).collect().await;
        for frame in frames {
            seen.note("WatchMatch", frame.map(tonic::Response::new));
        }
    }
}
