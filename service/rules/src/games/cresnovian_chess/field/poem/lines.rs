//! A persistent sequence of words: a weight-balanced tree of lines. Copies share the tree, and a change
//! copies one line and the path to it, so its cost is logarithmic in the number of lines.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::slice;

use crate::games::cresnovian_chess::field::poem::word::Word;

/// Maximum number of words in a line. A longer line is split.
const MAX_LINE: usize = 18;
/// Ratio of two siblings' weights beyond which the heavier one is rotated.
const MAX_RATIO: usize = 3;
/// Ratio of the inner to the outer grandchild's weight from which the rotation is a double one. With these
/// two ratios, inserting or removing a line keeps the tree balanced (Hirai and Yamamoto, 2011).
const DOUBLE_RATIO: usize = 2;

/// Words in order. Where lines break has no meaning.
#[derive(Clone, Default)]
pub(super) struct Lines(Option<Arc<Node>>);

struct Node {
    left: Lines,
    /// Never empty.
    line: Arc<[Word]>,
    right: Lines,
    /// Number of words in the tree.
    words: usize,
    /// Number of lines in the tree plus 1.
    weight: usize,
}

impl Lines {
    /// Returns the number of words.
    pub(super) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |node| node.words)
    }

    /// Returns the words from an index on.
    pub(super) fn starting_at(&self, index: usize) -> Words<'_> {
        let mut words = Words { line: [].iter(), pending: Vec::new() };
        let (mut next, mut index) = (&self.0, index);
        while let Some(node) = next {
            let left = node.left.len();
            if index < left {
                words.pending.push(node);
                next = &node.left.0;
            } else if index < left + node.line.len() {
                words.line = node.line[index - left..].iter();
                words.descend(&node.right);
                break;
            } else {
                index -= left + node.line.len();
                next = &node.right.0;
            }
        }
        words
    }

    /// Returns these words with others at the end, which are shared if they fit a line.
    pub(super) fn appended(&self, words: &Arc<[Word]>) -> Self {
        if (1..=MAX_LINE).contains(&words.len()) {
            return self.with_last(Arc::clone(words));
        }
        words.chunks(MAX_LINE).fold(self.clone(), |lines, line| lines.with_last(Arc::from(line)))
    }

    /// Returns these words with one inserted at the index, which is at most the length.
    pub(super) fn inserted(&self, index: usize, word: Word) -> Self {
        let Some(node) = &self.0 else { return self.with_last([word].into()) };
        let Node { left, line, right, .. } = &**node;
        if index < left.len() {
            return Self::balanced(left.inserted(index, word), line.clone(), right.clone());
        }
        let place = index - left.len();
        if place > line.len() {
            let right = right.inserted(place - line.len(), word);
            return Self::balanced(left.clone(), line.clone(), right);
        }
        let (before, after) = line.split_at(place);
        let longer: Vec<Word> = before.iter().chain([&word]).chain(after).cloned().collect();
        if longer.len() <= MAX_LINE {
            return Self::node(left.clone(), longer.into(), right.clone());
        }
        let (first, second) = longer.split_at(longer.len() / 2);
        Self::balanced(left.with_last(first.into()), second.into(), right.clone())
    }

    /// Returns the word at the index and the other words. `None` if the index is not below the length.
    pub(super) fn removed(&self, index: usize) -> Option<(Word, Self)> {
        let Node { left, line, right, .. } = &**self.0.as_ref()?;
        if index < left.len() {
            let (word, left) = left.removed(index)?;
            return Some((word, Self::balanced(left, line.clone(), right.clone())));
        }
        let place = index - left.len();
        if place >= line.len() {
            let (word, right) = right.removed(place - line.len())?;
            return Some((word, Self::balanced(left.clone(), line.clone(), right)));
        }
        let mut shorter = line.to_vec();
        let word = shorter.remove(place);
        let others = if shorter.is_empty() {
            Self::joined(left, right)
        } else {
            Self::node(left.clone(), shorter.into(), right.clone())
        };
        Some((word, others))
    }

    fn with_last(&self, line: Arc<[Word]>) -> Self {
        match &self.0 {
            None => Self::node(Self::default(), line, Self::default()),
            Some(node) => Self::balanced(node.left.clone(), node.line.clone(), node.right.with_last(line)),
        }
    }

    /// Returns the first line and the lines after it. `None` if there is none.
    fn split_first(&self) -> Option<(Arc<[Word]>, Self)> {
        let Node { left, line, right, .. } = &**self.0.as_ref()?;
        Some(match left.split_first() {
            None => (line.clone(), right.clone()),
            Some((first, left)) => (first, Self::balanced(left, line.clone(), right.clone())),
        })
    }

    /// Joins two siblings.
    fn joined(left: &Self, right: &Self) -> Self {
        match right.split_first() {
            None => left.clone(),
            Some((line, right)) => Self::balanced(left.clone(), line, right),
        }
    }

    fn weight(&self) -> usize {
        self.0.as_ref().map_or(1, |node| node.weight)
    }

    fn node(left: Self, line: Arc<[Word]>, right: Self) -> Self {
        let words = left.len() + line.len() + right.len();
        let weight = left.weight() + right.weight();
        Self(Some(Arc::new(Node { left, line, right, words, weight })))
    }

    /// Makes a tree of siblings that were balanced before one of them gained or lost a line.
    fn balanced(left: Self, line: Arc<[Word]>, right: Self) -> Self {
        if let Some(node) = &right.0
            && right.weight() > MAX_RATIO * left.weight()
        {
            let (inner, outer) = (&node.left, &node.right);
            return match &inner.0 {
                Some(middle) if inner.weight() >= DOUBLE_RATIO * outer.weight() => Self::node(
                    Self::node(left, line, middle.left.clone()),
                    middle.line.clone(),
                    Self::node(middle.right.clone(), node.line.clone(), outer.clone()),
                ),
                _ => Self::node(Self::node(left, line, inner.clone()), node.line.clone(), outer.clone()),
            };
        }
        if let Some(node) = &left.0
            && left.weight() > MAX_RATIO * right.weight()
        {
            let (outer, inner) = (&node.left, &node.right);
            return match &inner.0 {
                Some(middle) if inner.weight() >= DOUBLE_RATIO * outer.weight() => Self::node(
                    Self::node(outer.clone(), node.line.clone(), middle.left.clone()),
                    middle.line.clone(),
                    Self::node(middle.right.clone(), line, right),
                ),
                _ => Self::node(outer.clone(), node.line.clone(), Self::node(inner.clone(), line, right)),
            };
        }
        Self::node(left, line, right)
    }
}

/// Words of a sequence in order.
pub(super) struct Words<'a> {
    line: slice::Iter<'a, Word>,
    /// Nodes of which the line and the right tree come later, the next one last.
    pending: Vec<&'a Node>,
}

impl<'a> Words<'a> {
    fn descend(&mut self, lines: &'a Lines) {
        let mut next = &lines.0;
        while let Some(node) = next {
            self.pending.push(node);
            next = &node.left.0;
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a Word;

    fn next(&mut self) -> Option<&'a Word> {
        loop {
            if let Some(word) = self.line.next() {
                return Some(word);
            }
            let node = self.pending.pop()?;
            self.line = node.line.iter();
            self.descend(&node.right);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::string::ToString;
    use alloc::vec;

    use super::*;
    use crate::{Dice, Seed};

    fn words(lines: &Lines) -> Vec<&str> {
        lines.starting_at(0).map(Word::as_str).collect()
    }

    /// Collects the addresses of a tree's nodes and lines, and checks its counts and its balance.
    fn parts(lines: &Lines, found: &mut BTreeSet<usize>) {
        let Some(node) = &lines.0 else { return };
        assert!((1..=MAX_LINE).contains(&node.line.len()));
        assert_eq!(node.words, node.left.len() + node.line.len() + node.right.len());
        let weights = [node.left.weight(), node.right.weight()];
        assert_eq!(node.weight, weights[0] + weights[1]);
        assert!(weights[0] <= MAX_RATIO * weights[1] && weights[1] <= MAX_RATIO * weights[0]);
        found.insert(Arc::as_ptr(node).addr());
        found.insert(node.line.as_ptr().addr());
        parts(&node.left, found);
        parts(&node.right, found);
    }

    fn parts_of(lines: &Lines) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        parts(lines, &mut found);
        found
    }

    #[test]
    fn changes_match_those_of_a_plain_list() {
        for seed in 0..8 {
            let mut dice = Dice::new(&Seed::new([seed; 32]));
            let mut lines = Lines::default();
            let mut plain: Vec<Word> = Vec::new();
            // Some runs grow for long, others stay short, so that lines vanish.
            let growth = 1 + u32::from(seed % 4);
            for step in 0..600_u32 {
                let index = dice.below(u32::try_from(plain.len()).unwrap() + 1) as usize;
                let word = Word::new(&step.to_string());
                match dice.below(2 + growth) {
                    0 | 1 if index < plain.len() => {
                        let (taken, others) = lines.removed(index).unwrap();
                        assert_eq!(taken, plain.remove(index));
                        lines = others;
                    }
                    2 => {
                        let nine: Arc<[Word]> = vec![word.clone(); 9].into();
                        lines = lines.appended(&nine);
                        plain.extend(nine.iter().cloned());
                    }
                    _ => {
                        lines = lines.inserted(index, word.clone());
                        plain.insert(index, word);
                    }
                }
                assert_eq!(lines.len(), plain.len());
                parts_of(&lines);
            }
            assert_eq!(words(&lines), plain.iter().map(Word::as_str).collect::<Vec<_>>());
            for index in 0..=plain.len() {
                assert!(lines.starting_at(index).eq(&plain[index..]));
            }
            assert!(lines.removed(plain.len()).is_none());
        }
    }

    #[test]
    fn a_change_copies_few_lines_of_a_long_poem() {
        let nine: Arc<[Word]> = vec![Word::new("word"); 9].into();
        let long = (0..2000).fold(Lines::default(), |lines, _| lines.appended(&nine));
        let before = parts_of(&long);
        let count = |after: &Lines| parts_of(after).difference(&before).count();
        // A path has about 11 nodes; a rotation adds at most two.
        assert!(count(&long.appended(&nine)) <= 20);
        for index in (0..18_000).step_by(611) {
            assert!(count(&long.inserted(index, Word::new("new"))) <= 20, "{index}");
            assert!(count(&long.removed(index).unwrap().1) <= 20, "{index}");
        }
    }
}
