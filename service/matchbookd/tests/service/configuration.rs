//! Settings from flags, the environment and a file: precedence, validation, and what `--print-config` shows.

use std::fs;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::stage::{Backend, Process, Storage, matchbookd, run};

/// A configuration file in a temporary folder.
struct ConfigFile {
    folder: TempDir,
}

impl ConfigFile {
    fn new(text: &str) -> Self {
        let file = Self { folder: tempfile::tempdir().unwrap() };
        fs::write(file.path(), text).unwrap();
        file
    }

    fn path(&self) -> String {
        self.folder.path().join("matchbook.toml").display().to_string()
    }

    /// Asserts that a start with this file fails, and returns what it prints to stderr.
    fn rejected(&self) -> String {
        let (code, stdout, stderr) = run(&["serve", "--config", &self.path()]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(&self.path()), "{stderr}");
        stderr
    }
}

/// Returns the settings that `--print-config=json` shows with these flags and variables.
fn effective(flags: &[&str], variables: &[(&str, &str)]) -> Value {
    let mut program = matchbookd(&[&["serve", "--print-config=json"], flags].concat());
    let Output { status, stdout, stderr } = program.envs(variables.iter().copied()).output().unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).unwrap()
}

/// Returns the value of a setting as JSON, and its source.
fn value_and_source(shown: &Value, name: &str) -> (String, String) {
    let entry = &shown[name];
    (entry["value"].to_string(), entry["from"].as_str().unwrap().to_owned())
}

#[test]
fn a_flag_overrides_the_environment_which_overrides_the_file() {
    let file = ConfigFile::new("max-calls = 11\nmax-watches = 12\nheartbeat = \"13ms\"\nallow-open = true\n");
    let config = file.path();
    let variables = [
        ("MATCHBOOK_CONFIG", config.as_str()),
        ("MATCHBOOK_MAX_CALLS", "21"),
        ("MATCHBOOK_MAX_WATCHES", "22"),
        ("MATCHBOOK_ALLOW_OPEN", "false"),
    ];
    let shown = effective(&["--max-calls", "31"], &variables);
    let expect = |name: &str, value: &str, from: &str| {
        assert_eq!(value_and_source(&shown, name), (value.to_owned(), from.to_owned()), "{name}");
    };
    expect("max-calls", "31", "flag");
    expect("max-watches", "22", "environment");
    expect("heartbeat", "\"13ms\"", "file");
    expect("max-connections", "16384", "default");
    expect("allow-open", "false", "environment");
    // The flag also works without a command.
    let (code, stdout, _) = run(&["--config", &config, "--print-config"]);
    assert_eq!(code, 0);
    assert!(
        stdout.contains("max-calls = 11  # file\n") && stdout.contains("allow-open = true  # file\n"),
        "{stdout}"
    );
}

#[test]
fn the_printed_configuration_is_a_file_with_the_same_settings() {
    let flags =
        ["--trusted-proxies", "10.0.0.0/8,fd00::/8", "--service-name", "play.example", "--drain", "5ms"];
    let (code, printed, _) = run(&[&["serve", "--print-config"], &flags[..]].concat());
    assert_eq!(code, 0);
    let file = ConfigFile::new(&printed);
    let (code, reprinted, _) = run(&["serve", "--print-config", "--config", &file.path()]);
    assert_eq!(code, 0);
    let values = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split("  # ").next().unwrap().to_owned()).collect()
    };
    assert_eq!(values(&reprinted), values(&printed));
    assert!(reprinted.contains("trusted-proxies = [\"10.0.0.0/8\", \"fd00::/8\"]  # file"), "{reprinted}");
}

#[test]
fn secrets_are_never_printed() {
    let (code, created, _) = run(&["key", "new", "--name", "shop", "--role", "app", "--json"]);
    assert_eq!(code, 0);
    let created: Value = serde_json::from_str(&created).unwrap();
    let (secret, line) = (created["key"].as_str().unwrap(), created["config"].as_str().unwrap());
    let hash = line.rsplit(':').next().unwrap();
    let url = "postgres://ann:s3cret@db.example/games";
    let file = ConfigFile::new(&format!("database = \"{url}\"\napi-key = [\"{line}\"]\n"));
    let path = file.path();
    for format in ["--print-config", "--print-config=json"] {
        let (code, stdout, _) = run(&["serve", format, "--config", &path]);
        assert_eq!(code, 0);
        assert!(
            stdout.contains("postgres://ann@db.example/games") && stdout.contains("shop:app:***"),
            "{stdout}"
        );
        assert!(!stdout.contains("s3cret") && !stdout.contains(hash) && !stdout.contains(secret), "{stdout}");
    }
    // The help shows the defaults, which are the values of the file.
    let (_, stdout, _) = run(&["serve", "--config", &path, "--help"]);
    assert!(!stdout.contains("s3cret") && !stdout.contains(hash), "{stdout}");
    // Used unchanged, the printed file does not open the service to everyone.
    let (_, printed, _) = run(&["serve", "--print-config", "--config", &path]);
    let stderr = {
        let printed = ConfigFile::new(&printed);
        let (code, _, stderr) = run(&["serve", "--config", &printed.path()]);
        assert_eq!(code, 2);
        stderr
    };
    assert!(stderr.contains("key 1"), "{stderr}");
}

#[test]
fn errors_name_the_file_the_key_and_the_allowed_values() {
    for (text, fragments) in [
        (
            "lisen = \"127.0.0.1:0\"",
            &["unknown setting `lisen`", "listen, health-listen", "did you mean `listen`?"][..],
        ),
        ("print-config = \"toml\"", &["unknown setting `print-config`"]),
        ("[access]\nallow-open = true", &["unknown setting `access`"]),
        ("listen = 7420", &["listen must be a string, not an integer"]),
        ("max-calls = \"many\"", &["max-calls must be an integer, not a string"]),
        ("max-calls = 0", &["max-calls", "0 is not in 1.."]),
        ("clock-grace = \"61s\"", &["clock-grace", "must be from 0s to 1m"]),
        ("drain = 5", &["drain must be a duration such as \"5s\", not an integer"]),
        ("drain = \"5000\"", &["drain", "5000ms or 5000s"]),
        ("allow-open = \"yes\"", &["allow-open must be true or false, not a string"]),
        ("log-format = \"yaml\"", &["log-format", "[possible values: text, json]"]),
        ("api-key = [7]", &["api-key must be a list of strings"]),
        ("trusted-proxies = [\"10.0.0.0/40\"]", &["trusted-proxies", "10.0.0.0/8 or fd00::/8"]),
        ("\n\ndatabase = \"postgres://ann:s3cret@db", &["line 3 is not valid TOML"]),
        ("listen = 127.0.0.1:7420", &["line 1 is not valid TOML", "strings need quotes"]),
        ("listen = \"a\"\nlisten = \"b\"", &["line 2 is not valid TOML"]),
    ] {
        let stderr = ConfigFile::new(text).rejected();
        for fragment in fragments {
            assert!(stderr.contains(fragment), "{text}: {stderr}");
        }
        assert!(!stderr.contains("s3cret"), "{stderr}");
    }
    let missing = ConfigFile::new("");
    fs::remove_file(missing.path()).unwrap();
    assert!(missing.rejected().contains("cannot read the file"));
    // Conflicts between settings are reported as they are without a file.
    for (text, fragment) in
        [("tls-cert = \"cert.pem\"", "requires --tls-key"), ("database = \"mysql://x\"", "sqlite://")]
    {
        let (code, stdout, stderr) = run(&["--print-config", "--config", &ConfigFile::new(text).path()]);
        assert_eq!((code, stdout.as_str()), (2, ""));
        assert!(stderr.contains(fragment), "{stderr}");
    }
}

/// Asserts that a start with these flags and variables fails, and returns what it prints to stderr.
fn rejected(flags: &[&str], variables: &[(&str, &str)]) -> String {
    let mut program = matchbookd(flags);
    let Output { status, stdout, stderr } = program.envs(variables.iter().copied()).output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(!status.success() && stdout.is_empty(), "{flags:?} {variables:?}: {stderr}");
    stderr
}

#[test]
fn errors_name_the_place_that_a_value_came_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x").display().to_string();
    let wrong_key_file = folder.path().display().to_string();
    for (setting, value, fragment) in [
        ("heartbeat", "soon", "must be a duration"),
        ("max-calls", "0", "0 is not in 1.."),
        ("migrations", "maybe", "[possible values: apply, require]"),
        ("allow-open", "perhaps", "true or false"),
        ("log", "no=such=filter", "no=such=filter"),
        ("listen", "nonsense", "HOST:PORT"),
        ("listen", "0.0.0.0:0", "--allow-open"),
        ("health-listen", "nonsense", "HOST:PORT"),
        ("database", "mysql://ann:s3cret@db", "postgres://"),
        ("database-url-file", &path, "cannot be read"),
        ("read-database", "mysql://ann:s3cret@db", "postgres://"),
        ("key-file", &wrong_key_file, "32"),
        ("api-key", "s3cret", "NAME:ROLE:HASH"),
        ("api-keys-file", &path, "No such file"),
        ("service-name", "two words", "1 to 64"),
        ("retired-keys-file", &path, "No such file"),
        ("tls-cert", &path, "--tls-key"),
        ("tls-key", &path, "--tls-cert"),
    ] {
        let variable = match setting {
            "database" => "MATCHBOOK_DATABASE_URL".to_owned(),
            "read-database" => "MATCHBOOK_READ_DATABASE_URL".to_owned(),
            "api-key" => "MATCHBOOK_API_KEYS".to_owned(),
            other => format!("MATCHBOOK_{}", other.replace('-', "_").to_uppercase()),
        };
        let names_database = ["database", "database-url-file"].contains(&setting);
        let memory: &[&str] = if names_database { &[] } else { &["--database", "memory:"] };
        let listen: &[&str] = if setting == "listen" { &[] } else { &["--listen", "127.0.0.1:0"] };
        let flags = [memory, listen].concat();
        let by_variable = rejected(&flags, &[(&variable, value)]);
        assert!(
            by_variable.contains(&variable) && by_variable.contains(fragment),
            "{setting}: {by_variable}"
        );
        // What can be done about it may name flags.
        let problem = by_variable.split(';').next().unwrap();
        assert!(!problem.contains(&format!("--{setting}")), "no flag was given: {by_variable}");
        if setting != "allow-open" {
            let flag = format!("--{setting}={value}");
            let by_flag = rejected(&[&flags[..], &[&flag]].concat(), &[(&variable, "ignored")]);
            assert!(by_flag.contains(&format!("--{setting}")), "{by_flag}");
            assert!(by_flag.contains(fragment) && !by_flag.contains(&variable), "{by_flag}");
        }
        let quoted = if setting == "max-calls" { value.to_owned() } else { format!("\"{value}\"") };
        let file = ConfigFile::new(&format!("{setting} = {quoted}\n"));
        let by_file = rejected(&[&flags[..], &["--config", &file.path()]].concat(), &[]);
        let place = format!("{}: {setting}", file.path());
        assert!(by_file.contains(&place) && !by_file.contains(&variable), "{place}: {by_file}");
        for text in [by_variable, by_file] {
            assert!(!text.contains("s3cret"), "{text}");
        }
    }
}

#[test]
fn two_variables_that_exclude_each_other_are_named_as_variables() {
    let stderr = rejected(
        &["--database", "memory:"],
        &[("MATCHBOOK_DATABASE_URL_FILE", "/nowhere"), ("MATCHBOOK_DATABASE_URL", "memory:")],
    );
    assert!(
        stderr.contains("MATCHBOOK_DATABASE_URL_FILE") && stderr.contains("--database <URL>"),
        "{stderr}"
    );
    assert!(!stderr.contains("--database-url-file"), "{stderr}");
}

#[test]
fn an_empty_switch_is_off_and_other_words_are_refused() {
    for (value, shown) in [("", "false"), ("no", "false"), ("0", "false"), ("on", "true"), ("TRUE", "true")] {
        let settings = effective(&[], &[("MATCHBOOK_ALLOW_OPEN", value)]);
        assert_eq!(value_and_source(&settings, "allow-open").0, shown, "{value}");
    }
    for switch in ["ALLOW_OPEN", "ALLOW_PLAINTEXT", "WEBHOOK_ALLOW_HTTP", "WEBHOOK_ALLOW_PRIVATE_NETWORKS"] {
        let variable = format!("MATCHBOOK_{switch}");
        let stderr = rejected(&[], &[(&variable, "disabled")]);
        assert!(stderr.contains("true or false") && stderr.contains(&variable), "{stderr}");
    }
}

#[tokio::test]
async fn every_command_reads_its_settings_from_the_file() {
    let storage = Storage::here(Backend::Sqlite).await;
    let key_file = storage.key_file();
    let text = |listen: &str| {
        let (database, key_file) = (storage.url(), key_file.display());
        format!(
            "listen = \"{listen}\"\ndatabase = \"{database}\"\n\
             key-file = \"{key_file}\"\nmigrations = \"require\"\n"
        )
    };
    let file = ConfigFile::new(&text("127.0.0.1:0"));
    let path = file.path();
    let (code, _, stderr) = run(&["--config", &path]);
    assert_eq!(code, 4, "not migrated: {stderr}");
    assert_eq!(run(&["migrate", "--config", &path]).0, 0);
    let process = Process::of(matchbookd(&["serve", "--config", &path]));
    fs::write(&path, text(&process.address)).unwrap();
    let (code, stdout, _) = run(&["healthcheck", "--config", &path]);
    assert_eq!((code, stdout), (0, format!("serving at {}\n", process.address)));
    assert_eq!(run(&["check-rules", "--config", &path]).0, 0);
    assert_eq!(process.terminate().0, Some(0));
    assert_eq!(run(&["key", "rotate", "--config", &path]).0, 0);
    // A command without settings does not read the file.
    let mut program = matchbookd(&["key", "new", "--name", "shop", "--role", "app"]);
    assert!(program.env("MATCHBOOK_CONFIG", "/no/such/file").output().unwrap().status.success());
}

#[test]
fn the_two_database_flags_are_one_setting() {
    let file = ConfigFile::new("");
    let url_file = file.folder.path().join("url");
    fs::write(&url_file, "postgres://ann:s3cret@db.example/games\n").unwrap();
    let named = format!("database-url-file = \"{}\"\n", url_file.display());
    fs::write(file.path(), &named).unwrap();
    let config = file.path();
    let shown = effective(&["--config", &config], &[]);
    assert_eq!(
        (shown["database"]["value"].as_str(), value_and_source(&shown, "database-url-file").1.as_str()),
        (None, "file")
    );
    // Either flag overrides both keys of the file.
    let shown = effective(&["--config", &config, "--database", "memory:"], &[]);
    assert_eq!(value_and_source(&shown, "database"), ("\"memory:\"".to_owned(), "flag".to_owned()));
    assert!(shown["database-url-file"]["value"].is_null(), "{shown}");
    let both = ConfigFile::new(&format!("{named}database = \"memory:\"\n"));
    assert!(both.rejected().contains("mutually exclusive"));
}
