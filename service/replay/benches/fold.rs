//! Time to fold a match from its log, with chain, commitments and digests checked: the cost of a cold load,
//! reads excluded.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use event::{Event, MatchId, RecordTime};
use replay::{Decision, GivenTerms, NewMatch, Position, StartingPosition};
use rules::games::{angels_and_demons as ad, cresnovian_chess as cc};
use rules::{Dice, GameId, Games, Move, Options, Seed};
use uuid::Uuid;

fn main() {
    divan::main();
}

const START: i64 = 1_790_000_000_000_000;

/// Starts a match.
fn started(options: Options) -> Decision {
    let new = NewMatch {
        games: Games::built_in(),
        match_id: MatchId(Uuid::from_u128(7)),
        start: StartingPosition::Opening {
            options,
            rules_version: 1,
            given: GivenTerms::default(),
            rematch_of: None,
        },
        clock_settings: None,
        visibility: wire::v1::Visibility::Public,
        salt: [1; 32],
        seed_bytes: [2; 32],
    };
    let mut decision = Decision::create(&new, RecordTime(START)).expect("the options are valid");
    for seat in decision.position().seats() {
        decision.claim(seat, "Ada", Vec::new(), [3; 32]).expect("the seat is free");
    }
    decision
}

/// Plays these moves for the seats to act, and returns the log.
fn played(mut decision: Decision, moves: impl Iterator<Item = Move>) -> Vec<Event> {
    for mv in moves {
        let Some(seat) = decision.position().to_act().iter().next() else { break };
        decision.submit(seat, &mv, [5; 32]).expect("the move is legal");
    }
    decision.finish().events
}

/// Returns the log of a random match of Angels and Demons, which has three events per turn.
fn random(turns: u32) -> Vec<Event> {
    let mut decision = started(Options::AngelsAndDemons(ad::Options { turns, ..ad::Options::default() }));
    let mut dice = Dice::new(&Seed::new([4; 32]));
    while let Some(seat) = decision.position().to_act().iter().next() {
        let state = decision.position().running_state().expect("a seat is to act");
        let mv = state.sample(seat, &mut dice).expect("a seat to act has a move");
        decision.submit(seat, &mv, [5; 32]).expect("a sampled move is legal");
    }
    decision.finish().events
}

/// Returns the log of a match of Sticky Cresnovian Chess in which every turn writes the longest words.
fn documents(turns: u32) -> Vec<Event> {
    let parse = |text: &str| GameId::CresnovianChess.parse_move(text).expect("the text is notation");
    let set_up = ["place ess@1,1 dua@2,1 cos@3,1 vel@3,4 rad@3,5 cor@3,6 inn@1,9 cap@2,9 cog@3,9", "left"];
    let word = cc::Word::new(&"\u{1F600}".repeat(32));
    let document = Move::CresnovianChess(cc::Move::Document(vec![word; 9]));
    let moves = set_up.into_iter().map(parse).chain(std::iter::repeat(document));
    played(started(Options::CresnovianChess(cc::Options { max_turns: turns })), moves)
}

fn fold_all(bencher: Bencher<'_, '_>, events: &[Event]) {
    bencher.counter(ItemsCount::new(events.len())).bench_local(|| {
        let (mut position, _) = Position::start(Games::built_in(), MatchId(Uuid::from_u128(7)), &events[0])
            .expect("the log is valid");
        for event in &events[1..] {
            black_box(position.apply(event).expect("the log is valid"));
        }
        position.seq()
    });
}

#[divan::bench(args = [331, 1000])]
fn random_choices(bencher: Bencher<'_, '_>, turns: u32) {
    fold_all(bencher, &random(turns));
}

/// The longest moves there are; the poem grows with the match.
#[divan::bench(args = [200, 2000])]
fn longest_documents(bencher: Bencher<'_, '_>, turns: u32) {
    fold_all(bencher, &documents(turns));
}
