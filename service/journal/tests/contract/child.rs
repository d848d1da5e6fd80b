//! A second process of this test binary, which serves the database until it is killed.

use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};

use futures_util::future::join_all;
use journal::{Journal, JournalConfig, MatchId};
use uuid::Uuid;

use crate::samples::{created, move_at};

const URL: &str = "MATCHBOOK_TEST_CHILD_URL";

/// A process that appends forever and prints what was acknowledged.
pub(crate) struct Appender {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Appender {
    pub(crate) fn start(url: &str) -> Appender {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child::appends_forever", "--exact", "--nocapture"])
            .env(URL, url)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Appender { child, lines }
    }

    /// Waits for the first acknowledgement.
    pub(crate) fn wait_for_one(mut self) -> Appender {
        while parse(&self.lines.next().expect("the child exited").unwrap()).is_none() {}
        self
    }

    /// Kills it with SIGKILL after `count` acknowledgements. Returns all that it printed.
    pub(crate) fn kill_after(mut self, count: usize) -> Vec<(MatchId, u32)> {
        let mut acknowledged = Vec::new();
        while acknowledged.len() < count {
            let line = self.lines.next().expect("the child exited").unwrap();
            acknowledged.extend(parse(&line));
        }
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        acknowledged.extend(self.lines.by_ref().map_while(Result::ok).filter_map(|line| parse(&line)));
        acknowledged
    }
}

impl Drop for Appender {
    fn drop(&mut self) {
        // Clean up after a failed test; a successful one has killed the child already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn parse(line: &str) -> Option<(MatchId, u32)> {
    let (id, seq) = line.strip_prefix("acknowledged ")?.split_once(' ')?;
    Some((MatchId(id.parse::<Uuid>().ok()?), seq.parse().ok()?))
}

/// The second process. Without the variable it does nothing.
#[tokio::test]
async fn appends_forever() {
    let Ok(url) = std::env::var(URL) else { return };
    let journal = Journal::open(JournalConfig::new(url.parse().unwrap())).await.unwrap();
    join_all((0..20).map(async |_| {
        let (id, mut hlc) = created(&journal).await;
        for seq in 2.. {
            hlc = journal.append(move_at(id, seq, hlc, "child")).await.unwrap().hlc;
            println!("acknowledged {id} {seq}");
        }
    }))
    .await;
}
