//! A proxy that loses an answer: the service has made the call, and its client does not learn of it.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Acknowledgements of HTTP/2's settings and windows are shorter, and answers are longer.
const SHORTEST_ANSWER: usize = 100;

/// Starts a proxy before a service and returns its address. It cuts the line in place of the first answer,
/// and forwards all that follow. Its threads end with the sockets.
pub(crate) fn losing_an_answer(service: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound").to_string();
    let (service, has_lost) = (service.to_owned(), Arc::new(AtomicBool::new(false)));
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let service = TcpStream::connect(&service).expect("the service runs");
            let (requests, to_service) = (clone(&client), clone(&service));
            thread::spawn(move || forward(requests, to_service, &AtomicBool::new(true)));
            let has_lost = Arc::clone(&has_lost);
            thread::spawn(move || forward(service, client, &has_lost));
        }
    });
    address
}

/// Forwards bytes until one side closes or an answer is lost, then closes both.
fn forward(mut from: TcpStream, mut to: TcpStream, has_lost: &AtomicBool) {
    let mut buffer = [0; 65_536];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let is_lost = count > SHORTEST_ANSWER && !has_lost.swap(true, Ordering::SeqCst);
        if is_lost || to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    for stream in [from, to] {
        // It may be closed already.
        let _ = stream.shutdown(Shutdown::Both);
    }
}

fn clone(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("a socket can be shared")
}
