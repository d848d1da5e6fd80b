//! A private Postgres server, run from the installed programs, for tests that stop it, give it a certificate
//! or copy it as a standby.

use std::fs;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tempfile::TempDir;

use super::skip::skipped;

const SUPERUSER: &str = "matchbook";

/// A Postgres server and its data directory.
pub(crate) struct Cluster {
    programs: PathBuf,
    account: Option<(u32, u32)>,
    pub(crate) port: u16,
    server: Option<Child>,
    // Declared after `server`: the folder is removed when the server no longer writes to it.
    folder: TempDir,
}

impl Cluster {
    /// Starts a new server with these additional settings; returns `None` if no Postgres is installed.
    pub(crate) async fn start(settings: &[&str]) -> Option<Self> {
        let mut cluster = Self::prepare()?;
        let data = cluster.data();
        let output = cluster
            .run("initdb", &["--auth=trust", "--no-sync", "-U", SUPERUSER, "-D", data.to_str().unwrap()]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        cluster.set(settings);
        cluster.up().await;
        Some(cluster)
    }

    /// Starts a streaming standby of this server from a base backup.
    pub(crate) async fn standby(&self) -> Self {
        let mut standby = Self::prepare().expect("the programs of the first server are still installed");
        let (data, from) = (standby.data(), self.url("postgres"));
        let arguments = ["-R", "-c", "fast", "-X", "stream", "-D", data.to_str().unwrap(), "-d", &from];
        let output = standby.run("pg_basebackup", &arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        standby.set(&[]);
        standby.up().await;
        standby
    }

    fn prepare() -> Option<Self> {
        let Some(programs) = programs() else {
            skipped("no Postgres server programs are installed");
            return None;
        };
        // Postgres refuses to run as root.
        let root = number("-u", None) == Some(0);
        let account =
            root.then(|| (number("-u", Some("postgres")).unwrap(), number("-g", Some("postgres")).unwrap()));
        let folder = tempfile::Builder::new().prefix("matchbook-cluster-").tempdir_in("/tmp").unwrap();
        if let Some((user, group)) = account {
            std::os::unix::fs::chown(folder.path(), Some(user), Some(group)).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Some(Self { programs, account, port, server: None, folder })
    }

    /// Adds settings to the configuration; they take effect at the next start.
    pub(crate) fn set(&self, settings: &[&str]) {
        let file = self.data().join("postgresql.auto.conf");
        let own = [
            format!("port={}", self.port),
            "listen_addresses='127.0.0.1'".to_owned(),
            format!("unix_socket_directories='{}'", self.folder.path().display()),
        ];
        let before = fs::read_to_string(&file).unwrap();
        let all = own.iter().map(String::as_str).chain(settings.iter().copied());
        let text = all.fold(before, |text, setting| format!("{text}\n{setting}"));
        fs::write(&file, text + "\n").unwrap();
    }

    /// Returns the data directory.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Writes a file into the data directory, readable by the server's account only.
    pub(crate) fn put(&self, name: &str, text: &str) {
        let path = self.data().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        if let Some((user, group)) = self.account {
            std::os::unix::fs::chown(&path, Some(user), Some(group)).unwrap();
        }
    }

    /// Returns the log since the last start.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Returns the superuser's URL of a database.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://{SUPERUSER}@127.0.0.1:{}/{database}", self.port)
    }

    /// Connects as the superuser.
    pub(crate) async fn connect(&self, database: &str) -> PgConnection {
        PgConnection::connect(&self.url(database)).await.unwrap()
    }

    /// Executes a statement.
    pub(crate) async fn execute(&self, database: &str, statement: &str) {
        self.connect(database).await.execute(AssertSqlSafe(statement)).await.unwrap();
    }

    /// Starts the server and waits until it accepts connections.
    pub(crate) async fn up(&mut self) {
        let log = fs::File::create(self.folder.path().join("log")).unwrap();
        let mut postgres = self.command("postgres");
        postgres.arg("-D").arg(self.data()).stdout(Stdio::null()).stderr(log);
        self.server = Some(postgres.spawn().unwrap());
        while PgConnection::connect(&self.url("postgres")).await.is_err() {
            if let Some(status) = self.server.as_mut().unwrap().try_wait().unwrap() {
                panic!("postgres: {status}: {}", self.log());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Stops the server as abruptly as a crash of the machine, and waits for its end.
    pub(crate) fn down(&mut self) {
        let Some(mut server) = self.server.take() else { return };
        let sent = Command::new("kill").args(["-QUIT", &server.id().to_string()]).status().unwrap();
        assert!(sent.success());
        server.wait().unwrap();
    }

    /// Runs one of the Postgres programs to its end.
    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> Output {
        self.command(program).args(arguments).output().unwrap()
    }

    fn command(&self, program: &str) -> Command {
        // The kernel stops the program if the test is killed.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "QUIT"]).arg(self.programs.join(program));
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        if let Some((user, group)) = self.account {
            command.gid(group).uid(user);
        }
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.down();
    }
}

/// Returns the program directory of the newest installed version.
fn programs() -> Option<PathBuf> {
    let version = |path: &Path| path.parent()?.file_name()?.to_str()?.parse::<u32>().ok();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    folders.sort_by_key(|folder| version(folder));
    let configured = Command::new("pg_config").arg("--bindir").output().ok();
    let configured = configured.map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    let complete =
        |folder: &PathBuf| folder.join("initdb").is_file() && folder.join("pg_basebackup").is_file();
    folders.into_iter().rev().chain(configured).find(complete)
}

fn number(flag: &str, name: Option<&str>) -> Option<u32> {
    let output = Command::new("id").arg(flag).args(name).output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}
