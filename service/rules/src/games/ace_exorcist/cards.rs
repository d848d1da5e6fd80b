//! Cards and sets of cards (AE-1), without any rules of play.

use alloc::format;
use alloc::string::String;

use crate::Side;

/// A suit; the first three are the Summoner's, the last three the Exorcist's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suit {
    /// The Summoner's first suit.
    Blood,
    /// The Summoner's second suit.
    Blade,
    /// The Summoner's third suit.
    Flame,
    /// The Exorcist's first suit.
    Bell,
    /// The Exorcist's second suit.
    Book,
    /// The Exorcist's third suit.
    Candle,
}

impl Suit {
    /// Every suit in the order of AE-1.
    pub const ALL: [Self; 6] = [Self::Blood, Self::Blade, Self::Flame, Self::Bell, Self::Book, Self::Candle];

    /// Returns the seat whose pack has the suit.
    #[must_use]
    pub const fn owner(self) -> Side {
        match self {
            Self::Blood | Self::Blade | Self::Flame => Side::Zero,
            Self::Bell | Self::Book | Self::Candle => Side::One,
        }
    }

    /// Returns the printed name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blood => "Blood",
            Self::Blade => "Blade",
            Self::Flame => "Flame",
            Self::Bell => "Bell",
            Self::Book => "Book",
            Self::Candle => "Candle",
        }
    }

    /// Returns the suit's index in its pack: 0, 1 or 2.
    const fn index_in_pack(self) -> u8 {
        self as u8 % SUITS
    }
}

/// Returns the bit of the first card of a seat's pack.
const fn first_bit(seat: Side) -> u8 {
    match seat {
        Side::Zero => 0,
        Side::One => PACK_BITS,
    }
}

/// Suits in a pack.
const SUITS: u8 = 3;
/// The value of the strongest card.
pub(super) const MAX_VALUE: u32 = 10;
/// Cards in a pack.
pub(super) const PACK: usize = 30;
const PACK_BITS: u8 = 30;

/// A card that exists. Cards are ordered by seat, then value, then suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Card(u8);

impl Card {
    /// Returns the card. `None` unless the value is 1 to 10.
    #[must_use]
    pub const fn new(suit: Suit, value: u32) -> Option<Self> {
        if value < 1 || value > MAX_VALUE {
            return None;
        }
        let [rank, ..] = (value - 1).to_le_bytes();
        Some(Self(first_bit(suit.owner()) + rank * SUITS + suit.index_in_pack()))
    }

    /// Returns the suit.
    #[must_use]
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 / PACK_BITS * SUITS + self.0 % SUITS) as usize]
    }

    /// Returns the value, 1 to 10.
    #[must_use]
    pub const fn value(self) -> u32 {
        (self.0 % PACK_BITS / SUITS) as u32 + 1
    }

    /// Returns the seat whose pack has the card.
    #[must_use]
    pub const fn owner(self) -> Side {
        self.suit().owner()
    }

    /// Returns the owner's name for a face card. `None` for a number card.
    #[must_use]
    pub const fn face(self) -> Option<&'static str> {
        let [summoner, exorcist] = match self.value() {
            10 => ["Elder", "Archon"],
            9 => ["Daemon", "Seraph"],
            8 => ["Beast", "Deva"],
            1 => ["Imp", "Angel"],
            _ => return None,
        };
        match self.owner() {
            Side::Zero => Some(summoner),
            Side::One => Some(exorcist),
        }
    }

    /// Returns the name in words, such as `Blade 5` or `Elder of Blood`.
    #[must_use]
    pub fn name(self) -> String {
        let suit = self.suit().name();
        match self.face() {
            Some(face) => format!("{face} of {suit}"),
            None => format!("{suit} {}", self.value()),
        }
    }

    /// Returns the card's byte in canonical positions: its index among the 60 cards in card order.
    pub(super) const fn byte(self) -> u8 {
        self.0
    }

    const fn bit(self) -> u64 {
        1 << self.0
    }
}

/// The cards of value 1 in both packs.
const IMPS: u64 = 0b111 | 0b111 << PACK_BITS;
/// The cards of the first suit in the first pack.
const FIRST_SUIT: u64 = 0x0924_9249;

/// A set of cards. Sets of the same cards are equal, in whatever order they were built.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns a seat's whole pack.
    pub(super) const fn pack(seat: Side) -> Self {
        Self(((1 << PACK_BITS) - 1) << first_bit(seat))
    }

    /// Returns the set of one card.
    #[must_use]
    pub const fn only(card: Card) -> Self {
        Self(card.bit())
    }

    /// Returns the set with the card added.
    #[must_use]
    pub const fn with(self, card: Card) -> Self {
        Self(self.0 | card.bit())
    }

    /// Adds the card. Returns whether it was new.
    pub const fn insert(&mut self, card: Card) -> bool {
        let is_new = !self.contains(card);
        *self = self.with(card);
        is_new
    }

    /// Removes every card of the other set.
    pub const fn remove(&mut self, others: Self) {
        self.0 &= !others.0;
    }

    /// Returns whether the set has the card.
    #[must_use]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & card.bit() != 0
    }

    /// Returns whether the set is a subset of the other.
    #[must_use]
    pub const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of cards.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the union of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the sum of the values.
    #[must_use]
    pub fn strength(self) -> u32 {
        self.iter().map(Card::value).sum()
    }

    /// Returns the cards of this value.
    pub(super) const fn of_value(self, value: u32) -> Self {
        if value < 1 || value > MAX_VALUE {
            return Self::EMPTY;
        }
        Self(self.0 & IMPS << (3 * (value - 1)))
    }

    /// Returns the cards of this suit.
    pub(super) const fn of_suit(self, suit: Suit) -> Self {
        Self(self.0 & FIRST_SUIT << (first_bit(suit.owner()) + suit.index_in_pack()))
    }

    /// Returns the first card in card order.
    #[must_use]
    pub const fn first(self) -> Option<Card> {
        let [index_in_pack, ..] = self.0.trailing_zeros().to_le_bytes();
        if self.0 == 0 { None } else { Some(Card(index_in_pack)) }
    }

    /// Returns the last card in card order.
    #[must_use]
    pub const fn last(self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let [index_in_pack, ..] = self.0.ilog2().to_le_bytes();
        Some(Card(index_in_pack))
    }

    /// Returns the cards in card order: by seat, then value, then suit.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let Self(mut bits) = self;
        core::iter::from_fn(move || {
            let card = Self(bits).first()?;
            bits &= bits - 1;
            Some(card)
        })
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, Self::with)
    }
}
