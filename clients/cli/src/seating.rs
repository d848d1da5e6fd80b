//! Claiming a seat, and keeping its token for later.

use matchbook_client::{Client, claim_secret, request_id};
use wire::v1::{ClaimSeatRequest, ClaimSeatResponse, Player};

use crate::credentials::TokenStore;
use crate::failure::Failure;
use crate::session::Session;

/// Claims a seat without printing or storing anything.
pub(crate) async fn claim_seat(
    client: &Client,
    match_id: &str,
    seat: u32,
    player: Player,
    entropy: Option<Vec<u8>>,
) -> Result<ClaimSeatResponse, Failure> {
    let request = ClaimSeatRequest {
        match_id: match_id.to_owned(),
        seat: Some(seat),
        player: Some(player),
        entropy: entropy.unwrap_or_else(|| rand::random::<[u8; 32]>().to_vec()),
        request_id: Some(request_id()),
        claim_secret: Some(claim_secret()),
    };
    Ok(client.claim_seat(request).await?)
}

/// Claims a seat and stores its token in `tokens`: the user's, or those of bots. Returns the token.
pub(crate) async fn claim_and_store(
    session: &Session,
    tokens: Option<&TokenStore>,
    match_id: &str,
    seat: u32,
    name: &str,
) -> Result<String, Failure> {
    let no_folder = "there is no folder for the seat's token; set MATCHBOOK_STATE to a writable folder";
    let tokens = tokens.ok_or_else(|| Failure::Usage(no_folder.to_owned()))?;
    let client = session.app_client()?;
    let answer = claim_seat(&client, match_id, seat, Player::named(name), None).await?;
    tokens.put(client.server(), match_id, seat, &answer.seat_token)?;
    Ok(answer.seat_token)
}
