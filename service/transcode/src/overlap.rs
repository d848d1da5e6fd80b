//! What two templates have in common: whether some path fits both, and which of
//! them is then the more particular one.

use std::cmp::Ordering;

use crate::template::{Segment, Template};

/// How two templates stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// No path fits both.
    None,
    /// One takes everything that the other takes, and more: the other goes first.
    Nested,
    /// Some path fits both and nothing says which of them is meant.
    Ambiguous,
}

/// Compares two templates.
pub(crate) fn overlap(a: &Template, b: &Template) -> Overlap {
    // A verb is a verb in every path, so it is never a part of another template's segment.
    if a.verb() != b.verb() || !share_a_path(a.segments(), b.segments()) {
        Overlap::None
    } else if covers(a.segments(), b.segments()) == covers(b.segments(), a.segments()) {
        Overlap::Ambiguous
    } else {
        Overlap::Nested
    }
}

/// Puts the more particular of two nested templates first.
pub(crate) fn particular_first(a: &Template, b: &Template) -> Ordering {
    let ranks = |template: &Template| template.segments().iter().map(rank).collect::<Vec<_>>();
    ranks(a).cmp(&ranks(b))
}

fn rank(segment: &Segment) -> u8 {
    match segment {
        Segment::Literal(_) => 0,
        Segment::One => 1,
        Segment::Rest => 2,
    }
}

fn share_a_path(a: &[Segment], b: &[Segment]) -> bool {
    match (a.split_first(), b.split_first()) {
        (None, None) | (Some((Segment::Rest, _)), _) | (_, Some((Segment::Rest, _))) => true,
        (None, Some(_)) | (Some(_), None) => false,
        (Some((Segment::Literal(a), _)), Some((Segment::Literal(b), _))) if a != b => false,
        (Some((_, a)), Some((_, b))) => share_a_path(a, b),
    }
}

/// Whether every path of `b` is one of `a`.
fn covers(a: &[Segment], b: &[Segment]) -> bool {
    match (a.split_first(), b.split_first()) {
        (None, None) | (Some((Segment::Rest, _)), _) => true,
        (Some((Segment::One, a)), Some((Segment::One | Segment::Literal(_), b))) => covers(a, b),
        (Some((Segment::Literal(x), a)), Some((Segment::Literal(y), b))) => x == y && covers(a, b),
        _ => false,
    }
}
