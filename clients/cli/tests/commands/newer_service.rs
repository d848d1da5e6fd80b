//! The real client against a service that is newer than it: an event of a kind that it does not know.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use futures_util::future::{Ready, ready};
use futures_util::{StreamExt as _, stream};
use http::HeaderMap;
use http_body::Frame;
use http_body_util::StreamBody;
use prost::Message as _;
use prost::bytes::Bytes;
use prost::encoding::{WireType, encode_key, encode_varint};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::transport::Server;
use wire::v1::{self, MatchStatus, event, watch_match_response};

/// A service whose one match has an event of an unknown kind, and ends once the client has done this call.
#[derive(Clone)]
struct NewerService {
    last_call: &'static str,
    view: v1::View,
    /// Whether events come with views, which the client asks for.
    includes_view: bool,
    calls: Arc<Mutex<Vec<String>>>,
    called: Arc<Notify>,
}

impl NewerService {
    /// Starts the service on a thread of its own and returns its address.
    fn start(&self) -> SocketAddr {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("the listener is ours");
        let address = listener.local_addr().expect("it is bound");
        let service = self.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let listener = TcpListener::from_std(listener).expect("a listener of tokio");
                let router = Server::builder().add_service(service);
                router.serve_with_incoming(TcpListenerStream::new(listener)).await
            })
        });
        address
    }

    fn calls(&self) -> Vec<String> {
        self.calls.lock().expect("no holder panics").clone()
    }

    /// Returns the frames of a watch: the start, the unknown event, and the end once the last call was made.
    fn watch(&self) -> Body {
        let view = v1::View { seq: 4, to_act: Vec::new(), ..self.view.clone() };
        let start =
            watch_match_response::Frame::Start(v1::WatchStart { head_seq: 4, after_hash: Vec::new() });
        let start = v1::WatchMatchResponse { frame: Some(start), view: Some(view), ..Default::default() };
        let ended = v1::Event {
            seq: 6,
            kind: Some(event::Kind::MatchEnded(v1::MatchEnded::default())),
            ..Default::default()
        };
        let ended = watch_match_response::Frame::Event(ended);
        let view = self.includes_view.then(|| self.view.clone());
        let ended = v1::WatchMatchResponse { frame: Some(ended), view: view.clone(), ..Default::default() };
        let called = Arc::clone(&self.called);
        // The encodings of two messages after each other are that of their union.
        let unknown = v1::WatchMatchResponse { view, ..Default::default() };
        let unknown = [unknown.encode_to_vec(), event_of_unknown_kind(5)].concat();
        let first = stream::iter([start.encode_to_vec(), unknown]);
        let last = stream::once(async move {
            called.notified().await;
            ended.encode_to_vec()
        });
        body(first.chain(last))
    }
}

impl NamedService for NewerService {
    const NAME: &'static str = "matchbook.v1.MatchService";
}

impl tower::Service<http::Request<Body>> for NewerService {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let rpc = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
        let answer = |message: Vec<u8>| body(stream::iter([message]));
        let body = match rpc.as_str() {
            "WatchMatch" => self.watch(),
            "GetView" => {
                let response = v1::GetViewResponse { view: Some(self.view.clone()), ..Default::default() };
                answer(response.encode_to_vec())
            }
            // What else a client asks is as if nothing were set.
            _ => answer(Vec::new()),
        };
        if rpc == self.last_call {
            self.called.notify_one();
        }
        self.calls.lock().expect("no holder panics").push(rpc);
        let response = http::Response::builder().header("content-type", "application/grpc").body(body);
        ready(Ok(response.expect("the header is valid")))
    }
}

/// Returns the body of a response with these messages.
fn body(messages: impl futures_util::Stream<Item = Vec<u8>> + Send + 'static) -> Body {
    let frames = messages.map(|message| {
        let length = u32::try_from(message.len()).expect("it is short");
        let bytes = [&[0], &length.to_be_bytes()[..], &message].concat();
        Frame::data(Bytes::from(bytes))
    });
    let ok = HeaderMap::from_iter([("grpc-status".parse().expect("a name"), "0".parse().expect("a value"))]);
    let all = frames.chain(stream::iter([Frame::trailers(ok)]));
    Body::new(StreamBody::new(all.map(Ok::<_, Infallible>)))
}

/// Returns the frame of an event whose kind has a number that no client knows yet.
fn event_of_unknown_kind(seq: u32) -> Vec<u8> {
    let mut event = v1::Event { seq, ..Default::default() }.encode_to_vec();
    encode_key(2000, WireType::LengthDelimited, &mut event);
    event.extend([4, 1, 2, 3, 4]);
    let mut frame = Vec::new();
    encode_key(2, WireType::LengthDelimited, &mut frame);
    encode_varint(event.len() as u64, &mut frame);
    frame.extend(event);
    frame
}

fn view(player_name: &str) -> v1::View {
    let seat = |seat, title: &str| v1::SeatStatus {
        seat,
        title: title.to_owned(),
        claimed: true,
        player: Some(v1::Player::named(player_name)),
    };
    v1::View {
        seq: 5,
        status: MatchStatus::Running.into(),
        seats: vec![seat(Some(0), "Angels"), seat(Some(1), "Demons")],
        ..Default::default()
    }
}

/// Runs the client, which must succeed; returns what it prints.
fn run(address: SocketAddr, arguments: &[&str]) -> String {
    let home = tempfile::tempdir().expect("a folder for the test");
    let output = Command::new(env!("CARGO_BIN_EXE_matchbook"))
        .args(arguments)
        .env("MATCHBOOK_SERVER", format!("http://{address}"))
        .env("MATCHBOOK_STATE", home.path())
        .env_remove("MATCHBOOK_TOKEN")
        .stdin(Stdio::null())
        .output()
        .expect("the client starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout).expect("the client prints text")
}

const MATCH: &str = "01a20442-b915-7566-87fc-c551db5e4d34";

fn service(last_call: &'static str, view: v1::View) -> NewerService {
    let includes_view = last_call == "WatchMatch";
    NewerService { last_call, view, includes_view, calls: Arc::default(), called: Arc::default() }
}

#[test]
fn a_watcher_reads_the_view_after_an_event_of_an_unknown_kind() {
    let service = service("WatchMatch", view("Newton"));
    let text = run(service.start(), &["watch", MATCH]);
    let (_, after) =
        text.split_once("An event that this version does not know").expect("a line for the event");
    assert!(after.contains("Newton"), "the newest view is drawn: {text}");
    assert!(after.contains("The match is over"), "{text}");
    assert_eq!(service.calls(), ["WatchMatch"]);
}

#[test]
fn a_bot_that_is_to_act_after_an_event_of_an_unknown_kind_moves() {
    let viewer = Some(v1::Viewer { kind: v1::viewer::Kind::Seat.into(), seat: Some(0) });
    let service = service("SubmitMove", v1::View { viewer, to_act: vec![0], ..view("Newton") });
    let text = run(service.start(), &["bot", MATCH, "--skill", "random", "--token", "mbs_newer"]);
    assert!(text.contains("An event that this version does not know"), "{text}");
    let calls = service.calls();
    let asked = calls.iter().filter(|rpc| *rpc != "GetMatch").map(String::as_str);
    assert_eq!(asked.collect::<Vec<_>>(), ["WatchMatch", "GetView", "SuggestMove", "SubmitMove"]);
}

#[test]
fn a_status_that_only_a_newer_service_knows_hides_nothing_else() {
    let service = service("GetView", v1::View { status: 99, ..view("Newton") });
    let address = service.start();
    assert!(run(address, &["show", MATCH]).contains("Newton"));
    assert!(run(address, &["show", MATCH, "--json"]).contains("\"status\":99"));
}
