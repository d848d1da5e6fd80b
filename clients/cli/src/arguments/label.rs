//! `--label tenant=acme`: a label of a match.

use std::collections::HashMap;
use std::str::FromStr;

use crate::failure::Failure;

/// A label as given on the command line. The service checks its key and value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label {
    key: String,
    value: String,
}

impl FromStr for Label {
    type Err = &'static str;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        let (key, value) = typed.split_once('=').ok_or("write KEY=VALUE, for example tenant=acme")?;
        Ok(Self { key: key.to_owned(), value: value.to_owned() })
    }
}

/// Returns the labels of a request.
pub(crate) fn labels(typed: &[Label]) -> Result<HashMap<String, String>, Failure> {
    let mut labels = HashMap::new();
    for Label { key, value } in typed {
        if labels.insert(key.clone(), value.clone()).is_some() {
            return Err(Failure::Usage(format!("label {} is given twice", board::printable(key))));
        }
    }
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_split_at_the_first_equals_sign() {
        let label: Label = "a=b=c".parse().unwrap();
        assert_eq!((&*label.key, &*label.value), ("a", "b=c"));
        assert_eq!("a=".parse::<Label>().unwrap().value, "");
        assert!("a".parse::<Label>().is_err());
        assert!(labels(&["a=1".parse().unwrap(), "a=2".parse().unwrap()]).is_err());
    }
}
