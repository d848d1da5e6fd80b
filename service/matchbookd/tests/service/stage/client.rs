//! A concise client on top of the generated one. Every call goes over a real connection.

use std::io;
use std::net::SocketAddr;

use http::uri::PathAndQuery;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpSocket, TcpStream};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status, Streaming};
use tonic_prost::ProstCodec;
use tower::service_fn;
use uuid::Uuid;
use wire::games::angels_and_demons::v1 as game;
use wire::v1::game_service_client::GameServiceClient;
use wire::v1::log_service_client::LogServiceClient;
use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::{self};

/// The game that these tests play.
pub(crate) const GAME: &str = "angels-and-demons";

/// A client of one server.
#[derive(Clone)]
pub(crate) struct Client {
    /// The generated client, for calls without a shorthand here.
    pub(crate) matches: MatchServiceClient<Channel>,
    pub(crate) games: GameServiceClient<Channel>,
    pub(crate) logs: LogServiceClient<Channel>,
}

/// A match with both seats claimed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    pub(crate) match_id: String,
    /// The seats' tokens.
    pub(crate) tokens: [String; 2],
}

/// Opens a connection to `HOST:PORT`.
pub(crate) async fn connect(address: &str) -> Channel {
    Endpoint::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap()
}

/// Opens a TCP connection to `HOST:PORT` from an address of this machine, such as 127.0.0.2.
pub(crate) async fn connect_from(source: &str, address: &str) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(source.parse().unwrap(), 0))?;
    let stream = socket.connect(address.parse().unwrap()).await?;
    // As every client library does. Otherwise each call waits 40 ms for an acknowledgement.
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Opens a gRPC connection to `HOST:PORT` from an address of this machine.
pub(crate) async fn channel_from(source: &str, address: &str) -> Channel {
    let (source, target) = (source.to_owned(), address.to_owned());
    let connector = service_fn(move |_| {
        let (source, target) = (source.clone(), target.clone());
        async move { connect_from(&source, &target).await.map(TokioIo::new) }
    });
    let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
    endpoint.connect_with_connector(connector).await.unwrap()
}

/// Wraps a message in a request, with the API key or seat's token if there is one.
pub(crate) fn sent<T>(message: T, credential: Option<&str>) -> Request<T> {
    sent_with(message, credential.as_slice())
}

/// Wraps a message in a request with these API keys and seats' tokens.
pub(crate) fn sent_with<T>(message: T, credentials: &[&str]) -> Request<T> {
    let mut request = Request::new(message);
    for (name, value) in credentials.iter().map(|secret| credential_header(secret)) {
        request.metadata_mut().insert(name, value.parse().unwrap());
    }
    request
}

/// Returns the header of an API key or a seat's token.
pub(crate) fn credential_header(secret: &str) -> (&'static str, String) {
    if secret.starts_with("mbk_") {
        ("authorization", format!("Bearer {secret}"))
    } else {
        ("matchbook-seat-token", secret.to_owned())
    }
}

/// Prefix of every claim secret that these tests send.
pub(crate) const CLAIM_SECRET: &str = "planted-claim-secret-";

/// Returns a new claim secret.
pub(crate) fn claim_secret() -> Option<String> {
    Some(format!("{CLAIM_SECRET}{}", Uuid::new_v4()))
}

impl Client {
    /// Connects to `HOST:PORT`.
    pub(crate) async fn of(address: &str) -> Self {
        Self::over(connect(address).await)
    }

    /// Uses an open connection.
    pub(crate) fn over(channel: Channel) -> Self {
        Self {
            matches: MatchServiceClient::new(channel.clone()),
            logs: LogServiceClient::new(channel.clone()),
            games: GameServiceClient::new(channel),
        }
    }

    /// Creates a match with both seats free and returns its id.
    pub(crate) async fn create(&self, options: game::Options) -> String {
        let request = create_request(options);
        let response = self.matches.clone().create_match(request).await.unwrap().into_inner();
        response.r#match.unwrap().match_id
    }

    /// Claims a seat and returns its token.
    pub(crate) async fn claim(&self, match_id: &str, seat: u32, name: &str) -> Result<String, Status> {
        let request = v1::ClaimSeatRequest {
            match_id: match_id.to_owned(),
            seat: Some(seat),
            player: Some(v1::Player::named(name)),
            entropy: Vec::new(),
            request_id: Some(Uuid::new_v4().to_string()),
            claim_secret: claim_secret(),
        };
        Ok(self.matches.clone().claim_seat(request).await?.into_inner().seat_token)
    }

    /// Creates a match of `turns` turns and claims both seats.
    pub(crate) async fn table(&self, rows: u32, cols: u32, turns: u32) -> Table {
        self.table_of(["Ann", "Ben"], rows, cols, turns).await
    }

    /// Creates a match of `turns` turns and claims both seats under these names.
    pub(crate) async fn table_of(&self, names: [&str; 2], rows: u32, cols: u32, turns: u32) -> Table {
        let options = game::Options { rows: Some(rows), cols: Some(cols), turns: Some(turns) };
        let match_id = self.create(options).await;
        let angels = self.claim(&match_id, 0, names[0]).await.unwrap();
        let demons = self.claim(&match_id, 1, names[1]).await.unwrap();
        Table { match_id, tokens: [angels, demons] }
    }

    /// Submits a move in its notation, with a new `request_id`.
    pub(crate) async fn submit(
        &self,
        table: &Table,
        seat: usize,
        notation: impl Into<String>,
    ) -> Result<v1::SubmitMoveResponse, Status> {
        let request = submit_request(table, notation);
        let request = sent(request, Some(&table.tokens[seat]));
        Ok(self.matches.clone().submit_move(request).await?.into_inner())
    }

    /// Submits both choices of a turn and returns the response to the second.
    pub(crate) async fn turn(&self, table: &Table, angels: &str, demons: &str) -> v1::SubmitMoveResponse {
        self.submit(table, 0, angels).await.unwrap();
        self.submit(table, 1, demons).await.unwrap()
    }

    /// Returns the newest position as the token's owner sees it.
    pub(crate) async fn view(&self, table: &Table, token: Option<&str>) -> v1::View {
        let request = v1::GetViewRequest { match_id: table.match_id.clone(), ..Default::default() };
        let response = self.matches.clone().get_view(sent(request, token)).await.unwrap();
        response.into_inner().view.unwrap()
    }

    /// Reads the whole log as the token's owner sees it, in pages of `page_size` events.
    pub(crate) async fn events(&self, match_id: &str, token: Option<&str>, page_size: u32) -> Vec<v1::Event> {
        let mut events: Vec<v1::Event> = Vec::new();
        loop {
            let after_seq = events.last().map_or(0, |event| event.seq);
            let request = v1::ListEventsRequest {
                match_id: match_id.to_owned(),
                after_seq,
                page_size,
                ..Default::default()
            };
            let page = self.matches.clone().list_events(sent(request, token)).await.unwrap().into_inner();
            events.extend(page.events);
            if events.last().is_some_and(|event| event.seq >= page.head_seq) {
                return events;
            }
        }
    }

    /// Returns the seq of the newest event.
    pub(crate) async fn head_seq(&self, match_id: &str) -> u32 {
        let request = v1::GetMatchRequest { match_id: match_id.to_owned() };
        self.matches.clone().get_match(request).await.unwrap().into_inner().r#match.unwrap().head_seq.unwrap()
    }

    /// Watches a match.
    pub(crate) async fn watch(
        &self,
        match_id: &str,
        after_seq: Option<u32>,
        token: Option<&str>,
    ) -> Result<Streaming<v1::WatchMatchResponse>, Status> {
        self.open_watch(match_id, after_seq, token, false).await
    }

    /// Watches a match, with the view after each event.
    pub(crate) async fn watch_with_views(
        &self,
        match_id: &str,
        after_seq: Option<u32>,
        token: Option<&str>,
    ) -> Result<Streaming<v1::WatchMatchResponse>, Status> {
        self.open_watch(match_id, after_seq, token, true).await
    }

    async fn open_watch(
        &self,
        match_id: &str,
        after_seq: Option<u32>,
        token: Option<&str>,
        include_view: bool,
    ) -> Result<Streaming<v1::WatchMatchResponse>, Status> {
        let request = v1::WatchMatchRequest {
            match_id: match_id.to_owned(),
            after_seq,
            include_view,
            after_hash: None,
        };
        Ok(self.matches.clone().watch_match(sent(request, token)).await?.into_inner())
    }
}

/// Returns a request for a match of [`GAME`], with a new `request_id`.
pub(crate) fn create_request(options: game::Options) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        game_id: GAME.to_owned(),
        options: Some(v1::GameOptions { game: Some(v1::game_options::Game::AngelsAndDemons(options)) }),
        request_id: Some(Uuid::new_v4().to_string()),
        ..Default::default()
    }
}

/// Returns a request that submits a move, with a new `request_id`.
pub(crate) fn submit_request(table: &Table, notation: impl Into<String>) -> v1::SubmitMoveRequest {
    v1::SubmitMoveRequest {
        match_id: table.match_id.clone(),
        input: Some(v1::submit_move_request::Input::Notation(notation.into())),
        request_id: Some(Uuid::new_v4().to_string()),
        ..Default::default()
    }
}

/// Makes a call whose request message never arrives.
pub(crate) async fn unfinished(channel: Channel, method: &str) -> Result<v1::GetMatchResponse, Status> {
    let mut grpc = tonic::client::Grpc::new(channel);
    grpc.ready().await.unwrap();
    let path: PathAndQuery = format!("/matchbook.v1.MatchService/{method}").parse().unwrap();
    let nothing = Request::new(tokio_stream::pending::<v1::GetMatchRequest>());
    let codec = ProstCodec::<v1::GetMatchRequest, v1::GetMatchResponse>::default();
    Ok(grpc.client_streaming(nothing, path, codec).await?.into_inner())
}
