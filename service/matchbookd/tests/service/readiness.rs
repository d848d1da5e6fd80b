//! Readiness over HTTP, over gRPC health (check and watch) and in `matchbookd healthcheck`: it reports an
//! unusable database and recovers without a restart, while liveness is unaffected.

use std::time::{Duration, Instant};

use sqlx::{Connection, Executor, PgConnection};
use tokio_stream::StreamExt;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use crate::stage::{Backend, Client, Cluster, Http, Process, Stage, Storage, connect, run};

/// Returns the current health of a service name.
async fn health(address: &str, service: &str) -> ServingStatus {
    let request = HealthCheckRequest { service: service.to_owned() };
    HealthClient::new(connect(address).await).check(request).await.unwrap().into_inner().status()
}

/// Watches the health of the whole service.
async fn watch_health(address: &str) -> tonic::Streaming<HealthCheckResponse> {
    let request = HealthCheckRequest { service: String::new() };
    HealthClient::new(connect(address).await).watch(request).await.unwrap().into_inner()
}

/// Waits until `/readyz` returns this status.
async fn wait_for_status(http: &Http, status: u16) {
    let began = Instant::now();
    while http.get("/readyz", &[]).await.status != status {
        assert!(began.elapsed() < Duration::from_secs(60), "readiness never became {status}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn assert_unready(address: &str, message: &str) {
    let http = Http::of(address);
    let error = http.get("/readyz", &[]).await.refused(503, "OVERLOADED");
    assert!(error["message"].as_str().unwrap().contains(message), "{error}");
    assert_eq!(http.get("/livez", &[]).await.text(), "alive\n");
    let services = wire::DESCRIPTORS.services().map(|service| service.full_name().to_owned());
    for name in services.filter(|name| name.starts_with("matchbook.")).chain([String::new()]) {
        assert_eq!(health(address, &name).await, ServingStatus::NotServing, "{name}");
    }
    assert_eq!(health(address, "liveness").await, ServingStatus::Serving);
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_follows_postgres_down_and_up() {
    let Some(mut cluster) = Cluster::start(&[]).await else { return };
    let storage = Storage::at(&cluster.url("postgres"));
    let process = Process::serve(&storage, &[]);
    let http = Http::of(&process.address);
    let client = Client::of(&process.address).await;
    let table = client.table(8, 8, 20).await;
    let mut watch = watch_health(&process.address).await;
    let mut next = async || watch.next().await.unwrap().unwrap().status();
    assert_eq!(next().await, ServingStatus::Serving);
    assert_eq!(http.get("/readyz", &[]).await.text(), "ready\n");
    assert_eq!(run(&["healthcheck", "--listen", &process.address]).0, 0);

    cluster.down();
    assert_eq!(next().await, ServingStatus::NotServing);
    assert_unready(&process.address, "the database is not responding").await;
    let (code, _, stderr) = run(&["healthcheck", "--listen", &process.address]);
    assert_eq!(code, 7, "{stderr}");
    let (code, stdout, _) = run(&["healthcheck", "--listen", &process.address, "--live"]);
    assert_eq!((code, stdout.as_str()), (0, format!("alive at {}\n", process.address).as_str()));

    cluster.up().await;
    assert_eq!(next().await, ServingStatus::Serving);
    wait_for_status(&http, 200).await;
    assert_eq!(health(&process.address, "matchbook.v1.MatchService").await, ServingStatus::Serving);
    client.submit(&table, 0, "1,1").await.unwrap();
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_of_another_version_is_not_ready() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let process = Process::serve(&storage, &[]);
    let http = Http::of(&process.address);
    storage.execute("ALTER TABLE _sqlx_migrations RENAME TO gone").await;
    wait_for_status(&http, 503).await;
    assert_unready(&process.address, "the database is not responding").await;
    storage.execute("ALTER TABLE gone RENAME TO _sqlx_migrations").await;
    wait_for_status(&http, 200).await;
    storage.execute("UPDATE _sqlx_migrations SET checksum = '' WHERE version = 1").await;
    wait_for_status(&http, 503).await;
    assert_unready(&process.address, "a schema version that this service does not support").await;
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_sqlite_file_is_not_ready() {
    let storage = Storage::here(Backend::Sqlite).await;
    let stage = Stage::open(&storage).await;
    let http = Http::of(&stage.address);
    let file = storage.url().strip_prefix("sqlite://").unwrap();
    let away = format!("{file}.away");
    std::fs::rename(file, &away).unwrap();
    wait_for_status(&http, 503).await;
    assert_unready(&stage.address, "the database is not responding").await;
    std::fs::rename(&away, file).unwrap();
    wait_for_status(&http, 200).await;
    stage.client.table(8, 8, 20).await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_probes_do_not_reach_the_database() {
    let Some(cluster) = Cluster::start(&[]).await else { return };
    let storage = Storage::at(&cluster.url("postgres"));
    let stage = Stage::open(&storage).await;
    let mut observer = PgConnection::connect(&cluster.url("postgres")).await.unwrap();
    observer.execute("SET stats_fetch_consistency = none").await.unwrap();
    let mut commits = async || -> i64 {
        sqlx::query_scalar("SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'")
            .fetch_one(&mut observer)
            .await
            .unwrap()
    };
    let before = commits().await;
    let http = Http::of(&stage.address);
    for _ in 0..1000 {
        assert_eq!(http.get("/readyz", &[]).await.status, 200);
    }
    let transactions = commits().await - before;
    assert!(transactions < 500, "{transactions} transactions for a thousand probes");
    stage.close().await;
}
