//! The archive as the operator configures it: reading from it while serving, and moving matches to it.

mod command;
mod error;
mod settings;
mod shared_reader;

pub use command::{Archiving, OpenArchiving};
pub use error::ArchivingError;
pub use settings::ArchiveSettings;
pub(crate) use settings::reader;
pub(crate) use shared_reader::SharedReader;
