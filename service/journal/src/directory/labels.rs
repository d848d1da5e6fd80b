//! Labels of a match: keys and values that its owner sets. They are outside its log and can change at any
//! time.

use std::collections::BTreeMap;
use std::fmt;

use crate::{Append, MatchId};

/// The labels of a match by their keys.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Labels(pub BTreeMap<String, String>);

/// A row of the table of labels.
#[derive(Debug)]
pub(crate) struct LabelRow<'a> {
    pub(crate) match_id: MatchId,
    pub(crate) key: &'a str,
    pub(crate) value: &'a str,
    /// The match's owner and creation time, so that an index lists its matches in the directory's order.
    pub(crate) owner: &'a str,
    pub(crate) create_time: i64,
}

impl Labels {
    /// No labels.
    pub const NONE: Labels = Labels(BTreeMap::new());
}

impl Append {
    /// Returns the rows of a new match's labels.
    pub(crate) fn label_rows(&self) -> impl Iterator<Item = LabelRow<'_>> {
        self.match_row.iter().flat_map(|row| {
            self.labels.0.iter().map(|(key, value)| LabelRow {
                match_id: row.match_id,
                key,
                value,
                owner: &row.registered.owner,
                create_time: row.create_time.0,
            })
        })
    }
}

// Without keys and values, which are internal names of an app.
impl fmt::Debug for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Labels({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_has_the_number_of_labels_alone() {
        let labels = Labels(BTreeMap::from([("tenant".to_owned(), "acme".to_owned())]));
        assert_eq!(format!("{labels:?}"), "Labels(1)");
    }
}
