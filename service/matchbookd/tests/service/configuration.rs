//! Settings from flags, the environment and a file: which of them counts, what is refused, and what is shown of it.

use std::fs;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::stage::{Backend, Process, Storage, matchbookd, run};

/// A folder with a configuration file.
struct Written {
    folder: TempDir,
}

impl Written {
    fn new(text: &str) -> Self {
        let written = Self { folder: tempfile::tempdir().unwrap() };
        fs::write(written.path(), text).unwrap();
        written
    }

    fn path(&self) -> String {
        self.folder.path().join("matchbook.toml").display().to_string()
    }

    /// The complaint that a start with this file ends with.
    fn refused(&self) -> String {
        let (code, said, complaint) = run(&["serve", "--config", &self.path()]);
        assert_eq!((code, said.as_str()), (2, ""), "{complaint}");
        assert!(complaint.contains(&self.path()), "{complaint}");
        complaint
    }
}

/// What --print-config=json says with these flags and variables.
fn effective(flags: &[&str], variables: &[(&str, &str)]) -> Value {
    let mut program = matchbookd(&[&["serve", "--print-config=json"], flags].concat());
    let Output { status, stdout, stderr } = program.envs(variables.iter().copied()).output().unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).unwrap()
}

fn told(shown: &Value, name: &str) -> (String, String) {
    let entry = &shown[name];
    (entry["value"].to_string(), entry["from"].as_str().unwrap().to_owned())
}

#[test]
fn a_flag_goes_before_the_environment_and_that_before_the_file() {
    let file = Written::new("max-calls = 11\nmax-watches = 12\nheartbeat-ms = 13\nallow-open = true\n");
    let config = file.path();
    let variables = [
        ("MATCHBOOK_CONFIG", config.as_str()),
        ("MATCHBOOK_MAX_CALLS", "21"),
        ("MATCHBOOK_MAX_WATCHES", "22"),
        ("MATCHBOOK_ALLOW_OPEN", "false"),
    ];
    let shown = effective(&["--max-calls", "31"], &variables);
    let expect = |name: &str, value: &str, from: &str| {
        assert_eq!(told(&shown, name), (value.to_owned(), from.to_owned()), "{name}");
    };
    expect("max-calls", "31", "flag");
    expect("max-watches", "22", "environment");
    expect("heartbeat-ms", "13", "file");
    expect("max-connections", "16384", "default");
    expect("allow-open", "false", "environment");
    // The file that a flag names, without a command too.
    let (code, said, _) = run(&["--config", &config, "--print-config"]);
    assert_eq!(code, 0);
    assert!(
        said.contains("max-calls = 11  # file\n") && said.contains("allow-open = true  # file\n"),
        "{said}"
    );
}

#[test]
fn what_is_printed_is_a_file_that_says_the_same() {
    let flags =
        ["--trusted-proxies", "10.0.0.0/8,fd00::/8", "--service-name", "play.example", "--drain-ms", "5"];
    let (code, printed, _) = run(&[&["serve", "--print-config"], &flags[..]].concat());
    assert_eq!(code, 0);
    let file = Written::new(&printed);
    let (code, again, _) = run(&["serve", "--print-config", "--config", &file.path()]);
    assert_eq!(code, 0);
    let values = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split("  # ").next().unwrap().to_owned()).collect()
    };
    assert_eq!(values(&again), values(&printed));
    assert!(again.contains("trusted-proxies = [\"10.0.0.0/8\", \"fd00::/8\"]  # file"), "{again}");
}

#[test]
fn no_secret_is_printed() {
    let (code, made, _) = run(&["key", "new", "--name", "shop", "--role", "app", "--json"]);
    assert_eq!(code, 0);
    let made: Value = serde_json::from_str(&made).unwrap();
    let (secret, line) = (made["key"].as_str().unwrap(), made["config"].as_str().unwrap());
    let hash = line.rsplit(':').next().unwrap();
    let url = "postgres://ann:s3cret@db.example/games";
    let file = Written::new(&format!("database = \"{url}\"\napi-key = [\"{line}\"]\n"));
    let path = file.path();
    for format in ["--print-config", "--print-config=json"] {
        let (code, said, _) = run(&["serve", format, "--config", &path]);
        assert_eq!(code, 0);
        assert!(said.contains("postgres://ann@db.example/games") && said.contains("shop:app:***"), "{said}");
        assert!(!said.contains("s3cret") && !said.contains(hash) && !said.contains(secret), "{said}");
    }
    // The help tells defaults, and the file's values are the defaults.
    let (_, said, _) = run(&["serve", "--config", &path, "--help"]);
    assert!(!said.contains("s3cret") && !said.contains(hash), "{said}");
    // Used as it is, it does not open the service to everybody.
    let (_, printed, _) = run(&["serve", "--print-config", "--config", &path]);
    let complaint = {
        let printed = Written::new(&printed);
        let (code, _, complaint) = run(&["serve", "--config", &printed.path()]);
        assert_eq!(code, 2);
        complaint
    };
    assert!(complaint.contains("key 1"), "{complaint}");
}

#[test]
fn what_is_wrong_is_told_with_file_key_and_what_is_allowed() {
    for (text, pieces) in [
        ("lisen = \"127.0.0.1:0\"", &["unknown setting `lisen`", "listen, database"][..]),
        ("print-config = \"toml\"", &["unknown setting `print-config`"]),
        ("[access]\nallow-open = true", &["unknown setting `access`"]),
        ("listen = 7420", &["listen must be a string, not an integer"]),
        ("max-calls = \"many\"", &["max-calls must be an integer, not a string"]),
        ("max-calls = 0", &["max-calls", "0 is not in 1.."]),
        ("clock-grace-ms = 60001", &["clock-grace-ms", "0..=60000"]),
        ("allow-open = \"yes\"", &["allow-open must be true or false, not a string"]),
        ("log-format = \"yaml\"", &["log-format", "[possible values: text, json]"]),
        ("api-key = [7]", &["api-key must be a list of strings"]),
        ("trusted-proxies = [\"10.0.0.0/40\"]", &["trusted-proxies", "10.0.0.0/8 or fd00::/8"]),
        ("\n\ndatabase = \"postgres://ann:s3cret@db", &["line 3 is not valid TOML"]),
        ("listen = \"a\"\nlisten = \"b\"", &["line 2 is not valid TOML"]),
    ] {
        let complaint = Written::new(text).refused();
        for piece in pieces {
            assert!(complaint.contains(piece), "{text}: {complaint}");
        }
        assert!(!complaint.contains("s3cret"), "{complaint}");
    }
    let missing = Written::new("");
    fs::remove_file(missing.path()).unwrap();
    assert!(missing.refused().contains("cannot read the file"));
    // What the settings mean together is told as without a file.
    for (text, piece) in
        [("tls-cert = \"cert.pem\"", "requires --tls-key"), ("database = \"mysql://x\"", "sqlite://")]
    {
        let (code, said, complaint) = run(&["--print-config", "--config", &Written::new(text).path()]);
        assert_eq!((code, said.as_str()), (2, ""));
        assert!(complaint.contains(piece), "{complaint}");
    }
}

#[tokio::test]
async fn every_command_finds_what_concerns_it_in_the_file() {
    let storage = Storage::here(Backend::Sqlite).await;
    let key_file = storage.key_file();
    let text = |listen: &str| {
        let (database, key_file) = (storage.url(), key_file.display());
        format!(
            "listen = \"{listen}\"\ndatabase = \"{database}\"\nkey-file = \"{key_file}\"\nmigrations = \"require\"\n"
        )
    };
    let file = Written::new(&text("127.0.0.1:0"));
    let path = file.path();
    let (code, _, complaint) = run(&["--config", &path]);
    assert_eq!(code, 4, "not migrated: {complaint}");
    assert_eq!(run(&["migrate", "--config", &path]).0, 0);
    let process = Process::of(matchbookd(&["serve", "--config", &path]));
    fs::write(&path, text(&process.address)).unwrap();
    let (code, said, _) = run(&["healthcheck", "--config", &path]);
    assert_eq!((code, said), (0, format!("serving at {}\n", process.address)));
    assert_eq!(run(&["check-rules", "--config", &path]).0, 0);
    assert_eq!(process.terminate().0, Some(0));
    assert_eq!(run(&["key", "rotate", "--config", &path]).0, 0);
    // A command that has no settings asks for no file.
    let mut program = matchbookd(&["key", "new", "--name", "shop", "--role", "app"]);
    assert!(program.env("MATCHBOOK_CONFIG", "/no/such/file").output().unwrap().status.success());
}

#[test]
fn the_database_s_two_flags_are_one_setting() {
    let file = Written::new("");
    let url_file = file.folder.path().join("url");
    fs::write(&url_file, "postgres://ann:s3cret@db.example/games\n").unwrap();
    let named = format!("database-url-file = \"{}\"\n", url_file.display());
    fs::write(file.path(), &named).unwrap();
    let config = file.path();
    let shown = effective(&["--config", &config], &[]);
    assert_eq!(
        (shown["database"]["value"].as_str(), told(&shown, "database-url-file").1.as_str()),
        (None, "file")
    );
    // The other way to name it goes before the file's.
    let shown = effective(&["--config", &config, "--database", "memory:"], &[]);
    assert_eq!(told(&shown, "database"), ("\"memory:\"".to_owned(), "flag".to_owned()));
    assert!(shown["database-url-file"]["value"].is_null(), "{shown}");
    let both = Written::new(&format!("{named}database = \"memory:\"\n"));
    assert!(both.refused().contains("mutually exclusive"));
}
