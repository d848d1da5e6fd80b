//! Why a command did not do what it was asked, and the exit code for it.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use board::printable;
use matchbook_client::{ConnectError, Error, InvalidToken, Refusal};
use replay::FileError;

/// How the program ends; the codes are part of its interface (`--help`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// The service said no.
    Refused = 1,
    /// The arguments are wrong. The code that clap uses too.
    Usage = 2,
    /// The service does not answer.
    Unreachable = 3,
    /// This machine is in the way.
    Local = 4,
    /// A file is no log file.
    Unreadable = 5,
    /// Nobody vouches for the key that signed a log.
    KeyUnknown = 6,
    /// Not all of a log can be checked yet.
    Incomplete = 7,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The service answered that it won't.
    #[error("{}", printable(&.0.message))]
    Refused(Box<Refusal>),
    /// The arguments make no sense together, or with what the service has.
    #[error("{0}")]
    Usage(String),
    /// Nobody answers, or the connection is lost and does not come back.
    #[error("cannot reach the service at {server}: {}", printable(.cause))]
    Unreachable {
        /// The address that was tried.
        server: String,
        /// What the network said.
        cause: String,
    },
    /// A file of this program can't be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file of tokens or keys is there but not in the form that this program writes.
    #[error("{path} is not a file of this program: {cause}")]
    StateFile {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// What is to be read from the standard input or from the keyboard can't be read.
    #[error("can't read the key: {0}")]
    Input(io::Error),
    /// A log file can't be opened, read or written.
    #[error("{}: {source}", path.display())]
    LogFile {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is no log file in canonical form.
    #[error("{}: {cause}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        cause: FileError,
    },
    /// Nobody reads what is printed, as in `matchbook events M | head`.
    #[error("the output was closed")]
    OutputClosed,
    /// What is printed can't be written.
    #[error("can't write the output: {0}")]
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => Self::Refused(refusal),
            Error::Unreachable { server, cause } => Self::Unreachable { server, cause },
        }
    }
}

impl From<ConnectError> for Failure {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::InvalidAddress { server, cause } => {
                Self::Usage(format!("--server {server} is not a URL: {cause}"))
            }
            ConnectError::InvalidCertificate(cause) => {
                Self::Usage(format!("--ca-cert: {}", printable(&cause)))
            }
            ConnectError::Unreachable { server, cause } => Self::Unreachable { server, cause },
        }
    }
}

impl From<InvalidToken> for Failure {
    fn from(error: InvalidToken) -> Self {
        Self::Usage(error.to_string())
    }
}

impl Failure {
    /// The exit code that tells this failure.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Refused(_) => Exit::Refused,
            Self::Usage(_) => Exit::Usage,
            Self::Unreachable { .. } => Exit::Unreachable,
            Self::File { .. }
            | Self::LogFile { .. }
            | Self::StateFile { .. }
            | Self::Input(_)
            | Self::Output(_) => Exit::Local,
            Self::Unreadable { .. } => Exit::Unreadable,
            // Whoever closed the pipe has seen enough.
            Self::OutputClosed => Exit::Done,
        }
    }
}
