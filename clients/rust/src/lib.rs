//! An async client of a Matchbook service.
//!
//! - [`Client`] makes every call of the service, with the messages of [`v1`]. It retries what is safe to
//!   retry.
//! - [`SeatClient`] plays one seat of one match: it adds the match id, the seat's token and a `request_id`.
//! - [`Watch`] and [`Feed`] are streams that survive lost connections: each event arrives once and in order.
//! - [`Error`] separates a service that refuses ([`Refusal`], with its reason and details) from one that does
//!   not answer.
//!
//! # Playing a seat
//!
//! ```no_run
//! use matchbook_client::v1::{ClaimSeatRequest, CreateMatchRequest, Player};
//! use matchbook_client::{Client, claim_secret, request_id};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::connect("http://127.0.0.1:7420").await?;
//! let created = client
//!     .create_match(CreateMatchRequest {
//!         game_id: "angels-and-demons".to_owned(),
//!         request_id: Some(request_id()),
//!         ..CreateMatchRequest::default()
//!     })
//!     .await?;
//! let match_id = created.r#match.unwrap_or_default().match_id;
//!
//! let claimed = client
//!     .claim_seat(ClaimSeatRequest {
//!         match_id: match_id.clone(),
//!         seat: Some(0),
//!         player: Some(Player::named("Ann")),
//!         request_id: Some(request_id()),
//!         claim_secret: Some(claim_secret()),
//!         ..ClaimSeatRequest::default()
//!     })
//!     .await?;
//! let angels = client.seat(match_id, &claimed.seat_token)?;
//! angels.submit_notation("3,5").await?;
//! # Ok(())
//! # }
//! ```
//!
//! # Watching a match
//!
//! ```no_run
//! use futures_util::TryStreamExt as _;
//! use matchbook_client::Client;
//! use matchbook_client::v1::watch_match_response::Frame;
//!
//! # async fn example(match_id: &str) -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::connect("http://127.0.0.1:7420").await?;
//! let mut watch = client.watch(match_id).after(0);
//! while let Some(response) = watch.try_next().await? {
//!     if let Some(Frame::Event(event)) = response.frame {
//!         println!("event {}", event.seq);
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Handling a refusal
//!
//! ```no_run
//! use matchbook_client::v1::ErrorReason;
//! use matchbook_client::{Error, SeatClient};
//!
//! # async fn example(seat: SeatClient) -> Result<(), Error> {
//! match seat.submit_notation("3,4").await {
//!     Err(Error::Refused(refusal)) if refusal.is(ErrorReason::IllegalMove) => {
//!         eprintln!("{} ({})", refusal.message, refusal.paragraph().unwrap_or("no paragraph"));
//!     }
//!     answer => drop(answer?),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Retries
//!
//! A [`Client`] repeats a call when no answer arrives, or when the reason of the refusal is one that passes:
//! `OVERLOADED`, `RATE_LIMITED`, `TOO_MANY_STREAMS`, `SHUTTING_DOWN` and `OUTCOME_UNKNOWN`, and
//! `UNKNOWN_SEQ` if the service says when to retry, because a replica is behind. A call that changes a match
//! is repeated only if its message has a `request_id`, so that the service performs it once. How often and
//! how fast is a [`RetryPolicy`].

mod builder;
mod calls;
mod client;
mod error;
mod export;
mod feed;
mod refusal;
mod resume;
mod retry;
mod seat;
mod watch;

pub use builder::{ClientBuilder, ConnectError};
pub use client::{Client, InvalidToken, canonical_server};
pub use error::Error;
pub use export::{Export, LogExport, LogsExport};
pub use feed::Feed;
pub use refusal::{FieldViolation, Refusal};
pub use retry::RetryPolicy;
pub use seat::SeatClient;
pub use watch::Watch;
/// The messages and enums of the service's API.
pub use wire::{EndReason, GameKind, ServiceReason, games, v1};

/// Returns a new random `request_id`.
///
/// Retries with the same id take effect once and return the original response. The id is no secret: a call
/// that hands out a seat's token needs a [`claim_secret`] as well.
pub fn request_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// Returns a new random `claim_secret`, of 64 characters.
///
/// A retry of a call that hands out a seat's token returns the token again only with the same secret. Without
/// one, a token whose response was lost is lost.
pub fn claim_secret() -> String {
    let halves = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()];
    halves.map(|half| half.simple().to_string()).concat()
}
