//! `--visibility`: who can see a match.

use clap::ValueEnum;
use wire::v1::Visibility;

/// Who can see a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VisibilityArgument {
    /// Everybody; `matchbook matches` lists it
    Public,
    /// Everybody who has its id
    Unlisted,
    /// Its seats, and the API key that creates it and claims the seats
    Private,
}

impl From<VisibilityArgument> for Visibility {
    fn from(visibility: VisibilityArgument) -> Self {
        match visibility {
            VisibilityArgument::Public => Self::Public,
            VisibilityArgument::Unlisted => Self::Unlisted,
            VisibilityArgument::Private => Self::Private,
        }
    }
}
