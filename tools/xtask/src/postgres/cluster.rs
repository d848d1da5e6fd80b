//! One throwaway Postgres server: made, started, waited for, and removed when dropped.
//!
//! It is not tuned: fsync stays on, so that tests meet the database that users have.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;

use super::binaries::Binaries;
use crate::child;
use crate::ports::free_port;

const SUPERUSER: &str = "matchbook";
const MAX_CONNECTIONS: u32 = 200;
/// Another process may take the free port before the server does.
const ATTEMPTS: u32 = 3;
const START_LIMIT: Duration = Duration::from_secs(60);
const STOP_LIMIT: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(20);

/// How a server is brought down without a last word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crash {
    /// kill -9 of the first process; the others find out by themselves.
    Kill,
    /// Postgres' own immediate shutdown: no checkpoint, the log is replayed at the next start.
    Immediate,
}

/// A running server, listening on 127.0.0.1 with one superuser and no passwords.
pub(crate) struct Cluster {
    server: Child,
    port: u16,
    url: String,
    account: Account,
    // After `server`: the folder goes when nobody writes in it any more.
    folder: TempDir,
}

/// Whom the server runs as: Postgres refuses to be root.
#[derive(Clone, Copy)]
enum Account {
    Ours,
    Other { user: u32, group: u32 },
}

impl Cluster {
    /// Makes a cluster in a new folder and returns when it accepts connections.
    pub(crate) fn start(binaries: &Binaries) -> Result<Self> {
        let account = Account::find()?;
        let folder = account.new_folder()?;
        initialize(binaries, account, folder.path())?;
        let mut attempt = 1;
        loop {
            let port = free_port()?;
            match serve(binaries, account, folder.path(), port) {
                Ok(server) => {
                    let url = format!("postgres://{SUPERUSER}@127.0.0.1:{port}/postgres");
                    return Ok(Self { server, port, url, account, folder });
                }
                Err(error) if attempt == ATTEMPTS || child::interrupted() => return Err(error),
                Err(error) => println!("trying again: {error:#}"),
            }
            attempt += 1;
        }
    }

    /// The URL of the superuser.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Where it listens on 127.0.0.1.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The URL of a new database without tables.
    pub(crate) fn new_database(&self, binaries: &Binaries, name: &str) -> Result<String> {
        binaries.query(&self.url, &format!("CREATE DATABASE {name}"))?;
        let (server, _) = self.url.rsplit_once('/').expect("a cluster's URL ends in a database");
        Ok(format!("{server}/{name}"))
    }

    /// Brings the server down; what it has flushed stays in its folder.
    pub(crate) fn crash(&mut self, how: Crash) -> Result<()> {
        let signal = match how {
            Crash::Kill => Signal::KILL,
            Crash::Immediate => Signal::QUIT,
        };
        kill_process(Pid::from_child(&self.server), signal).context("cannot end the server")?;
        self.server.wait().context("cannot wait for the server")?;
        Ok(())
    }

    /// Starts a server that was brought down again, on its old port, and returns when it accepts connections.
    pub(crate) fn start_again(&mut self, binaries: &Binaries) -> Result<()> {
        let deadline = Instant::now() + START_LIMIT;
        loop {
            match serve(binaries, self.account, self.folder.path(), self.port) {
                Ok(server) => {
                    self.server = server;
                    return Ok(());
                }
                // Processes of the dead server may still hold its memory.
                Err(error) if Instant::now() > deadline || child::interrupted() => return Err(error),
                Err(_) => thread::sleep(POLL),
            }
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        stop(&mut self.server);
        // Not `println!`: it panics when nobody reads any more, and that may be why we are here.
        let _ = writeln!(io::stdout(), "\nthrowaway Postgres stopped and removed");
    }
}

impl Account {
    fn find() -> Result<Self> {
        if !geteuid().is_root() {
            return Ok(Self::Ours);
        }
        for name in ["postgres", "nobody"] {
            let number = |flag| child::ask(Command::new("id").args([flag, name]))?.parse().ok();
            if let (Some(user), Some(group)) = (number("-u"), number("-g")) {
                return Ok(Self::Other { user, group });
            }
        }
        bail!("Postgres refuses to run as root, and there is neither a user `postgres` nor `nobody`")
    }

    fn new_folder(self) -> Result<TempDir> {
        let builder = || {
            let mut builder = tempfile::Builder::new();
            builder.prefix("matchbook-postgres-");
            builder
        };
        match self {
            Self::Ours => builder().tempdir().context("cannot make a temporary folder"),
            Self::Other { user, group } => {
                // Root's own temporary folder may be closed to the other account; /tmp is open to all.
                let folder = builder().tempdir_in("/tmp").context("cannot make a folder in /tmp")?;
                std::os::unix::fs::chown(folder.path(), Some(user), Some(group))
                    .with_context(|| format!("cannot give {} to user {user}", folder.path().display()))?;
                Ok(folder)
            }
        }
    }

    fn become_in(self, command: &mut Command) {
        if let Self::Other { user, group } = self {
            command.gid(group).uid(user);
        }
    }
}

fn initialize(binaries: &Binaries, account: Account, folder: &Path) -> Result<()> {
    let mut initdb = Command::new(binaries.program("initdb"));
    initdb
        .args(["--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "--no-instructions"])
        .args(["--username", SUPERUSER, "--pgdata"])
        .arg(folder.join("data"))
        .current_dir(folder)
        .stdin(Stdio::null());
    account.become_in(&mut initdb);
    let output = initdb.output().context("cannot start initdb")?;
    if !output.status.success() {
        bail!("initdb ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

fn serve(binaries: &Binaries, account: Account, folder: &Path, port: u16) -> Result<Child> {
    let log_file = folder.join("log");
    let log = File::create(&log_file).context("cannot write the server's log")?;
    let mut command = child::tied(&binaries.program("postgres"), "INT");
    command
        .arg("-D")
        .arg(folder.join("data"))
        .args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=on", "-c", "logging_collector=off"])
        .args(["-c", &format!("port={port}"), "-c", &format!("max_connections={MAX_CONNECTIONS}")])
        .args(["-c", &format!("unix_socket_directories={}", folder.display())])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(log.try_clone().context("cannot write the server's log")?)
        .stderr(log);
    account.become_in(&mut command);
    let mut server = command.spawn().context("cannot start postgres")?;
    match wait_until_ready(binaries, folder, port, &mut server) {
        Ok(()) => Ok(server),
        Err(error) => {
            stop(&mut server);
            let log = fs::read_to_string(&log_file).unwrap_or_default();
            Err(error.context(format!("Postgres did not start; its log says:\n{log}")))
        }
    }
}

fn wait_until_ready(binaries: &Binaries, folder: &Path, port: u16, server: &mut Child) -> Result<()> {
    let deadline = Instant::now() + START_LIMIT;
    loop {
        if let Some(status) = server.try_wait().context("cannot ask for the server's state")? {
            bail!("it ended with {status}");
        }
        // Asked through the socket in our own folder: on the port somebody else might answer.
        let mut ready = Command::new(binaries.program("pg_isready"));
        ready.arg("--host").arg(folder).args(["--port", &port.to_string(), "--dbname", "postgres"]);
        if child::ask(ready.args(["--username", SUPERUSER])).is_some() {
            return Ok(());
        }
        if Instant::now() > deadline || child::interrupted() {
            bail!("it accepted no connection within {} s", START_LIMIT.as_secs());
        }
        thread::sleep(POLL);
    }
}

/// Asks politely (SIGINT: fast shutdown), then insists.
fn stop(server: &mut Child) {
    if matches!(server.try_wait(), Ok(Some(_))) {
        // Somebody else may have its number by now.
        return;
    }
    let deadline = Instant::now() + STOP_LIMIT;
    let asked = kill_process(Pid::from_child(server), Signal::INT);
    while asked.is_ok() && Instant::now() < deadline {
        if matches!(server.try_wait(), Ok(Some(_))) {
            return;
        }
        thread::sleep(POLL);
    }
    // SIGQUIT makes the server end its own children too, which SIGKILL would leave behind.
    let _ = kill_process(Pid::from_child(server), Signal::QUIT);
    let _ = server.wait();
}
