//! The real program: what it says when it starts, when it can't, and how it stops.

use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;

use crate::stage::{Backend, Client, Process, Storage, matchbookd, run};

fn serve(storage: &Storage, listen: &str, more: &[&str]) -> (i32, String, String) {
    let key_file = storage.key_file();
    let key_file = key_file.to_str().unwrap();
    let arguments = ["serve", "--listen", listen, "--database", storage.url(), "--key-file", key_file];
    run(&[&arguments, more].concat())
}

#[tokio::test]
async fn it_serves_and_stops_when_asked() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &[]);
    let (code, said, _) = run(&["healthcheck", "--listen", &process.address]);
    assert_eq!((code, said), (0, format!("serving at {}\n", process.address)));
    let address = process.address.clone();
    assert_eq!(process.terminate().0, Some(0));
    let (code, _, complaint) = run(&["healthcheck", "--listen", &address]);
    assert_eq!(code, 7);
    assert!(complaint.contains("check that matchbookd is running"), "{complaint}");
}

#[tokio::test]
async fn a_second_process_on_the_same_file() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &[]);
    let (code, said, complaint) = serve(&storage, "127.0.0.1:0", &[]);
    assert_eq!((code, said.as_str()), (4, ""));
    assert!(complaint.contains("in use by another process"), "{complaint}");
    assert!(complaint.contains("stop the other"), "{complaint}");
    process.kill();
    // A killed process leaves no lock behind.
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
}

#[tokio::test]
async fn a_key_file_of_the_wrong_length() {
    let storage = Storage::here(Backend::Sqlite).await;
    fs::write(storage.key_file(), [1; 31]).unwrap();
    let (code, said, complaint) = serve(&storage, "127.0.0.1:0", &[]);
    assert_eq!((code, said.as_str()), (5, ""));
    assert!(complaint.contains("31 bytes"), "{complaint}");
    assert!(complaint.contains("exactly 32"), "{complaint}");
    assert_eq!(fs::read(storage.key_file()).unwrap(), [1; 31]);
}

#[tokio::test]
async fn another_key_than_the_database_s() {
    let storage = Storage::here(Backend::Sqlite).await;
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
    let right = fs::read(storage.key_file()).unwrap();

    fs::write(storage.key_file(), [1; 32]).unwrap();
    let (code, _, complaint) = serve(&storage, "127.0.0.1:0", &[]);
    assert_eq!(code, 5);
    assert!(complaint.contains("is not the key of this database"), "{complaint}");

    fs::remove_file(storage.key_file()).unwrap();
    let (code, _, complaint) = serve(&storage, "127.0.0.1:0", &[]);
    assert_eq!(code, 5);
    assert!(complaint.contains("restore the file from a backup"), "{complaint}");
    assert!(!storage.key_file().exists(), "no useless key is left in its place");

    fs::write(storage.key_file(), right).unwrap();
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
}

#[tokio::test]
async fn an_address_that_others_can_reach() {
    let storage = Storage::here(Backend::Memory).await;
    let (code, said, complaint) = serve(&storage, "0.0.0.0:0", &[]);
    assert_eq!((code, said.as_str()), (2, ""));
    assert!(complaint.contains("--allow-open"), "{complaint}");
    assert!(!storage.key_file().exists(), "nothing is made before that");

    let process = Process::serve_at(&storage, "0.0.0.0:0", &["--allow-open"]);
    let (code, ..) = run(&["healthcheck", "--listen", &process.address]);
    assert_eq!(code, 0);
}

#[tokio::test]
async fn a_port_in_use() {
    let storage = Storage::here(Backend::Memory).await;
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let (code, said, complaint) = serve(&storage, &taken.local_addr().unwrap().to_string(), &[]);
    assert_eq!((code, said.as_str()), (3, ""));
    assert!(complaint.contains("is in use"), "{complaint}");
    assert!(complaint.contains("--listen"), "{complaint}");
}

#[tokio::test]
async fn a_command_line_that_is_wrong() {
    let storage = Storage::here(Backend::Memory).await;
    for (listen, more, piece) in [
        ("nonsense", &[][..], "HOST:PORT"),
        ("127.0.0.1:0", &["--max-calls", "0"], "--max-calls"),
        ("127.0.0.1:0", &["--log", "no=such=filter"], "--log"),
        ("127.0.0.1:0", &["--log-format", "yaml"], "text"),
        ("127.0.0.1:0", &["--no-such-flag"], "--no-such-flag"),
        ("127.0.0.1:0", &["--trusted-proxies", "10.0.0.0/40"], "10.0.0.0/8"),
        ("127.0.0.1:0", &["--forwarded-header", "via"], "x-forwarded-for"),
        ("127.0.0.1:0", &["--calls-per-second-per-caller", "often"], "--calls-per-second-per-caller"),
        ("127.0.0.1:0", &["--call-burst-per-address", "0"], "--call-burst-per-address"),
        ("127.0.0.1:0", &["--clock-grace-ms", "60001"], "--clock-grace-ms"),
        ("127.0.0.1:0", &["--replica-silence-ms", "2999"], "--replica-silence-ms"),
    ] {
        let (code, _, complaint) = serve(&storage, listen, more);
        assert_eq!(code, 2, "{complaint}");
        assert!(complaint.contains(piece), "{complaint}");
    }
}

#[tokio::test]
async fn a_database_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let key_file = folder.path().join("key");
    let key_file = key_file.to_str().unwrap();
    let missing = format!("sqlite://{}", folder.path().join("no/such/folder/m.db").display());
    // Nobody listens on port 1 of this machine, and a password is nobody's business.
    let unreachable = "postgres://ann:s3cret@127.0.0.1:1/games";
    for (url, code, piece) in [
        (missing.as_str(), 4, "check that the directory exists and is writable"),
        (unreachable, 4, "check that the server is running"),
        ("mysql://ann:s3cret@db/games", 2, "sqlite://"),
    ] {
        let arguments = ["--listen", "127.0.0.1:0", "--database", url, "--key-file", key_file];
        let (real, said, complaint) = run(&arguments);
        assert_eq!((real, said.as_str()), (code, ""), "{complaint}");
        assert!(complaint.contains(piece), "{complaint}");
        assert!(!complaint.contains("s3cret"), "{complaint}");
    }
}

#[tokio::test]
async fn migrate_makes_the_tables_and_ends() {
    let storage = Storage::here(Backend::Sqlite).await;
    for _ in 0..2 {
        let (code, said, _) = run(&["migrate", "--database", storage.url()]);
        assert_eq!(code, 0);
        assert!(said.contains("up to date"), "{said}");
    }
    assert!(!storage.key_file().exists());
}

#[tokio::test]
async fn a_start_that_may_not_change_tables() {
    let storage = Storage::here(Backend::Sqlite).await;
    let (code, _, complaint) = serve(&storage, "127.0.0.1:0", &["--migrations", "require"]);
    assert_eq!(code, 4, "{complaint}");
    assert!(complaint.contains("run `matchbookd migrate`"), "{complaint}");
    assert_eq!(run(&["migrate", "--database", storage.url()]).0, 0);
    let process = Process::serve(&storage, &["--migrations", "require"]);
    assert_eq!(process.terminate().0, Some(0));
}

/// The rights that `docs/install.md` gives a role to serve with, and no others.
const RIGHTS: [&str; 6] = [
    "SELECT, INSERT ON event",
    "SELECT, INSERT, UPDATE ON match, writer",
    "SELECT, INSERT, UPDATE, DELETE ON deadline",
    "SELECT, INSERT, DELETE ON commit_log",
    "SELECT, INSERT ON service_key",
    "SELECT ON _sqlx_migrations",
];

#[tokio::test]
async fn a_role_with_few_rights_is_enough() {
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
async fn help_teaches() {
    let (code, said, _) = run(&["--help"]);
    assert_eq!(code, 0);
    for piece in
        ["Exit codes", "Examples", "MATCHBOOK_DATABASE_URL", "--allow-open", "healthcheck", "--tls-cert"]
    {
        assert!(said.contains(piece), "{piece}");
    }
}

#[tokio::test]
async fn systemd_is_told_when_it_serves_and_when_it_stops() {
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
    let told = || {
        let mut bytes = [0; 64];
        let length = systemd.recv(&mut bytes).unwrap();
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    };
    assert_eq!(told().trim(), "READY=1");
    process.terminate();
    assert_eq!(told().trim(), "STOPPING=1");
}
