//! A field in the middle of a turn. Each method makes a change and records its fact.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::facts::{Fact, Facts};
use super::field::poem::{PoemChange, Word};
use super::field::square::Square;
use super::field::umbration::Umbration;
use super::field::{Condition, FOUNDATION_Q, Field, Status, Thing};
use super::state::LastTurn;

/// The field and the facts so far in this turn.
pub(super) struct Effects {
    pub(super) field: Field,
    pub(super) facts: Facts,
}

impl Effects {
    pub(super) fn of(field: Field) -> Self {
        Self { field, facts: Vec::with_capacity(6) }
    }

    /// Changes a piece's Q; void on an eternal piece (CC-6).
    pub(super) fn change_q(&mut self, piece: Umbration, change: impl FnOnce(u32) -> u32) {
        let Condition { q, status } = self.field.piece(piece).condition;
        if status != Status::Eternal {
            self.set(piece, Condition { q: change(q), status });
        }
    }

    /// Takes up to this many Q from a piece.
    pub(super) fn lose(&mut self, piece: Umbration, amount: u32) {
        self.change_q(piece, |q| q.saturating_sub(amount));
    }

    /// Breaks a piece; void on an eternal piece (CC-44).
    pub(super) fn break_down(&mut self, piece: Umbration) {
        let Condition { q, status } = self.field.piece(piece).condition;
        if status != Status::Eternal {
            self.set(piece, Condition { q, status: Status::Broken });
        }
    }

    /// Clears a break, if there is one.
    pub(super) fn repair(&mut self, piece: Umbration) {
        let Condition { q, status } = self.field.piece(piece).condition;
        if status == Status::Broken {
            self.set(piece, Condition { q, status: Status::Whole });
        }
    }

    pub(super) fn make_eternal(&mut self, piece: Umbration) {
        self.set(piece, Condition { q: FOUNDATION_Q, status: Status::Eternal });
    }

    fn set(&mut self, piece: Umbration, to: Condition) {
        let from = self.field.piece(piece).condition;
        if from != to {
            self.field.set_condition(piece, to);
            self.facts.push(Fact::PieceChanged { piece, from, to });
        }
    }

    pub(super) fn move_piece(&mut self, piece: Umbration, to: Square) {
        let from = self.field.piece(piece).square;
        self.field.move_piece(piece, to);
        self.facts.push(Fact::PieceMoved { piece, from, to });
    }

    pub(super) fn move_together(&mut self, moves: &[(Umbration, Square)]) {
        for &(piece, to) in moves {
            let from = self.field.piece(piece).square;
            if from != to {
                self.facts.push(Fact::PieceMoved { piece, from, to });
            }
        }
        self.field.move_together(moves);
    }

    /// Moves the piece or monument on the square; the word never moves.
    pub(super) fn move_thing(&mut self, from: Square, to: Square) {
        match self.field.thing(from) {
            Thing::Piece(piece) => self.move_piece(piece, to),
            Thing::Monument(umbration) => {
                self.field.destroy(from);
                self.field.build(to, umbration);
                self.facts.push(Fact::MonumentMoved { umbration, from, to });
            }
            Thing::Blank | Thing::Word => {}
        }
    }

    pub(super) fn build(&mut self, square: Square, umbration: Umbration) {
        self.field.build(square, umbration);
        self.facts.push(Fact::MonumentBuilt { square, umbration });
    }

    /// Destroys the monument on the square, if there is one.
    pub(super) fn destroy(&mut self, square: Square) {
        if let Thing::Monument(umbration) = self.field.thing(square) {
            self.field.destroy(square);
            self.facts.push(Fact::MonumentDestroyed { square, umbration });
        }
    }

    pub(super) fn lift_word(&mut self) -> Option<Word> {
        let (square, word) = self.field.lift_word()?;
        self.facts.push(Fact::WordLifted { square, word: word.clone() });
        Some(word)
    }

    pub(super) fn lay_word(&mut self, square: Square, word: Word) {
        self.facts.push(Fact::WordLaid { square, word: word.clone() });
        self.field.lay_word(square, word);
    }

    pub(super) fn take_word(&mut self, index: u32) -> Word {
        let word = self.field.poem.word(index).clone();
        self.change_poem(PoemChange { index, removed: [word.clone()].into(), inserted: Arc::default() });
        word
    }

    pub(super) fn put_word_back(&mut self, index: u32, word: Word) {
        self.change_poem(PoemChange { index, removed: Arc::default(), inserted: [word].into() });
    }

    pub(super) fn append(&mut self, words: &[Word]) {
        let index = u32::try_from(self.field.poem.len()).expect("a match has at most 18 000 words (CC-71)");
        self.change_poem(PoemChange { index, removed: Arc::default(), inserted: words.into() });
    }

    fn change_poem(&mut self, change: PoemChange) {
        let changed = self.field.poem.apply(&change);
        debug_assert!(changed, "a change is made from the poem");
        self.facts.push(Fact::PoemChanged(Arc::new(change)));
    }

    /// Undoes a turn and records every difference. The poem's changes are undone one by one, the last first,
    /// so that each fact is small and the poem's hash follows from the facts.
    pub(super) fn undo(&mut self, turn: &LastTurn) {
        let earlier = &*turn.field;
        for (now, then) in self.field.pieces().iter().zip(earlier.pieces()) {
            let piece = now.umbration;
            if now.square != then.square {
                self.facts.push(Fact::PieceMoved { piece, from: now.square, to: then.square });
            }
            if now.condition != then.condition {
                self.facts.push(Fact::PieceChanged { piece, from: now.condition, to: then.condition });
            }
        }
        for square in Square::ALL {
            let (now, then) = (self.field.thing(square), earlier.thing(square));
            if now == then {
                continue;
            }
            if let Thing::Monument(umbration) = now {
                self.facts.push(Fact::MonumentDestroyed { square, umbration });
            }
            if let Thing::Monument(umbration) = then {
                self.facts.push(Fact::MonumentBuilt { square, umbration });
            }
        }
        if self.field.word() != earlier.word() {
            let lifted = self.field.word().cloned();
            self.facts.extend(lifted.map(|(square, word)| Fact::WordLifted { square, word }));
            let laid = earlier.word().cloned();
            self.facts.extend(laid.map(|(square, word)| Fact::WordLaid { square, word }));
        }
        for change in turn.poem_changes.iter().rev() {
            self.change_poem(change.inverse());
        }
        let poem = self.field.poem.clone();
        self.field = earlier.clone();
        self.field.poem = poem;
    }
}
