//! Frames of HTTP/2 that no client library sends: streams that are reset at once, headers without an end,
//! pings and settings whose answers nobody reads, more streams than are allowed.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::player::Player;
use super::{ATTACKER, assert_memory, serve};
use crate::stage::{Backend, Process, Storage, connect_from};

/// Types of frames (RFC 9113).
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const CONTINUATION: u8 = 9;

/// Flags of frames.
const END_STREAM: u8 = 1;
const ACK: u8 = 1;
const END_HEADERS: u8 = 4;

/// The setting of the greatest number of streams at a time.
const MAX_CONCURRENT_STREAMS: u16 = 3;

/// Codes of errors.
const REFUSED_STREAM: u32 = 7;
const CANCEL: u32 = 8;
const ENHANCE_YOUR_CALM: u32 = 11;

/// How long nothing may happen on a connection before a test gives up.
const SILENCE: Duration = Duration::from_secs(30);

/// Memory that each attack here may bring the process to.
const LITTLE_MEMORY: u64 = 200 << 20;

/// A connection on which a test writes frames itself.
struct Frames(TcpStream);

/// A frame that the service sent.
struct Frame {
    kind: u8,
    flags: u8,
    stream: u32,
    payload: Vec<u8>,
}

impl Frames {
    async fn open(address: &str) -> Self {
        let mut stream = connect_from(ATTACKER, address).await.unwrap();
        stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
        stream.write_all(&frame(SETTINGS, 0, 0, &[])).await.unwrap();
        Self(stream)
    }

    /// Writes bytes, as far as the service takes them. Returns whether it took all.
    async fn write(&mut self, bytes: &[u8]) -> bool {
        timeout(Duration::from_secs(5), self.0.write_all(bytes)).await.is_ok_and(|written| written.is_ok())
    }

    /// Returns the next frame, or `None` once the service has closed the connection.
    async fn read(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        timeout(SILENCE, self.0.read_exact(&mut head)).await.expect("the service is silent").ok()?;
        let [l0, l1, l2, kind, flags, s0, s1, s2, s3] = head;
        let mut payload = vec![0; u32::from_be_bytes([0, l0, l1, l2]) as usize];
        self.0.read_exact(&mut payload).await.ok()?;
        Some(Frame { kind, flags, stream: u32::from_be_bytes([s0, s1, s2, s3]), payload })
    }

    /// Reads until the connection ends. Returns the code of the error that the service told before, if any.
    async fn end(&mut self) -> Option<u32> {
        let mut code = None;
        while let Some(frame) = self.read().await {
            if frame.kind == GOAWAY {
                code = Some(number(&frame.payload[4..8]));
            }
        }
        code
    }
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()].concat();
    [&head, payload].concat()
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(bytes.try_into().unwrap())
}

/// Returns a field that no table of HPACK remembers.
fn field(name: &str, value: &str) -> Vec<u8> {
    let text = |text: &str| [&[u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
    [vec![0], text(name), text(value)].concat()
}

/// Returns the headers of a gRPC call.
fn call() -> Vec<u8> {
    [
        field(":method", "POST"),
        field(":scheme", "http"),
        field(":path", "/matchbook.v1.GameService/ListGames"),
        field(":authority", "localhost"),
        field("content-type", "application/grpc"),
        field("te", "trailers"),
    ]
    .concat()
}

/// Asserts that the process is well, took little memory and logged nothing of the frames, and ends it.
fn finish(process: Process) {
    assert_memory(&process);
    assert!(process.peak_memory() < LITTLE_MEMORY, "{} MiB", process.peak_memory() >> 20);
    let (code, log) = process.terminate();
    assert_eq!(code, Some(0));
    let of_frames: Vec<_> = log.iter().filter(|line| line.contains("h2::")).collect();
    assert!(of_frames.is_empty(), "{} lines, the first: {}", of_frames.len(), of_frames[0]);
}

#[tokio::test]
async fn a_connection_has_a_limited_number_of_calls() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &["--max-calls-per-connection", "4"]);
    let mut frames = Frames::open(&process.address).await;
    // Calls whose messages do not arrive stay open.
    let calls = (0..10).flat_map(|n| frame(HEADERS, END_HEADERS, 2 * n + 1, &call())).collect::<Vec<_>>();
    assert!(frames.write(&calls).await);
    let (mut announced, mut refused) = (None, Vec::new());
    while refused.len() < 6 {
        let frame = frames.read().await.expect("the connection stays");
        match frame.kind {
            SETTINGS if frame.flags & ACK == 0 => {
                let setting = |pair: &&[u8]| pair[..2] == MAX_CONCURRENT_STREAMS.to_be_bytes();
                announced = frame.payload.chunks(6).find(setting).map(|pair| number(&pair[2..]));
            }
            RST_STREAM => refused.push((frame.stream, number(&frame.payload))),
            _ => {}
        }
    }
    assert_eq!(announced, Some(4));
    assert_eq!(refused, [9, 11, 13, 15, 17, 19].map(|stream| (stream, REFUSED_STREAM)));
    finish(process);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_are_reset_at_once_end_the_connection() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &[]);
    let player = Player::at(&process.address).await;
    for _ in 0..8 {
        let mut frames = Frames::open(&process.address).await;
        let reset = |stream: u32| {
            let call = frame(HEADERS, END_HEADERS | END_STREAM, stream, &call());
            [call, frame(RST_STREAM, 0, stream, &CANCEL.to_be_bytes())].concat()
        };
        let flood: Vec<_> = (0..20_000).flat_map(|n| reset(2 * n + 1)).collect();
        frames.write(&flood).await;
        // The connection may be cut before what it told is read.
        let code = frames.end().await;
        assert!([None, Some(ENHANCE_YOUR_CALM)].contains(&code), "{code:?}");
    }
    player.makes_moves().await;
    player.finish().await;
    finish(process);
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_without_an_end_end_the_connection() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &[]);
    let player = Player::at(&process.address).await;
    let many = field("x-filler", &"x".repeat(100)).repeat(100);
    for piece in [&[][..], &field("a", "b"), &many] {
        let mut frames = Frames::open(&process.address).await;
        let mut flood = frame(HEADERS, END_STREAM, 1, &call());
        while flood.len() < 4 << 20 {
            flood.extend(frame(CONTINUATION, 0, 1, piece));
        }
        frames.write(&flood).await;
        frames.end().await;
    }
    player.makes_moves().await;
    player.finish().await;
    finish(process);
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_to_pings_and_settings_that_nobody_reads_take_no_memory() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &[]);
    let player = Player::at(&process.address).await;
    let table_size = [0, 1, 0, 0, 16, 0];
    for each in [frame(PING, 0, 0, &[7; 8]), frame(SETTINGS, 0, 0, &table_size)] {
        let mut frames = Frames::open(&process.address).await;
        let piece = each.repeat((1 << 20) / each.len());
        let mut taken = 0;
        while taken < 64 && frames.write(&piece).await {
            taken += 1;
        }
        println!("{taken} MiB of frames of type {} were taken", each[3]);
        player.makes_moves().await;
    }
    player.finish().await;
    finish(process);
}
