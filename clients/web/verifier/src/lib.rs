//! The verification of log files for the page: the code of `matchbook verify`, compiled to WebAssembly.
//!
//! A caller asks for room for a file and for keys, writes them there, calls `verify`, and reads the report,
//! which is JSON in UTF-8. There is one call at a time: the page runs it in a worker.

mod report;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum size of a file here. Only very long matches have larger ones, which are for the command: it has
/// more memory than a page.
const MAX_BYTES: usize = 64 << 20;

/// What passes between the page and this module.
#[derive(Default)]
struct Exchange {
    file: Vec<u8>,
    keys: Vec<u8>,
    report: Vec<u8>,
}

static EXCHANGE: Mutex<Exchange> =
    Mutex::new(Exchange { file: Vec::new(), keys: Vec::new(), report: Vec::new() });

fn exchange() -> MutexGuard<'static, Exchange> {
    EXCHANGE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the maximum size of a file.
// Exporting a name is unsafe because another library could have the same; nothing is linked to this one.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn max_file_bytes() -> usize {
    MAX_BYTES
}

/// Returns where to write the file, and forgets the one before. The room holds `length` bytes, at most the
/// maximum, until the next call of this function.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn room_for_file(length: usize) -> *mut u8 {
    let mut exchange = exchange();
    exchange.file = vec![0; length.min(MAX_BYTES)];
    exchange.file.as_mut_ptr()
}

/// Returns where to write the trusted keys, one per line, in the same way.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn room_for_keys(length: usize) -> *mut u8 {
    let mut exchange = exchange();
    exchange.keys = vec![0; length.min(MAX_BYTES)];
    exchange.keys.as_mut_ptr()
}

/// Verifies the file and returns where the report is.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn verify() -> *const u8 {
    let mut exchange = exchange();
    exchange.report = report::of(&exchange.file, &String::from_utf8_lossy(&exchange.keys)).to_string().into();
    exchange.report.as_ptr()
}

/// Returns the length of the report.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn report_length() -> usize {
    exchange().report.len()
}
