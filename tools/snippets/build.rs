//! Takes the programs of docs/clients.md from the page: all blocks of a client, one after the other.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

const PAGE: &str = "../../docs/clients.md";

/// The line before a block starts with the name of its client.
const CLIENTS: [&str; 6] = ["grpcurl", "curl", "Python", "TypeScript", "Rust", "matchbook"];

/// Starts the line before the block that verifies the log.
const VERIFYING: &str = "Whichever client";

const STEPS: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={PAGE}");
    let out_dir = PathBuf::from(env::var("OUT_DIR")?);
    let page = fs::read_to_string(PAGE)?;
    let blocks = blocks(&page);
    for client in CLIENTS {
        let steps = blocks.get(client).map_or(0, Vec::len);
        if steps != STEPS {
            return Err(format!("{PAGE} has {steps} blocks of {client} instead of {STEPS}").into());
        }
    }
    for script in ["grpcurl", "curl", "matchbook", VERIFYING] {
        let name = script.split(' ').next().unwrap_or(script);
        fs::write(out_dir.join(format!("{name}.sh")), blocks[script].concat())?;
    }
    let program = blocks["Rust"].concat().replace("\"127.0.0.1:7420\"", "&server");
    fs::write(out_dir.join("program.rs"), format!("{{\n{program}Ok(())\n}}\n"))?;
    Ok(())
}

/// Returns the blocks by what the line before them starts with.
fn blocks(page: &str) -> BTreeMap<&str, Vec<String>> {
    let mut blocks: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut lines = page.lines();
    let mut label = "";
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let block = lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n"));
            blocks.entry(label).or_default().push(block.collect());
        }
        let starts =
            |name: &&&str| line.strip_prefix(**name).is_some_and(|rest| rest.starts_with([':', ',', ' ']));
        if let Some(name) = CLIENTS.iter().chain([&VERIFYING]).find(starts).filter(|_| line.ends_with(':')) {
            label = name;
        }
    }
    blocks
}
