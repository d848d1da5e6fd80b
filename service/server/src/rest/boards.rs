//! `GET /v1/matches/{matchId}/board.txt` and `board.svg`: the caller's view as a drawing. It calls `GetView`,
//! and `ListEvents` for the last move as the view's viewer may see it, through admission control, so it shows
//! nothing that the viewer would not see.

use board::{Colour, LAST_MOVE_LOOKBACK, Orientation, SVG_CONTENT_TYPE, SvgStyle, TextStyle, UnknownTheme};
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use http::{HeaderMap, Method, Request, Response};
use http_body_util::Full;
use play::Refusal;
use prost_reflect::{MessageDescriptor, ReflectMessage};
use tonic::body::Body;
use tonic::metadata::MetadataMap;
use tonic::{Request as Call, Status};
use transcode::{GatewaySettings, InProcessService, Rejection};
use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::{Event, GetViewRequest, ListEventsRequest, View};

use super::adapter::Matchbook;
use crate::admission::{CallerLimits, POLICY_FIELD, STATE_FIELD};
use crate::grpc::ShownTo;
use crate::protocol;

/// The kinds of drawing: last path segment, OpenAPI operation id, media type, and description.
pub(crate) const PICTURES: [(&str, &str, &str, &str); 2] = [
    ("board.txt", "GetBoardText", "text/plain", "text for a terminal"),
    ("board.svg", "GetBoardPicture", SVG_CONTENT_TYPE, "a picture"),
];

/// The query parameters that pictures have in addition to those of views: the colours, and the seat whose
/// edge of the board is at the bottom.
pub(crate) const THEME: &str = "theme";
pub(crate) const BOTTOM_SEAT: &str = "bottomSeat";

/// Allows a picture that is opened as a document its own styles and nothing else.
const PICTURE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// A request for a drawing.
pub(crate) struct BoardRequest {
    picture: Picture,
    /// The path of the view, which takes the same parameters.
    view_path: String,
}

#[derive(Clone, Copy)]
enum Picture {
    Text,
    Svg,
}

impl BoardRequest {
    /// Parses the path of a request. Returns `None` if it is not a drawing's.
    pub(crate) fn parse(request: &Request<Body>) -> Option<Self> {
        let (match_path, name) = request.uri().path().rsplit_once('/')?;
        let picture = match name {
            "board.txt" => Picture::Text,
            "board.svg" => Picture::Svg,
            _ => return None,
        };
        let id = match_path.strip_prefix("/v1/matches/")?;
        let one_segment = !id.is_empty() && !id.contains('/');
        one_segment.then(|| Self { picture, view_path: format!("{match_path}/view") })
    }

    /// Returns the path template of this kind of drawing.
    pub(crate) fn route(&self) -> String {
        let name = match self.picture {
            Picture::Text => "board.txt",
            Picture::Svg => "board.svg",
        };
        format!("/v1/matches/{{match_id}}/{name}")
    }

    /// Returns the drawing or an error response.
    pub(crate) async fn respond<S: InProcessService>(
        self,
        grpc: S,
        settings: &GatewaySettings<Matchbook>,
        request: Request<Body>,
    ) -> Response<Body> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return settings.method_not_allowed(request.method(), vec![Method::GET]);
        }
        let (parts, _body) = request.into_parts();
        let (style, query) = match self.split_style(parts.uri.query().unwrap_or_default()) {
            Ok(split) => split,
            Err(refusal) => return settings.failed_call(&protocol::to_status(&refusal)),
        };
        let (get_view, descriptor) = match self.get_view_request(settings, &query) {
            Ok(get_view) => get_view,
            Err(refusal) => return settings.rejected(&refusal),
        };
        match self.draw(grpc, parts, get_view, style).await {
            Ok(drawing) => drawing,
            Err(status) => settings.failed_request(status, &descriptor),
        }
    }

    /// Splits the style of a picture from the rest of the query.
    fn split_style(&self, query: &str) -> Result<(SvgStyle, String), Refusal> {
        let mut style = SvgStyle::default();
        let mut rest = Vec::new();
        for pair in query.split('&') {
            match (self.picture, pair.split_once('=')) {
                (Picture::Svg, Some((THEME, word))) => {
                    style.theme = word
                        .parse()
                        .map_err(|unknown: UnknownTheme| Refusal::field(THEME, unknown.to_string()))?;
                }
                (Picture::Svg, Some((BOTTOM_SEAT, seat))) => style.orientation = orientation(seat)?,
                _ => rest.push(pair),
            }
        }
        Ok((style, rest.join("&")))
    }

    fn get_view_request(
        &self,
        settings: &GatewaySettings<Matchbook>,
        query: &str,
    ) -> Result<(GetViewRequest, MessageDescriptor), Rejection> {
        let matched = settings.routes.find(&Method::GET, &self.view_path)?;
        let message = matched.request(query, b"")?;
        let get_view = message.transcode_to().expect("the route of views produces a GetViewRequest");
        Ok((get_view, message.descriptor()))
    }

    async fn draw<S: InProcessService>(
        &self,
        grpc: S,
        parts: Parts,
        get_view: GetViewRequest,
        style: SvgStyle,
    ) -> Result<Response<Body>, Status> {
        let metadata = transcode::request_metadata(parts.headers);
        let mut matches = MatchServiceClient::new(grpc).max_decoding_message_size(usize::MAX);
        let mut extensions = parts.extensions;
        let call = Call::from_parts(metadata.clone(), extensions.clone(), get_view);
        let (viewed, message, _) = matches.get_view(call).await?.into_parts();
        let view = message.view.ok_or_else(|| protocol::to_status(&Refusal::internal()))?;
        let (last, mut drawing) = match self.picture {
            Picture::Text => (viewed, text(&view)),
            Picture::Svg => {
                CallerLimits::count_again(&mut extensions);
                extensions.insert(ShownTo(view.viewer));
                let call = Call::from_parts(metadata, extensions, last_events(&view));
                let (listed, message, _) = matches.list_events(call).await?.into_parts();
                (listed, picture(&view, &message.events, style))
            }
        };
        copy_rate_limits(&last, drawing.headers_mut());
        Ok(drawing)
    }
}

/// Copies the state of the rate limits from the last call that a drawing made.
fn copy_rate_limits(metadata: &MetadataMap, headers: &mut HeaderMap) {
    for name in [POLICY_FIELD, STATE_FIELD] {
        if let Some(value) = metadata.as_ref().get(&name) {
            headers.insert(name, value.clone());
        }
    }
}

/// Parses the seat whose edge of the board is at the bottom.
fn orientation(seat: &str) -> Result<Orientation, Refusal> {
    match seat {
        "0" => Ok(Orientation::Zero),
        "1" => Ok(Orientation::One),
        _ => Err(Refusal::field(BOTTOM_SEAT, "it must be 0 or 1".to_owned())),
    }
}

fn last_events(view: &View) -> ListEventsRequest {
    ListEventsRequest {
        match_id: view.match_id.clone(),
        after_seq: view.seq.saturating_sub(LAST_MOVE_LOOKBACK),
        page_size: LAST_MOVE_LOOKBACK,
        ..ListEventsRequest::default()
    }
}

fn text(view: &View) -> Response<Body> {
    let drawing = board::text(view, TextStyle { colour: Colour::Plain, orientation: Orientation::Viewer });
    to_response(drawing, "text/plain; charset=utf-8")
}

fn picture(view: &View, events: &[Event], style: SvgStyle) -> Response<Body> {
    let drawing = board::svg(view, events, style);
    let mut response = to_response(drawing, SVG_CONTENT_TYPE);
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(PICTURE_POLICY));
    response
}

fn to_response(drawing: String, media_type: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::new(Full::from(drawing)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}
