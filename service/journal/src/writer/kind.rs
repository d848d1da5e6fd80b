//! The two kinds of writers.

/// How a writer forms batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriterKind {
    /// As many appends per batch as fit.
    Batching,
    /// One append per batch, for matches that other replicas write too: a conflict fails no other append.
    Contended,
}

impl WriterKind {
    /// Returns the word for metrics and traces.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            WriterKind::Batching => "batching",
            WriterKind::Contended => "contended",
        }
    }
}
