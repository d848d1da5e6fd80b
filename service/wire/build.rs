//! Compiles `proto/` without protoc: protox parses, tonic-prost-build generates, and the descriptor set is
//! kept for reflection and JSON.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

const PROTO_ROOT: &str = "../../proto";

const FILES: &[&str] = &[
    "matchbook/v1/error.proto",
    "matchbook/v1/game_service.proto",
    "matchbook/v1/log_service.proto",
    "matchbook/v1/match_service.proto",
    "matchbook/log/v1/event.proto",
    "matchbook/v1/log_file.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={PROTO_ROOT}");
    let out_dir = PathBuf::from(env::var("OUT_DIR")?);

    let mut compiler = protox::Compiler::new([PROTO_ROOT])?;
    compiler.include_source_info(true).include_imports(true).open_files(FILES)?;
    // Source info is included so that `grpcurl describe` shows the comments.
    fs::write(out_dir.join("descriptors.bin"), compiler.encode_file_descriptor_set())?;

    let mut files = compiler.file_descriptor_set();
    // Annotations are read from the descriptors; no Rust types are needed.
    files.file.retain(|file| file.package() != "google.api");
    tonic_prost_build::configure()
        .codec_path("crate::codec::MessageCodec")
        .include_file("tree.rs")
        .compile_fds(files)?;
    Ok(())
}
