//! Embeds the page: every file of `src/` and `vendor/`, as it is and compressed, at a path with the hash of
//! all of them, and `src/index.html` with these paths in it. Also the verifier: with the feature `verifier`
//! it must build; other release builds have it if it does.

mod verifier;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// The folders whose files browsers get.
const FOLDERS: [&str; 2] = ["src", "vendor"];

/// The document that loads everything else.
const DOCUMENT: &str = "src/index.html";

/// The module that the document starts with.
const FIRST_MODULE: &str = "src/main.js";

/// The path of the verifier among the files.
const VERIFIER: &str = "verifier.wasm";

/// Files by their paths, relative to this package and with slashes.
type Files = BTreeMap<String, Vec<u8>>;

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut files = Files::new();
    for folder in FOLDERS {
        println!("cargo:rerun-if-changed={folder}");
        collect(Path::new(folder), &mut files)?;
    }
    if let Some(built) = verifier(&out)? {
        files.insert(VERIFIER.to_owned(), built);
    }
    let base = format!("/assets/{}", hash(&files));
    let document = files.remove(DOCUMENT).ok_or("src/index.html is missing")?;
    let document = String::from_utf8(document)?.replace("{{preloads}}", &preloads(&files)?);
    fs::write(out.join("document.html"), document.replace("{{assets}}", &base))?;
    fs::write(out.join("files.rs"), table(&base, &files, &out)?)?;
    Ok(())
}

/// Returns the verifier, if this build has it. Debug builds are made too often to wait for it.
fn verifier(out: &Path) -> Result<Option<Vec<u8>>, Box<dyn Error>> {
    if env::var_os("CARGO_FEATURE_VERIFIER").is_some() {
        return verifier::build(out).map(Some);
    }
    if env::var("PROFILE")? != "release" {
        return Ok(None);
    }
    let built = verifier::build(out);
    if let Err(error) = &built {
        println!("cargo:warning=the page will not verify logs itself, but show the command that does");
        error.to_string().lines().for_each(|line| println!("cargo:warning={line}"));
    }
    Ok(built.ok())
}

/// Adds the files of a folder, without declarations of types, which are for tsc alone.
fn collect(folder: &Path, files: &mut Files) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if !path.to_string_lossy().ends_with(".d.ts") {
            let name = path.to_str().ok_or("a file's name is not UTF-8")?.replace('\\', "/");
            files.insert(name, fs::read(&path)?);
        }
    }
    Ok(())
}

/// Returns 16 digits that differ if any file does.
fn hash(files: &Files) -> String {
    let mut hash = Sha256::new();
    for (name, contents) in files {
        for part in [name.as_bytes(), contents] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
    }
    hash.finalize()[..8].iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

/// Returns a link for each module that the first one needs at once, so that a browser fetches them together.
fn preloads(files: &Files) -> Result<String, Box<dyn Error>> {
    let (mut found, mut queue) = (BTreeSet::new(), vec![FIRST_MODULE.to_owned()]);
    while let Some(module) = queue.pop() {
        let contents =
            files.get(&module).ok_or_else(|| format!("a module imports {module}, which is missing"))?;
        if found.insert(module.clone()) {
            queue.extend(imports(std::str::from_utf8(contents)?).map(|import| resolve(&module, import)));
        }
    }
    let link = |module| format!("<link rel=\"modulepreload\" href=\"{{{{assets}}}}/{module}\">");
    Ok(found.into_iter().map(link).collect::<Vec<_>>().join("\n"))
}

/// Returns the relative paths after `from` and `import`. Imports by a call, made when needed, don't count.
fn imports(module: &str) -> impl Iterator<Item = &str> {
    let quoted = module.split('"').skip(1).step_by(2).zip(module.split('"').step_by(2));
    quoted.filter_map(|(text, before)| {
        let before = before.trim_end();
        let is_import = before.ends_with("from") || before.ends_with("import");
        (is_import && text.starts_with('.')).then_some(text)
    })
}

/// Returns what a relative path means in a module.
fn resolve(module: &str, import: &str) -> String {
    let mut path: Vec<&str> = module.split('/').collect();
    path.pop();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => drop(path.pop()),
            part => path.push(part),
        }
    }
    path.join("/")
}

/// Writes the compressed files and returns the source of the table of all files.
fn table(base: &str, files: &Files, out: &Path) -> Result<String, Box<dyn Error>> {
    let mut source = String::from("/// All files but the document.\npub static FILES: &[File] = &[\n");
    let root = env::var("CARGO_MANIFEST_DIR")?;
    for (number, (name, contents)) in files.iter().enumerate() {
        let compressed = out.join(format!("{number}.gz"));
        fs::write(&compressed, gzip(contents)?)?;
        let (path, media_type) = (format!("{base}/{name}"), media_type(name)?);
        let folder = if name == VERIFIER { out } else { Path::new(&root) };
        let (plain, gzip) = (folder.join(name), compressed);
        writeln!(source, "File {{ path: {path:?}, media_type: {media_type:?},")?;
        writeln!(source, "plain: include_bytes!({plain:?}), gzip: include_bytes!({gzip:?}) }},")?;
    }
    source += "];\n/// The document, which loads the files.\n";
    writeln!(source, "pub static DOCUMENT: &str = include_str!({:?});", out.join("document.html"))?;
    Ok(source)
}

fn media_type(name: &str) -> Result<&'static str, String> {
    Ok(match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("webp") => "image/webp",
        Some("woff2") => "font/woff2",
        _ => return Err(format!("clients/web/{name} has no media type; add its extension to build.rs")),
    })
}

fn gzip(contents: &[u8]) -> Result<Vec<u8>, std::io::Error> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(contents)?;
    encoder.finish()
}
