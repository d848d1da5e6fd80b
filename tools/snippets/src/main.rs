//! The Rust program of docs/clients.md, as the build takes it from the page. The service's address is the
//! first argument.

use std::env;
use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = env::args().nth(1).ok_or("usage: snippets SERVER")?;
    include!(concat!(env!("OUT_DIR"), "/program.rs"))
}
