//! Writes the embedded verifier to a file, for its test: `cargo run -p web --features verifier --example
//! save_verifier FILE`.

use std::error::Error;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("name a file")?;
    let verifier = web::FILES.iter().find(|file| file.path.ends_with("/verifier.wasm"));
    fs::write(path, verifier.ok_or("build with the feature `verifier`")?.plain)?;
    Ok(())
}
