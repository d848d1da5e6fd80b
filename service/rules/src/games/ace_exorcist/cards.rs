//! Cards and sets of cards (AE-1). What may be done with them is not decided here.

use alloc::format;
use alloc::string::String;

use crate::Seat;

/// A suit; the first three are the Summoner's, the last three the Exorcist's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suit {
    /// The Summoner's first.
    Blood,
    /// The Summoner's second.
    Blade,
    /// The Summoner's third.
    Flame,
    /// The Exorcist's first.
    Bell,
    /// The Exorcist's second.
    Book,
    /// The Exorcist's third.
    Candle,
}

impl Suit {
    /// All suits in the order of AE-1.
    pub const ALL: [Self; 6] = [Self::Blood, Self::Blade, Self::Flame, Self::Bell, Self::Book, Self::Candle];

    /// Whose pack has it.
    #[must_use]
    pub const fn owner(self) -> Seat {
        match self {
            Self::Blood | Self::Blade | Self::Flame => Seat::Zero,
            Self::Bell | Self::Book | Self::Candle => Seat::One,
        }
    }

    /// The name in print.
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

    /// 0, 1 or 2 within its pack.
    const fn index_in_pack(self) -> u8 {
        self as u8 % SUITS
    }
}

/// Where a seat's pack begins among the 60 cards.
const fn first_bit(seat: Seat) -> u8 {
    match seat {
        Seat::Zero => 0,
        Seat::One => PACK_BITS,
    }
}

/// Suits of a pack.
const SUITS: u8 = 3;
/// The value of the strongest card.
pub(super) const MAX_VALUE: u32 = 10;
/// Cards of a pack.
pub(super) const PACK: usize = 30;
const PACK_BITS: u8 = 30;

/// A card that exists. Cards are ordered by seat, then by value, then by suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Card(u8);

impl Card {
    /// The card of that suit and value, if there is one: values are 1 to 10.
    #[must_use]
    pub const fn new(suit: Suit, value: u32) -> Option<Self> {
        if value < 1 || value > MAX_VALUE {
            return None;
        }
        let [rank, ..] = (value - 1).to_le_bytes();
        Some(Self(first_bit(suit.owner()) + rank * SUITS + suit.index_in_pack()))
    }

    /// Its suit.
    #[must_use]
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 / PACK_BITS * SUITS + self.0 % SUITS) as usize]
    }

    /// Its value, 1 to 10.
    #[must_use]
    pub const fn value(self) -> u32 {
        (self.0 % PACK_BITS / SUITS) as u32 + 1
    }

    /// Whose pack it belongs to.
    #[must_use]
    pub const fn owner(self) -> Seat {
        self.suit().owner()
    }

    /// What its owner calls it, if it is a face card.
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
            Seat::Zero => Some(summoner),
            Seat::One => Some(exorcist),
        }
    }

    /// The card in words: `Blade 5`, `Elder of Blood`.
    #[must_use]
    pub fn name(self) -> String {
        let suit = self.suit().name();
        match self.face() {
            Some(face) => format!("{face} of {suit}"),
            None => format!("{suit} {}", self.value()),
        }
    }

    /// The byte of the card in canonical positions: its place among the 60 cards in this order.
    pub(super) const fn byte(self) -> u8 {
        self.0
    }

    const fn bit(self) -> u64 {
        1 << self.0
    }
}

/// The cards of one value of both packs.
const IMPS: u64 = 0b111 | 0b111 << PACK_BITS;
/// The cards of a pack's first suit.
const FIRST_SUIT: u64 = 0x0924_9249;

/// A set of cards: however it was put together, the same cards make an equal set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: Self = Self(0);

    /// The whole pack of a seat.
    pub(super) const fn pack(seat: Seat) -> Self {
        Self(((1 << PACK_BITS) - 1) << first_bit(seat))
    }

    /// The set of this card alone.
    #[must_use]
    pub const fn only(card: Card) -> Self {
        Self(card.bit())
    }

    /// The set with the card added.
    #[must_use]
    pub const fn with(self, card: Card) -> Self {
        Self(self.0 | card.bit())
    }

    /// Adds the card; false if it was there already.
    pub const fn insert(&mut self, card: Card) -> bool {
        let is_new = !self.contains(card);
        *self = self.with(card);
        is_new
    }

    /// Takes out every card of the other set.
    pub const fn remove(&mut self, others: Self) {
        self.0 &= !others.0;
    }

    /// Whether the card is in the set.
    #[must_use]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & card.bit() != 0
    }

    /// Whether every card of this set is in the other.
    #[must_use]
    pub const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether there is no card.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many cards there are.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The cards of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The sum of the values.
    #[must_use]
    pub fn strength(self) -> u32 {
        self.iter().map(Card::value).sum()
    }

    /// The cards of this value.
    pub(super) const fn of_value(self, value: u32) -> Self {
        if value < 1 || value > MAX_VALUE {
            return Self::EMPTY;
        }
        Self(self.0 & IMPS << (3 * (value - 1)))
    }

    /// The cards of this suit.
    pub(super) const fn of_suit(self, suit: Suit) -> Self {
        Self(self.0 & FIRST_SUIT << (first_bit(suit.owner()) + suit.index_in_pack()))
    }

    /// The card that comes first in the order of cards.
    #[must_use]
    pub const fn first(self) -> Option<Card> {
        let [index_in_pack, ..] = self.0.trailing_zeros().to_le_bytes();
        if self.0 == 0 { None } else { Some(Card(index_in_pack)) }
    }

    /// The card that comes last in the order of cards.
    #[must_use]
    pub const fn last(self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let [index_in_pack, ..] = self.0.ilog2().to_le_bytes();
        Some(Card(index_in_pack))
    }

    /// The cards in their order: by seat, then by value, then by suit.
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
