//! Mistyped commands, flags and values of `matchbookd`: refused everywhere, with the word and what is known
//! instead.

use crate::stage::run;

const MATCH: &str = "01900000-0000-7000-8000-000000000000";

/// A command, the flags that name its database, its exit code, and pieces of its error.
type Case<'a> = (&'a [&'a str], &'a [&'a str], i32, &'a [&'a str]);

#[test]
fn mistyped_words_are_refused_with_the_known_ones() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("matchbook.db").display());
    let missing = folder.path().join("matchbook.tmol").display().to_string();
    let (code, _, stderr) = run(&["migrate", "--database", &database]);
    assert_eq!(code, 0, "{stderr}");
    let on = ["--database", database.as_str()];
    let cases: &[Case<'_>] = &[
        (
            &["check-rules", "--game", "ludus-magsu"],
            &on,
            2,
            &["ludus-magsu", "did you mean ludus-magus?\n", "ace-exorcist"],
        ),
        (&["check-rules", "--match", MATCH], &on, 1, &[MATCH]),
        (&["check-rules", "--match", "0190"], &on, 2, &["'0190'", "is a UUID"]),
        (&["check-rules", "--since", "yesterday"], &on, 2, &["'yesterday'", "2026-05-01"]),
        (&["key", "rotate", "--service-name", "bad name"], &on, 2, &["--service-name", "characters"]),
        (
            &["migrate", "--grant-to", "matchbook"],
            &on,
            4,
            &["cannot grant", "only Postgres has roles", "omit --grant-to"],
        ),
        (
            &["migrate", "--shards", "2"],
            &on,
            4,
            &["cannot divide", "only Postgres can have several shards", "omit --shards"],
        ),
        (&["migrate", "--shards", "0"], &on, 2, &["'0'", "from 1 to 1024"]),
        (&["migrate", "--shards", "four"], &on, 2, &["'four'", "from 1 to 1024"]),
        (&["key", "new", "--name", "shop", "--role", "ap"], &[], 2, &["'ap'", "'app'"]),
        (&["key", "new", "--name", "the shop", "--role", "app"], &[], 2, &["name", "characters"]),
        (&["key", "rotaet"], &[], 2, &["'rotaet'", "'rotate'"]),
        (&["check-ruls"], &[], 2, &["'check-ruls'", "'check-rules'"]),
        (&["healthcheck", "--liv"], &[], 2, &["'--liv'", "'--live'"]),
        (&["completions", "bsh"], &[], 2, &["'bsh'", "'bash'"]),
        (&["--metrics", "opn"], &[], 2, &["'opn'", "'open'"]),
        (&["--migrations", "requre"], &[], 2, &["'requre'", "'require'"]),
        (&["--print-config=tmol"], &[], 2, &["'tmol'", "'toml'"]),
        (&["--database", "postgre://db"], &[], 2, &["--database", "postgres://"]),
        (&["--config", &missing], &[], 2, &[&missing]),
    ];
    for (arguments, more, code, pieces) in cases {
        let arguments = [*arguments, *more].concat();
        let (actual, stdout, stderr) = run(&arguments);
        assert_eq!(actual, *code, "{arguments:?}: {stdout}{stderr}");
        for piece in *pieces {
            assert!(stderr.contains(piece), "{arguments:?} lacks {piece}: {stderr}");
        }
    }
}
