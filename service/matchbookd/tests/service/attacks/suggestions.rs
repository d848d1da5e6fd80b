//! Greedy suggestions, each of which tries thousands of moves, asked for again and again.

use tokio::task::JoinSet;
use tonic::Code;
use wire::v1::{self, Strategy};

use super::player::Player;
use super::{ATTACKER, assert_memory, scale};
use crate::stage::{Backend, Client, Process, Storage, Table, channel_from, sent};

/// Callers at the same time, and how often each asks.
const CALLERS: u64 = 8;
const QUESTIONS: u64 = 6;

/// Starts a match with a position that takes long to think about.
async fn start_match(client: &Client) -> Table {
    let request = v1::CreateMatchRequest { game_id: "ludus-magus".to_owned(), ..Default::default() };
    let created = client.matches.clone().create_match(sent(request, None)).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    let zero = client.claim(&match_id, 0, "Ann").await.unwrap();
    let one = client.claim(&match_id, 1, "Ben").await.unwrap();
    Table { match_id, tokens: [zero, one] }
}

#[tokio::test(flavor = "multi_thread")]
async fn suggestions_hold_up_nobody() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &[]);
    let attacker = Client::over(channel_from(ATTACKER, &process.address).await);
    let table = start_match(&attacker).await;
    let player = Player::at(&process.address).await;
    let mut callers = JoinSet::new();
    for caller in 0..CALLERS {
        let mut matches = attacker.matches.clone();
        let (match_id, tokens) = (table.match_id.clone(), table.tokens.clone());
        callers.spawn(async move {
            for question in 0..QUESTIONS * scale() as u64 {
                let (match_id, strategy) = (match_id.clone(), Strategy::Greedy.into());
                let seed = Some(caller * QUESTIONS + question);
                let request = v1::SuggestMoveRequest { match_id, strategy, seed };
                let mut answers = Vec::new();
                for token in &tokens {
                    answers.push(matches.suggest_move(sent(request.clone(), Some(token))).await);
                }
                // One seat is to act; a caller beyond its limits may be refused.
                for refused in answers.iter().filter_map(|answer| answer.as_ref().err()) {
                    let code = refused.code();
                    assert!([Code::FailedPrecondition, Code::ResourceExhausted].contains(&code), "{refused}");
                }
            }
        });
    }
    while callers.try_join_next().transpose().unwrap().is_some() || !callers.is_empty() {
        player.makes_moves().await;
    }
    player.finish().await;
    assert_memory(&process);
    assert_eq!(process.terminate().0, Some(0));
}
