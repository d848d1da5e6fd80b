//! The id of a match on the command line.

use uuid::Uuid;

/// Parses a match's id into the one spelling that the service uses.
pub(crate) fn match_id(text: &str) -> Result<String, &'static str> {
    let id = Uuid::try_parse(text).map_err(|_| "a match's id is a UUID, as `matchbook new` prints it")?;
    Ok(id.hyphenated().to_string())
}
