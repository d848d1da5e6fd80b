//! The known name that a mistyped one resembles.

/// The similarity from which on a name is suggested, as in clap.
const SIMILAR: f64 = 0.7;

/// Returns the known name that is most similar to `name`, if one is similar enough to suggest it.
pub(crate) fn similar<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let similarity = |known: &&str| strsim::jaro(name, known);
    let best = known.iter().copied().max_by(|one, other| similarity(one).total_cmp(&similarity(other)));
    best.filter(|known| similarity(known) >= SIMILAR)
}
