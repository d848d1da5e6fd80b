//! Time to fold a match from its log, with chain, commitments and digests checked: the cost of a cold load,
//! reads excluded.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use event::{Event, MatchId, RecordTime};
use replay::{Decision, NewMatch, Position, StartingPosition};
use rules::games::angels_and_demons as ad;
use rules::{Dice, Options, Seat, Seed};
use uuid::Uuid;

fn main() {
    divan::main();
}

const START: i64 = 1_790_000_000_000_000;

/// Returns the log of a match of Angels and Demons, which has three events per turn.
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
    let mut decision = Decision::create(&new, RecordTime(START)).expect("the options are valid");
    for seat in Seat::ALL {
        decision.claim(seat, "Ada", Vec::new(), [3; 32]).expect("the seat is free");
    }
    let mut dice = Dice::new(&Seed::new([4; 32]));
    while let Some(seat) = decision.position().to_act().iter().next() {
        let state = decision.position().running_state().expect("a seat is to act");
        let mv = state.sample(seat, &mut dice).expect("a seat to act has a move");
        decision.submit(seat, &mv, [5; 32]).expect("a sampled move is legal");
    }
    decision.finish().events
}

#[divan::bench(args = [331, 1000])]
fn fold(bencher: Bencher<'_, '_>, turns: u32) {
    let events = log(turns);
    bencher.counter(ItemsCount::new(events.len())).bench_local(|| {
        let (mut position, _) =
            Position::start(MatchId(Uuid::from_u128(7)), &events[0]).expect("the log is valid");
        for event in &events[1..] {
            black_box(position.apply(event).expect("the log is valid"));
        }
        position.seq()
    });
}
