//! `--visibility`: who may know of a match, as it is typed.

use clap::ValueEnum;
use wire::v1::Visibility;

/// Who may know of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShownTo {
    /// Everybody; `matchbook matches` lists it.
    Public,
    /// Whoever has its id.
    Unlisted,
    /// Its seats, and the API key that creates it and claims the seats.
    Private,
}

impl From<ShownTo> for Visibility {
    fn from(shown_to: ShownTo) -> Self {
        match shown_to {
            ShownTo::Public => Self::Public,
            ShownTo::Unlisted => Self::Unlisted,
            ShownTo::Private => Self::Private,
        }
    }
}
