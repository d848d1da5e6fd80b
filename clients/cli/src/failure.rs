//! Why a command failed, and its exit code.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use audit::FileError;
use board::printable;
use matchbook_client::{ConnectError, Error, InvalidToken, Refusal, TlsFailure};

/// How the program ends. The codes are part of its interface (`--help`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command did what it should.
    Success = 0,
    /// The service refused the call.
    Refused = 1,
    /// The arguments are invalid; clap exits with the same code.
    Usage = 2,
    /// The service cannot be reached.
    Unreachable = 3,
    /// Something failed on this machine.
    Local = 4,
    /// A file is not a log file.
    Unreadable = 5,
    /// No trusted key signed the log.
    KeyUnknown = 6,
    /// A log cannot be verified completely yet.
    Incomplete = 7,
}

/// A command returns `()` if success is its only outcome apart from a failure.
impl From<()> for Exit {
    fn from((): ()) -> Self {
        Self::Success
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The service refused the call.
    #[error("{}", printable(&.0.message))]
    Refused(Box<Refusal>),
    /// The arguments contradict each other, or do not fit the match.
    #[error("{0}")]
    Usage(String),
    /// No answer arrives, or the connection is lost and retries fail.
    #[error("cannot reach the service at {server}: {}", printable(.cause))]
    Unreachable {
        /// Address of the service.
        server: String,
        /// Error of the transport.
        cause: String,
    },
    /// The service has no TLS, or a certificate that is not trusted.
    #[error("cannot connect securely to {server}: {}", printable(&.cause.to_string()))]
    Insecure {
        /// Address of the service.
        server: String,
        /// Why TLS failed.
        cause: TlsFailure,
    },
    /// A file of this program, or a picture, cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Path of the file or folder.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// A file of tokens or keys does not parse.
    #[error("{path} is not a file of this program: {cause}")]
    StateFile {
        /// Path of the file.
        path: PathBuf,
        /// Error of the parser.
        cause: String,
    },
    /// The API key cannot be read from standard input or the keyboard.
    #[error("cannot read the key: {0}")]
    Input(io::Error),
    /// The terminal cannot be drawn on or read from.
    #[error("cannot use the terminal: {0}")]
    Terminal(io::Error),
    /// A log file cannot be opened, read or written.
    #[error("{}: {source}", path.display())]
    LogFile {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// A file is not a log file in canonical form.
    #[error("{}: {cause}", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Error of the parser.
        cause: FileError,
    },
    /// The reader of the output is gone, as in `matchbook events M | head`.
    #[error("the output was closed")]
    OutputClosed,
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => Self::Refused(refusal),
            Error::Unreachable { server, cause } => Self::Unreachable { server, cause },
            Error::Insecure { server, cause } => Self::Insecure { server, cause },
        }
    }
}

impl From<ConnectError> for Failure {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::InvalidAddress { server, cause } => {
                let place = "set --server or MATCHBOOK_SERVER to one such as http://127.0.0.1:7420";
                Self::Usage(format!(
                    "{} is not the address of a service: {cause}; {place}",
                    printable(&server)
                ))
            }
            ConnectError::InvalidCertificate(cause) => {
                Self::Usage(format!("the file of --ca-cert or MATCHBOOK_CA_CERT: {}", printable(&cause)))
            }
            ConnectError::Unreachable { server, cause } => Self::Unreachable { server, cause },
            ConnectError::Insecure { server, cause } => Self::Insecure { server, cause },
        }
    }
}

impl From<InvalidToken> for Failure {
    fn from(error: InvalidToken) -> Self {
        Self::Usage(error.to_string())
    }
}

impl Failure {
    /// Returns the exit code of this failure.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Refused(_) => Exit::Refused,
            Self::Usage(_) => Exit::Usage,
            Self::Unreachable { .. } | Self::Insecure { .. } => Exit::Unreachable,
            Self::File { .. }
            | Self::LogFile { .. }
            | Self::StateFile { .. }
            | Self::Input(_)
            | Self::Terminal(_)
            | Self::Output(_) => Exit::Local,
            Self::Unreadable { .. } => Exit::Unreadable,
            // A reader that closes the pipe has seen enough.
            Self::OutputClosed => Exit::Success,
        }
    }
}
