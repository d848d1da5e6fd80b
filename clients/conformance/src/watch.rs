//! A watch of somebody else.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;

/// Opens a watch of a match, which lasts until the connection is dropped.
pub(crate) fn open_watch(address: &str, match_id: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("the service runs");
    let request = format!("GET /v1/matches/{match_id}/watch HTTP/1.1\r\nhost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("the service reads");
    let mut status = String::new();
    let mut answer = BufReader::new(stream.try_clone().expect("a socket can be shared"));
    answer.read_line(&mut status).expect("the service answers");
    assert!(status.contains("200"), "{status}");
    stream
}
