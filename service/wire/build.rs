//! Compiles `proto/` without protoc: protox parses, tonic-prost-build generates, and the descriptor set is
//! kept for reflection and JSON.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet,
    OneofDescriptorProto,
};

const PROTO_ROOT: &str = "../../proto";

const FILES: &[&str] = &[
    "matchbook/v1/error.proto",
    "matchbook/v1/game_service.proto",
    "matchbook/v1/log_service.proto",
    "matchbook/v1/match_service.proto",
    "matchbook/v1/webhook_service.proto",
    LOG_FILE,
    "matchbook/v1/log_file.proto",
];

const LOG_FILE: &str = "matchbook/log/v1/event.proto";
const LOG_PACKAGE: &str = "matchbook.log.v1";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={PROTO_ROOT}");
    let out_dir = PathBuf::from(env::var("OUT_DIR")?);

    let mut compiler = protox::Compiler::new([PROTO_ROOT])?;
    compiler.include_source_info(true).include_imports(true).open_files(FILES)?;
    // Source info is included so that `grpcurl describe` shows the comments.
    fs::write(out_dir.join("descriptors.bin"), compiler.encode_file_descriptor_set())?;

    let mut files = compiler.file_descriptor_set();
    // Annotations are read from the descriptors; no Rust types are needed.
    files.file.retain(|file| !["google.api", "buf.validate"].contains(&file.package()));
    let public_part = public_part(event_kinds(&files).ok_or("EventKind is missing")?);
    files.file.push(file_of(public_part));
    // WebAssembly has the messages alone.
    let not_wasm = "#[cfg(not(target_family = \"wasm\"))]";
    tonic_prost_build::configure()
        .client_mod_attribute(".", not_wasm)
        .server_mod_attribute(".", not_wasm)
        .out_dir(&out_dir)
        .codec_path("crate::codec::MessageCodec")
        .include_file("tree.rs")
        .compile_fds(files)?;
    println!("cargo:rustc-env=MATCHBOOK_WIRE={}", out_dir.display());
    println!("cargo:generated={}", out_dir.display());
    Ok(())
}

/// Returns `matchbook.log.v1.EventKind`.
fn event_kinds(files: &FileDescriptorSet) -> Option<&EnumDescriptorProto> {
    let file = files.file.iter().find(|file| file.name() == LOG_FILE)?;
    file.enum_type.iter().find(|kinds| kinds.name() == "EventKind")
}

/// Returns a message `PublicPart` with a oneof `entry` of the messages of all kinds, so that a kind of events
/// is listed in the schema alone. A field has its kind's number; nothing stores or sends the message itself.
fn public_part(kinds: &EnumDescriptorProto) -> DescriptorProto {
    let stored = kinds.value.iter().filter(|kind| kind.number() != 0);
    let field = stored.map(|kind| {
        let name = kind.name().trim_start_matches("EVENT_KIND_").to_lowercase();
        FieldDescriptorProto {
            number: kind.number,
            label: Some(Label::Optional.into()),
            r#type: Some(Type::Message.into()),
            type_name: Some(format!(".{LOG_PACKAGE}.{}", camel_case(&name))),
            name: Some(name),
            oneof_index: Some(0),
            ..FieldDescriptorProto::default()
        }
    });
    let entry = OneofDescriptorProto { name: Some("entry".to_owned()), ..OneofDescriptorProto::default() };
    DescriptorProto {
        name: Some("PublicPart".to_owned()),
        field: field.collect(),
        oneof_decl: vec![entry],
        ..DescriptorProto::default()
    }
}

/// Returns `SeatClaimed` for `seat_claimed`.
fn camel_case(name: &str) -> String {
    let capitalized = name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
    capitalized.collect()
}

fn file_of(message: DescriptorProto) -> FileDescriptorProto {
    FileDescriptorProto {
        name: Some("matchbook/log/v1/public_part.proto".to_owned()),
        package: Some(LOG_PACKAGE.to_owned()),
        dependency: vec![LOG_FILE.to_owned()],
        message_type: vec![message],
        syntax: Some("proto3".to_owned()),
        ..FileDescriptorProto::default()
    }
}
