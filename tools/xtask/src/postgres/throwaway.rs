//! A throwaway Postgres server: created, started, and removed when dropped.
//!
//! It runs with default settings, fsync included, so tests meet the database that users have.

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
use crate::ports::free_port;
use crate::{child, output};

const SUPERUSER: &str = "matchbook";
const MAX_CONNECTIONS: u32 = 200;
/// Start attempts, since another process may take the free port first.
const MAX_ATTEMPTS: u32 = 3;
const START_TIMEOUT: Duration = Duration::from_secs(60);
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How a server is brought down without a clean shutdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crash {
    /// SIGKILL of the first process; the others notice by themselves.
    Kill,
    /// Postgres's immediate shutdown: no checkpoint, so the next start replays the log.
    Immediate,
}

/// A running server, listening on 127.0.0.1 with one superuser and no passwords.
pub(crate) struct ThrowawayServer {
    server: Child,
    port: u16,
    url: String,
    account: Account,
    // Declared after `server`, so the folder is removed when nothing writes to it any more.
    folder: TempDir,
}

/// The user that the server runs as: Postgres refuses to run as root.
#[derive(Clone, Copy)]
enum Account {
    Current,
    Other { user: u32, group: u32 },
}

impl ThrowawayServer {
    /// Creates a server in a new folder and returns once it accepts connections.
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
                Err(error) if attempt == MAX_ATTEMPTS || child::interrupted() => return Err(error),
                Err(error) => output::print_line(format_args!("retrying: {error:#}")),
            }
            attempt += 1;
        }
    }

    /// Returns the URL of the superuser.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the port on 127.0.0.1.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Creates a database without tables and returns its URL.
    pub(crate) fn new_database(&self, binaries: &Binaries, name: &str) -> Result<String> {
        binaries.query(&self.url, &format!("CREATE DATABASE {name}"))?;
        let (server, _) = self.url.rsplit_once('/').expect("the URL ends in a database name");
        Ok(format!("{server}/{name}"))
    }

    /// Crashes the server; flushed data stays in its folder.
    pub(crate) fn crash(&mut self, how: Crash) -> Result<()> {
        let signal = match how {
            Crash::Kill => Signal::KILL,
            Crash::Immediate => Signal::QUIT,
        };
        kill_process(Pid::from_child(&self.server), signal).context("cannot signal the server")?;
        self.server.wait().context("cannot wait for the server")?;
        Ok(())
    }

    /// Restarts a crashed server on its port and returns once it accepts connections.
    pub(crate) fn restart(&mut self, binaries: &Binaries) -> Result<()> {
        let deadline = Instant::now() + START_TIMEOUT;
        loop {
            match serve(binaries, self.account, self.folder.path(), self.port) {
                Ok(server) => {
                    self.server = server;
                    return Ok(());
                }
                // Processes of the crashed server may still hold its shared memory.
                Err(error) if Instant::now() > deadline || child::interrupted() => return Err(error),
                Err(_) => thread::sleep(POLL_INTERVAL),
            }
        }
    }
}

impl Drop for ThrowawayServer {
    fn drop(&mut self) {
        stop(&mut self.server);
        // Not `println!`: it panics on a closed pipe, which may be the reason for this drop.
        let _ = writeln!(io::stdout(), "\nthrowaway Postgres stopped and removed");
    }
}

impl Account {
    fn find() -> Result<Self> {
        if !geteuid().is_root() {
            return Ok(Self::Current);
        }
        for name in ["postgres", "nobody"] {
            let number = |flag| child::query(Command::new("id").args([flag, name]))?.parse().ok();
            if let (Some(user), Some(group)) = (number("-u"), number("-g")) {
                return Ok(Self::Other { user, group });
            }
        }
        bail!("Postgres refuses to run as root, and neither user `postgres` nor `nobody` exists; create one")
    }

    fn new_folder(self) -> Result<TempDir> {
        let builder = || {
            let mut builder = tempfile::Builder::new();
            builder.prefix("matchbook-postgres-");
            builder
        };
        match self {
            Self::Current => builder().tempdir().context("cannot create a temporary folder"),
            Self::Other { user, group } => {
                // The other user may have no access to root's own temporary folder.
                let folder = builder().tempdir_in("/tmp").context("cannot create a folder in /tmp")?;
                std::os::unix::fs::chown(folder.path(), Some(user), Some(group)).with_context(|| {
                    format!("cannot change the owner of {} to {user}", folder.path().display())
                })?;
                Ok(folder)
            }
        }
    }

    fn assume(self, command: &mut Command) {
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
    account.assume(&mut initdb);
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
    account.assume(&mut command);
    let mut server = command.spawn().context("cannot start postgres")?;
    match wait_until_ready(binaries, folder, port, &mut server) {
        Ok(()) => Ok(server),
        Err(error) => {
            stop(&mut server);
            let log = fs::read_to_string(&log_file).unwrap_or_default();
            Err(error.context(format!("Postgres did not start; its log:\n{log}")))
        }
    }
}

fn wait_until_ready(binaries: &Binaries, folder: &Path, port: u16, server: &mut Child) -> Result<()> {
    let deadline = Instant::now() + START_TIMEOUT;
    loop {
        if let Some(status) = server.try_wait().context("cannot query the server's state")? {
            bail!("the server ended with {status}");
        }
        // Through the socket in the server's folder: on the port, another process might answer.
        let mut ready = Command::new(binaries.program("pg_isready"));
        ready.arg("--host").arg(folder).args(["--port", &port.to_string(), "--dbname", "postgres"]);
        if child::query(ready.args(["--username", SUPERUSER])).is_some() {
            return Ok(());
        }
        if Instant::now() > deadline || child::interrupted() {
            bail!("the server accepted no connection within {} s", START_TIMEOUT.as_secs());
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Stops the server: by a fast shutdown (SIGINT), after a timeout by an immediate one.
fn stop(server: &mut Child) {
    if matches!(server.try_wait(), Ok(Some(_))) {
        // Another process may have its id by now.
        return;
    }
    let deadline = Instant::now() + STOP_TIMEOUT;
    let asked = kill_process(Pid::from_child(server), Signal::INT);
    while asked.is_ok() && Instant::now() < deadline {
        if matches!(server.try_wait(), Ok(Some(_))) {
            return;
        }
        thread::sleep(POLL_INTERVAL);
    }
    // SIGQUIT makes the server end its children too; SIGKILL would leave them behind.
    let _ = kill_process(Pid::from_child(server), Signal::QUIT);
    let _ = server.wait();
}
