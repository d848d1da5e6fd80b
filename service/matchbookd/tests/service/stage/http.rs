//! A plain HTTP/1.1 client: one connection per request, without retries, redirects or decompression.

use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use super::refused::assert_retry_info;

/// A client of one server.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    address: String,
}

/// A complete response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Http {
    /// Returns a client of `HOST:PORT`.
    pub(crate) fn of(address: &str) -> Self {
        Self { address: address.to_owned() }
    }

    /// Sends a request and reads the whole response.
    pub(crate) async fn send(
        &self,
        method: Method,
        target: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Answer {
        let (parts, body) = self.open(method, target, headers, body).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// Sends a request and reads the headers of its response.
    pub(crate) async fn open(
        &self,
        method: Method,
        target: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Response<Incoming> {
        let stream = TcpStream::connect(&self.address).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let mut request = Request::builder().method(method).uri(target).header("host", &self.address);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        sender.send_request(request.body(Full::new(body.into())).unwrap()).await.unwrap()
    }

    /// Sends a GET without a body.
    pub(crate) async fn get(&self, target: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(Method::GET, target, headers, "").await
    }

    /// Sends a POST with a JSON body.
    pub(crate) async fn post(&self, target: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let headers = [&[("content-type", "application/json")], headers].concat();
        self.send(Method::POST, target, &headers, body.to_string()).await
    }
}

impl Answer {
    /// Parses the body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {} {text}", self.status))
    }

    /// Returns the body as text.
    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// Returns a header, or an empty string if it is absent.
    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Asserts the status and reason of an error and returns its `error` object.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, reason: &str) -> Value {
        let error = self.json()["error"].clone();
        let found = (self.status.as_u16(), error["reason"].as_str());
        assert_eq!(found, (status, Some(reason)), "{error}");
        assert_eq!(self.header("content-type"), "application/json");
        assert_eq!(error["code"], status, "{error}");
        let detail = |kind: &str| {
            let name = format!("type.googleapis.com/google.rpc.{kind}");
            error["details"].as_array().unwrap().iter().find(|detail| detail["@type"] == name)
        };
        assert_eq!(detail("ErrorInfo").expect("it has ErrorInfo")["reason"], reason, "{error}");
        assert_retry_info(reason, detail("RetryInfo").is_some());
        assert_eq!(self.headers.contains_key("retry-after"), detail("RetryInfo").is_some(), "{error}");
        assert_eq!(self.headers.contains_key("www-authenticate"), status == 401, "{error}");
        error
    }
}

/// Returns the media type of the body of an OpenAPI operation; JSON for one without a body.
pub(crate) fn body_type(operation: &Value) -> &str {
    let types = operation["requestBody"]["content"].as_object();
    types.and_then(|types| types.keys().next()).map_or("application/json", String::as_str)
}
