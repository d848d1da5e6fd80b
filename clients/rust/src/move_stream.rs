//! Moves of many seats over one stream.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::stream;
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use tonic::Streaming;
use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::submit_moves_response::Outcome;
use wire::v1::{SubmitMoveRequest, SubmitMoveResponse, SubmitMovesRequest, SubmitMovesResponse};

use crate::client::{Client, Idempotency};
use crate::error::Error;
use crate::refusal::Refusal;
use crate::retry::Backoff;

/// Makes moves of any matches and seats over one stream of the service, for programs that play many of them:
/// each costs less than a call of its own. Clones share the stream, and any number of moves may be under way.
/// Two moves of the same match may be judged in any order, so wait for the first one's answer.
///
/// The stream opens with the first move. If it breaks, moves without an answer that have a `request_id` are
/// sent again on a new one, as the [`RetryPolicy`](crate::RetryPolicy) says. It closes with its last clone.
///
/// ```no_run
/// # async fn example(tokens: &[(String, String)]) -> Result<(), Box<dyn std::error::Error>> {
/// use matchbook_client::v1::submit_move_request::Input;
/// use matchbook_client::v1::{MoveAnswer, SubmitMoveRequest};
/// use matchbook_client::{Client, request_id};
///
/// let moves = Client::connect("127.0.0.1:7420").await?.move_stream();
/// for (match_id, token) in tokens {
///     let request = SubmitMoveRequest {
///         match_id: match_id.clone(),
///         input: Some(Input::Notation("1,1".to_owned())),
///         request_id: Some(request_id()),
///         answer: MoveAnswer::Receipt.into(),
///         ..Default::default()
///     };
///     let receipt = moves.submit(token, request).await?.receipt.unwrap_or_default();
///     println!("{match_id}: made with event {}", receipt.seq);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct MoveStream {
    shared: Arc<Shared>,
}

/// What the clones share.
#[derive(Debug)]
struct Shared {
    client: Client,
    current: tokio::sync::Mutex<Option<Arc<OpenStream>>>,
}

/// A stream that is open, or was.
struct OpenStream {
    requests: mpsc::UnboundedSender<SubmitMovesRequest>,
    waiting: Arc<Waiting>,
    next: AtomicU64,
    reader: AbortHandle,
}

/// Who waits for answers.
#[derive(Default)]
struct Waiting {
    by_call: Mutex<HashMap<u64, oneshot::Sender<Answer>>>,
    /// No further answer will come.
    ended: AtomicBool,
}

type Answer = Result<SubmitMoveResponse, Error>;

impl Client {
    /// Returns a stream of moves on the same connection, not open yet.
    pub fn move_stream(&self) -> MoveStream {
        let (client, current) = (self.without_seat_token(), tokio::sync::Mutex::default());
        MoveStream { shared: Arc::new(Shared { client, current }) }
    }
}

impl MoveStream {
    /// Makes a move for the seat of this token. Set `request_id`: without it the move is not sent again, as
    /// it could be made twice.
    ///
    /// # Errors
    ///
    /// If the service refuses the move or does not answer.
    pub async fn submit(&self, token: &str, message: SubmitMoveRequest) -> Result<SubmitMoveResponse, Error> {
        let mut backoff = Backoff::new(self.shared.client.retry_policy());
        let idempotency = Idempotency::of(message.request_id.as_ref());
        loop {
            let error = match self.attempt(token, message.clone()).await {
                Ok(submitted) => return Ok(submitted),
                Err(error) => error,
            };
            if idempotency == Idempotency::Unsafe || !error.is_transient() {
                return Err(error);
            }
            match backoff.after_failure(error.retry_after()) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(error),
            }
        }
    }

    async fn attempt(&self, token: &str, message: SubmitMoveRequest) -> Answer {
        match tokio::time::timeout(self.shared.client.call_timeout(), self.exchange(token, message)).await {
            Ok(answer) => answer,
            Err(_elapsed) => Err(self.shared.client.unreachable("no answer in time")),
        }
    }

    /// Sends a move and waits for its answer.
    async fn exchange(&self, token: &str, message: SubmitMoveRequest) -> Answer {
        let stream = self.open().await?;
        let (sender, answer) = oneshot::channel();
        let call_id = stream.next.fetch_add(1, Ordering::Relaxed);
        let _entry = stream.waiting.wait(call_id, sender);
        let request = SubmitMovesRequest { call_id, seat_token: token.to_owned(), r#move: Some(message) };
        let lost = || self.shared.client.unreachable("the stream of moves has ended");
        stream.requests.send(request).map_err(|_| lost())?;
        // The stream may have ended before this call was entered.
        if stream.waiting.has_ended() {
            return Err(lost());
        }
        answer.await.unwrap_or_else(|_dropped| Err(lost()))
    }

    /// Returns the open stream, or opens one.
    async fn open(&self) -> Result<Arc<OpenStream>, Error> {
        let mut current = self.shared.current.lock().await;
        if let Some(open) = current.as_ref().filter(|open| !open.waiting.has_ended()) {
            return Ok(Arc::clone(open));
        }
        let (requests, receiver) = mpsc::unbounded_channel();
        let sent = stream::unfold(receiver, |mut receiver: mpsc::UnboundedReceiver<_>| async move {
            receiver.recv().await.map(|request| (request, receiver))
        });
        let mut service = MatchServiceClient::new(self.shared.client.channel());
        let answers = service.submit_moves(self.shared.client.request(sent)).await;
        let answers = answers.map_err(|status| self.shared.client.error(&status))?.into_inner();
        let waiting = Arc::<Waiting>::default();
        let reader =
            tokio::spawn(read(answers, Arc::clone(&waiting), self.shared.client.clone())).abort_handle();
        let open = Arc::new(OpenStream { requests, waiting, next: AtomicU64::new(1), reader });
        *current = Some(Arc::clone(&open));
        Ok(open)
    }
}

/// Hands out the answers of a stream until it ends.
async fn read(mut answers: Streaming<SubmitMovesResponse>, waiting: Arc<Waiting>, client: Client) {
    let end = loop {
        match answers.message().await {
            Ok(Some(answer)) => waiting.answer(answer),
            Ok(None) => break client.unreachable("the service ended the stream of moves"),
            Err(status) => break client.error(&status),
        }
    };
    waiting.end(&end);
}

impl Waiting {
    /// Enters a call. It is removed when the guard is dropped.
    fn wait(&self, call_id: u64, sender: oneshot::Sender<Answer>) -> impl Drop {
        self.by_call().insert(call_id, sender);
        Entry { waiting: self, call_id }
    }

    fn answer(&self, answer: SubmitMovesResponse) {
        let Some(sender) = self.by_call().remove(&answer.call_id) else { return };
        let outcome = match answer.outcome {
            Some(Outcome::Submitted(submitted)) => Ok(submitted),
            Some(Outcome::Refusal(refusal)) => Err(Error::Refused(Box::new(Refusal::from(refusal)))),
            None => Err(Error::unexpected("an answer on the stream of moves has no outcome")),
        };
        // Whoever waited may have left.
        let _ = sender.send(outcome);
    }

    /// Tells all who wait why the stream ended.
    fn end(&self, error: &Error) {
        self.ended.store(true, Ordering::Release);
        for (_, sender) in self.by_call().drain() {
            let _ = sender.send(Err(error.clone()));
        }
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    fn by_call(&self) -> MutexGuard<'_, HashMap<u64, oneshot::Sender<Answer>>> {
        // A panic cannot leave an entry half-written.
        self.by_call.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that waits for its answer.
struct Entry<'a> {
    waiting: &'a Waiting,
    call_id: u64,
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        self.waiting.by_call().remove(&self.call_id);
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

impl fmt::Debug for OpenStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenStream").field("ended", &self.waiting.has_ended()).finish_non_exhaustive()
    }
}
