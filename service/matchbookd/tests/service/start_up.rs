//! Start and stop of the real program, and its messages and exit codes when it cannot start.

use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;

use crate::stage::{Backend, Client, Cluster, Process, Storage, matchbookd, run};

fn serve(storage: &Storage, listen: &str, more: &[&str]) -> (i32, String, String) {
    let key_file = storage.key_file();
    let key_file = key_file.to_str().unwrap();
    let arguments = ["serve", "--listen", listen, "--database", storage.url(), "--key-file", key_file];
    run(&[&arguments, more].concat())
}

#[tokio::test]
async fn the_program_serves_until_a_signal() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &[]);
    let (code, stdout, _) = run(&["healthcheck", "--listen", &process.address]);
    assert_eq!((code, stdout), (0, format!("serving at {}\n", process.address)));
    let address = process.address.clone();
    assert_eq!(process.terminate().0, Some(0));
    let (code, _, stderr) = run(&["healthcheck", "--listen", &address]);
    assert_eq!(code, 7);
    assert!(stderr.contains("check that matchbookd is running"), "{stderr}");
}

#[tokio::test]
async fn a_new_key_is_worth_a_backup_only_if_its_database_stays() {
    for (backend, advised) in [(Backend::Memory, false), (Backend::Sqlite, true)] {
        let storage = Storage::here(backend).await;
        let key_line = Process::serve(&storage, &[]).key_line.clone();
        assert!(key_line.contains("(new"), "{key_line}");
        assert_eq!(key_line.contains("back it up"), advised, "{backend:?}: {key_line}");
        let again = Process::serve(&storage, &[]).key_line.clone();
        assert!(again.ends_with(".key"), "the file existed: {again}");
    }
}

/// A service with keys refuses a match without one.
#[tokio::test]
async fn a_service_with_keys_suggests_to_log_in_before_a_match() {
    let storage = Storage::here(Backend::Memory).await;
    let line = format!("shop:app:{}", "0".repeat(64));
    for (more, first) in [(&[][..], " new --bots 2"), (&["--api-key", &line], " login")] {
        let suggested = Process::serve(&storage, more).try_next.clone();
        let client = suggested.iter().find(|line| !line.contains("grpcurl")).unwrap();
        assert!(client.contains(first), "{suggested:?}");
        assert!(suggested.iter().any(|line| line.contains(" new --bots 2")), "{suggested:?}");
    }
}

#[tokio::test]
async fn a_second_process_on_the_same_file_is_refused() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &[]);
    let (code, stdout, stderr) = serve(&storage, "127.0.0.1:0", &[]);
    assert_eq!((code, stdout.as_str()), (4, ""));
    assert!(stderr.contains("in use by another process"), "{stderr}");
    assert!(stderr.contains("stop the other"), "{stderr}");
    process.kill();
    // A killed process leaves no lock behind.
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
}

#[tokio::test]
async fn a_key_file_of_the_wrong_length_is_refused() {
    let storage = Storage::here(Backend::Sqlite).await;
    fs::write(storage.key_file(), [1; 31]).unwrap();
    let (code, stdout, stderr) = serve(&storage, "127.0.0.1:0", &[]);
    assert_eq!((code, stdout.as_str()), (5, ""));
    assert!(stderr.contains("31 bytes"), "{stderr}");
    assert!(stderr.contains("exactly 32"), "{stderr}");
    assert_eq!(fs::read(storage.key_file()).unwrap(), [1; 31]);
}

#[tokio::test]
async fn a_key_of_another_database_is_refused() {
    let storage = Storage::here(Backend::Sqlite).await;
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
    let right = fs::read(storage.key_file()).unwrap();

    fs::write(storage.key_file(), [1; 32]).unwrap();
    let (code, _, stderr) = serve(&storage, "127.0.0.1:0", &[]);
    assert_eq!(code, 5);
    assert!(stderr.contains("is not the key of this database"), "{stderr}");

    fs::remove_file(storage.key_file()).unwrap();
    let (code, _, stderr) = serve(&storage, "127.0.0.1:0", &[]);
    assert_eq!(code, 5);
    assert!(stderr.contains("restore the file from a backup"), "{stderr}");
    assert!(!storage.key_file().exists(), "no useless key is created");

    fs::write(storage.key_file(), right).unwrap();
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
}

#[tokio::test]
async fn a_public_address_requires_allow_open() {
    let storage = Storage::here(Backend::Memory).await;
    let (code, stdout, stderr) = serve(&storage, "0.0.0.0:0", &[]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("--allow-open"), "{stderr}");
    assert!(!storage.key_file().exists(), "no key is created before the check");

    let process = Process::serve_at(&storage, "0.0.0.0:0", &["--allow-open"]);
    let (code, ..) = run(&["healthcheck", "--listen", &process.address]);
    assert_eq!(code, 0);
}

#[tokio::test]
async fn a_port_in_use_is_reported() {
    let storage = Storage::here(Backend::Memory).await;
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let (code, stdout, stderr) = serve(&storage, &taken.local_addr().unwrap().to_string(), &[]);
    assert_eq!((code, stdout.as_str()), (3, ""));
    assert!(stderr.contains("is in use"), "{stderr}");
    assert!(stderr.contains("--listen") && !stderr.contains("--health-listen"), "{stderr}");

    let health = taken.local_addr().unwrap().to_string();
    let (code, _, stderr) = serve(&storage, "127.0.0.1:0", &["--health-listen", &health]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains(&health) && stderr.contains("--health-listen"), "{stderr}");
    assert!(!stderr.contains("--listen"), "{stderr}");
}

#[tokio::test]
async fn a_wrong_command_line_is_refused() {
    let storage = Storage::here(Backend::Memory).await;
    for (listen, more, piece) in [
        ("nonsense", &[][..], "HOST:PORT"),
        ("127.0.0.1:0", &["--max-calls", "0"], "--max-calls"),
        ("127.0.0.1:0", &["--log", "no=such=filter"], "--log"),
        ("127.0.0.1:0", &["--log", "inof"], "there is no level `inof`"),
        ("127.0.0.1:0", &["--log-format", "yaml"], "text"),
        ("127.0.0.1:0", &["--no-such-flag"], "--no-such-flag"),
        ("127.0.0.1:0", &["--trusted-proxies", "10.0.0.0/40"], "10.0.0.0/8"),
        ("127.0.0.1:0", &["--forwarded-header", "via"], "x-forwarded-for"),
        ("127.0.0.1:0", &["--calls-per-second-per-caller", "often"], "--calls-per-second-per-caller"),
        ("127.0.0.1:0", &["--call-burst-per-address", "0"], "--call-burst-per-address"),
        ("127.0.0.1:0", &["--clock-grace", "60001ms"], "must be from 0s to 1m"),
        ("127.0.0.1:0", &["--drain", "5"], "such as 5ms or 5s"),
        ("127.0.0.1:0", &["--replica-silence", "2999ms"], "must be from 3s to 1h"),
    ] {
        let (code, _, stderr) = serve(&storage, listen, more);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(piece), "{stderr}");
    }
}

#[tokio::test]
async fn an_unavailable_database_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let key_file = folder.path().join("key");
    let key_file = key_file.to_str().unwrap();
    let missing = format!("sqlite://{}", folder.path().join("no/such/folder/m.db").display());
    // Nothing listens on port 1. The password must not appear in the error.
    let unreachable = "postgres://ann:s3cret@127.0.0.1:1/games";
    for (url, code, piece) in [
        (missing.as_str(), 4, "check that the directory exists and is writable"),
        (unreachable, 4, "check that the server is running"),
        ("mysql://ann:s3cret@db/games", 2, "sqlite://PATH"),
        ("matchbook.db", 2, "write sqlite://matchbook.db"),
    ] {
        let arguments = ["--listen", "127.0.0.1:0", "--database", url, "--key-file", key_file];
        let (actual, stdout, stderr) = run(&arguments);
        assert_eq!((actual, stdout.as_str()), (code, ""), "{stderr}");
        assert!(stderr.contains(piece), "{stderr}");
        assert!(!stderr.contains("s3cret"), "{stderr}");
    }
}

#[tokio::test]
async fn a_missing_file_is_reported_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("m.db").display());
    let (code, _, stderr) = run(&["check-rules", "--database", &url]);
    assert_eq!(code, 4);
    assert!(stderr.contains("m.db does not exist; check the path in the URL"), "{stderr}");
}

#[tokio::test]
async fn a_standby_and_a_server_without_tls_are_told_from_missing_rights_and_certificates() {
    let Some(cluster) = Cluster::start(&[]).await else { return };
    let storage = Storage::at(&cluster.url("postgres"));
    assert_eq!(run(&["migrate", "--database", storage.url()]).0, 0);
    let standby = cluster.standby().await;
    for (url, piece) in [
        (standby.url("postgres"), "a standby with --read-database"),
        (format!("{}?sslmode=require", storage.url()), "turn TLS on in the server"),
    ] {
        let key = storage.key_file().display().to_string();
        let listen = ["--listen", "127.0.0.1:0", "--key-file", &key, "--migrations", "require"];
        let (code, _, stderr) = run(&[&["--database", url.as_str()], &listen[..]].concat());
        assert_eq!(code, 4, "{stderr}");
        assert!(stderr.contains(piece), "{stderr}");
    }
}

#[tokio::test]
async fn a_wrong_role_or_database_is_told_from_an_unreachable_server() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let (server, _) = storage.url().rsplit_once('/').unwrap();
    let address = server.rsplit_once('@').map_or(server, |(_, address)| address);
    for url in [format!("{server}/no_such_database"), format!("postgres://no_such_role@{address}/postgres")] {
        let (code, _, stderr) = run(&["check-rules", "--database", &url]);
        assert_eq!(code, 4, "{stderr}");
        assert!(stderr.contains("refuses the connection") && stderr.contains("no_such_"), "{stderr}");
        assert!(stderr.contains("check the role, the password and the database's name"), "{stderr}");
    }
}

#[tokio::test]
async fn a_mistyped_variable_is_warned_of_and_the_stop_is_logged() {
    let mut program = matchbookd(&["--listen", "127.0.0.1:0", "--database", "memory:"]);
    let folder = tempfile::tempdir().unwrap();
    let process = {
        program.current_dir(folder.path()).env("MATCHBOOK_LISTN", "127.0.0.1:1");
        Process::of(program)
    };
    let (code, log) = process.terminate();
    assert_eq!(code, Some(0));
    let warned =
        |line: &String| line.contains("MATCHBOOK_LISTN") && line.contains("did you mean MATCHBOOK_LISTEN?");
    assert!(log.iter().any(warned), "{log:?}");
    assert!(log.last().is_some_and(|line| line.ends_with("stopped")), "{log:?}");
}

#[test]
fn a_mistyped_variable_is_reported_beside_the_printed_configuration() {
    let mut program = matchbookd(&["--print-config"]);
    let output = program.env("MATCHBOOK_LISTN", "127.0.0.1:1").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("MATCHBOOK_LISTN") && stderr.contains("did you mean MATCHBOOK_LISTEN?"),
        "{stderr}"
    );
}

#[tokio::test]
async fn migrate_creates_the_tables_and_exits() {
    let storage = Storage::here(Backend::Sqlite).await;
    for _ in 0..2 {
        let (code, stdout, _) = run(&["migrate", "--database", storage.url()]);
        assert_eq!(code, 0);
        assert!(stdout.contains("up to date"), "{stdout}");
    }
    assert!(!storage.key_file().exists());
}

#[tokio::test]
async fn a_start_that_may_not_migrate_requires_current_tables() {
    let storage = Storage::here(Backend::Sqlite).await;
    let (code, _, stderr) = serve(&storage, "127.0.0.1:0", &["--migrations", "require"]);
    assert_eq!(code, 4, "{stderr}");
    assert!(stderr.contains("run `matchbookd migrate`"), "{stderr}");
    assert_eq!(run(&["migrate", "--database", storage.url()]).0, 0);
    let process = Process::serve(&storage, &["--migrations", "require"]);
    assert_eq!(process.terminate().0, Some(0));
}

/// Exactly the rights that `docs/databases.md` grants to the serving role.
const RIGHTS: [&str; 8] = [
    "SELECT, INSERT ON event",
    "SELECT, INSERT, UPDATE ON match, match_seat, writer",
    "SELECT, INSERT, DELETE ON match_label",
    "SELECT, INSERT, UPDATE, DELETE ON deadline",
    "SELECT, INSERT, DELETE ON commit_log",
    "SELECT, INSERT, UPDATE, DELETE ON webhook, webhook_delivery",
    "SELECT, INSERT ON service_key",
    "SELECT ON _sqlx_migrations",
];

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_rights_suffice_to_serve() {
    let Some(mut storage) = Storage::of(Backend::Postgres).await else { return };
    assert_eq!(run(&["migrate", "--database", storage.url()]).0, 0);
    storage.confine(&RIGHTS).await;
    for statements in ["prepared", "unnamed"] {
        let more = ["--migrations", "require", "--statements", statements];
        let process = Process::serve(&storage, &more);
        let client = Client::of(&process.address).await;
        let table = client.table(3, 3, 1).await;
        client.turn(&table, "1,1", "3,3").await;
        assert_eq!(client.head_seq(&table.match_id).await, 8);
        assert_eq!(process.terminate().0, Some(0));
    }
}

#[tokio::test]
async fn help_shows_exit_codes_and_examples() {
    let (code, stdout, _) = run(&["--help"]);
    assert_eq!(code, 0);
    for piece in
        ["Exit codes", "Examples", "MATCHBOOK_DATABASE_URL", "--allow-open", "healthcheck", "--tls-cert"]
    {
        assert!(stdout.contains(piece), "{piece}");
    }
}

#[tokio::test]
async fn systemd_is_notified_of_start_and_stop() {
    let storage = Storage::here(Backend::Sqlite).await;
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("notify");
    let systemd = UnixDatagram::bind(&socket).unwrap();
    let key_file = storage.key_file();
    let arguments =
        ["--listen", "127.0.0.1:0", "--database", storage.url(), "--key-file", key_file.to_str().unwrap()];
    let mut program = matchbookd(&arguments);
    program.env("NOTIFY_SOCKET", &socket);
    let process = Process::of(program);
    let notification = || {
        let mut bytes = [0; 64];
        let length = systemd.recv(&mut bytes).unwrap();
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    };
    assert_eq!(notification().trim(), "READY=1");
    process.terminate();
    assert_eq!(notification().trim(), "STOPPING=1");
}
