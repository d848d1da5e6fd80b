//! Counts with their nouns.

use std::fmt::Display;

/// Returns a count with its noun in the singular or plural: `1 turn`, `2 turns`.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, singular: &str, plural: &str) -> String {
    let noun = if count == N::from(1) { singular } else { plural };
    format!("{count} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!(counted(0_u32, "turn", "turns"), "0 turns");
        assert_eq!(counted(1_u32, "turn", "turns"), "1 turn");
        assert_eq!(counted(21_u32, "turn", "turns"), "21 turns");
    }
}
