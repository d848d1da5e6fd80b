//! The table `match_label`.

use std::collections::HashMap;

use uuid::Uuid;

use super::columns::{Column, Value};
use crate::directory::LabelRow;
use crate::{Labels, MatchId};

/// Match, key and value, as `read_labels.sql` returns them.
pub(crate) type LabelOfMatch = (Uuid, String, String);

/// Returns all columns, in the order in which statements bind them.
pub(crate) fn label_columns<'l>() -> [Column<LabelRow<'l>>; 5] {
    [
        Column { name: "match_id", value: Value::Uuid(|label| Some(label.match_id.0)) },
        Column { name: "key", value: Value::Text(|label| Some(label.key)) },
        Column { name: "value", value: Value::Text(|label| Some(label.value)) },
        Column { name: "owner", value: Value::Text(|label| Some(label.owner)) },
        Column { name: "create_time", value: Value::BigInt(|label| Some(label.create_time)) },
    ]
}

/// Groups labels by their match.
pub(crate) fn by_match(rows: Vec<LabelOfMatch>) -> HashMap<MatchId, Labels> {
    let mut labels: HashMap<MatchId, Labels> = HashMap::new();
    for (id, key, value) in rows {
        labels.entry(MatchId(id)).or_default().0.insert(key, value);
    }
    labels
}
