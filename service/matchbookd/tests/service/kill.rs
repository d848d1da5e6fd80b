//! Repeated kill -9 during play: acknowledged events survive, no event is duplicated, no seq is skipped, and
//! a watcher resumes where it was cut off.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rstest::rstest;
use tokio::task::JoinHandle;
use tokio_stream::StreamExt;
use wire::v1;
use wire::v1::event::Kind;
use wire::v1::watch_match_response::Frame;

use crate::stage::{Backend, Client, Moves, Process, Storage, Table, sent, submit_request};

const PLAYERS: usize = 4;
const ROUNDS: u64 = 4;
const MOVES_BEFORE_A_KILL: usize = 150;
const SIZE: u32 = 26;

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_events_survive_kills(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let mut matches = Vec::new();
    for round in 0..ROUNDS {
        let process = Process::serve(&storage, &[]);
        let client = Client::of(&process.address).await;
        // First check the matches that the previous kill interrupted; then play on.
        for played in &mut matches {
            check(&client, played).await;
        }
        while matches.len() < PLAYERS {
            let table = client.table(SIZE, SIZE, 1000).await;
            matches.push(Played { table, acknowledged: BTreeMap::new(), unanswered: None, seen: Vec::new() });
        }
        let move_count = Arc::new(AtomicUsize::new(0));
        let tasks: Vec<_> = matches
            .drain(..)
            .zip(0..)
            .map(|(played, number)| {
                let watcher =
                    tokio::spawn(watch(client.clone(), played.table.match_id.clone(), played.seen.clone()));
                let seed = 1000 * round + number;
                (tokio::spawn(play(client.clone(), played, seed, Arc::clone(&move_count))), watcher)
            })
            .collect();
        while move_count.load(Ordering::Relaxed) < MOVES_BEFORE_A_KILL {
            tokio::task::yield_now().await;
        }
        process.kill();
        matches = gather(tasks).await;
    }
    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    for played in &mut matches {
        check(&client, played).await;
    }
    assert_eq!(process.terminate().0, Some(0));
}

/// What the clients of one match know.
struct Played {
    table: Table,
    /// The hash of each acknowledged event, by seq.
    acknowledged: BTreeMap<u32, Vec<u8>>,
    /// The seat and request of the last call, whose outcome is unknown because the response was cut off.
    unanswered: Option<(usize, v1::SubmitMoveRequest)>,
    /// The events that a watcher received, over all rounds.
    seen: Vec<v1::Event>,
}

type Tasks = Vec<(JoinHandle<Played>, JoinHandle<Vec<v1::Event>>)>;

async fn gather(tasks: Tasks) -> Vec<Played> {
    let mut matches = Vec::new();
    for (player, watcher) in tasks {
        let mut played = player.await.unwrap();
        played.seen = watcher.await.unwrap();
        matches.push(played);
    }
    matches
}

/// Plays for both seats until the service is killed.
async fn play(client: Client, mut played: Played, seed: u64, move_count: Arc<AtomicUsize>) -> Played {
    for (row, col) in Moves::new(SIZE, SIZE, seed) {
        let request = v1::GetViewRequest { match_id: played.table.match_id.clone(), ..Default::default() };
        let Ok(answer) = client.matches.clone().get_view(request).await else { return played };
        let to_act = answer.into_inner().view.unwrap().to_act[0];
        let seat = usize::from(to_act == 1);
        let request = submit_request(&played.table, format!("{row},{col}"));
        let sending = sent(request.clone(), Some(&played.table.tokens[seat]));
        match client.matches.clone().submit_move(sending).await {
            Ok(answer) => {
                played.acknowledge(answer.into_inner());
                move_count.fetch_add(1, Ordering::Relaxed);
            }
            Err(_) => {
                played.unanswered = Some((seat, request));
                return played;
            }
        }
    }
    unreachable!("the iterator of moves is endless")
}

impl Played {
    fn acknowledge(&mut self, answer: v1::SubmitMoveResponse) {
        for event in answer.events {
            let previous = self.acknowledged.insert(event.seq, event.hash);
            assert_eq!(previous, None, "event {} was acknowledged twice", event.seq);
        }
    }
}

/// Watches from the last event seen until the service is killed.
async fn watch(client: Client, match_id: String, mut seen: Vec<v1::Event>) -> Vec<v1::Event> {
    let after_seq = seen.last().map_or(0, |event| event.seq);
    let Ok(mut frames) = client.watch(&match_id, Some(after_seq), None).await else { return seen };
    while let Some(Ok(frame)) = frames.next().await {
        if let Some(Frame::Event(event)) = frame.frame {
            seen.push(event);
        }
    }
    seen
}

/// Retries the unanswered call, then compares the log with what was acknowledged and seen.
async fn check(client: &Client, played: &mut Played) {
    if let Some((seat, request)) = played.unanswered.take() {
        let request = sent(request, Some(&played.table.tokens[seat]));
        let answer = client.matches.clone().submit_move(request).await.unwrap().into_inner();
        played.acknowledge(answer);
    }
    let log = client.events(&played.table.match_id, None, 500).await;
    let seqs: Vec<u32> = log.iter().map(|event| event.seq).collect();
    assert_eq!(seqs, (1..).take(log.len()).collect::<Vec<u32>>(), "the log has a gap or a duplicate");
    for (seq, hash) in &played.acknowledged {
        let stored = log.get(*seq as usize - 1).unwrap_or_else(|| panic!("acknowledged event {seq} is lost"));
        assert_eq!(&stored.hash, hash, "event {seq} changed");
    }
    assert_eq!(log.len(), 4 + played.acknowledged.len(), "an event after the start was never acknowledged");
    assert_eq!(played.seen, log[..played.seen.len()], "the watcher saw other events than the log has");
    let sealed = log.iter().filter(|event| matches!(event.kind, Some(Kind::MoveSealed(_)))).count();
    let revealed = log.iter().filter(|event| matches!(event.kind, Some(Kind::TurnRevealed(_)))).count();
    assert_eq!(sealed / 2, revealed, "a turn's second choice and its reveal were not committed together");
}
