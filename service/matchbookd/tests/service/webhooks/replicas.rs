//! Deliveries survive restarts, and one replica takes over from another.

use std::collections::BTreeMap;

use rstest::rstest;

use super::shop::{Keys, create, start_match};
use crate::stage::{Backend, Http, Process, Received, Receiver, Reply, Storage};

const LENIENT: [&str; 8] = [
    "--webhook-allow-http",
    "--webhook-allow-private-networks",
    "--webhook-first-retry",
    "20ms",
    "--webhook-lease",
    "1s",
    "--replica-silence",
    "3s",
];

fn serve(storage: &Storage, keys: &Keys) -> Process {
    let lines = keys.lines.join(",");
    let mut arguments = LENIENT.to_vec();
    arguments.extend(["--api-key", &lines]);
    Process::serve(storage, &arguments)
}

/// Checks that every event of these matches has arrived, the first time in the order of its match.
fn assert_complete(received: &[Received], matches: &[String]) {
    let mut seen: BTreeMap<String, u64> = matches.iter().map(|id| (id.clone(), 0)).collect();
    for one in received {
        let last = seen.get_mut(&one.match_id()).unwrap();
        assert!(one.seq() <= *last + 1, "event {} of {} after {last}", one.seq(), one.match_id());
        *last = one.seq().max(*last);
    }
    assert!(seen.values().all(|last| *last == 4), "{seen:?}");
}

fn is_complete(received: &[Received], matches: &[String]) -> bool {
    matches.iter().all(|id| received.iter().any(|one| one.match_id() == *id && one.seq() == 4))
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn nothing_is_lost_when_the_service_is_killed_during_deliveries(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let (keys, receiver) = (Keys::new(), Receiver::start());
    // Every third attempt fails, so that some events are pending when the service dies.
    let mut count = 0;
    receiver.answer(move |_| {
        count += 1;
        Reply::Status(if count % 3 == 0 { 500 } else { 200 })
    });
    let mut matches = Vec::new();
    for round in 0..3 {
        let process = serve(&storage, &keys);
        let http = Http::of(&process.address);
        if round == 0 {
            create(&http, &keys.shop, &receiver, "/").await;
        }
        let before = receiver.received().len();
        for _ in 0..5 {
            matches.push(start_match(&http, &keys.shop).await.0);
        }
        receiver.wait_for(before + 7).await;
        process.kill();
    }
    let process = serve(&storage, &keys);
    let received = receiver.wait("every event", |all| is_complete(all, &matches)).await;
    assert_complete(&received, &matches);
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test]
async fn one_replica_delivers_and_another_takes_over() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let (keys, receiver) = (Keys::new(), Receiver::start());
    let (first, second) = (serve(&storage, &keys), serve(&storage, &keys));
    let [one, other] = [&first, &second].map(|process| Http::of(&process.address));
    create(&one, &keys.shop, &receiver, "/").await;
    let mut matches = Vec::new();
    for http in [&one, &other, &one, &other] {
        matches.push(start_match(http, &keys.shop).await.0);
    }
    let received = receiver.wait("every event", |all| is_complete(all, &matches)).await;
    assert_complete(&received, &matches);
    assert_eq!(received.len(), 16, "both replicas together deliver each event once");
    // Whichever has the lease, the other one goes on.
    assert_eq!(first.terminate().0, Some(0));
    matches.push(start_match(&other, &keys.shop).await.0);
    let received = receiver.wait("the new match", |all| is_complete(all, &matches)).await;
    assert_complete(&received, &matches);
    assert_eq!(received.len(), 20, "a replica that stops gives up its lease in order");
    let third = serve(&storage, &keys);
    second.kill();
    matches.push(start_match(&Http::of(&third.address), &keys.shop).await.0);
    let received = receiver.wait("the last match", |all| is_complete(all, &matches)).await;
    assert_complete(&received, &matches);
}
