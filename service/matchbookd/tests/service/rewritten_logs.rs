//! What an owner of the database can do to a log without the service key: the service signs what its database
//! holds, if it replays. Only receipts, signed heads and files from before tell.

use audit::{LogCheck, LogFile, Receipt, Trust, Verification};
use event::RedactedEvent;

use crate::stage::{Backend, Client, Http, Process, Storage};

/// The log of a match that is over, and its database, which no service has open.
struct Over {
    storage: Storage,
    match_id: String,
    file: LogFile,
}

impl Over {
    async fn play() -> Self {
        let storage = Storage::here(Backend::Sqlite).await;
        let process = Process::serve(&storage, &[]);
        let client = Client::of(&process.address).await;
        let table = client.table(4, 4, 2).await;
        client.turn(&table, "1,1", "4,4").await;
        client.turn(&table, "2,2", "3,3").await;
        let file = exported(&process, &table.match_id).await;
        process.kill();
        Self { storage, match_id: table.match_id, file }
    }

    fn trust(&self) -> Trust {
        Trust { keys: vec![self.file.public_key.parse().unwrap()], ..Trust::default() }
    }

    fn events(&self) -> Vec<RedactedEvent> {
        self.file.opened_events()
    }

    /// Executes a statement on the table of events, past the trigger that refuses it.
    async fn rewrite(&self, trigger: &str, statement: &str) {
        let match_id = format!("match_id = x'{}'", self.match_id.replace('-', ""));
        self.storage.execute(&format!("DROP TRIGGER {trigger}; {statement} AND {match_id}")).await;
    }

    /// Checks that the service signs the log as it is now, and that a receipt for the last event refuses it.
    async fn assert_signed_and_only_a_receipt_tells(&self) {
        let process = Process::serve(&self.storage, &[]);
        let file = exported(&process, &self.match_id).await;
        let report = file.verify(&self.trust());
        assert_eq!(report.failure, None);
        let last = self.events().pop().unwrap();
        let receipts = vec![Receipt::Hash { seq: last.seq, hash: last.hash }];
        let report = file.verify(&Trust { receipts, ..self.trust() });
        assert_eq!(report.verdict, Verification::Refused);
        assert_eq!(report.failure.unwrap().check, LogCheck::Receipts);
    }
}

async fn exported(process: &Process, match_id: &str) -> LogFile {
    let log = Http::of(&process.address).get(&format!("/v1/matches/{match_id}/log"), &[]).await;
    LogFile::read(&log.body).unwrap().0
}

#[tokio::test]
async fn a_log_that_does_not_replay_is_not_served() {
    let over = Over::play().await;
    over.rewrite("event_refuses_update", "UPDATE event SET record_time = record_time + 1 WHERE seq = 7")
        .await;
    let process = Process::serve(&over.storage, &[]);
    let path = format!("/v1/matches/{}", over.match_id);
    for target in ["", "/view", "/events", "/log"] {
        Http::of(&process.address).get(&format!("{path}{target}"), &[]).await.refused(500, "INTERNAL");
    }
}

#[tokio::test]
async fn the_service_signs_a_log_that_was_hashed_anew_and_a_receipt_refuses_it() {
    let over = Over::play().await;
    let mut events = over.events();
    let mut last = events.pop().unwrap();
    last.record_time = last.record_time.next();
    let match_id = event::MatchId(over.match_id.parse().unwrap());
    let hash = last.link(match_id, events.last().map(|event| event.hash)).hash();
    let (time, seq) = (last.record_time.0, last.seq);
    // A receipt spells the hash in hexadecimal.
    let receipt = Receipt::Hash { seq, hash }.to_string();
    let (hash, _) = receipt.split_once('@').unwrap();
    let set = format!("UPDATE event SET record_time = {time}, hash = x'{hash}' WHERE seq = {seq}");
    over.rewrite("event_refuses_update", &set).await;
    over.assert_signed_and_only_a_receipt_tells().await;
}

#[tokio::test]
async fn the_service_signs_a_log_that_lost_its_end_and_a_receipt_refuses_it() {
    let over = Over::play().await;
    let last = over.events().pop().unwrap().seq;
    over.rewrite("event_refuses_delete", &format!("DELETE FROM event WHERE seq = {last}")).await;
    over.assert_signed_and_only_a_receipt_tells().await;
}
