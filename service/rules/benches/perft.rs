//! Perft: counts the move sequences from the opening (LM-51) and compares them with the known numbers; `cargo
//! bench -p rules --bench perft`. The last move of each sequence is counted without being made. Throughput is
//! sequences per second on one core.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rules::games::ludus_magus::{LudusMagus, State, perft};
use rules::{Game, Seed};

fn main() {
    divan::main();
}

const SEQUENCES: [(u32, u64); 5] = [(1, 40), (2, 1_600), (3, 63_880), (4, 2_550_413), (5, 103_102_676)];

fn opening() -> State {
    LudusMagus::setup(&Default::default(), &Seed::new([0; 32])).expect("the default options are playable")
}

#[divan::bench(args = SEQUENCES, sample_count = 3, sample_size = 1)]
fn ludus_magus(bencher: Bencher, (depth, sequences): (u32, u64)) {
    let opening = opening();
    bencher
        .counter(ItemsCount::new(sequences))
        .bench_local(|| assert_eq!(perft(black_box(&opening), depth), sequences));
}
