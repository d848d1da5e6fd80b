//! A service that is newer than the client: values, fields, kinds and reasons that it does not know yet.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll};

use futures_util::{StreamExt as _, stream};
use http::HeaderMap;
use http_body::Frame;
use http_body_util::StreamBody;
use matchbook_client::{Client, Error, v1};
use prost::Message as _;
use prost::bytes::Bytes;
use prost::encoding::{WireType, encode_key, encode_varint};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::transport::Server;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

/// A status of a match that no client knows.
const LATER_STATUS: i32 = 99;

#[tokio::test]
async fn a_value_and_a_field_that_are_unknown_are_kept_or_passed_over() {
    let client = start().await;
    let found = client.get_match("id").await.unwrap().r#match.unwrap();
    assert_eq!((found.match_id.as_str(), found.status), ("id", LATER_STATUS));
    assert_eq!(found.status(), v1::MatchStatus::Unspecified, "it is read as none that the client knows");
}

#[tokio::test]
async fn a_watch_passes_on_an_event_of_an_unknown_kind_and_over_an_unknown_frame() {
    let client = start().await;
    let mut watch = client.watch("id");
    let mut seen = Vec::new();
    while let Some(event) = watch.next_event().await.unwrap() {
        seen.push((event.seq, event.kind.is_some()));
    }
    assert_eq!(seen, [(5, false), (6, true)]);
}

#[tokio::test]
async fn a_reason_that_is_unknown_is_kept() {
    let client = start().await;
    let error = client.list_matches(Default::default()).await.unwrap_err();
    assert!(!error.is_transient(), "the service does not say when to retry");
    let Error::Refused(refusal) = error else { panic!("{error:?}") };
    assert_eq!(refusal.reason.as_deref(), Some("A_LATER_REASON"));
}

async fn start() -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("it is bound").to_string();
    let router = Server::builder().add_service(Newer);
    tokio::spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
    Client::connect(&address).await.expect("the server listens")
}

#[derive(Clone)]
struct Newer;

impl NamedService for Newer {
    const NAME: &'static str = "matchbook.v1.MatchService";
}

impl tower::Service<http::Request<Body>> for Newer {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let messages = match request.uri().path().rsplit('/').next().unwrap_or_default() {
            "GetMatch" => vec![the_match()],
            "WatchMatch" => watch(),
            _ => {
                let details = ErrorDetails::with_error_info("A_LATER_REASON", "matchbook.v1", []);
                let status = Status::with_error_details(Code::Unavailable, "no", details);
                return ready(Ok(status.into_http()));
            }
        };
        let response = http::Response::builder().header("content-type", "application/grpc");
        ready(Ok(response.body(body(messages)).expect("the header is valid")))
    }
}

fn the_match() -> Vec<u8> {
    let found = v1::Match { match_id: "id".to_owned(), status: LATER_STATUS, ..Default::default() };
    let response = v1::GetMatchResponse { r#match: Some(found), ..Default::default() };
    with_a_later_field(response.encode_to_vec())
}

/// Returns the frames of a watch: its start, an event of an unknown kind, an unknown frame, and the end.
fn watch() -> Vec<Vec<u8>> {
    use v1::watch_match_response::Frame;

    let start = Frame::Start(v1::WatchStart { head_seq: 4, after_hash: Vec::new() });
    let start = v1::WatchMatchResponse { frame: Some(start), ..Default::default() };
    let unknown = with_a_later_field(v1::Event { seq: 5, ..Default::default() }.encode_to_vec());
    let mut event = Vec::new();
    encode_key(2, WireType::LengthDelimited, &mut event);
    encode_varint(unknown.len() as u64, &mut event);
    event.extend(unknown);
    let kind = Some(v1::event::Kind::MatchEnded(v1::MatchEnded::default()));
    let ended = Frame::Event(v1::Event { seq: 6, kind, ..Default::default() });
    let ended = v1::WatchMatchResponse { frame: Some(ended), ..Default::default() };
    vec![start.encode_to_vec(), event, with_a_later_field(Vec::new()), ended.encode_to_vec()]
}

/// Adds a field with a number that no client knows.
fn with_a_later_field(mut message: Vec<u8>) -> Vec<u8> {
    encode_key(2000, WireType::LengthDelimited, &mut message);
    message.extend([4, 1, 2, 3, 4]);
    message
}

/// Returns the body of a response with these messages.
fn body(messages: Vec<Vec<u8>>) -> Body {
    let frames = messages.into_iter().map(|message| {
        let length = u32::try_from(message.len()).expect("it is short");
        Frame::data(Bytes::from([&[0], &length.to_be_bytes()[..], &message].concat()))
    });
    let ok = HeaderMap::from_iter([("grpc-status".parse().expect("a name"), "0".parse().expect("a value"))]);
    let all = stream::iter(frames.chain([Frame::trailers(ok)]).map(Ok::<_, Infallible>));
    Body::new(StreamBody::new(all.boxed()))
}
