//! The command `matches`.

use crate::service::Service;

#[test]
fn matches_are_found_by_their_properties() {
    let service = Service::start();
    assert_eq!(service.ok(&["matches"]), "No matches found.\n");
    let created = service.json(&["new", "ludus-magus", "--visibility", "unlisted"]);
    let unlisted = created[0]["match"]["matchId"].as_str().unwrap().to_owned();
    let running = service.started_match(&[]);
    let over = service.started_match(&[]);
    service.ok(&["resign", &over, "--seat", "0"]);

    let all = service.ok(&["matches"]);
    let lines: Vec<&str> = all.lines().collect();
    assert!(lines[0].starts_with("MATCH ") && lines[0].contains("CREATED (UTC)"), "{all}");
    // Newest first.
    assert!(
        lines[1].starts_with(&over) && lines[1].ends_with("Angels Gabriel, Demons Lilith won (resignation)")
    );
    assert!(lines[2].starts_with(&running) && lines[2].contains("  running  "), "{all}");
    assert!(lines.len() == 3 && !all.contains(&unlisted), "{all}");

    let found = |filters: &[&str]| {
        let lines = service.json(&[&["matches"], filters].concat());
        lines[0]["matches"].as_array().unwrap().len()
    };
    assert_eq!(found(&["--status", "running"]), 1);
    assert_eq!(found(&["--game", "ludus-magus"]), 0);
    assert_eq!(found(&["--player", "Lilith", "--since", "1h"]), 2);
    assert_eq!(found(&["--player", "lilith"]), 0);
    assert_eq!(found(&["--before", "2020-01-01"]), 0);
}

#[test]
fn matches_are_listed_by_their_ids() {
    let service = Service::start();
    let ids: Vec<String> = (0..3).map(|_| service.started_match(&[])).collect();
    let [first, second, _] = &ids[..] else { panic!("three matches") };
    let listed = service.ok(&["matches", second, first]);
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines.len() == 3 && lines[1].starts_with(second) && lines[2].starts_with(first), "{listed}");
    let listed = service.json(&["matches", first]);
    assert_eq!(listed[0]["matches"][0]["matchId"], **first);
    let unknown = "01a20442-b915-7566-87fc-c551db5e4d34";
    let refused = service.run(&["matches", first, unknown]);
    assert!(refused.code == 1 && refused.stderr.contains(unknown), "{}", refused.stderr);
    for wrong in [&["nonsense"][..], &[first, "--mine"], &[first, "--all"]] {
        assert_eq!(service.run(&[&["matches"], wrong].concat()).code, 2, "{wrong:?}");
    }
}

#[test]
fn a_list_continues_page_by_page() {
    let service = Service::start();
    for _ in 0..5 {
        service.ok(&["new", "ludus-magus"]);
    }
    let first = service.ok(&["matches", "--limit", "3"]);
    assert_eq!(first.lines().count(), 5, "{first}");
    let page = first.lines().last().unwrap().rsplit(' ').next().unwrap();
    let rest = service.ok(&["matches", "--page", page]);
    assert_eq!(rest.lines().count(), 3, "{rest}");
    assert!(first.lines().skip(1).take(3).all(|line| !rest.contains(line)), "{first}{rest}");
    assert_eq!(service.ok(&["matches", "--all"]).lines().count(), 6);
}

#[test]
fn invalid_filters_are_reported() {
    let service = Service::start();
    for arguments in [&["--status", "lost"][..], &["--since", "yesterday"], &["--limit", "0"]] {
        assert_eq!(service.run(&[&["matches"], arguments].concat()).code, 2, "{arguments:?}");
    }
    let poker = service.run(&["matches", "--game", "poker"]);
    assert!(poker.code == 1 && poker.stderr.contains("UNKNOWN_GAME"), "{}", poker.stderr);
    let page = service.run(&["matches", "--page", "nonsense"]);
    assert!(page.code == 1 && page.stderr.contains("field page_token"), "{}", page.stderr);
}
