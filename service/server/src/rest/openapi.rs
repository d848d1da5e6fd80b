//! Temporary.

use serde_json::{Value, json};
use transcode::Routes;

pub(crate) fn document(_: &Routes) -> Value {
    json!({})
}
