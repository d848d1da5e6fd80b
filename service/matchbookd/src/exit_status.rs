//! The exit codes of `matchbookd`, as listed in its `--help`, and which error leads to which code.

use std::fmt::Display;
use std::process::ExitCode;

use server::{ArchivingError, ListenError, RotateKeyError, RunError, ServerStartError};

use crate::arguments::InvalidSetting;

/// The class of a command's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    Success,
    OtherFailure,
    Usage,
    Listen,
    Database,
    ServiceKey,
    /// The running service could not continue.
    Stopped,
    NotServing,
    Tls,
    RulesDiffer,
    /// A command needs the service stopped, and replicas are serving.
    ReplicasServing,
    Archive,
}

/// A failed command: the exit status, and the message for standard error.
pub(crate) struct CommandFailure {
    pub(crate) status: ExitStatus,
    /// The setting whose value is the cause, as its flag without the dashes.
    pub(crate) setting: Option<&'static str>,
    pub(crate) text: String,
}

impl ExitStatus {
    /// Returns the process's exit code.
    fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::OtherFailure => 1,
            // The code that clap exits with.
            Self::Usage => 2,
            Self::Listen => 3,
            Self::Database => 4,
            Self::ServiceKey => 5,
            Self::Stopped => 6,
            Self::NotServing => 7,
            Self::Tls => 8,
            Self::RulesDiffer => 9,
            Self::ReplicasServing => 10,
            Self::Archive => 11,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        status.code().into()
    }
}

impl CommandFailure {
    /// Combines a status with an error's message.
    pub(crate) fn new(status: ExitStatus, error: &dyn Display) -> Self {
        Self { status, setting: None, text: error.to_string() }
    }

    /// Names the setting whose value is the cause.
    pub(crate) fn caused_by(self, setting: Option<&'static str>) -> Self {
        Self { setting, ..self }
    }

    /// Reports an invalid argument, variable or configuration file.
    pub(crate) fn usage(error: &dyn Display) -> Self {
        Self::new(ExitStatus::Usage, error)
    }

    /// Reports a database that cannot be opened or read.
    pub(crate) fn database(error: &dyn Display) -> Self {
        Self::new(ExitStatus::Database, error)
    }
}

impl From<InvalidSetting> for CommandFailure {
    fn from(error: InvalidSetting) -> Self {
        Self::usage(&error.text).caused_by(Some(error.setting))
    }
}

impl From<ServerStartError> for CommandFailure {
    fn from(error: ServerStartError) -> Self {
        let status = match &error {
            ServerStartError::Listen(
                ListenError::Open { .. } | ListenError::Plaintext { .. } | ListenError::Unknown { .. },
            )
            | ServerStartError::HealthListen(ListenError::Unknown { .. })
            | ServerStartError::Otlp(_) => ExitStatus::Usage,
            ServerStartError::Tls(_) => ExitStatus::Tls,
            ServerStartError::Listen(ListenError::InUse { .. } | ListenError::Refused { .. })
            | ServerStartError::HealthListen(_) => ExitStatus::Listen,
            ServerStartError::Database(_) | ServerStartError::Play(_) => ExitStatus::Database,
            ServerStartError::Archive(_) => ExitStatus::Archive,
            ServerStartError::KeyFile(_)
            | ServerStartError::OtherKey { .. }
            | ServerStartError::OtherName { .. }
            | ServerStartError::HalfRotated { .. }
            | ServerStartError::LostKey { .. } => ExitStatus::ServiceKey,
        };
        Self::new(status, &error).caused_by(error.setting())
    }
}

impl From<ArchivingError> for CommandFailure {
    fn from(error: ArchivingError) -> Self {
        let status = match &error {
            ArchivingError::Database(_) | ArchivingError::Unreadable(_) | ArchivingError::NeverServed => {
                ExitStatus::Database
            }
            ArchivingError::Archive(_) => ExitStatus::Archive,
            ArchivingError::KeyFile(_)
            | ArchivingError::NoKey { .. }
            | ArchivingError::OtherKey { .. }
            | ArchivingError::StoredName { .. } => ExitStatus::ServiceKey,
            ArchivingError::TooLong => ExitStatus::Usage,
        };
        Self::new(status, &error)
    }
}

impl From<RunError> for CommandFailure {
    fn from(error: RunError) -> Self {
        let status = match &error {
            RunError::Database(_) | RunError::Drop(_) => ExitStatus::Database,
            RunError::Archive(_) | RunError::Segment(_) | RunError::NotReadBack { .. } => ExitStatus::Archive,
            RunError::Interrupted => ExitStatus::OtherFailure,
        };
        Self::new(status, &error)
    }
}

impl From<RotateKeyError> for CommandFailure {
    fn from(error: RotateKeyError) -> Self {
        let status = match &error {
            RotateKeyError::Database(_) | RotateKeyError::Unsettled(_) | RotateKeyError::NotPermitted => {
                ExitStatus::Database
            }
            RotateKeyError::KeyFile(_)
            | RotateKeyError::NoKey
            | RotateKeyError::Lost { .. }
            | RotateKeyError::OtherKey { .. }
            | RotateKeyError::OtherName { .. }
            | RotateKeyError::StoredName { .. } => ExitStatus::ServiceKey,
            RotateKeyError::Serving { .. } => ExitStatus::ReplicasServing,
            RotateKeyError::NoRetiredKeysFile { .. } | RotateKeyError::RetiredKeysFile { .. } => {
                ExitStatus::OtherFailure
            }
        };
        Self::new(status, &error).caused_by(error.setting())
    }
}
