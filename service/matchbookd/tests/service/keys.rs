//! API keys as operators create and configure them, and the errors for invalid keys.

use std::fs;

use play::{ApiKey, Role};
use tonic::Code;
use wire::v1;

use crate::stage::{Backend, Client, GAME, Process, Storage, matchbookd, refused, run, sent};

fn create() -> v1::CreateMatchRequest {
    v1::CreateMatchRequest { game_id: GAME.to_owned(), ..Default::default() }
}

/// Creates a key with `matchbookd key new`; returns its secret and its configuration line.
pub(crate) fn new_key(name: &str, role: &str) -> (String, String) {
    let (code, stdout, stderr) = run(&["key", "new", "--name", name, "--role", role, "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let printed: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((printed["name"].as_str(), printed["role"].as_str()), (Some(name), Some(role)));
    let text = |field: &str| printed[field].as_str().unwrap().to_owned();
    (text("key"), text("config"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configured_key_is_accepted_and_never_logged() {
    let (shop, shop_line) = new_key("shop", "app");
    let (auditor, auditor_line) = new_key("auditor", "audit");
    let (_, stranger_line) = new_key("stranger", "app");
    let (stranger, _) = new_key("stranger", "app");
    let storage = Storage::here(Backend::Memory).await;
    let file = storage.key_file().with_file_name("keys");
    fs::write(&file, format!("# Keys\n\n{auditor_line}\n{stranger_line}\n")).unwrap();
    let more = ["--api-key", &shop_line, "--api-keys-file", file.to_str().unwrap(), "--log", "debug"];
    let process = Process::serve(&storage, &more);
    let mut matches = Client::of(&process.address).await.matches;

    matches.create_match(sent(create(), Some(&shop))).await.unwrap();
    let rejection = refused(matches.create_match(create()).await);
    rejection.is("MISSING_KEY", Code::Unauthenticated, "API key");
    let rejection = refused(matches.create_match(sent(create(), Some(&auditor))).await);
    rejection.is("NOT_ALLOWED", Code::PermissionDenied, "role app or admin").has("roles", "app,admin");
    let rejection = refused(matches.create_match(sent(create(), Some(&stranger))).await);
    rejection.is("BAD_TOKEN", Code::Unauthenticated, "API key");

    let (code, log) = process.terminate();
    assert_eq!(code, Some(0));
    assert!(log.iter().any(|line| line.contains("MISSING_KEY")), "the log lacks the calls");
    for secret in [&shop, &auditor, &stranger, &shop_line, &auditor_line] {
        // The part after the prefix; it may contain `_` itself.
        let secret = secret.strip_prefix("mbk_").or_else(|| secret.rsplit(':').next()).unwrap();
        assert!(!log.iter().any(|line| line.contains(secret)), "the log contains a key or hash");
    }
}

#[test]
fn key_new_prints_the_key_and_its_configuration_line() {
    let (code, stdout, _) = run(&["key", "new", "--name", "shop", "--role", "app"]);
    assert_eq!(code, 0);
    let word = |start: &str| {
        let found = stdout.split_whitespace().find(|word| word.starts_with(start));
        found.unwrap_or_else(|| panic!("no {start} in {stdout}"))
    };
    let key: ApiKey = word("shop:app:").parse().unwrap();
    assert_eq!((key.name.as_str(), key.role), ("shop", Role::App));
    assert_eq!(play::KeyRing::new(vec![key]).unwrap().find(word("mbk_")).unwrap().name, "shop");
    for (name, role, fragment) in [("my shop", "app", "name must have"), ("shop", "owner", "possible values")]
    {
        let (code, stdout, stderr) = run(&["key", "new", "--name", name, "--role", role]);
        assert_eq!((code, stdout.as_str()), (2, ""));
        assert!(stderr.contains(fragment), "{stderr}");
    }
}

#[tokio::test]
async fn the_environment_accepts_several_keys() {
    let ((shop, first), (_, second)) = (new_key("shop", "app"), new_key("shop", "app"));
    let storage = Storage::here(Backend::Memory).await;
    let key_file = storage.key_file();
    let mut program = matchbookd(&["--listen", "127.0.0.1:0", "--database", "memory:", "--key-file"]);
    program.arg(key_file).env("MATCHBOOK_API_KEYS", format!("{first}\n{second},\n"));
    let process = Process::of(program);
    let mut matches = Client::of(&process.address).await.matches;
    matches.create_match(sent(create(), Some(&shop))).await.unwrap();
    refused(matches.create_match(create()).await).is("MISSING_KEY", Code::Unauthenticated, "API key");
}

#[tokio::test]
async fn invalid_keys_are_rejected_and_never_printed() {
    let (secret, line) = new_key("shop", "app");
    let storage = Storage::here(Backend::Memory).await;
    let file = storage.key_file().with_file_name("keys");
    fs::write(&file, "# nothing\nshop:app\n").unwrap();
    let (file, leaked) = (file.to_str().unwrap(), format!("shop:app:{secret}"));
    let admin = line.replace(":app:", ":admin:");
    for (arguments, fragment) in [
        (vec!["--api-key", &secret], "NAME:ROLE:HASH"),
        (vec!["--api-key", &leaked], "make another"),
        (vec!["--api-key", &line, "--api-key", "shop:boss:00"], "key 2"),
        (vec!["--api-key", &line, "--api-key", &line], "the same"),
        (vec!["--api-key", &line, "--api-key", &admin], "different roles"),
        (vec!["--api-keys-file", file], "line 2"),
        (vec!["--api-keys-file", "/no/such/file"], "cannot read the file"),
    ] {
        let start = ["serve", "--listen", "127.0.0.1:0", "--database", "memory:", "--key-file", "/no/key"];
        let (code, stdout, stderr) = run(&[&start[..], &arguments].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(fragment), "{stderr}");
        assert!(!stderr.contains(&secret), "{stderr}");
    }
}

#[tokio::test]
async fn keys_require_tls_on_non_loopback_addresses() {
    let (_, line) = new_key("shop", "app");
    let storage = Storage::here(Backend::Memory).await;
    let start = ["serve", "--listen", "0.0.0.0:0", "--database", "memory:", "--key-file", "/no/key"];
    for more in [&["--api-key", &line][..], &["--api-key", &line, "--allow-open"]] {
        let (code, _, stderr) = run(&[&start, more].concat());
        assert_eq!(code, 2);
        assert!(stderr.contains("--allow-plaintext") && stderr.contains("--tls-cert"), "{stderr}");
    }
    let process = Process::serve_at(&storage, "0.0.0.0:0", &["--api-key", &line, "--allow-plaintext"]);
    assert!(process.greeting.contains("1 API key; PLAINTEXT"), "{}", process.greeting);
}
