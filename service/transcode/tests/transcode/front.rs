//! The HTTP front before a made-up gRPC service, which answers with the book that it was asked for.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use futures_util::stream;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body::Frame;
use http_body_util::{BodyExt, Full, StreamBody};
use prost::Message;
use prost_reflect::{DynamicMessage, ReflectMessage, Value};
use serde_json::json;
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{ServiceExt, service_fn};
use transcode::{Both, Failure, Front, HeaderField, Host, Refusal, Settings};

use crate::pool;

struct Words;

impl Host for Words {
    fn refusal(&self, refusal: &Refusal) -> Status {
        let code = match refusal {
            Refusal::NoRoute(_) => Code::NotFound,
            Refusal::BodyTooLarge { .. } | Refusal::BodyTooSlow => Code::ResourceExhausted,
            _ => Code::InvalidArgument,
        };
        Status::new(code, refusal.to_string())
    }

    fn failure(&self, status: &Status) -> Failure {
        let http = if status.code() == Code::NotFound { 404 } else { 400 };
        Failure { http: StatusCode::from_u16(http).unwrap(), reason: format!("{:?}", status.code()) }
    }

    fn frame_id(&self, _: &DynamicMessage) -> Option<String> {
        None
    }

    fn has_nothing_left(&self, _: &DynamicMessage, _: &DynamicMessage) -> bool {
        false
    }
}

/// What the service was asked last: path, headers and message.
type Asked = Arc<Mutex<Option<(String, HeaderMap, Bytes)>>>;

fn answered(message: &impl Message) -> Response<Body> {
    let mut bytes = BytesMut::new();
    bytes.put_u8(0);
    bytes.put_u32(u32::try_from(message.encoded_len()).unwrap());
    message.encode(&mut bytes).unwrap();
    let trailers = HeaderMap::from_iter([("grpc-status".parse().unwrap(), HeaderValue::from_static("0"))]);
    let frames = [Frame::data(bytes.freeze()), Frame::trailers(trailers)];
    let body = StreamBody::new(stream::iter(frames.map(Ok::<_, Infallible>)));
    let response =
        Response::builder().header("content-type", "application/grpc").header("x-answered", "by us");
    response.body(Body::new(body)).unwrap()
}

async fn asked(asked: Asked, request: Request<Body>) -> Result<Response<Body>, Infallible> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let message = body.slice(5..);
    *asked.lock().unwrap() = Some((parts.uri.path().to_owned(), parts.headers, message));
    let pool = pool::library().iter().next().unwrap().rpc().parent_pool().clone();
    if parts.uri.path().ends_with("GetIndex") {
        return Ok(Status::not_found("there is no index").into_http());
    }
    let name = if parts.uri.path().ends_with("ListBooks") { "ListBooksResponse" } else { "Book" };
    let mut answer = DynamicMessage::new(pool.get_message_by_name(&format!("library.v1.{name}")).unwrap());
    if name == "ListBooksResponse" {
        let field = answer.descriptor().get_field_by_name("books").unwrap();
        let book = pool.get_message_by_name("library.v1.Book").unwrap();
        answer.set_field(&field, Value::List(vec![Value::Message(DynamicMessage::new(book))]));
    }
    Ok(answered(&answer))
}

async fn sent(
    method: Method,
    target: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (Response<Bytes>, Option<(String, HeaderMap, Bytes)>) {
    let heard = Asked::default();
    let settings = Settings {
        routes: Arc::new(pool::library().clone()),
        host: Arc::new(Words),
        header_fields: vec![HeaderField {
            header: HeaderName::from_static("x-shelf"),
            spelling: "X-Shelf",
            field: "shelf",
            both: Both::Agree,
            description: "",
        }],
        max_body_bytes: 100,
        body_timeout: Duration::from_secs(1),
        keep_alive: Duration::from_secs(1),
    };
    let ear = Arc::clone(&heard);
    let front = Front::new(Arc::new(settings), service_fn(move |request| asked(Arc::clone(&ear), request)));
    let mut request = Request::builder().method(method).uri(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::new(Full::new(Bytes::from(body.to_owned())))).unwrap();
    let (parts, body) = front.oneshot(request).await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let heard = heard.lock().unwrap().take();
    (Response::from_parts(parts, body), heard)
}

#[tokio::test]
async fn headers_go_along_both_ways() {
    let headers =
        [("authorization", "Bearer x"), ("traceparent", "00-1"), ("grpc-timeout", "1m"), ("te", "gzip")];
    let (response, heard) = sent(Method::GET, "/v1/books/Emma", &headers, "").await;
    let (path, heard, message) = heard.unwrap();
    assert_eq!(path, "/library.v1.Library/GetBook");
    assert_eq!(
        (heard["authorization"].as_bytes(), heard["traceparent"].as_bytes()),
        (&b"Bearer x"[..], &b"00-1"[..])
    );
    assert!(!heard.contains_key("grpc-timeout"));
    assert_eq!(heard["te"], "trailers");
    assert_eq!(message, b"\x0a\x04Emma"[..]);
    assert_eq!(response.headers()["x-answered"], "by us");
    assert_eq!(response.headers()["content-type"], "application/json");
    assert!(!response.headers().contains_key("grpc-status"));
}

#[tokio::test]
async fn every_field_is_shown_or_the_one_that_the_route_names() {
    let (response, _) = sent(Method::GET, "/v1/books/Emma", &[], "").await;
    let book = json!({"name": "", "title": "", "genre": "GENRE_UNSPECIFIED", "editors": [], "notes": {}});
    assert_eq!(serde_json::from_slice::<serde_json::Value>(response.body()).unwrap(), book);
    let (response, _) = sent(Method::GET, "/v1/shelves/s/books", &[], "").await;
    assert_eq!(serde_json::from_slice::<serde_json::Value>(response.body()).unwrap(), json!([book]));
}

#[tokio::test]
async fn failures_are_told_in_json() {
    let (response, _) = sent(Method::GET, "/v1/files/index", &[], "").await;
    assert_eq!(response.status(), 404);
    let text =
        r#"{"error":{"code":"NOT_FOUND","reason":"NotFound","message":"there is no index","details":[]}}"#;
    assert_eq!(response.body(), &format!("{text}\n"));
    let long = "x".repeat(101);
    let (response, heard) =
        sent(Method::PUT, "/v1/tags", &[("content-type", "application/json")], &long).await;
    assert_eq!((response.status().as_u16(), heard), (400, None));
    assert!(std::str::from_utf8(response.body()).unwrap().contains("100 bytes"));
}

#[tokio::test]
async fn a_header_that_is_a_field_agrees_with_the_path() {
    let target = "/v1/shelves/s/books";
    let (response, heard) = sent(Method::GET, target, &[("x-shelf", "s")], "").await;
    assert_eq!((response.status().as_u16(), heard.unwrap().2), (200, Bytes::from_static(b"\x0a\x01s")));
    let (response, heard) = sent(Method::GET, target, &[("x-shelf", "t")], "").await;
    assert_eq!((response.status().as_u16(), heard), (400, None));
    assert!(std::str::from_utf8(response.body()).unwrap().contains("`X-Shelf`"));
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_ends_is_not_waited_for() {
    let settings = Settings {
        routes: Arc::new(pool::library().clone()),
        host: Arc::new(Words),
        header_fields: Vec::new(),
        max_body_bytes: 100,
        body_timeout: Duration::from_secs(1),
        keep_alive: Duration::from_secs(1),
    };
    let nobody =
        service_fn(async |_: Request<Body>| -> Result<Response<Body>, Infallible> { panic!("called") });
    let body = StreamBody::new(stream::pending::<Result<Frame<Bytes>, Infallible>>());
    let request = Request::put("/v1/tags").body(Body::new(body)).unwrap();
    let response = Front::new(Arc::new(settings), nobody).oneshot(request).await.unwrap();
    assert_eq!(response.headers()["connection"], "close");
}
