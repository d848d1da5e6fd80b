//! One match, without a seat of it.

use std::path::Path;

use prost_types::FieldMask;
use wire::v1::{
    ClaimSeatRequest, CreateMatchRequest, ForkMatchRequest, GetMatchResponse, GetViewRequest,
    GetViewResponse, Match, Player, RotateSeatTokenRequest, SignHeadRequest, SignHeadResponse,
    UpdateMatchLabelsRequest,
};

use crate::client::Client;
use crate::error::Error;
use crate::saving::{SaveError, save_log};
use crate::seat::SeatClient;
use crate::watch::Watch;
use crate::{claim_secret, request_id};

/// A client for one match, with the credentials of the [`Client`] that it came from.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use matchbook_client::Client;
///
/// let client = Client::connect("127.0.0.1:7420").await?;
/// let game = client.new_match("ludus-magus").await?;
/// let light = game.claim(0, "Ann").await?;
/// let dark = game.claim(1, "Ben").await?;
/// light.play("a1-a2").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct MatchClient {
    client: Client,
    match_id: String,
}

impl Client {
    /// Creates a match and returns a client for it. A game's id is enough; a [`CreateMatchRequest`] sets
    /// options, clocks, visibility and the rest. A request without a `request_id` gets one.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// use matchbook_client::Client;
    /// use matchbook_client::v1::{CreateMatchRequest, Visibility};
    ///
    /// let client = Client::connect("127.0.0.1:7420").await?.with_api_key("mbk_...")?;
    /// let private = client
    ///     .new_match(CreateMatchRequest {
    ///         visibility: Some(Visibility::Private.into()),
    ///         external_id: Some("order-17".to_owned()),
    ///         ..CreateMatchRequest::of("ludus-magus")
    ///     })
    ///     .await?;
    /// println!("{}", private.match_id());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn new_match(&self, wanted: impl Into<CreateMatchRequest>) -> Result<MatchClient, Error> {
        let mut message = wanted.into();
        message.request_id.get_or_insert_with(request_id);
        let created = self.create_match(message).await?;
        let created = created.r#match.ok_or_else(|| Error::unexpected("the answer has no match"))?;
        Ok(self.match_by_id(created.match_id))
    }

    /// Returns a client for a match. Nothing is sent.
    pub fn match_by_id(&self, match_id: impl Into<String>) -> MatchClient {
        MatchClient { client: self.clone(), match_id: match_id.into() }
    }
}

impl MatchClient {
    /// Returns the match's id.
    pub fn match_id(&self) -> &str {
        &self.match_id
    }

    /// Returns the client, for all other calls.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Returns the match: game, seats, status, result, settings of its clocks.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn get_match(&self) -> Result<GetMatchResponse, Error> {
        self.client.get_match(&self.match_id).await
    }

    /// Returns the newest position as the caller may see it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn view(&self) -> Result<GetViewResponse, Error> {
        self.get_view(None).await
    }

    /// Returns the position after an event as the caller may see it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn view_at(&self, seq: u32) -> Result<GetViewResponse, Error> {
        self.get_view(Some(seq)).await
    }

    /// Claims a free seat for a player, given by name or as a [`Player`]; the last claim starts the match.
    /// The claim contributes 32 random bytes to the deal.
    ///
    /// Store [`SeatClient::token`] to play on in another process. To be able to repeat the claim after this
    /// process has ended, use [`Client::claim_seat`], and choose and keep its `request_id`, `claim_secret`
    /// and `entropy`.
    ///
    /// # Errors
    ///
    /// If the service refuses, for example with `SEAT_TAKEN`, or does not answer.
    pub async fn claim(&self, seat: u32, player: impl Into<Player>) -> Result<SeatClient, Error> {
        let message = ClaimSeatRequest {
            match_id: self.match_id.clone(),
            seat: Some(seat),
            player: Some(player.into()),
            entropy: rand::random::<[u8; 32]>().to_vec(),
            request_id: Some(request_id()),
            claim_secret: Some(claim_secret()),
        };
        let claimed = self.client.claim_seat(message).await?;
        self.seat_with(&claimed.seat_token)
    }

    /// Replaces a seat's token that was lost or stolen, and returns the seat with the new one. The old token
    /// is void from then on. Requires the owner's API key; [`SeatClient::renew_token`] needs the old token
    /// instead.
    ///
    /// # Errors
    ///
    /// If the service refuses, for example with `NOT_ALLOWED`, or does not answer.
    pub async fn rotate_token(&self, seat: u32) -> Result<SeatClient, Error> {
        let message = RotateSeatTokenRequest {
            match_id: self.match_id.clone(),
            seat: Some(seat),
            request_id: Some(request_id()),
            claim_secret: Some(claim_secret()),
        };
        let rotated = self.client.rotate_seat_token(message).await?;
        self.seat_with(&rotated.seat_token)
    }

    /// Replaces all labels of the match, and returns the match. None removes all. Requires the owner's API
    /// key.
    ///
    /// ```no_run
    /// # async fn example(game: matchbook_client::MatchClient) -> Result<(), matchbook_client::Error> {
    /// game.set_labels([("tenant", "acme"), ("round", "2")]).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the service refuses, for example with `NOT_ALLOWED`, or does not answer.
    pub async fn set_labels<K: Into<String>, V: Into<String>>(
        &self,
        labels: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Match, Error> {
        let message = UpdateMatchLabelsRequest {
            match_id: self.match_id.clone(),
            labels: labels.into_iter().map(|(key, value)| (key.into(), value.into())).collect(),
            // Without it, the service takes no labels at all for an omission.
            update_mask: Some(FieldMask { paths: vec!["labels".to_owned()] }),
        };
        let updated = self.client.update_match_labels(message).await?;
        updated.r#match.ok_or_else(|| Error::unexpected("the answer has no match"))
    }

    /// Creates a match that continues from this one's last position in play. Its seats are free.
    ///
    /// # Errors
    ///
    /// If the service refuses, for example with `NOT_FORKABLE`, or does not answer.
    pub async fn fork(&self) -> Result<Self, Error> {
        self.fork_with(ForkMatchRequest::default()).await
    }

    /// Creates a match that continues from the position after an event. Its seats are free.
    ///
    /// # Errors
    ///
    /// If the service refuses, for example with `UNKNOWN_SEQ`, or does not answer.
    pub async fn fork_at(&self, seq: u32) -> Result<Self, Error> {
        self.fork_with(ForkMatchRequest { at_seq: Some(seq), ..ForkMatchRequest::default() }).await
    }

    /// Creates a match that continues from a position of this one on other terms: a time control, a narrower
    /// visibility. The `match_id` of the terms is ignored; without a `request_id` they get one.
    ///
    /// ```no_run
    /// # async fn example(game: matchbook_client::MatchClient) -> Result<(), matchbook_client::Error> {
    /// use matchbook_client::v1::{ForkMatchRequest, Visibility};
    ///
    /// let unlisted = Some(Visibility::Unlisted.into());
    /// let what_if = game.fork_with(ForkMatchRequest { visibility: unlisted, ..Default::default() }).await?;
    /// println!("{}", what_if.match_id());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn fork_with(&self, mut terms: ForkMatchRequest) -> Result<Self, Error> {
        self.match_id.clone_into(&mut terms.match_id);
        terms.request_id.get_or_insert_with(request_id);
        let forked = self.client.fork_match(terms).await?;
        let forked = forked.r#match.ok_or_else(|| Error::unexpected("the answer has no match"))?;
        // A token is of one match.
        Ok(self.client.without_seat_token().match_by_id(forked.match_id))
    }

    /// Watches the match; see [`Client::watch`].
    pub fn watch(&self) -> Watch {
        self.client.watch(self.match_id.clone())
    }

    /// Saves the match's log in the JSON form of docs/audit.md, which `matchbook verify` and
    /// `python -m matchbook.audit` check without the service. The file appears once it is complete.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer, or if the file cannot be written.
    pub async fn save_log(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        save_log(&self.client, &self.match_id, path.as_ref()).await
    }

    /// Returns the service's signature on the newest event.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn sign_head(&self) -> Result<SignHeadResponse, Error> {
        let match_id = self.match_id.clone();
        self.client.sign_head(SignHeadRequest { match_id, min_seq: None }).await
    }

    /// Returns the seat whose token an answer has.
    fn seat_with(&self, token: &str) -> Result<SeatClient, Error> {
        let seat = self.client.seat(self.match_id.clone(), token);
        seat.map_err(|_| Error::unexpected("the answer has no valid token"))
    }

    async fn get_view(&self, at_seq: Option<u32>) -> Result<GetViewResponse, Error> {
        let match_id = self.match_id.clone();
        self.client.get_view(GetViewRequest { match_id, at_seq, ..GetViewRequest::default() }).await
    }
}
