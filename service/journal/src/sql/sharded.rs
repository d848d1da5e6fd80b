//! Statements that differ between databases with one shard and with several.
//!
//! With several shards, `shard` is the first column of each key of the hot path, so a statement has to name
//! it. The parts of a statement that do so stand in `[[` and `]]`. With one shard the keys have no such
//! column and those parts are left out, or replaced by what follows a `|` in them.

use std::sync::OnceLock;

use crate::{Shard, Shards};

/// A statement with parts for several shards.
pub(crate) struct Sharded {
    template: &'static str,
    one: OnceLock<String>,
    several: OnceLock<String>,
}

impl Sharded {
    pub(crate) const fn new(template: &'static str) -> Sharded {
        Sharded { template, one: OnceLock::new(), several: OnceLock::new() }
    }

    /// Returns the statement for a database with so many shards.
    pub(crate) fn text(&'static self, shards: Shards) -> &'static str {
        let text = if shards == Shards::ONE { &self.one } else { &self.several };
        text.get_or_init(|| for_shards(self.template, shards))
    }
}

/// Returns a statement for a database with so many shards.
pub(crate) fn for_shards(template: &str, shards: Shards) -> String {
    let mut parts = template.split("[[");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (inside, after) = part.split_once("]]").expect("each part ends");
        let (several, one) = inside.split_once('|').unwrap_or((inside, ""));
        text.push_str(if shards == Shards::ONE { one } else { several });
        text.push_str(after);
    }
    text
}

/// Returns a statement of a writer, which names its shard as `{shard}`.
pub(crate) fn in_shard(template: &str, shards: Shards, shard: Shard) -> String {
    for_shards(template, shards).replace("{shard}", &shard.number().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_for_several_shards_are_left_out_or_replaced_with_one() {
        let four = Shards::new(4).unwrap();
        let template = "SELECT [[shard, |0, ]]a FROM b WHERE [[shard = {shard} AND ]]c = ANY ($1::int[])";
        assert_eq!(for_shards(template, Shards::ONE), "SELECT 0, a FROM b WHERE c = ANY ($1::int[])");
        let last = four.all().last().unwrap();
        assert_eq!(
            in_shard(template, four, last),
            "SELECT shard, a FROM b WHERE shard = 3 AND c = ANY ($1::int[])"
        );
    }
}
