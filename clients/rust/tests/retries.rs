//! What a client retries, against a server that refuses every call for a scripted reason.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use matchbook_client::v1::{ErrorReason, ResignRequest};
use matchbook_client::{Client, Error, RetryPolicy, claim_secret, request_id};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::transport::Server;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

#[tokio::test]
async fn a_change_with_a_request_id_is_repeated_until_the_answer_is_final() {
    let (service, client) = start(&["OVERLOADED", "OUTCOME_UNKNOWN", "MATCH_OVER"]).await;
    assert_refused(client.resign(resign(Some(request_id()))).await, ErrorReason::MatchOver);
    assert_eq!(service.credentials().len(), 3);
}

#[tokio::test]
async fn a_change_without_a_request_id_is_tried_once() {
    let (service, client) = start(&["OUTCOME_UNKNOWN", "MATCH_OVER"]).await;
    assert_refused(client.resign(resign(None)).await, ErrorReason::OutcomeUnknown);
    assert_eq!(service.credentials().len(), 1);
}

#[tokio::test]
async fn a_read_is_repeated() {
    let (service, client) = start(&["RATE_LIMITED", "UNKNOWN_MATCH"]).await;
    assert_refused(client.get_match("id").await, ErrorReason::UnknownMatch);
    assert_eq!(service.credentials().len(), 2);
}

#[tokio::test]
async fn attempts_end_with_the_policy() {
    let (service, client) = start(&["OVERLOADED"; 9]).await;
    assert_refused(client.get_match("id").await, ErrorReason::Overloaded);
    assert_eq!(service.credentials().len(), 4);
    assert_refused(client.with_retry(RetryPolicy::none()).get_match("id").await, ErrorReason::Overloaded);
    assert_eq!(service.credentials().len(), 5);
}

#[tokio::test]
async fn a_seat_sends_its_token_and_the_client_it_came_from_does_not() {
    let (service, client) = start(&["MATCH_OVER", "MATCH_OVER"]).await;
    let seat = client.seat("id", "mbs_secret").expect("the token is ASCII");
    assert_refused(seat.resign().await, ErrorReason::MatchOver);
    assert_refused(client.get_match("id").await, ErrorReason::MatchOver);
    assert_eq!(service.credentials(), [credentials(None, Some("mbs_secret")), credentials(None, None)]);
    assert!(client.with_seat_token("line\nbreak").is_err());
}

#[tokio::test]
async fn an_api_key_and_a_seats_token_are_sent_together() {
    let (service, client) = start(&["MATCH_OVER", "MATCH_OVER"]).await;
    let app = client.with_api_key("mbk_secret").expect("the key is ASCII");
    let seat = app.seat("id", "mbs_secret").expect("the token is ASCII");
    assert_refused(seat.resign().await, ErrorReason::MatchOver);
    assert_refused(app.get_match("id").await, ErrorReason::MatchOver);
    let key = Some("Bearer mbk_secret");
    assert_eq!(service.credentials(), [credentials(key, Some("mbs_secret")), credentials(key, None)]);
    assert!(!format!("{seat:?}").contains("secret"), "debug output shows a credential");
    assert!(client.with_api_key("line\nbreak").is_err());
}

#[test]
fn claim_secrets_differ_and_have_an_accepted_form() {
    let [one, other] = [claim_secret(), claim_secret()];
    assert!(one != other && one.len() == 64 && one.bytes().all(|byte| byte.is_ascii_graphic()), "{one}");
}

fn credentials(api_key: Option<&str>, seat_token: Option<&str>) -> Credentials {
    Credentials { api_key: api_key.map(str::to_owned), seat_token: seat_token.map(str::to_owned) }
}

#[tokio::test]
async fn a_server_that_is_gone_is_unreachable() {
    let client = Client::builder("127.0.0.1:1").retry(quick()).connect_lazy().expect("the address is valid");
    let error = client.get_match("id").await.expect_err("nobody listens");
    assert!(matches!(&error, Error::Unreachable { server, .. } if server == "http://127.0.0.1:1"), "{error}");
}

fn resign(request_id: Option<String>) -> ResignRequest {
    ResignRequest { match_id: "id".to_owned(), request_id }
}

#[track_caller]
fn assert_refused<T>(answer: Result<T, Error>, reason: ErrorReason) {
    let error = answer.err().expect("every call is refused");
    assert!(error.refusal().is_some_and(|refusal| refusal.is(reason)), "{error:?}");
}

fn quick() -> RetryPolicy {
    RetryPolicy::default().attempts(4).initial_delay(Duration::from_millis(1))
}

/// Starts a server that refuses calls for these reasons, one after the other, and connects to it.
async fn start(reasons: &[&'static str]) -> (Refusing, Client) {
    let service =
        Refusing { reasons: Arc::new(Mutex::new(reasons.iter().copied().collect())), calls: Arc::default() };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("it is bound").to_string();
    let router = Server::builder().add_service(service.clone());
    tokio::spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
    let client = Client::builder(&address).retry(quick()).connect().await.expect("the server listens");
    (service, client)
}

#[derive(Clone)]
struct Refusing {
    reasons: Arc<Mutex<VecDeque<&'static str>>>,
    /// The credentials of each call received.
    calls: Arc<Mutex<Vec<Credentials>>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Credentials {
    api_key: Option<String>,
    seat_token: Option<String>,
}

impl Refusing {
    fn credentials(&self) -> Vec<Credentials> {
        self.calls.lock().expect("no holder panics").clone()
    }
}

impl NamedService for Refusing {
    const NAME: &'static str = "matchbook.v1.MatchService";
}

impl tower::Service<http::Request<Body>> for Refusing {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
        let received = credentials(header("authorization"), header("matchbook-seat-token"));
        self.calls.lock().expect("no holder panics").push(received);
        let reason =
            self.reasons.lock().expect("no holder panics").pop_front().expect("a scripted reason is left");
        let details = ErrorDetails::with_error_info(reason, "matchbook.v1", []);
        ready(Ok(Status::with_error_details(Code::Unavailable, "no", details).into_http()))
    }
}
