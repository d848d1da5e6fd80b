//! `SubmitMoves`: many moves over one stream, over gRPC and REST.

mod bounds;
mod ends;
mod lines;
mod moves;
mod records;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Request, Status, Streaming};
use wire::v1::submit_moves_response::Outcome;
use wire::v1::{self, MoveAnswer};

use crate::stage::{Client, Table, submit_request};

/// An open stream of moves.
struct MoveStream {
    requests: UnboundedSender<v1::SubmitMovesRequest>,
    answers: Streaming<v1::SubmitMovesResponse>,
}

/// The other end of a request stream, to be wrapped in a request.
fn requests() -> (UnboundedSender<v1::SubmitMovesRequest>, UnboundedReceiverStream<v1::SubmitMovesRequest>) {
    let (sender, receiver) = unbounded_channel();
    (sender, UnboundedReceiverStream::new(receiver))
}

impl MoveStream {
    /// Opens a stream without credentials.
    async fn open(client: &Client) -> Self {
        Self::open_with(client, &[]).await.unwrap()
    }

    /// Opens a stream with these headers.
    async fn open_with(client: &Client, headers: &[(&'static str, &str)]) -> Result<Self, Status> {
        let (sender, receiver) = requests();
        let mut request = Request::new(receiver);
        for (name, value) in headers {
            request.metadata_mut().insert(*name, value.parse().unwrap());
        }
        let answers = client.matches.clone().submit_moves(request).await?.into_inner();
        Ok(Self { requests: sender, answers })
    }

    fn send(&self, request: v1::SubmitMovesRequest) {
        self.requests.send(request).unwrap();
    }

    /// Returns the next answer, or `None` at the end of the stream.
    async fn answer(&mut self) -> Result<Option<v1::SubmitMovesResponse>, Status> {
        self.answers.message().await
    }

    /// Returns the answer to a move; panics if the next answer is to another one or a refusal.
    async fn submitted(&mut self, call_id: u64) -> v1::SubmitMoveResponse {
        let answer = self.answer().await.unwrap().expect("an answer");
        assert_eq!(answer.call_id, call_id, "{answer:?}");
        match answer.outcome {
            Some(Outcome::Submitted(submitted)) => submitted,
            other => panic!("{other:?}"),
        }
    }

    /// Returns the refusal of a move; panics if the next answer is to another one or not a refusal.
    async fn refusal(&mut self, call_id: u64) -> v1::Refusal {
        let answer = self.answer().await.unwrap().expect("an answer");
        assert_eq!(answer.call_id, call_id, "{answer:?}");
        match answer.outcome {
            Some(Outcome::Refusal(refusal)) => refusal,
            other => panic!("{other:?}"),
        }
    }

    /// Ends the requests and returns what is still answered.
    async fn finish(self) -> Result<Vec<v1::SubmitMovesResponse>, Status> {
        let Self { requests, mut answers } = self;
        drop(requests);
        let mut rest = Vec::new();
        while let Some(answer) = answers.message().await? {
            rest.push(answer);
        }
        Ok(rest)
    }
}

/// Returns a move of a seat of the table, with the seat's token and a new `request_id`.
fn move_of(table: &Table, seat: usize, notation: &str, call_id: u64) -> v1::SubmitMovesRequest {
    v1::SubmitMovesRequest {
        call_id,
        seat_token: table.tokens[seat].clone(),
        r#move: Some(submit_request(table, notation)),
    }
}

/// Returns the same move, whose answer is this.
fn answered_with(mut request: v1::SubmitMovesRequest, answer: MoveAnswer) -> v1::SubmitMovesRequest {
    request.r#move.as_mut().unwrap().answer = answer.into();
    request
}
