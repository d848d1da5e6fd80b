//! Descriptor pools compiled from proto texts, and requests to the fictional library.

use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

use http::Method;
use prost_reflect::DescriptorPool;
use protox::Compiler;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver, IncludeFileResolver};
use serde_json::Value;
use transcode::{FieldProblem, FieldViolation, RequestError, Routes};

static LIBRARY: LazyLock<Routes> = LazyLock::new(|| {
    Routes::from_pool(&compile("library.proto", include_str!("library.proto"))).expect("all routes are valid")
});

struct Text {
    name: &'static str,
    text: String,
}

impl FileResolver for Text {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        if name == self.name {
            File::from_source(name, &self.text)
        } else {
            Err(protox::Error::file_not_found(name))
        }
    }
}

/// Compiles one file, which may import Google's files.
pub(crate) fn compile(name: &'static str, text: &str) -> DescriptorPool {
    let annotations = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    let mut files = ChainFileResolver::new();
    files.add(Text { name, text: text.to_owned() });
    files.add(IncludeFileResolver::new(annotations));
    files.add(GoogleFileResolver::new());
    let mut compiler = Compiler::with_file_resolver(files);
    compiler.include_imports(true);
    compiler.open_file(name).expect("the proto compiles");
    // Decode from bytes, like a service: only then are custom options complete.
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).expect("the set decodes")
}

/// Compiles a service with one RPC per rule, the text between the braces of `google.api.http`.
pub(crate) fn annotated(rules: &[&str]) -> DescriptorPool {
    let mut rpcs = String::new();
    for (index, rule) in rules.iter().enumerate() {
        writeln!(
            rpcs,
            "rpc Rpc{index}(Request) returns (Inner) {{ option (google.api.http) = {{{rule}}}; }}"
        )
        .expect("writing to a string succeeds");
    }
    let text = format!(
        "syntax = \"proto3\"; package wrong; import \"google/api/annotations.proto\";
        service Wrong {{ {rpcs} rpc Up(stream Request) returns (Inner); }}
        message Inner {{ string text = 1; }}
        message Request {{
            string id = 1; Inner inner = 2; repeated string many = 3; map<string, string> map = 4;
        }}"
    );
    compile("wrong.proto", &text)
}

pub(crate) fn library() -> &'static Routes {
    &LIBRARY
}

/// Returns the request message of `method target` with `body`, as JSON.
pub(crate) fn request(method: &Method, target: &str, body: &str) -> Result<Value, RequestError> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let matched = library().find(method, path).expect("the path has a route");
    let message = matched.request(query, body.as_bytes())?;
    Ok(serde_json::to_value(&message).expect("a message has a JSON form"))
}

/// Returns the field that a request is rejected for, and the problem.
pub(crate) fn rejection(method: &Method, target: &str, body: &str) -> (String, FieldProblem) {
    match request(method, target, body) {
        Err(RequestError::Field(FieldViolation { field, problem })) => (field, problem),
        other => panic!("{target} {body}: {other:?}"),
    }
}

/// Returns the field with an invalid value, and the explanation.
pub(crate) fn invalid(method: &Method, target: &str, body: &str) -> (String, String) {
    match rejection(method, target, body) {
        (field, FieldProblem::Invalid(text)) => (field, text),
        other => panic!("{target} {body}: {other:?}"),
    }
}
