//! An OTLP collector over HTTP that decodes what it receives and keeps it for the test.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::{Metric, metric, number_data_point};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A collector that listens until the test ends.
pub(crate) struct Collector {
    /// `http://127.0.0.1:PORT`.
    pub(crate) url: String,
    received: Arc<Mutex<Received>>,
}

/// Everything that a collector received.
#[derive(Default, Clone)]
pub(crate) struct Received {
    pub(crate) spans: Vec<Span>,
    /// The newest value of each series, by metric name and labels.
    pub(crate) series: BTreeMap<String, f64>,
    /// The attributes of the sending resource.
    pub(crate) resource: BTreeMap<String, String>,
    /// The header lines of all requests, in lower case.
    pub(crate) headers: Vec<String>,
    /// The undecoded bodies of all requests.
    pub(crate) raw: Vec<u8>,
}

impl Collector {
    /// Listens on a free port and responds to every request with this status, such as `200 OK`.
    pub(crate) fn answering(status: &'static str) -> Self {
        Self::listening("http://127.0.0.1", status, |stream| stream)
    }

    /// Listens on a free port of `localhost` over TLS with this certificate.
    pub(crate) fn secure(certificate: CertificateDer<'static>, key: PrivateKeyDer<'static>) -> Self {
        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key);
        let config = Arc::new(config.unwrap());
        Self::listening("https://localhost", "200 OK", move |stream| {
            StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), stream)
        })
    }

    fn listening<S: Read + Write>(
        host: &str,
        status: &'static str,
        wrap: impl Fn(TcpStream) -> S + Clone + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("{host}:{}", listener.local_addr().unwrap().port());
        let received = Arc::new(Mutex::new(Received::default()));
        let store = Arc::clone(&received);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (store, wrap) = (Arc::clone(&store), wrap.clone());
                std::thread::spawn(move || serve(wrap(stream.unwrap()), status, &store));
            }
        });
        Self { url, received }
    }

    /// Listens on a free port and accepts every request.
    pub(crate) fn start() -> Self {
        Self::answering("200 OK")
    }

    /// Returns everything received so far.
    pub(crate) fn received(&self) -> Received {
        self.received.lock().unwrap().clone()
    }
}

fn serve(stream: impl Read + Write, status: &str, store: &Mutex<Received>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if line == "\r\n" {
                break;
            }
            head.push(line.trim().to_lowercase());
        }
        let length = head.iter().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
        reader.read_exact(&mut body).unwrap();
        store.lock().unwrap().take(head, &body);
        let response = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
        // The client may have disconnected.
        let _ = reader.get_mut().write_all(response.as_bytes());
    }
}

impl Received {
    fn take(&mut self, head: Vec<String>, body: &[u8]) {
        let path = head[0].split(' ').nth(1).unwrap().to_owned();
        assert!(head.contains(&"content-type: application/x-protobuf".to_owned()), "{head:?}");
        self.headers.extend(head);
        self.raw.extend(body);
        match path.as_str() {
            "/v1/traces" => {
                for of_resource in ExportTraceServiceRequest::decode(body).unwrap().resource_spans {
                    self.resource.extend(attributes(&of_resource.resource.unwrap().attributes));
                    self.spans.extend(of_resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
                }
            }
            "/v1/metrics" => {
                for of_resource in ExportMetricsServiceRequest::decode(body).unwrap().resource_metrics {
                    self.resource.extend(attributes(&of_resource.resource.unwrap().attributes));
                    for metric in of_resource.scope_metrics.into_iter().flat_map(|scope| scope.metrics) {
                        self.note(&metric);
                    }
                }
            }
            other => panic!("unexpected path {other}"),
        }
    }

    fn note(&mut self, metric: &Metric) {
        let mut note = |labels: &[KeyValue], value: f64| {
            let labels: Vec<_> =
                attributes(labels).into_iter().map(|(name, value)| format!("{name}={value:?}")).collect();
            self.series.insert(format!("{}{{{}}}", metric.name, labels.join(",")), value);
        };
        let number = |value: &Option<number_data_point::Value>| match value {
            Some(number_data_point::Value::AsInt(value)) => i32::try_from(*value).unwrap().into(),
            Some(number_data_point::Value::AsDouble(value)) => *value,
            None => panic!("no value"),
        };
        match metric.data.as_ref().unwrap() {
            metric::Data::Sum(sum) => {
                sum.data_points.iter().for_each(|point| note(&point.attributes, number(&point.value)));
            }
            metric::Data::Gauge(gauge) => {
                gauge.data_points.iter().for_each(|point| note(&point.attributes, number(&point.value)));
            }
            metric::Data::Histogram(histogram) => {
                let count = |count: u64| u32::try_from(count).unwrap().into();
                histogram.data_points.iter().for_each(|point| note(&point.attributes, count(point.count)));
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Returns the attributes by name, with values as text; panics if a name occurs twice.
pub(crate) fn attributes(pairs: &[KeyValue]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for pair in pairs {
        let value = match pair.value.as_ref().and_then(|value| value.value.as_ref()).unwrap() {
            any_value::Value::StringValue(text) => text.clone(),
            any_value::Value::IntValue(number) => number.to_string(),
            other => format!("{other:?}"),
        };
        assert!(found.insert(pair.key.clone(), value).is_none(), "{} occurs twice", pair.key);
    }
    found
}
