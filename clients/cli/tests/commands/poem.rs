//! The poem of Sticky Cresnovian Chess: the board shows its end, `show --poem` prints it whole.

use crate::service::Service;

/// Returns a match in which each of these turns wrote nine words, numbered from 0.
fn written(service: &Service, turns: usize) -> String {
    let created = service.json(&["new", "cresnovian-chess"]);
    let id = created[0]["match"]["matchId"].as_str().expect("a match has an id").to_owned();
    service.ok(&["claim", &id, "0", "--name", "Zules"]);
    service.ok(&["claim", &id, "1", "--name", "Dzuna"]);
    let place = "place ess@1,1 dua@2,1 cos@3,1 vel@3,4 rad@3,5 cor@3,6 inn@1,9 cap@2,9 cog@3,9";
    service.ok(&["move", &id, place, "--seat", "0"]);
    service.ok(&["move", &id, "left", "--seat", "1"]);
    for turn in 0..turns {
        let words: Vec<String> = (9 * turn..9 * turn + 9).map(|nth| format!("w{nth}")).collect();
        let document = format!("document {}", words.join(" "));
        service.ok(&["move", &id, &document, "--seat", if turn % 2 == 0 { "1" } else { "0" }]);
    }
    id
}

#[test]
fn the_board_shows_the_end_of_the_poem_and_the_whole_is_rebuilt_from_events() {
    let service = Service::start();
    let id = written(&service, 22);
    let board = service.ok(&["show", &id]);
    assert!(
        board.contains("Communal poem, 198 words\n  ...\n  w144 ") && board.contains(" w197\n"),
        "{board}"
    );
    let poem = &service.json(&["show", &id])[0]["view"]["gameView"]["cresnovianChess"]["poem"];
    assert_eq!((&poem["wordCount"], &poem["lastWords"][0]), (&198.into(), &"w18".into()));
    assert_eq!(poem["lastWords"].as_array().map(Vec::len), Some(180));

    let lines = |turns: usize| -> String {
        let line = |turn: usize| (9 * turn..9 * turn + 9).map(|nth| format!("w{nth}")).collect::<Vec<_>>();
        (0..turns).map(|turn| line(turn).join(" ") + "\n").collect()
    };
    assert_eq!(service.ok(&["show", &id, "--poem"]), lines(22));
    // Four events start the match and two set it up; event 7 writes the first line.
    assert_eq!(service.ok(&["show", &id, "--poem", "--at", "8"]), lines(2));
    assert_eq!(service.json(&["show", &id, "--poem"])[0]["poem"][197], "w197");
    let later = service.run(&["show", &id, "--poem", "--at", "900"]);
    assert!(later.code == 2 && later.stderr.contains("no event 900"), "{}", later.stderr);
}

#[test]
fn a_forks_poem_begins_with_its_parents() {
    let service = Service::start();
    let id = written(&service, 2);
    let forked = service.json(&["fork", &id, "--at", "7"]);
    let fork = forked[0]["match"]["matchId"].as_str().expect("a fork has an id");
    service.ok(&["claim", fork, "0", "--name", "Zules"]);
    service.ok(&["claim", fork, "1", "--name", "Dzuna"]);
    assert_eq!(service.ok(&["show", fork, "--poem"]), "w0 w1 w2 w3 w4 w5 w6 w7 w8\n");
}

#[test]
fn other_games_have_no_poem() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let refused = service.run(&["show", &id, "--poem"]);
    assert!(refused.code == 2 && refused.stderr.contains("poem"), "{}", refused.stderr);
}
