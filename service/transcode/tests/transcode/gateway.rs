//! The gateway in front of a fictional gRPC service, which returns an empty book.

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
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};
use tower::{ServiceExt, service_fn};
use transcode::{
    Adapter, FieldNames, Gateway, GatewaySettings, HeaderField, HttpError, Precedence, Rejection, TaggedText,
};

use crate::pool;

struct TestAdapter;

impl Adapter for TestAdapter {
    fn status(&self, rejection: &Rejection) -> Status {
        let code = match rejection {
            Rejection::NoRoute(_) => Code::NotFound,
            Rejection::BodyTooLarge { .. } | Rejection::BodyTimeout => Code::ResourceExhausted,
            _ => Code::InvalidArgument,
        };
        Status::new(code, rejection.to_string())
    }

    fn http_error(&self, status: &Status) -> HttpError {
        let code = if status.code() == Code::NotFound { 404 } else { 400 };
        HttpError { status: StatusCode::from_u16(code).unwrap(), reason: format!("{:?}", status.code()) }
    }

    fn challenges(&self, _: &Status) -> Vec<&'static str> {
        Vec::new()
    }

    fn frame_id(&self, _: &DynamicMessage) -> Option<String> {
        None
    }

    fn has_nothing_new(&self, _: &DynamicMessage, _: &DynamicMessage) -> bool {
        false
    }

    fn name_fields(&self, _response: &mut DynamicMessage, _names: &FieldNames<'_>) {}

    fn clear_volatile(&self, response: &mut DynamicMessage) -> bool {
        let is_set = response.has_field_by_name("title");
        if is_set {
            response.clear_field_by_name("title");
        }
        is_set
    }
}

/// The last call that the service received: path, headers and message.
type LastCall = Arc<Mutex<Option<(String, HeaderMap, Bytes)>>>;

fn grpc_response(message: &impl Message) -> Response<Body> {
    let mut bytes = BytesMut::new();
    bytes.put_u8(0);
    bytes.put_u32(u32::try_from(message.encoded_len()).unwrap());
    message.encode(&mut bytes).unwrap();
    let trailers = HeaderMap::from_iter([("grpc-status".parse().unwrap(), HeaderValue::from_static("0"))]);
    let frames = [Frame::data(bytes.freeze()), Frame::trailers(trailers)];
    let body = StreamBody::new(stream::iter(frames.map(Ok::<_, Infallible>)));
    let response =
        Response::builder().header("content-type", "application/grpc").header("x-answered", "by the service");
    response.body(Body::new(body)).unwrap()
}

async fn serve(last_call: LastCall, request: Request<Body>) -> Result<Response<Body>, Infallible> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let message = body.slice(5..);
    let sent = message.clone();
    *last_call.lock().unwrap() = Some((parts.uri.path().to_owned(), parts.headers, message));
    let pool = pool::library().iter().next().unwrap().rpc().parent_pool().clone();
    if parts.uri.path().ends_with("GetIndex") {
        return Ok(Status::not_found("there is no index").into_http());
    }
    if parts.uri.path().ends_with("ListBooks") && sent.ends_with(b"Wrong") {
        return Ok(wrong_fields().into_http());
    }
    let name = if parts.uri.path().ends_with("ListBooks") { "ListBooksResponse" } else { "Book" };
    let mut response = DynamicMessage::new(pool.get_message_by_name(&format!("library.v1.{name}")).unwrap());
    // The title of this book changes by itself.
    if let Some((_, hour)) = String::from_utf8_lossy(&sent).split_once("Clock") {
        response.set_field_by_name("title", Value::String(hour.to_owned()));
    }
    if name == "ListBooksResponse" {
        let field = response.descriptor().get_field_by_name("books").unwrap();
        let book = pool.get_message_by_name("library.v1.Book").unwrap();
        response.set_field(&field, Value::List(vec![Value::Message(DynamicMessage::new(book))]));
    }
    Ok(grpc_response(&response))
}

/// Fields of ListBooksRequest in proto names, and what is none.
const WRONG_FIELDS: [(&str, &str); 7] = [
    ("author.full_name", "author.fullName"),
    ("page_size", "pageSize"),
    ("editors[2].mentor.full_name", "editors[2].mentor.fullName"),
    ("notes.full_name", "notes.full_name"),
    ("author.no_field.full_name", "author.no_field.full_name"),
    ("shelf.full_name", "shelf.full_name"),
    ("", ""),
];

fn wrong_fields() -> Status {
    let violations =
        WRONG_FIELDS.map(|(field, _)| FieldViolation::new(field, "must be a name; page_size, no_field"));
    let mut details = ErrorDetails::with_bad_request(violations.to_vec());
    details.set_retry_info(Some(Duration::from_secs(3)));
    let text = "author.full_name: must be a name, see page_size";
    let mut status = Status::with_error_details(Code::InvalidArgument, text, details);
    status.metadata_mut().insert("x-answered", "by the service".parse().unwrap());
    status
}

#[tokio::test]
async fn errors_name_fields_as_json_does() {
    let (response, _) = send(Method::GET, "/v1/shelves/Wrong/books", &[], "").await;
    assert_eq!(response.headers()["retry-after"], "3");
    assert_eq!(response.headers()["x-answered"], "by the service");
    let error = serde_json::from_slice::<serde_json::Value>(response.body()).unwrap()["error"].clone();
    assert_eq!(error["message"], "author.fullName: must be a name, see pageSize");
    let details = error["details"].as_array().unwrap();
    let violations = details.iter().find_map(|detail| detail["fieldViolations"].as_array()).unwrap();
    let named: Vec<_> = violations.iter().map(|violation| violation["field"].as_str().unwrap()).collect();
    assert_eq!(named, WRONG_FIELDS.map(|(_, json)| json));
    for violation in violations {
        assert_eq!(violation["description"], "must be a name; pageSize, no_field");
    }
}

async fn send(
    method: Method,
    target: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (Response<Bytes>, Option<(String, HeaderMap, Bytes)>) {
    let last_call = LastCall::default();
    let settings = GatewaySettings {
        routes: Arc::new(pool::library().clone()),
        adapter: Arc::new(TestAdapter),
        header_fields: vec![HeaderField {
            header: HeaderName::from_static("x-shelf"),
            display_name: "X-Shelf",
            field: "shelf",
            precedence: Precedence::MustAgree,
            streams_only: false,
            description: "",
        }],
        max_body_bytes: 100,
        body_timeout: Duration::from_secs(1),
        keep_alive: Duration::from_secs(1),
    };
    let recorder = Arc::clone(&last_call);
    let gateway =
        Gateway::new(Arc::new(settings), service_fn(move |request| serve(Arc::clone(&recorder), request)));
    let mut request = Request::builder().method(method).uri(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::new(Full::new(Bytes::from(body.to_owned())))).unwrap();
    let (parts, body) = gateway.oneshot(request).await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let call = last_call.lock().unwrap().take();
    (Response::from_parts(parts, body), call)
}

#[tokio::test]
async fn headers_are_forwarded_in_both_directions() {
    let headers =
        [("authorization", "Bearer x"), ("traceparent", "00-1"), ("grpc-timeout", "1m"), ("te", "gzip")];
    let (response, call) = send(Method::GET, "/v1/books/Emma", &headers, "").await;
    let (path, headers, message) = call.unwrap();
    assert_eq!(path, "/library.v1.Library/GetBook");
    assert_eq!(
        (headers["authorization"].as_bytes(), headers["traceparent"].as_bytes()),
        (&b"Bearer x"[..], &b"00-1"[..])
    );
    assert!(!headers.contains_key("grpc-timeout"));
    assert_eq!(headers["te"], "trailers");
    assert_eq!(message, b"\x0a\x04Emma"[..]);
    assert_eq!(response.headers()["x-answered"], "by the service");
    assert_eq!(response.headers()["content-type"], "application/json");
    assert!(!response.headers().contains_key("grpc-status"));
}

#[tokio::test]
async fn responses_contain_all_fields_or_the_response_body() {
    let (response, _) = send(Method::GET, "/v1/books/Emma", &[], "").await;
    let book = json!({"name": "", "title": "", "genre": "GENRE_UNSPECIFIED", "editors": [], "notes": {}});
    assert_eq!(serde_json::from_slice::<serde_json::Value>(response.body()).unwrap(), book);
    let (response, _) = send(Method::GET, "/v1/shelves/s/books", &[], "").await;
    assert_eq!(serde_json::from_slice::<serde_json::Value>(response.body()).unwrap(), json!([book]));
}

#[tokio::test]
async fn the_text_to_tag_leaves_volatile_fields_out() {
    let mut tagged = Vec::new();
    for hour in [11, 12] {
        let (response, _) = send(Method::GET, &format!("/v1/books/Clock{hour}"), &[], "").await;
        let body: serde_json::Value = serde_json::from_slice(response.body()).unwrap();
        assert_eq!(body["title"], hour.to_string());
        tagged.push(response.extensions().get::<TaggedText>().unwrap().0.clone());
    }
    assert_eq!(tagged[0], tagged[1]);
    let rest: serde_json::Value = serde_json::from_slice(&tagged[0]).unwrap();
    assert_eq!((&rest["title"], &rest["genre"]), (&json!(""), &json!("GENRE_UNSPECIFIED")));
    let (response, _) = send(Method::GET, "/v1/books/Emma", &[], "").await;
    assert!(response.extensions().get::<TaggedText>().is_none(), "the body itself is tagged");
    assert_eq!(response.body(), &tagged[0], "a field that is not set counts like any other value");
}

#[tokio::test]
async fn errors_are_json() {
    let (response, _) = send(Method::GET, "/v1/files/index", &[], "").await;
    assert_eq!(response.status(), 404);
    let fields =
        r#""code":404,"status":"NOT_FOUND","reason":"NotFound","message":"there is no index","details":[]"#;
    assert_eq!(response.body(), &format!("{{\"error\":{{{fields}}}}}\n"));
    let long = "x".repeat(101);
    let (response, call) =
        send(Method::PUT, "/v1/tags", &[("content-type", "application/json")], &long).await;
    assert_eq!((response.status().as_u16(), call), (400, None));
    assert!(std::str::from_utf8(response.body()).unwrap().contains("100 bytes"));
}

#[tokio::test]
async fn a_header_field_must_agree_with_the_path() {
    let target = "/v1/shelves/s/books";
    let (response, call) = send(Method::GET, target, &[("x-shelf", "s")], "").await;
    assert_eq!((response.status().as_u16(), call.unwrap().2), (200, Bytes::from_static(b"\x0a\x01s")));
    let (response, call) = send(Method::GET, target, &[("x-shelf", "t")], "").await;
    assert_eq!((response.status().as_u16(), call), (400, None));
    assert!(std::str::from_utf8(response.body()).unwrap().contains("X-Shelf: must equal `shelf`"));
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_ends_times_out() {
    let settings = GatewaySettings {
        routes: Arc::new(pool::library().clone()),
        adapter: Arc::new(TestAdapter),
        header_fields: Vec::new(),
        max_body_bytes: 100,
        body_timeout: Duration::from_secs(1),
        keep_alive: Duration::from_secs(1),
    };
    let service =
        service_fn(async |_: Request<Body>| -> Result<Response<Body>, Infallible> { panic!("called") });
    let body = StreamBody::new(stream::pending::<Result<Frame<Bytes>, Infallible>>());
    let request = Request::put("/v1/tags").body(Body::new(body)).unwrap();
    let response = Gateway::new(Arc::new(settings), service).oneshot(request).await.unwrap();
    assert_eq!(response.headers()["connection"], "close");
}
