//! Export to a collector: the standard variables apply, the metrics equal those of `/metrics`, and an
//! unavailable collector does not disturb the service.

use std::collections::BTreeMap;
use std::net::TcpListener;

use rcgen::{CertifiedKey, generate_simple_self_signed};

use crate::stage::collector::Collector;
use crate::stage::{Backend, Client, Http, Process, Storage, matchbookd, refused};

#[tokio::test(flavor = "multi_thread")]
async fn exported_metrics_equal_the_metrics_page() {
    let storage = Storage::here(Backend::Sqlite).await;
    let collector = Collector::start();
    let process = Process::telling(&storage, &collector, &[], &[]);
    let client = Client::of(&process.address).await;
    let table = client.table(3, 3, 2).await;
    client.turn(&table, "1,1", "3,3").await;
    refused(client.submit(&table, 0, "9,9").await);
    let page = Http::of(&process.address).get("/metrics", &[]).await.text().to_owned();
    process.terminate();

    let series = collector.received().series;
    // The page's names carry the units and suffixes of its format.
    let named = |series: &str| {
        let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
        let name = name.trim_end_matches("_count").trim_end_matches("_total");
        let name = name.trim_end_matches("_seconds").trim_end_matches("_bytes").replace('_', ".");
        format!("{name}{{{labels}")
    };
    let parts = |line: &&str| !line.starts_with('#') && !line.contains("_bucket") && !line.contains("_sum{");
    let shown: BTreeMap<String, f64> = page
        .lines()
        .filter(parts)
        .map(|line| line.rsplit_once(' ').unwrap())
        .map(|(name, value)| (named(name), value.parse().unwrap()))
        .collect();
    assert!(shown.len() > 12, "{page}");
    // The pool opens and closes connections at any time.
    let stable = |series: &BTreeMap<String, f64>| -> BTreeMap<String, f64> {
        let stable = series.iter().filter(|(name, _)| !name.starts_with("matchbook.database.connections"));
        stable.map(|(name, value)| (name.clone(), *value)).collect()
    };
    assert_eq!(stable(&series), stable(&shown));
    assert_eq!(series["matchbook.rpc.duration{code=\"OK\",method=\"MatchService/SubmitMove\"}"], 2.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_standard_variables_apply() {
    let storage = Storage::here(Backend::Memory).await;
    let collector = Collector::start();
    let variables = [
        ("OTEL_SERVICE_NAME", "games"),
        ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test,service.name=other"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20abc"),
        ("OTEL_METRICS_EXPORTER", "none"),
        ("OTEL_TRACES_SAMPLER", "parentbased_traceidratio"),
        ("OTEL_TRACES_SAMPLER_ARG", "1"),
    ];
    let process = Process::telling(&storage, &collector, &[], &variables);
    Client::of(&process.address).await.table(3, 3, 2).await;
    process.terminate();
    let received = collector.received();
    assert_eq!(received.resource["service.name"], "games");
    assert_eq!(received.resource["deployment.environment.name"], "test");
    assert_eq!(received.resource["service.version"], env!("CARGO_PKG_VERSION"));
    assert!(received.headers.contains(&"authorization: bearer abc".to_owned()), "{:?}", received.headers);
    assert!(received.series.is_empty() && !received.spans.is_empty());

    let off: [&[(&str, &str)]; 3] = [
        &[("OTEL_SDK_DISABLED", "true")],
        &[("OTEL_TRACES_EXPORTER", "none"), ("OTEL_METRICS_EXPORTER", "none")],
        &[("OTEL_TRACES_SAMPLER", "always_off"), ("OTEL_METRICS_EXPORTER", "none")],
    ];
    for variables in off {
        let collector = Collector::start();
        let process = Process::telling(&storage, &collector, &[], variables);
        Client::of(&process.address).await.table(3, 3, 2).await;
        process.terminate();
        assert!(collector.received().headers.is_empty(), "{variables:?}");
    }
}

#[test]
fn unsupported_settings_are_refused_at_start_up() {
    for (name, value) in [
        ("OTEL_TRACES_EXPORTER", "zipkin"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector"),
        ("OTEL_EXPORTER_OTLP_CERTIFICATE", "/nowhere"),
    ] {
        let mut program = matchbookd(&["--listen", "127.0.0.1:0", "--database", "memory:"]);
        let output =
            program.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://here:1").env(name, value).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(name), "{stderr}");
    }
}

/// Makes calls while the collector accepts nothing, and returns the log.
async fn log_without_delivery(collector: &str) -> Vec<String> {
    let storage = Storage::here(Backend::Sqlite).await;
    let key_file = storage.key_file();
    let mut program = matchbookd(&["--listen", "127.0.0.1:0", "--database", storage.url(), "--key-file"]);
    let settings = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "50"),
        ("OTEL_BSP_SCHEDULE_DELAY", "5"),
        ("OTEL_BSP_MAX_QUEUE_SIZE", "64"),
        ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "16"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "5"),
    ];
    program.arg(key_file).envs(settings);
    let mut process = Process::of(program);
    let client = Client::of(&process.address).await;
    process.wait_for("cannot export metrics");
    for _ in 0..20 {
        let table = client.table(3, 3, 2).await;
        client.turn(&table, "1,1", "3,3").await;
    }
    let (code, log) = process.terminate();
    assert_eq!(code, Some(0));
    log
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unavailable_collector_causes_one_warning_per_signal() {
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let failing = Collector::answering("503 Service Unavailable");
    let urls =
        [format!("http://{gone}"), format!("http://{}", silent.local_addr().unwrap()), failing.url.clone()];
    let logs = futures_util::future::join_all(urls.iter().map(|url| log_without_delivery(url))).await;
    for (url, log) in urls.iter().zip(logs) {
        for signal in ["traces", "metrics"] {
            let warned = log.iter().filter(|line| line.contains(&format!("cannot export {signal}"))).count();
            assert_eq!(warned, 1, "{signal} to {url}: {log:#?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_certificate_of_a_collector_is_verified() {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("collector.crt");
    std::fs::write(&path, cert.pem()).unwrap();
    let collector = Collector::secure(cert.der().clone(), signing_key.serialize_der().try_into().unwrap());
    let storage = Storage::here(Backend::Memory).await;
    let trusting = [("OTEL_EXPORTER_OTLP_CERTIFICATE", path.to_str().unwrap())];
    let process = Process::telling(&storage, &collector, &[], &trusting);
    Client::of(&process.address).await.table(3, 3, 2).await;
    process.terminate();
    let received = collector.received();
    assert!(!received.spans.is_empty() && !received.series.is_empty());

    let process = Process::telling(&storage, &collector, &[], &[]);
    Client::of(&process.address).await.table(3, 3, 2).await;
    let (_, log) = process.terminate();
    assert!(log.iter().any(|line| line.contains("UnknownIssuer")), "{log:#?}");
    assert_eq!(collector.received().spans.len(), received.spans.len());
}
