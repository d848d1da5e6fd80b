//! `GET /v1/matches/{matchId}/board.txt`: the caller's view, drawn. It is asked for as `GetView` is, through the
//! same door, so there is nothing in it that the view does not have.

use std::convert::Infallible;

use board::{Colour, Near, Style};
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Request, Response};
use http_body_util::Full;
use play::Refusal;
use tonic::body::Body;
use tower::Service;
use transcode::{Refusal as HttpRefusal, Settings};
use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::{GetViewRequest, View};

use super::host::Matchbook;
use crate::status;

/// The kinds of drawing: the end of the path, the operation's id, the media type, and what it is in words.
pub(crate) const PICTURES: [(&str, &str, &str, &str); 1] =
    [("board.txt", "GetBoardText", "text/plain", "text for a terminal")];

/// A board that somebody asks for.
pub(crate) struct Asked {
    /// Where the same view is as JSON; a board takes the same parameters.
    view_path: String,
}

impl Asked {
    /// By the path of the request.
    pub(crate) fn by(request: &Request<Body>) -> Option<Self> {
        let (of_match, name) = request.uri().path().rsplit_once('/')?;
        let id = of_match.strip_prefix("/v1/matches/")?;
        let is_board =
            PICTURES.iter().any(|picture| picture.0 == name) && !id.is_empty() && !id.contains('/');
        is_board.then(|| Self { view_path: format!("{of_match}/view") })
    }

    /// The drawing, or why there is none.
    pub(crate) async fn answer<S>(
        self,
        door: S,
        settings: &Settings<Matchbook>,
        request: Request<Body>,
    ) -> Response<Body>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>
            + Clone
            + Send
            + Sync
            + 'static,
        S::Future: Send,
    {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return settings.other_method(request.method(), vec![Method::GET]);
        }
        let (parts, _body) = request.into_parts();
        let question = match self.question(settings, parts.uri.query().unwrap_or_default()) {
            Ok(question) => question,
            Err(refusal) => return settings.refused(&refusal),
        };
        let metadata = transcode::metadata_of(parts.headers);
        let call = tonic::Request::from_parts(metadata, parts.extensions, question);
        let mut matches = MatchServiceClient::new(door).max_decoding_message_size(usize::MAX);
        let view = match matches.get_view(call).await {
            Ok(answer) => answer.into_inner().view,
            Err(status) => return settings.failed(&status),
        };
        match view {
            Some(view) => drawn(&view),
            None => settings.failed(&status::of(&Refusal::internal())),
        }
    }

    fn question(&self, settings: &Settings<Matchbook>, query: &str) -> Result<GetViewRequest, HttpRefusal> {
        let matched = settings.routes.find(&Method::GET, &self.view_path)?;
        let message = matched.request(query, b"")?;
        Ok(message.transcode_to().expect("the route of views makes a GetViewRequest"))
    }
}

fn drawn(view: &View) -> Response<Body> {
    let text = board::text(view, Style { colour: Colour::Plain, near: Near::Viewer });
    let mut response = Response::new(Body::new(Full::from(text)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}
