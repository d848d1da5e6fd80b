//! A webhook gets nothing that its owner may not see, and its secret is stored nowhere.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::shop::{Shop, create, lenient, make_move, start_match};
use crate::stage::{Backend, Receiver, Storage};

#[tokio::test]
async fn a_secret_choice_arrives_with_the_reveal_and_other_apps_matches_never() {
    let shop = Shop::open(lenient()).await;
    let (http, receiver) = (&shop.http, Receiver::start());
    create(http, &shop.keys.shop, &receiver, "/").await;
    let (hidden, _) = start_match(http, &shop.keys.rival).await;
    let (id, tokens) = start_match(http, &shop.keys.shop).await;
    make_move(http, &id, &tokens[0], "1,1").await;
    let received = receiver.wait("the choice", |all| all.iter().any(|one| one.seq() == 5)).await;
    let sealed = received.iter().find(|one| one.seq() == 5).unwrap().json()["data"]["event"].clone();
    assert_eq!(sealed["moveSealed"]["move"], Value::Null);
    assert_eq!(sealed["moveSealed"]["notation"], "");
    make_move(http, &id, &tokens[1], "3,3").await;
    let received = receiver.wait("the reveal", |all| all.iter().any(|one| one.seq() == 7)).await;
    let revealed = received.iter().find(|one| one.seq() == 7).unwrap().json();
    assert_eq!(revealed["data"]["event"]["turnRevealed"]["moves"].as_array().unwrap().len(), 2);
    let hidden = hidden.as_bytes();
    assert!(!received.iter().any(|one| one.body.windows(hidden.len()).any(|window| window == hidden)));
    let tokens = tokens.map(String::into_bytes);
    for one in &received {
        assert!(!tokens.iter().any(|token| one.body.windows(token.len()).any(|window| window == token)));
    }
    shop.close().await;
}

#[tokio::test]
async fn the_database_does_not_hold_the_secret() {
    let storage = Storage::here(Backend::Sqlite).await;
    let shop = Shop::on(&storage, lenient()).await;
    let receiver = Receiver::start();
    let hook = create(&shop.http, &shop.keys.shop, &receiver, "/planted-path").await;
    start_match(&shop.http, &shop.keys.shop).await;
    receiver.wait_for(4).await;
    shop.close().await;
    let path = storage.url().strip_prefix("sqlite://").unwrap();
    let stored = std::fs::read(path).unwrap();
    let holds = |bytes: &[u8]| stored.windows(bytes.len()).any(|window| window == bytes);
    assert!(holds(b"/planted-path"), "the file was read before it was complete");
    let encoded = hook.secret.strip_prefix("whsec_").unwrap();
    assert!(!holds(encoded.as_bytes()) && !holds(&STANDARD.decode(encoded).unwrap()));
}
