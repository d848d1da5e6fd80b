//! `SubmitMoves`: a stream of moves, each judged and answered as a call of `SubmitMove`.
//!
//! A task of its own makes the moves, so that a caller who takes no answers holds up nobody. It reads a
//! request only when there is room for its answer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use play::{Caller, Play, Refusal, StreamPermit};
use prost::Message;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_stream::Stream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use tonic::{Code, Status, Streaming};
use tracing::Instrument;
use wire::v1;
use wire::v1::ErrorReason;
use wire::v1::submit_moves_response::Outcome;

use crate::admission::{RateLimitKey, StreamedCalls};
use crate::buffers::{MessageBytes, ReceivedBytes};
use crate::keys::credentials;
use crate::limits::ServiceLimits;
use crate::protocol::reason_of;

/// What a move takes until its answer is taken, beside the bytes of its request and its answer.
const OVERHEAD_BYTES: usize = 1024;

/// What all streams of moves share.
pub(crate) struct MoveStreams {
    play: Play,
    calls: StreamedCalls,
    /// Maximum moves of one stream that are under way or whose answers are not taken.
    max_under_way: usize,
    /// Maximum size of a request in bytes.
    max_message_bytes: usize,
    stopping: CancellationToken,
}

impl MoveStreams {
    /// Makes the moves of streams as these calls. The streams end when `stopping` is cancelled.
    pub(crate) fn new(
        play: &Play,
        calls: StreamedCalls,
        limits: &ServiceLimits,
        stopping: CancellationToken,
    ) -> Self {
        let max_under_way = limits.max_calls_per_connection as usize;
        Self {
            play: play.clone(),
            calls,
            max_under_way,
            max_message_bytes: limits.max_message_bytes,
            stopping,
        }
    }
}

/// The answers of one stream.
pub(crate) struct MoveAnswers {
    sent: UnboundedReceiver<Sent>,
    /// Ends with the stream, and with it the moves that are not being appended.
    _task: AbortOnDropHandle<()>,
    _open: StreamPermit,
}

/// What the task of a stream sends.
enum Sent {
    Answer(Box<Answer>),
    /// After the last answer: why the stream ends, `None` if the caller ended it.
    End(Option<Refusal>),
}

/// An answer, which takes room until the caller has taken it.
struct Answer {
    response: v1::SubmitMovesResponse,
    _room: Room,
}

/// The room that a move takes until its answer is taken.
struct Room {
    _slot: OwnedSemaphorePermit,
    bytes: Option<MessageBytes>,
}

/// Who sends the moves of a stream.
pub(super) struct MoveCaller {
    pub(super) caller: Caller,
    pub(super) key: RateLimitKey,
    /// `None` for calls made inside this process.
    pub(super) received: Option<ReceivedBytes>,
}

impl MoveAnswers {
    /// Starts to make the moves of a stream.
    pub(super) fn start(
        shared: &Arc<MoveStreams>,
        caller: MoveCaller,
        requests: Streaming<v1::SubmitMovesRequest>,
    ) -> Result<Self, Refusal> {
        let open = shared.play.open_move_stream()?;
        if let Some(received) = &caller.received {
            received.count_unread(shared.max_message_bytes);
        }
        // The slots bound it.
        let (sender, sent) = unbounded_channel();
        let slots = Arc::new(Semaphore::new(shared.max_under_way));
        let moves = Arc::new(Moves { shared: Arc::clone(shared), caller });
        let task = Task { moves, requests, slots, sender };
        let task = AbortOnDropHandle::new(tokio::spawn(task.run().in_current_span()));
        Ok(Self { sent, _task: task, _open: open })
    }
}

impl Stream for MoveAnswers {
    type Item = Result<v1::SubmitMovesResponse, Refusal>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.sent.poll_recv(context).map(|sent| match sent {
            Some(Sent::Answer(answer)) => Some(Ok(answer.response)),
            Some(Sent::End(end)) => end.map(Err),
            // The task has panicked; the panic hook has logged it.
            None => Some(Err(Refusal::internal())),
        })
    }
}

/// The task of one stream.
struct Task {
    moves: Arc<Moves>,
    requests: Streaming<v1::SubmitMovesRequest>,
    slots: Arc<Semaphore>,
    sender: UnboundedSender<Sent>,
}

impl Task {
    async fn run(mut self) {
        let mut under_way: FuturesUnordered<BoxFuture<'static, Box<Answer>>> = FuturesUnordered::new();
        let stopping = self.moves.shared.stopping.clone();
        let mut slot = None;
        let end = loop {
            tokio::select! {
                Some(answer) = under_way.next(), if !under_way.is_empty() => self.send(Sent::Answer(answer)),
                free = Arc::clone(&self.slots).acquire_owned(), if slot.is_none() => {
                    slot = Some(free.expect("nobody closes the semaphore"));
                }
                request = self.requests.message(), if slot.is_some() => match (request, slot.take()) {
                    (Ok(Some(request)), Some(slot)) => match self.moves.room(&request, slot) {
                        Ok(room) => under_way.push(Box::pin(Arc::clone(&self.moves).make(request, room))),
                        // Its refusal would take room too.
                        Err(refusal) => break Some(refusal),
                    },
                    (Err(status), _) => break self.unreadable(&status),
                    (Ok(_), _) => break None,
                },
                () = stopping.cancelled() => {
                    break Some(Refusal::stopping("the service is shutting down; reconnect"));
                }
            }
        };
        while let Some(answer) = under_way.next().await {
            self.send(Sent::Answer(answer));
        }
        self.send(Sent::End(end));
    }

    fn send(&self, sent: Sent) {
        // If the caller has gone, this task is being aborted.
        let _ = self.sender.send(sent);
    }

    /// Returns the refusal of a request that could not be read, or `None` if the caller broke off.
    fn unreadable(&self, status: &Status) -> Option<Refusal> {
        let max = self.moves.shared.max_message_bytes;
        match (status.code(), reason_of(status)) {
            (Code::OutOfRange, None) => {
                let message = format!("a request exceeds the limit of {max} bytes");
                Some(Refusal::new(ErrorReason::MessageTooLarge, message).with("max_bytes", max))
            }
            (Code::Cancelled | Code::Unknown, None) => None,
            // Refused by a layer in front: over the budget of bytes, or not JSON.
            (_, Some(reason)) => Some(Refusal::new(reason, status.message())),
            (_, None) => {
                Some(Refusal::new(ErrorReason::InvalidArgument, "a request of the stream could not be read"))
            }
        }
    }
}

/// The moves of one stream.
struct Moves {
    shared: Arc<MoveStreams>,
    caller: MoveCaller,
}

impl Moves {
    /// Returns the room that a request and its answer take, unless it exceeds the client's budget of bytes.
    fn room(&self, request: &v1::SubmitMovesRequest, slot: OwnedSemaphorePermit) -> Result<Room, Refusal> {
        let bytes = request.encoded_len() + OVERHEAD_BYTES;
        let bytes = self.caller.received.as_ref().map(|received| received.message(bytes)).transpose()?;
        Ok(Room { _slot: slot, bytes })
    }

    async fn make(self: Arc<Self>, request: v1::SubmitMovesRequest, mut room: Room) -> Box<Answer> {
        let call_id = request.call_id;
        let outcome = match self.submit(request).await {
            Ok(submitted) => Outcome::Submitted(submitted),
            Err(refusal) => Outcome::Refusal(refusal.into()),
        };
        let response = v1::SubmitMovesResponse { call_id, outcome: Some(outcome) };
        if let Some(bytes) = &mut room.bytes {
            bytes.add_answer(response.encoded_len());
        }
        Box::new(Answer { response, _room: room })
    }

    async fn submit(&self, request: v1::SubmitMovesRequest) -> Result<v1::SubmitMoveResponse, Refusal> {
        let MoveStreams { play, calls, .. } = &*self.shared;
        let v1::SubmitMovesRequest { seat_token, r#move: message, .. } = request;
        let token = (!seat_token.is_empty()).then_some(seat_token.as_str());
        let submit = async {
            let message = message.ok_or_else(|| Refusal::field("move", "must be set"))?;
            let caller = self.caller.caller.clone();
            let caller = match token {
                Some(token) => caller.with_seat_token(credentials::seat_token_of_message(token)?),
                None => caller,
            };
            play.submit_move(&caller, message).await.map_err(|refusal| refusal.within("move"))
        };
        calls.call(self.caller.key, token, submit).await
    }
}
