//! Compares path templates: whether some path matches both, and which of them is more specific.

use std::cmp::Ordering;

use crate::template::{Segment, Template};

/// The relation of the sets of paths that two templates match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// No path matches both.
    None,
    /// One matches every path of the other, and more: the other is more specific.
    Nested,
    /// Some path matches both, and neither is more specific.
    Ambiguous,
}

/// Compares two templates.
pub(crate) fn overlap(a: &Template, b: &Template) -> Overlap {
    // A verb of any template is a verb in every path, never part of another template's segment.
    if a.verb() != b.verb() || !share_a_path(a.segments(), b.segments()) {
        Overlap::None
    } else if covers(a.segments(), b.segments()) == covers(b.segments(), a.segments()) {
        Overlap::Ambiguous
    } else {
        Overlap::Nested
    }
}

/// Orders the more specific of two nested templates first.
pub(crate) fn more_specific_first(a: &Template, b: &Template) -> Ordering {
    let ranks = |template: &Template| template.segments().iter().map(rank).collect::<Vec<_>>();
    ranks(a).cmp(&ranks(b))
}

fn rank(segment: &Segment) -> u8 {
    match segment {
        Segment::Literal(_) => 0,
        Segment::Wildcard => 1,
        Segment::CatchAll => 2,
    }
}

fn share_a_path(a: &[Segment], b: &[Segment]) -> bool {
    match (a.split_first(), b.split_first()) {
        (None, None) | (Some((Segment::CatchAll, _)), _) | (_, Some((Segment::CatchAll, _))) => true,
        (None, Some(_)) | (Some(_), None) => false,
        (Some((Segment::Literal(a), _)), Some((Segment::Literal(b), _))) if a != b => false,
        (Some((_, a)), Some((_, b))) => share_a_path(a, b),
    }
}

/// Returns whether `a` matches every path that `b` matches.
fn covers(a: &[Segment], b: &[Segment]) -> bool {
    match (a.split_first(), b.split_first()) {
        (None, None) | (Some((Segment::CatchAll, _)), _) => true,
        (Some((Segment::Wildcard, a)), Some((Segment::Wildcard | Segment::Literal(_), b))) => covers(a, b),
        (Some((Segment::Literal(x), a)), Some((Segment::Literal(y), b))) => x == y && covers(a, b),
        _ => false,
    }
}
