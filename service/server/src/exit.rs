//! The exit codes of `matchbookd`, as its `--help` lists them.

use std::process::ExitCode;

/// Why the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// It did what it was asked, or was asked to stop.
    Done,
    /// Something that has no code of its own.
    Failed,
    /// The command line or the environment is wrong.
    Usage,
    /// The address can't be listened on.
    Listen,
    /// The database can't be opened.
    Database,
    /// The key file is wrong, or not the database's.
    Key,
    /// The service had to stop by itself; start it again.
    Stopped,
    /// The service does not serve (`healthcheck`).
    Unhealthy,
    /// The TLS certificate or its key is wrong.
    Tls,
    /// A stored match does not replay (`check-rules`).
    RulesDiffer,
    /// The service serves, and what was asked needs it stopped (`key rotate`).
    Serving,
}

impl ExitStatus {
    /// The number that the shell sees.
    pub fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            // clap's own.
            Self::Usage => 2,
            Self::Listen => 3,
            Self::Database => 4,
            Self::Key => 5,
            Self::Stopped => 6,
            Self::Unhealthy => 7,
            Self::Tls => 8,
            Self::RulesDiffer => 9,
            Self::Serving => 10,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        status.number().into()
    }
}
