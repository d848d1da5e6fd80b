//! Values inside a response.

use serde_json::Value;

/// Returns the value at a path such as `view.toAct.0` or `moves.length`; null if there is none.
pub(crate) fn at(value: &Value, path: &str) -> Value {
    let mut value = value.clone();
    for part in path.split('.') {
        value = match (&value, part.parse::<usize>()) {
            (Value::Array(values), _) if part == "length" => values.len().into(),
            (Value::Array(values), Ok(index)) => values.get(index).cloned().unwrap_or_default(),
            (Value::Object(fields), _) => fields.get(part).cloned().unwrap_or_default(),
            _ => Value::Null,
        };
    }
    value
}

/// Returns whether a value is the expected one. Some clients omit fields that have their default.
pub(crate) fn fits(expected: &Value, actual: &Value) -> bool {
    let is_default = match expected {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_u64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(_) => false,
    };
    expected == actual || (is_default && actual.is_null())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_lead_through_lists_and_fields() {
        let value = json!({"view": {"toAct": [0, 1]}});
        assert_eq!(at(&value, "view.toAct.1"), 1);
        assert_eq!(at(&value, "view.toAct.length"), 2);
        assert_eq!(at(&value, "view.toAct.2"), Value::Null);
        assert_eq!(at(&value, "view.seq.0"), Value::Null);
        assert_eq!(at(&json!([1, 2]), "length"), 2);
    }

    #[test]
    fn only_a_default_fits_what_is_missing() {
        for default in [json!(0), json!(""), json!([]), json!(false)] {
            assert!(fits(&default, &Value::Null), "{default}");
        }
        for value in [json!(1), json!("a"), json!([1]), json!(true), json!({})] {
            assert!(!fits(&value, &Value::Null), "{value}");
        }
        assert!(!fits(&json!(0), &json!(1)));
    }
}
