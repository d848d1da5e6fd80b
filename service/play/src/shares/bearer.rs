//! Those who bear parts of what all callers share, and how much each may have.

/// How much a caller may have: what is free, divided by this. Alone, that is a quarter of everything.
const CALLER_PARTS: u64 = 3;

/// The same of a network: as much as is free. Alone, that is half of everything.
const NETWORK_PARTS: u64 = 1;

/// How many times as much as one caller a network may spend over time.
const CALLERS_OF_NETWORK: u64 = 8;

/// A caller, or a network whose callers share what it may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Bearer {
    /// One caller.
    Caller(u64),
    /// The network that it calls from.
    Network(u64),
}

impl Bearer {
    /// Returns how much this one may have while so much is free.
    pub(crate) fn share_of_free(self, free: u64) -> u64 {
        free / self.parts()
    }

    /// Returns how much this one may have of everything while nobody else has anything.
    pub(crate) fn share_of_all(self, all: u64) -> u64 {
        all / (self.parts() + 1)
    }

    /// Returns how much this one may spend in a time in which a caller may spend so much.
    pub(crate) fn allowance(self, of_caller: u64) -> u64 {
        match self {
            Self::Caller(_) => of_caller,
            Self::Network(_) => of_caller.saturating_mul(CALLERS_OF_NETWORK),
        }
    }

    /// Returns how many turns at once this one has where a caller has so many.
    pub(crate) fn turns(self, of_caller: usize) -> usize {
        match self {
            Self::Caller(_) => of_caller,
            Self::Network(_) => of_caller.saturating_mul(2),
        }
    }

    fn parts(self) -> u64 {
        match self {
            Self::Caller(_) => CALLER_PARTS,
            Self::Network(_) => NETWORK_PARTS,
        }
    }
}
