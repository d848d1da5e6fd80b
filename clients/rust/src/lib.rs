//! An async client of a Matchbook service, on tokio.
//!
//! - [`Client`] connects, finds matches and makes every call of the service, with the messages of [`v1`].
//! - [`MatchClient`] and [`SeatClient`] do with less typing what a match and one seat of it can do.
//! - [`Watch`] and [`Feed`] are streams that survive lost connections: each event arrives once and in order.
//! - [`Error`] separates a service that refuses ([`Refusal`], with its reason and details) from one that does
//!   not answer.
//!
//! # Connecting, creating, claiming
//!
//! A claim returns the client of the seat. Its [token](SeatClient::token) authenticates the seat: store it,
//! and [`Client::seat`] plays on later, also in another process.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use matchbook_client::Client;
//!
//! let client = Client::connect("http://127.0.0.1:7420").await?;
//! let game = client.new_match("ludus-magus").await?;
//! let light = game.claim(0, "Ann").await?;
//! let dark = game.claim(1, "Ben").await?;
//! println!("{}: store {}", game.match_id(), light.token().unwrap_or_default());
//! # Ok(())
//! # }
//! ```
//!
//! [`Client::new_match`] also takes a [`CreateMatchRequest`](v1::CreateMatchRequest), for options of the
//! game, clocks, visibility, labels.
//!
//! # Legal moves and moves
//!
//! A move is a text in the game's notation or a [`ChosenMove`], which [`SeatClient::legal_moves`],
//! [`suggest`](SeatClient::suggest) and [`build`](SeatClient::build) return. A [`ChosenMove`] is for one
//! position: if that has changed, it is refused as `STALE_POSITION`.
//!
//! ```no_run
//! # async fn example(light: matchbook_client::SeatClient, dark: matchbook_client::SeatClient)
//! # -> Result<(), matchbook_client::Error> {
//! use matchbook_client::v1::Strategy;
//!
//! let listed = light.legal_moves().await?;
//! for notation in listed.notations().take(5) {
//!     println!("{notation}");
//! }
//! light.play("a1-a2").await?;
//! let played = dark.play(dark.suggest(Strategy::Greedy).await?).await?;
//! println!("to act: {:?}", played.view.unwrap_or_default().to_act);
//! # Ok(())
//! # }
//! ```
//!
//! A program that carries many seats makes their moves over one [`MoveStream`].
//!
//! # Watching
//!
//! A watch yields each event once and in order until the match is over, and reconnects by itself. To go on
//! in another process, keep [`Watch::last_seq`] and [`Watch::last_hash`] and pass them to
//! [`Watch::after_event`]. If the database has lost that event, for example in a failover, the watch ends
//! with `HISTORY_CHANGED`: start again from the first event.
//!
//! ```no_run
//! # async fn example(match_id: &str) -> Result<(), Box<dyn std::error::Error>> {
//! use matchbook_client::Client;
//!
//! let client = Client::connect("http://127.0.0.1:7420").await?;
//! let mut watch = client.watch(match_id).after(0);
//! while let Some(event) = watch.next_event().await? {
//!     println!("event {}", event.seq);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`SeatClient::watch`] shows what the seat may see. [`Client::feed`] reads the events of all matches of an
//! API key in the same way, after a cursor.
//!
//! # Forks, labels, tokens
//!
//! [`MatchClient::fork`] continues from a position in a new match. [`MatchClient::set_labels`] replaces the
//! labels that an application finds its matches by. [`SeatClient::renew_token`] replaces a seat's own token,
//! [`MatchClient::rotate_token`] one that was lost, with the owner's API key.
//!
//! ```no_run
//! # async fn example(light: matchbook_client::SeatClient) -> Result<(), matchbook_client::Error> {
//! let what_if = light.as_match().fork_at(12).await?;
//! println!("{}", what_if.match_id());
//! let light = light.renew_token().await?;
//! println!("store {}", light.token().unwrap_or_default());
//! # Ok(())
//! # }
//! ```
//!
//! # Webhooks
//!
//! [`Client::webhooks`] registers receivers of an API key's events, and shows what they missed.
//!
//! ```no_run
//! # async fn example(client: matchbook_client::Client) -> Result<(), matchbook_client::Error> {
//! let webhooks = client.webhooks();
//! let created = webhooks.create("https://example.org/events", &["match_ended"]).await?;
//! println!("verify deliveries with {}", created.secret);
//! for webhook in webhooks.list().await? {
//!     println!("{}: {} dead letters", webhook.url, webhooks.dead_letters(&webhook.webhook_id).await?.len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Exports
//!
//! [`MatchClient::save_log`] saves one log, [`Client::save_logs`] those of many matches, each as a file that
//! verifies without the service. [`Client::export_log`] and [`Client::export_matches`] are the streams
//! behind them.
//!
//! # Errors and retries
//!
//! ```no_run
//! # async fn example(seat: matchbook_client::SeatClient) -> Result<(), matchbook_client::Error> {
//! use matchbook_client::Error;
//! use matchbook_client::v1::ErrorReason;
//!
//! match seat.play("a1-h8").await {
//!     Ok(_) => println!("made"),
//!     Err(Error::Refused(refusal)) if refusal.is(ErrorReason::IllegalMove) => {
//!         println!("{} ({})", refusal.message, refusal.paragraph().unwrap_or("no paragraph"));
//!     }
//!     Err(Error::Unreachable { cause, .. }) => println!("no answer: {cause}"),
//!     Err(error) => return Err(error),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A [`Client`] repeats a call when no answer arrives, or when the reason of the refusal is one that passes:
//! `OVERLOADED`, `RATE_LIMITED`, `TOO_MANY_STREAMS`, `SHUTTING_DOWN` and `OUTCOME_UNKNOWN`, and
//! `UNKNOWN_SEQ` if the service says when to retry, because a replica is behind. How often and how fast is a
//! [`RetryPolicy`]. When all attempts are used up, the last error is returned.
//!
//! A change is repeated only if its message has a `request_id`, so that the service performs it once.
//! [`MatchClient`] and [`SeatClient`] add one to each. After [`Error::Unreachable`] and `OUTCOME_UNKNOWN`
//! the change may have taken effect. To repeat it later, also from another process, make the call of
//! [`Client`] with a [`request_id`] of your own and keep it; a claim also needs its [`claim_secret`].
//!
//! # TLS and API keys
//!
//! An address with `https` uses TLS, with the system's roots or those of [`ClientBuilder::ca_certificate`].
//! `http`, or no scheme, is plaintext. If TLS fails, the error is [`Error::Insecure`]: nothing was sent, and
//! nothing is retried. [`Client::with_api_key`] identifies an application.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use matchbook_client::Client;
//!
//! let client = Client::builder("https://play.example.org")
//!     .ca_certificate(std::fs::read("ca.pem")?)
//!     .connect()
//!     .await?
//!     .with_api_key("mbk_...")?;
//! # Ok(())
//! # }
//! ```
//!
//! Clones of a client share its connection.

mod builder;
mod calls;
mod client;
mod error;
mod export;
mod feed;
mod match_client;
mod move_stream;
mod moves;
mod refusal;
mod resume;
mod retry;
mod saving;
mod seat;
mod tls_failure;
mod watch;
mod webhooks;

pub use builder::{ClientBuilder, ConnectError};
pub use client::{Client, InvalidToken, canonical_server};
pub use error::Error;
pub use export::{Export, LogExport, LogsExport};
pub use feed::Feed;
pub use match_client::MatchClient;
pub use move_stream::MoveStream;
pub use moves::{ChosenMove, ListedMoves, Playable};
pub use refusal::{FieldViolation, Refusal};
pub use retry::RetryPolicy;
pub use saving::{SaveError, SavedLogs};
pub use seat::SeatClient;
pub use tls_failure::TlsFailure;
pub use watch::Watch;
pub use webhooks::WebhooksClient;
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

/// The programs of the README, which compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
