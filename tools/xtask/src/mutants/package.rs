//! The packages that are mutated.

use clap::ValueEnum;

/// A package whose tests are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum MutatedPackage {
    /// What a log means.
    Replay,
    /// Events as stored.
    Event,
    /// The log file and its verification.
    Audit,
    /// The use cases.
    Play,
    /// The journal's writers.
    Journal,
}

impl MutatedPackage {
    pub(super) const ALL: [Self; 5] = [Self::Replay, Self::Event, Self::Audit, Self::Play, Self::Journal];

    /// Returns the package's name, which is that of its folder too.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Replay => "replay",
            Self::Event => "event",
            Self::Audit => "audit",
            Self::Play => "play",
            Self::Journal => "journal",
        }
    }

    /// Returns the folder whose files are mutated.
    pub(super) fn folder(self) -> String {
        match self {
            // The statements are SQL, which is not mutated.
            Self::Journal => "service/journal/src/writer".to_owned(),
            _ => format!("service/{}/src", self.name()),
        }
    }

    /// Returns the packages that use this one and whose tests are tried on what its own tests miss.
    pub(super) fn guards(self) -> &'static [&'static str] {
        match self {
            Self::Event => &["replay", "journal"],
            Self::Replay => &["audit", "play"],
            // The client reads what the service exported.
            Self::Audit => &["play", "cli"],
            Self::Play => &["server", "matchbookd"],
            // The service shows the writers' metrics.
            Self::Journal => &["play", "matchbookd"],
        }
    }
}

/// Returns whether some tests of these packages need Postgres.
pub(super) fn need_postgres(packages: &[&str]) -> bool {
    packages.iter().any(|package| ["play", "journal", "server", "matchbookd", "cli"].contains(package))
}
