//! The recorded 32 bytes that all chance of a match comes from, and dice that anybody can throw again from them.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A match's seed. Whoever has it knows the deal, so it has no `Debug`.
#[derive(Clone)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The seed of these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

/// Numbers from the ChaCha20 key stream (12-byte nonce of zeros, block counter from 0) under a seed, read as
/// little-endian 32-bit words.
pub struct Dice(ChaCha20Rng);

impl Dice {
    /// Dice that stand at the start of the seed's stream.
    #[must_use]
    pub fn new(seed: &Seed) -> Self {
        Self(ChaCha20Rng::from_seed(seed.0))
    }

    /// One of 0, 1, .. n - 1, each equally likely, as rule AE-8 draws: words that would favour the low numbers are
    /// skipped.
    ///
    /// # Panics
    /// If `n` is 0: there is nothing to draw.
    pub fn below(&mut self, n: u32) -> u32 {
        // The limit can be 2^32 itself, so it is one bit too wide for a word.
        let limit = (1 << 32) / u64::from(n) * u64::from(n);
        loop {
            let word = self.0.next_u32();
            if u64::from(word) < limit {
                return word % n;
            }
        }
    }

    /// One of the items, each equally likely; none if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        // More items than a word can count never occur; the first 2^32 - 1 would be drawn from.
        let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
        if count == 0 { None } else { items.get(self.below(count) as usize) }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{Dice, Seed};

    /// The Summoner's pack of rule AE-8, as numbers: suit times ten and value less one.
    fn shuffled(seed: [u8; 32]) -> Vec<usize> {
        let mut dice = Dice::new(&Seed::new(seed));
        let mut pack: Vec<usize> = (0..30).collect();
        for last in (1..30_u32).rev() {
            pack.swap(last as usize, dice.below(last + 1) as usize);
        }
        pack
    }

    #[test]
    fn ae_8_dice_fall_as_the_published_check_says() {
        let mut seed = [0; 32];
        for (byte, number) in seed.iter_mut().zip(0..) {
            *byte = number;
        }
        // Flame:9 Blade:7 Blood:8 Flame:1 Blade:5
        assert_eq!(shuffled(seed)[..5], [28, 16, 7, 20, 14]);
    }

    #[test]
    fn ae_8_a_word_that_favours_low_numbers_is_skipped() {
        let mut seed = [0; 32];
        seed[28..].copy_from_slice(&[0x44, 0x0f, 0x7e, 0x02]);
        // Blade:1 Blood:9 Blood:3 Flame:7 Flame:1
        assert_eq!(shuffled(seed)[..5], [10, 8, 2, 26, 20]);
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
