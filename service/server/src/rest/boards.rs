//! `GET /v1/matches/{matchId}/board.txt` and `board.svg`: the caller's view, drawn. It is asked for as `GetView` is, and
//! the last move as `ListEvents` is, through the same door, so there is nothing in it that those do not show.

use board::{Colour, LAST_MOVE_LOOKBACK, Near, SVG_CONTENT_TYPE, SvgStyle, TextStyle, Theme, UnknownTheme};
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use http::{Method, Request, Response};
use http_body_util::Full;
use play::Refusal;
use tonic::body::Body;
use tonic::{Request as Call, Status};
use transcode::{GatewaySettings, InProcessService, Rejection};
use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::{Event, GetViewRequest, ListEventsRequest, View};

use super::adapter::Matchbook;
use crate::status;

/// The kinds of drawing: the end of the path, the operation's id, the media type, and what it is in words.
pub(crate) const PICTURES: [(&str, &str, &str, &str); 2] = [
    ("board.txt", "GetBoardText", "text/plain", "text for a terminal"),
    ("board.svg", "GetBoardPicture", SVG_CONTENT_TYPE, "a picture"),
];

/// What a drawing is asked for with, beside what a view is.
pub(crate) const THEME: &str = "theme";

/// A picture opened by itself shows its own styles and nothing else.
const PICTURE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// A board that somebody asks for.
pub(crate) struct Asked {
    picture: Picture,
    /// Where the same view is as JSON; a board takes the same parameters.
    view_path: String,
}

#[derive(Clone, Copy)]
enum Picture {
    Text,
    Svg,
}

impl Asked {
    /// By the path of the request.
    pub(crate) fn by(request: &Request<Body>) -> Option<Self> {
        let (of_match, name) = request.uri().path().rsplit_once('/')?;
        let picture = match name {
            "board.txt" => Picture::Text,
            "board.svg" => Picture::Svg,
            _ => return None,
        };
        let id = of_match.strip_prefix("/v1/matches/")?;
        let one = !id.is_empty() && !id.contains('/');
        one.then(|| Self { picture, view_path: format!("{of_match}/view") })
    }

    /// Where boards of this kind are.
    pub(crate) fn route(&self) -> String {
        let name = match self.picture {
            Picture::Text => "board.txt",
            Picture::Svg => "board.svg",
        };
        format!("/v1/matches/{{match_id}}/{name}")
    }

    /// The drawing, or why there is none.
    pub(crate) async fn answer<S: InProcessService>(
        self,
        door: S,
        settings: &GatewaySettings<Matchbook>,
        request: Request<Body>,
    ) -> Response<Body> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return settings.method_not_allowed(request.method(), vec![Method::GET]);
        }
        let (parts, _body) = request.into_parts();
        let (theme, query) = match self.split(parts.uri.query().unwrap_or_default()) {
            Ok(both) => both,
            Err(refusal) => return settings.failed_call(&status::of(&refusal)),
        };
        let question = match self.question(settings, &query) {
            Ok(question) => question,
            Err(refusal) => return settings.rejected(&refusal),
        };
        match self.drawn(door, parts, question, theme).await {
            Ok(drawing) => drawing,
            Err(status) => settings.failed_call(&status),
        }
    }

    /// The theme of a picture, and the rest of the query.
    fn split(&self, query: &str) -> Result<(Theme, String), Refusal> {
        let mut theme = Theme::default();
        let mut rest = Vec::new();
        for pair in query.split('&') {
            match (self.picture, pair.split_once('=')) {
                (Picture::Svg, Some((THEME, word))) => {
                    theme = word
                        .parse()
                        .map_err(|unknown: UnknownTheme| Refusal::field(THEME, unknown.to_string()))?;
                }
                _ => rest.push(pair),
            }
        }
        Ok((theme, rest.join("&")))
    }

    fn question(
        &self,
        settings: &GatewaySettings<Matchbook>,
        query: &str,
    ) -> Result<GetViewRequest, Rejection> {
        let matched = settings.routes.find(&Method::GET, &self.view_path)?;
        let message = matched.request(query, b"")?;
        Ok(message.transcode_to().expect("the route of views makes a GetViewRequest"))
    }

    async fn drawn<S: InProcessService>(
        &self,
        door: S,
        parts: Parts,
        question: GetViewRequest,
        theme: Theme,
    ) -> Result<Response<Body>, Status> {
        let metadata = transcode::request_metadata(parts.headers);
        let mut matches = MatchServiceClient::new(door).max_decoding_message_size(usize::MAX);
        let call = Call::from_parts(metadata.clone(), parts.extensions.clone(), question);
        let view = matches.get_view(call).await?.into_inner().view;
        let view = view.ok_or_else(|| status::of(&Refusal::internal()))?;
        match self.picture {
            Picture::Text => Ok(text(&view)),
            Picture::Svg => {
                let question = events_before(&view);
                let call = Call::from_parts(metadata, parts.extensions, question);
                let events = matches.list_events(call).await?.into_inner().events;
                Ok(picture(&view, &events, theme))
            }
        }
    }
}

fn events_before(view: &View) -> ListEventsRequest {
    ListEventsRequest {
        match_id: view.match_id.clone(),
        after_seq: view.seq.saturating_sub(LAST_MOVE_LOOKBACK),
        page_size: Some(LAST_MOVE_LOOKBACK),
        min_seq: None,
    }
}

fn text(view: &View) -> Response<Body> {
    let drawing = board::text(view, TextStyle { colour: Colour::Plain, near: Near::Viewer });
    answer(drawing, "text/plain; charset=utf-8")
}

fn picture(view: &View, events: &[Event], theme: Theme) -> Response<Body> {
    let drawing = board::svg(view, events, SvgStyle { theme, ..SvgStyle::default() });
    let mut response = answer(drawing, SVG_CONTENT_TYPE);
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(PICTURE_POLICY));
    response
}

fn answer(drawing: String, media_type: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::new(Full::from(drawing)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}
