//! API keys as an operator makes and configures them, and what the program says when they are wrong.

use std::fs;

use play::{ApiKey, Role};
use tonic::Code;
use wire::v1;

use crate::stage::{Backend, Client, GAME, Process, Storage, matchbookd, refused, run, sent};

fn create() -> v1::CreateMatchRequest {
    v1::CreateMatchRequest { game: GAME.to_owned(), ..Default::default() }
}

/// A key as `matchbookd key new` makes it: the secret, and the line of the configuration.
fn new_key(name: &str, role: &str) -> (String, String) {
    let (code, said, complaint) = run(&["key", "new", "--name", name, "--role", role, "--json"]);
    assert_eq!(code, 0, "{complaint}");
    let made: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((made["name"].as_str(), made["role"].as_str()), (Some(name), Some(role)));
    let text = |field: &str| made[field].as_str().unwrap().to_owned();
    (text("key"), text("config"))
}

#[tokio::test]
async fn a_key_is_made_configured_and_used() {
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
    let needed = refused(matches.create_match(create()).await);
    needed.is("missing_key", Code::Unauthenticated, "API key");
    let needed = refused(matches.create_match(sent(create(), Some(&auditor))).await);
    needed.is("missing_key", Code::Unauthenticated, "role app or admin");
    let unknown = refused(matches.create_match(sent(create(), Some(&stranger))).await);
    unknown.is("bad_token", Code::Unauthenticated, "API key");

    let (code, log) = process.terminate();
    assert_eq!(code, Some(0));
    assert!(log.iter().any(|line| line.contains("missing_key")), "the calls are in the log");
    for secret in [&shop, &auditor, &stranger, &shop_line, &auditor_line] {
        let secret = secret.rsplit([':', '_']).next().unwrap();
        assert!(!log.iter().any(|line| line.contains(secret)), "and no key or hash is");
    }
}

#[test]
fn a_new_key_for_people() {
    let (code, said, _) = run(&["key", "new", "--name", "shop", "--role", "app"]);
    assert_eq!(code, 0);
    let word = |start: &str| {
        let found = said.split_whitespace().find(|word| word.starts_with(start));
        found.unwrap_or_else(|| panic!("no {start} in {said}"))
    };
    let key: ApiKey = word("shop:app:").parse().unwrap();
    assert_eq!((key.name.as_str(), key.role), ("shop", Role::App));
    assert_eq!(play::KeyRing::new(vec![key]).unwrap().find(word("mbk_")).unwrap().name, "shop");
    for (name, role, piece) in [("my shop", "app", "name must have"), ("shop", "owner", "possible values")] {
        let (code, said, complaint) = run(&["key", "new", "--name", name, "--role", role]);
        assert_eq!((code, said.as_str()), (2, ""));
        assert!(complaint.contains(piece), "{complaint}");
    }
}

#[tokio::test]
async fn the_environment_takes_several() {
    let ((shop, first), (_, second)) = (new_key("shop", "app"), new_key("shop", "app"));
    let storage = Storage::here(Backend::Memory).await;
    let key_file = storage.key_file();
    let mut program = matchbookd(&["--listen", "127.0.0.1:0", "--database", "memory:", "--key-file"]);
    program.arg(key_file).env("MATCHBOOK_API_KEYS", format!("{first}\n{second},\n"));
    let process = Process::of(program);
    let mut matches = Client::of(&process.address).await.matches;
    matches.create_match(sent(create(), Some(&shop))).await.unwrap();
    refused(matches.create_match(create()).await).is("missing_key", Code::Unauthenticated, "API key");
}

#[tokio::test]
async fn keys_that_are_wrong() {
    let (secret, line) = new_key("shop", "app");
    let storage = Storage::here(Backend::Memory).await;
    let file = storage.key_file().with_file_name("keys");
    fs::write(&file, "# nothing\nshop:app\n").unwrap();
    let (file, leaked) = (file.to_str().unwrap(), format!("shop:app:{secret}"));
    let admin = line.replace(":app:", ":admin:");
    for (arguments, piece) in [
        (vec!["--api-key", &secret], "NAME:ROLE:HASH"),
        (vec!["--api-key", &leaked], "make another"),
        (vec!["--api-key", &line, "--api-key", "shop:boss:00"], "key 2"),
        (vec!["--api-key", &line, "--api-key", &line], "the same"),
        (vec!["--api-key", &line, "--api-key", &admin], "different roles"),
        (vec!["--api-keys-file", file], "line 2"),
        (vec!["--api-keys-file", "/no/such/file"], "cannot read the file"),
    ] {
        let start = ["serve", "--listen", "127.0.0.1:0", "--database", "memory:", "--key-file", "/no/key"];
        let (code, said, complaint) = run(&[&start[..], &arguments].concat());
        assert_eq!((code, said.as_str()), (2, ""), "{complaint}");
        assert!(complaint.contains(piece), "{complaint}");
        assert!(!complaint.contains(&secret), "{complaint}");
    }
}

#[tokio::test]
async fn keys_need_tls_where_others_can_listen() {
    let (_, line) = new_key("shop", "app");
    let storage = Storage::here(Backend::Memory).await;
    let start = ["serve", "--listen", "0.0.0.0:0", "--database", "memory:", "--key-file", "/no/key"];
    for more in [&["--api-key", &line][..], &["--api-key", &line, "--allow-open"]] {
        let (code, _, complaint) = run(&[&start, more].concat());
        assert_eq!(code, 2);
        assert!(complaint.contains("--allow-plaintext") && complaint.contains("--tls-cert"), "{complaint}");
    }
    let process = Process::serve_at(&storage, "0.0.0.0:0", &["--api-key", &line, "--allow-plaintext"]);
    assert!(process.greeting.contains("1 API key; PLAINTEXT"), "{}", process.greeting);
}
