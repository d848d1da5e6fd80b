//! The real client against a service whose first pages of matches are empty.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::process::{Command, Output, Stdio};
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use futures_util::stream;
use http::HeaderMap;
use http_body::Frame;
use http_body_util::{BodyExt as _, StreamBody};
use prost::Message as _;
use prost::bytes::Bytes;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::transport::Server;
use wire::v1::{ListMatchesRequest, ListMatchesResponse, Match};

const MATCH: &str = "01a20442-b915-7566-87fc-c551db5e4d34";

/// Answers a page by the token that the client sends.
#[derive(Clone, Copy)]
struct Pages(fn(&str) -> ListMatchesResponse);

impl NamedService for Pages {
    const NAME: &'static str = "matchbook.v1.MatchService";
}

impl tower::Service<http::Request<Body>> for Pages {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let Pages(page) = *self;
        Box::pin(async move {
            let sent = request.into_body().collect().await.expect("the request arrives").to_bytes();
            // After the flag and the length of the message.
            let request = ListMatchesRequest::decode(sent.slice(5..)).expect("the client sends a request");
            let message = page(&request.page_token).encode_to_vec();
            let length = u32::try_from(message.len()).expect("it is short");
            let data = Bytes::from([&[0], &length.to_be_bytes()[..], &message].concat());
            let ok = HeaderMap::from_iter([(
                "grpc-status".parse().expect("a name"),
                "0".parse().expect("a value"),
            )]);
            let frames = [Ok::<_, Infallible>(Frame::data(data)), Ok(Frame::trailers(ok))];
            let body = Body::new(StreamBody::new(stream::iter(frames)));
            let response = http::Response::builder().header("content-type", "application/grpc").body(body);
            Ok(response.expect("the header is valid"))
        })
    }
}

/// Starts the service on a thread of its own and returns its address.
fn start(pages: Pages) -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("the listener is ours");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let listener = TcpListener::from_std(listener).expect("a listener of tokio");
            let router = Server::builder().add_service(pages);
            router.serve_with_incoming(TcpListenerStream::new(listener)).await
        })
    });
    address
}

fn matches(pages: Pages, arguments: &[&str]) -> String {
    let address = start(pages);
    let home = tempfile::tempdir().expect("a folder for the test");
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_matchbook"))
        .arg("matches")
        .args(arguments)
        .env("MATCHBOOK_SERVER", format!("http://{address}"))
        .env("MATCHBOOK_STATE", home.path())
        .env_remove("MATCHBOOK_TOKEN")
        .stdin(Stdio::null())
        .output()
        .expect("the client starts");
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("the client prints text")
}

fn page(found: bool, next: &str) -> ListMatchesResponse {
    let found = found.then(|| Match { match_id: MATCH.to_owned(), ..Match::default() });
    ListMatchesResponse { matches: found.into_iter().collect(), next_page_token: next.to_owned() }
}

#[test]
fn a_list_goes_on_past_empty_pages() {
    let pages = Pages(|token| match token {
        "" => page(false, "second"),
        "second" => page(false, "third"),
        "third" => page(true, "fourth"),
        _ => page(false, ""),
    });
    for arguments in [&["--all"][..], &[], &["--limit", "2"]] {
        let listed = matches(pages, arguments);
        let lines: Vec<&str> = listed.lines().collect();
        assert!(
            lines.len() == 2 && lines[0].starts_with("MATCH ") && lines[1].starts_with(MATCH),
            "{listed}"
        );
    }
    let listed = matches(pages, &["--limit", "1"]);
    assert!(listed.ends_with("There are more; continue with --page fourth\n"), "{listed}");
}

#[test]
fn only_after_the_last_page_there_are_no_matches() {
    let pages = Pages(|token| if token == "last" { page(false, "") } else { page(false, "last") });
    assert_eq!(matches(pages, &[]), "No matches found.\n");
}

#[test]
fn a_page_that_leads_to_itself_ends_the_list() {
    let listed = matches(Pages(|_| page(false, "again")), &["--all"]);
    assert_eq!(listed, "There are more; continue with --page again\n");
}
