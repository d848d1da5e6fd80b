//! How long a match takes to be folded from its log, chain, seals and digests
//! checked: what a cold load costs beside the reading.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use event::{Event, MatchId, RecordedTime};
use replay::{Decision, NewMatch, Position, StartingPosition};
use rules::games::angels_and_demons as ad;
use rules::{Dice, Options, Seat, Seed};
use uuid::Uuid;

fn main() {
    divan::main();
}

const START: i64 = 1_790_000_000_000_000;

/// A match of Angels and Demons with three events a turn.
fn log(turns: u32) -> Vec<Event> {
    let new = NewMatch {
        match_id: MatchId(Uuid::from_u128(7)),
        start: StartingPosition::Opening {
            options: Options::AngelsAndDemons(ad::Options { turns, ..ad::Options::default() }),
            rematch_of: None,
        },
        clock_settings: None,
        visibility: wire::v1::Visibility::Public,
        salt: [1; 32],
        seed_bytes: [2; 32],
    };
    let mut draft = Decision::create(&new, RecordedTime(START)).expect("the options are good");
    for seat in Seat::ALL {
        draft.claim(seat, "Ada", Vec::new(), [3; 32]).expect("the seat is free");
    }
    let mut dice = Dice::new(&Seed::new([4; 32]));
    while let Some(seat) = draft.position().to_act().iter().next() {
        let state = draft.position().running_state().expect("a seat is to act");
        let made = state.sample(seat, &mut dice).expect("a seat to act has a move");
        draft.submit(seat, &made, [5; 32]).expect("a sampled move is legal");
    }
    draft.finish().events
}

#[divan::bench(args = [331, 1000])]
fn fold(bencher: Bencher<'_, '_>, turns: u32) {
    let events = log(turns);
    bencher.counter(ItemsCount::new(events.len())).bench_local(|| {
        let (mut position, _) =
            Position::start(MatchId(Uuid::from_u128(7)), &events[0]).expect("the log is good");
        for record in &events[1..] {
            black_box(position.apply(record).expect("the log is good"));
        }
        position.seq()
    });
}
