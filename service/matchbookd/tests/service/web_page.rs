//! The page for browsers: its document at the paths that name something in it, and the files it loads.

use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use http::Method;

use crate::stage::{Answer, Backend, Http, Stage};

const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../clients/web");

/// What Chromium sends for a page.
const BROWSER: (&str, &str) = (
    "accept",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
);

async fn stage() -> (Stage, Http) {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    (stage, http)
}

/// Returns the folder that the document's files are in: `/assets/HASH`.
fn folder(document: &Answer) -> String {
    let text = document.text();
    let start = text.find("/assets/").expect("the document loads files");
    let end = start + text[start..].find("/src/").expect("the files are in src");
    text[start..end].to_owned()
}

/// Returns the files of the package that browsers get, relative to it. Declarations of types are for tsc.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: std::path::PathBuf| match path.is_dir() {
        true => files(&path),
        false => vec![path.strip_prefix(PACKAGE).unwrap().to_str().unwrap().to_owned()],
    };
    entries.flat_map(of).filter(|file| file != "src/index.html" && !file.ends_with(".d.ts")).collect()
}

#[tokio::test]
async fn the_document_is_at_every_path_that_names_something_in_it() {
    let (stage, http) = stage().await;
    let first = http.get("/", &[BROWSER]).await;
    let id = "0193e2a5-7c00-7000-8000-000000000000";
    let paths = ["/new", "/new/cresnovian", "/games/ludus-magus", "/verify"].map(str::to_owned);
    for path in paths.into_iter().chain([format!("/matches/{id}"), format!("/matches/{id}?seq=3")]) {
        let document = http.get(&path, &[BROWSER]).await;
        assert_eq!((document.status.as_u16(), document.text()), (200, first.text()), "{path}");
        assert_eq!(document.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(document.header("cache-control"), "private, no-cache", "{path}");
        assert_eq!(document.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(document.header("referrer-policy"), "no-referrer", "{path}");
        let again = http.get(&path, &[BROWSER, ("if-none-match", document.header("etag"))]).await;
        assert_eq!(again.status, 304, "{path}");
    }
    stage.close().await;
}

#[tokio::test]
async fn scripts_get_the_index_as_json_at_the_root() {
    let (stage, http) = stage().await;
    let html = http.get("/", &[BROWSER]).await;
    for accept in ["application/json", "*/*", "text/html;q=0", ""] {
        let index = http.get("/", &[("accept", accept)]).await;
        assert_eq!(index.header("content-type"), "application/json", "{accept}");
        assert_eq!(index.json()["service"], "Matchbook");
        let vary: Vec<_> = index.headers.get_all("vary").iter().collect();
        assert!(vary.iter().any(|value| value.to_str().unwrap().ends_with(", Accept")), "{vary:?}");
        assert!(index.header("etag") != html.header("etag"));
    }
    stage.close().await;
}

#[tokio::test]
async fn the_page_may_run_and_load_only_what_this_service_sends() {
    let (stage, http) = stage().await;
    let document = http.get("/", &[BROWSER]).await;
    let policy = document.header("content-security-policy");
    for directive in [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.split("; ").any(|one| one == directive), "{directive}: {policy}");
    }
    assert!(!policy.contains("unsafe-inline") && !policy.contains("http"), "{policy}");
    // With this policy, none of these would run.
    let text = document.text().replace("<script type=\"module\" src=\"/", "");
    assert!(!text.contains("<script") && !text.contains("<style") && !text.contains(" style="), "{text}");
    stage.close().await;
}

#[tokio::test]
async fn every_file_is_served_unchanged_and_may_be_kept() {
    let (stage, http) = stage().await;
    let document = http.get("/", &[BROWSER]).await;
    let folder = folder(&document);
    let names = ["src", "vendor"].into_iter().flat_map(|name| files(&Path::new(PACKAGE).join(name)));
    for name in names {
        let path = format!("{folder}/{name}");
        let plain = http.get(&path, &[]).await;
        assert_eq!(plain.status, 200, "{path}");
        assert!(plain.body == fs::read(Path::new(PACKAGE).join(&name)).unwrap(), "{path}");
        let expected = match name.rsplit('.').next().unwrap() {
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            "txt" => "text/plain; charset=utf-8",
            other => panic!("what type has .{other}?"),
        };
        assert_eq!(plain.header("content-type"), expected, "{path}");
        assert_eq!(plain.header("cache-control"), "public, max-age=31536000, immutable", "{path}");
        assert_eq!(plain.header("vary"), "accept-encoding", "{path}");
        assert_eq!(plain.header("content-security-policy"), document.header("content-security-policy"));
        assert_eq!(plain.header("x-content-type-options"), "nosniff", "{path}");

        let compressed = http.get(&path, &[("accept-encoding", "gzip, deflate, br")]).await;
        assert_eq!(compressed.header("content-encoding"), "gzip", "{path}");
        let mut read = Vec::new();
        GzDecoder::new(&compressed.body[..]).read_to_end(&mut read).unwrap();
        assert!(read == plain.body, "{path}");

        let head = http.send(Method::HEAD, &path, &[], "").await;
        assert_eq!((head.status.as_u16(), head.body.len()), (200, 0), "{path}");
        assert_eq!(head.header("content-length"), plain.body.len().to_string(), "{path}");
        assert_eq!(head.header("content-type"), expected, "{path}");
    }
    stage.close().await;
}

#[tokio::test]
async fn no_other_file_and_no_other_path_is_served() {
    let (stage, http) = stage().await;
    let folder = folder(&http.get("/", &[BROWSER]).await);
    let in_folder = [
        "",
        "/",
        "/src",
        "/src/",
        "/src/index.html",
        "/build.rs",
        "/Cargo.toml",
        "/src/main.js/",
        "/src//main.js",
        "/src/%6dain.js",
        "/src/main.js%00",
        "/src/../src/main.js",
        "/../../../etc/passwd",
        "/..%2f..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/..\\Cargo.toml",
    ];
    let elsewhere =
        ["/assets", "/assets/", "/assets/0123456789abcdef/src/main.js", "/src/main.js", "/index.html"];
    let not_pages = ["/matches", "/matches/", "/matches/a/b", "/games/", "/new/", "/verify/x", "//verify"];
    let others = elsewhere.into_iter().chain(not_pages).map(str::to_owned);
    for path in in_folder.map(|name| folder.clone() + name).into_iter().chain(others) {
        let answer = http.get(&path, &[BROWSER]).await;
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
        assert_eq!(answer.header("cache-control"), "private, no-cache", "{path}");
        answer.refused(404, "UNKNOWN_ROUTE");
    }
    stage.close().await;
}

#[tokio::test]
async fn the_page_is_for_reading_and_its_requests_are_bounded() {
    let (stage, http) = stage().await;
    let long = "a".repeat(20_000);
    http.get(&format!("/matches/{long}/x"), &[BROWSER]).await.refused(400, "INVALID_ARGUMENT");
    let file = folder(&http.get("/", &[BROWSER]).await) + "/src/main.js";
    for path in ["/", "/verify", "/matches/x", &file] {
        for method in [Method::POST, Method::PUT, Method::DELETE] {
            let answer = http.send(method.clone(), path, &[BROWSER], "").await;
            assert_eq!(answer.status, 405, "{method} {path}");
            assert_eq!(answer.header("allow"), "GET, HEAD, OPTIONS", "{method} {path}");
        }
        http.get(path, &[BROWSER, ("x-large", &long)]).await.refused(413, "MESSAGE_TOO_LARGE");
    }
    stage.close().await;
}
