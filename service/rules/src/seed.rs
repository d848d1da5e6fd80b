//! The recorded 32-byte seed, from which all chance of a match comes, and reproducible dice.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A match's seed. It gives away the deal and therefore has no `Debug`.
#[derive(Clone)]
pub struct Seed([u8; 32]);

impl Seed {
    /// Creates a seed from its bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

/// Numbers from a ChaCha20 key stream under a seed (RFC 8439: 12-byte nonce, block counter from 0), read as
/// little-endian 32-bit words.
pub struct Dice(ChaCha20Rng);

impl Dice {
    /// Creates dice at the start of the stream with a zero nonce.
    #[must_use]
    pub fn new(seed: &Seed) -> Self {
        Self::with_nonce_end(seed, 0)
    }

    /// Creates dice at the start of the stream whose nonce is 11 zero bytes followed by this byte.
    #[must_use]
    pub fn with_nonce_end(seed: &Seed, nonce_end: u8) -> Self {
        let mut stream = ChaCha20Rng::from_seed(seed.0);
        // The library's 64-bit stream number is the last 8 bytes of the nonce of RFC 8439, little-endian. The
        // first 4 bytes are the high half of its 64-bit block counter: zeros.
        stream.set_stream(u64::from(nonce_end) << 56);
        Self(stream)
    }

    /// Draws one of 0, 1, .. n - 1 uniformly by the rejection of rule AE-8: skips words that would favour low
    /// numbers.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        // The limit can be 2^32 itself, which does not fit a word.
        let limit = (1 << 32) / u64::from(n) * u64::from(n);
        loop {
            let word = self.0.next_u32();
            if u64::from(word) < limit {
                return word % n;
            }
        }
    }

    /// Draws one of the items uniformly. `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        // No list has more items than a word can count; beyond that only the first 2^32 - 1 would be drawn
        // from.
        let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
        if count == 0 { None } else { items.get(self.below(count) as usize) }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{Dice, Seed};

    /// Shuffles a pack by rule AE-8, with cards as numbers: ten times the suit, plus the value less one.
    fn shuffled(seed: [u8; 32], nonce_end: u8) -> Vec<usize> {
        let mut dice = Dice::with_nonce_end(&Seed::new(seed), nonce_end);
        let mut pack: Vec<usize> = (0..30).collect();
        for last in (1..30_u32).rev() {
            pack.swap(last as usize, dice.below(last + 1) as usize);
        }
        pack
    }

    #[test]
    fn ae_8_dice_match_the_published_check() {
        let mut seed = [0; 32];
        for (byte, number) in seed.iter_mut().zip(0..) {
            *byte = number;
        }
        // Flame:9 Blade:7 Blood:8 Flame:1 Blade:5
        assert_eq!(shuffled(seed, 0)[..5], [28, 16, 7, 20, 14]);
        // Bell:10 Candle:3 Bell:4 Bell:7 Candle:7
        assert_eq!(shuffled(seed, 1)[..5], [9, 22, 3, 6, 26]);
    }

    #[test]
    fn ae_8_a_word_that_favours_low_numbers_is_skipped() {
        let mut seed = [0; 32];
        seed[28..].copy_from_slice(&[0x44, 0x0f, 0x7e, 0x02]);
        // Blade:1 Blood:9 Blood:3 Flame:7 Flame:1
        assert_eq!(shuffled(seed, 0)[..5], [10, 8, 2, 26, 20]);
        seed[28..].copy_from_slice(&[0x50, 0x77, 0x02, 0x01]);
        // Book:8 Candle:2 Candle:8 Book:5 Bell:7
        assert_eq!(shuffled(seed, 1)[..5], [17, 21, 27, 14, 6]);
    }

    #[test]
    fn dice_reach_every_number_and_no_other() {
        let mut dice = Dice::new(&Seed::new([3; 32]));
        let mut thrown = [0; 5];
        for _ in 0..1000 {
            thrown[dice.below(5) as usize] += 1;
        }
        assert!(thrown.iter().all(|&times| times > 150), "{thrown:?}");
        assert_eq!(dice.below(1), 0);
        assert_eq!(dice.pick::<u8>(&[]), None);
        assert_eq!(dice.pick(&["only"]), Some(&"only"));
    }
}
