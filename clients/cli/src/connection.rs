//! The connection to the service: one method a call, with the token, a deadline
//! and repetition of what failed only for the moment.

use std::{error::Error, fs, path::Path, time::Duration};

use tonic::{
    Request, Response, Status, Streaming,
    metadata::{Ascii, MetadataValue},
    transport::{Certificate, Channel, ClientTlsConfig, Endpoint},
};
use wire::v1::{
    CheckMoveRequest, CheckMoveResponse, ClaimSeatRequest, ClaimSeatResponse, CreateMatchRequest,
    CreateMatchResponse, ExportLogRequest, ExportLogResponse, GetGameRequest, GetGameResponse,
    GetMatchRequest, GetMatchResponse, GetViewRequest, GetViewResponse, ListEventsRequest,
    ListEventsResponse, ListGamesRequest, ListGamesResponse, ListLegalMovesRequest, ListLegalMovesResponse,
    SampleMoveRequest, SampleMoveResponse, SignHeadRequest, SignHeadResponse, SubmitMoveRequest,
    SubmitMoveResponse, WatchMatchRequest, WatchMatchResponse, game_service_client::GameServiceClient,
    log_service_client::LogServiceClient, match_service_client::MatchServiceClient,
};

use crate::{
    failure::Failure,
    refusal::{Refusal, is_lost_connection, is_transient},
    retry::Backoff,
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const CALL_TIMEOUT: Duration = Duration::from_secs(15);
/// The longest record of a log file, both parts as long as they may be.
const MAX_RECORD_BYTES: usize = 9 << 20;
const PING_INTERVAL: Duration = Duration::from_secs(20);
const PING_TIMEOUT: Duration = Duration::from_secs(10);

/// A connected service, as one caller uses it.
#[derive(Clone)]
pub(crate) struct Service {
    channel: Channel,
    server: String,
    token: Option<MetadataValue<Ascii>>,
}

impl Service {
    /// Connects without a token, to an `https` server with the system's roots or
    /// those of `ca_cert`. Fails at once if nobody listens there: a person waits for
    /// the answer.
    pub(crate) async fn connect(server: &str, ca_cert: Option<&Path>) -> Result<Self, Failure> {
        let server = address(server);
        let endpoint = Endpoint::from_shared(server.clone())
            .map_err(|error| Failure::Usage(format!("--server {server} is no address: {error}")))?
            .connect_timeout(CONNECT_TIMEOUT)
            // A watch may be silent for long; a dead connection must show.
            .http2_keep_alive_interval(PING_INTERVAL)
            .keep_alive_timeout(PING_TIMEOUT)
            .keep_alive_while_idle(true);
        let endpoint = if server.starts_with("https://") {
            let bad = |error| Failure::Usage(format!("--ca-cert: {}", root_cause(&error)));
            endpoint.tls_config(tls(ca_cert)?).map_err(bad)?
        } else {
            endpoint
        };
        match endpoint.connect().await {
            Ok(channel) => Ok(Self { channel, server, token: None }),
            Err(error) => Err(Failure::Unreachable { server, cause: root_cause(&error) }),
        }
    }

    /// The service's address, in the form in which tokens are kept under it.
    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    /// The same service, used by the owner of this token.
    pub(crate) fn with_token(&self, token: &str) -> Result<Self, Failure> {
        let mut value: MetadataValue<Ascii> = format!("Bearer {token}")
            .parse()
            .map_err(|_| Failure::Usage("the token has characters that no token has".to_owned()))?;
        value.set_sensitive(true);
        Ok(Self { token: Some(value), ..self.clone() })
    }

    /// Whether calls carry a token.
    pub(crate) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    pub(crate) async fn list_games(&self) -> Result<ListGamesResponse, Failure> {
        let rpc = |channel, request| async { GameServiceClient::new(channel).list_games(request).await };
        self.call(ListGamesRequest {}, rpc).await
    }

    pub(crate) async fn get_game(&self, message: GetGameRequest) -> Result<GetGameResponse, Failure> {
        let rpc = |channel, request| async { GameServiceClient::new(channel).get_game(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition makes a second match.
    pub(crate) async fn create_match(
        &self,
        message: CreateMatchRequest,
    ) -> Result<CreateMatchResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).create_match(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition finds the seat taken.
    pub(crate) async fn claim_seat(&self, message: ClaimSeatRequest) -> Result<ClaimSeatResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).claim_seat(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn get_match(&self, match_id: &str) -> Result<GetMatchResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).get_match(request).await };
        self.call(GetMatchRequest { match_id: match_id.to_owned() }, rpc).await
    }

    pub(crate) async fn get_view(&self, message: GetViewRequest) -> Result<GetViewResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).get_view(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn list_legal_moves(
        &self,
        message: ListLegalMovesRequest,
    ) -> Result<ListLegalMovesResponse, Failure> {
        let rpc =
            |channel, request| async { MatchServiceClient::new(channel).list_legal_moves(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn check_move(&self, message: CheckMoveRequest) -> Result<CheckMoveResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).check_move(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn sample_move(
        &self,
        message: SampleMoveRequest,
    ) -> Result<SampleMoveResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).sample_move(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition makes a second move.
    pub(crate) async fn submit_move(
        &self,
        message: SubmitMoveRequest,
    ) -> Result<SubmitMoveResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).submit_move(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn list_events(
        &self,
        message: ListEventsRequest,
    ) -> Result<ListEventsResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).list_events(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn sign_head(&self, message: SignHeadRequest) -> Result<SignHeadResponse, Failure> {
        let rpc = |channel, request| async { LogServiceClient::new(channel).sign_head(request).await };
        self.call(message, rpc).await
    }

    /// The records of a match's log file as they come.
    pub(crate) async fn export_log(&self, match_id: &str) -> Result<Streaming<ExportLogResponse>, Status> {
        let request = ExportLogRequest { match_id: match_id.to_owned() };
        let mut client =
            LogServiceClient::new(self.channel.clone()).max_decoding_message_size(MAX_RECORD_BYTES);
        client.export_log(self.request(request)).await.map(Response::into_inner)
    }

    /// Opens one stream, once; `follow` is what keeps it open.
    pub(crate) async fn watch_match(
        &self,
        message: WatchMatchRequest,
    ) -> Result<Streaming<WatchMatchResponse>, Status> {
        let mut client = MatchServiceClient::new(self.channel.clone());
        client.watch_match(self.request(message)).await.map(Response::into_inner)
    }

    /// What a failed call means to the command that made it.
    pub(crate) fn failure(&self, status: &Status) -> Failure {
        if is_lost_connection(status) {
            Failure::Unreachable { server: self.server.clone(), cause: root_cause(status) }
        } else {
            Failure::Refused(Box::new(Refusal::from(status)))
        }
    }

    async fn call<Q, A, F>(&self, message: Q, rpc: impl Fn(Channel, Request<Q>) -> F) -> Result<A, Failure>
    where
        Q: Clone,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let mut backoff = Backoff::default();
        loop {
            let mut request = self.request(message.clone());
            request.set_timeout(CALL_TIMEOUT);
            let status = match rpc(self.channel.clone(), request).await {
                Ok(response) => return Ok(response.into_inner()),
                Err(status) => status,
            };
            if !is_transient(&status) {
                return Err(self.failure(&status));
            }
            match backoff.after_failure(Refusal::from(&status).retry_after) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(self.failure(&status)),
            }
        }
    }

    fn request<Q>(&self, message: Q) -> Request<Q> {
        let mut request = Request::new(message);
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", token.clone());
        }
        request
    }
}

/// One spelling for each server, so that its tokens are found again.
fn address(server: &str) -> String {
    let server = server.trim_end_matches('/');
    if server.contains("://") { server.to_owned() } else { format!("http://{server}") }
}

/// Whose certificates are believed: the given file's alone, or the system's.
fn tls(ca_cert: Option<&Path>) -> Result<ClientTlsConfig, Failure> {
    let config = ClientTlsConfig::new();
    let Some(path) = ca_cert else { return Ok(config.with_native_roots()) };
    let pem = fs::read(path)
        .map_err(|error| Failure::Usage(format!("--ca-cert {} can't be read: {error}", path.display())))?;
    if !String::from_utf8_lossy(&pem).contains("-----BEGIN CERTIFICATE-----") {
        return Err(Failure::Usage(format!("--ca-cert {} has no certificate in PEM form", path.display())));
    }
    Ok(config.ca_certificate(Certificate::from_pem(pem)))
}

/// The innermost message: the outer ones only say "transport error".
fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    board::printable(&cause.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_one_spelling() {
        for spelling in ["http://127.0.0.1:7420", "http://127.0.0.1:7420/", "127.0.0.1:7420"] {
            assert_eq!(address(spelling), "http://127.0.0.1:7420");
        }
        assert_eq!(address("https://example.org/"), "https://example.org");
    }
}
