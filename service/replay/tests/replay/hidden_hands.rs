//! Logs of a game with hidden hands and chance: they replay to the match that was played, and show viewers
//! only what they may know.

use event::{Event, MatchId, RecordTime, Seat};
use replay::{AppliedEvent, Decided, Decision, GivenTerms, NewMatch, Position, StartingPosition};
use rules::games::ace_exorcist as ace;
use rules::{Dice, Games, Options, Seed, Viewer};
use uuid::Uuid;
use wire::games::ace_exorcist::v1 as game;
use wire::games::ace_exorcist::v1::fact::Fact as Step;
use wire::v1::{Visibility, fact};

use crate::sample::{START, replay};

const VIEWERS: [Viewer<Seat>; 4] =
    [Viewer::Seat(Seat::ALL[0]), Viewer::Seat(Seat::ALL[1]), Viewer::Spectator, Viewer::Open];

struct Log {
    position: Position,
    events: Vec<Event>,
    applied: Vec<AppliedEvent>,
}

/// Plays a random match from its creation to its end.
fn played_out(byte: u8) -> Log {
    let new = NewMatch {
        games: Games::built_in(),
        match_id: MatchId(Uuid::from_u128(7)),
        start: StartingPosition::Opening {
            options: Options::AceExorcist(ace::Options),
            rules_version: 1,
            given: GivenTerms::default(),
            rematch_of: None,
        },
        clock_settings: None,
        visibility: Visibility::Public,
        salt: [1; 32],
        seed_bytes: [byte; 32],
    };
    let Decided { position, events, applied } =
        Decision::create(&new, RecordTime(START)).expect("the options are valid").finish();
    let mut log = Log { position, events, applied };
    log.grow(|decision| {
        decision.claim(Seat::ALL[0], "Ada", b"imp".to_vec(), [3; 32]).expect("the seat is free");
    });
    log.grow(|decision| decision.claim(Seat::ALL[1], "Bob", Vec::new(), [4; 32]).expect("the seat is free"));
    let mut dice = Dice::new(&Seed::new([byte; 32]));
    while let Some(state) = log.position.running_state() {
        let seat = state.to_act().iter().next().expect("a seat is to act");
        let mv = state.sample(seat, &mut dice).expect("a seat to act has a move");
        log.grow(|decision| decision.submit(seat, &mv, [5; 32]).expect("a sampled move is legal"));
    }
    log
}

impl Log {
    fn grow(&mut self, change: impl FnOnce(&mut Decision)) {
        let mut decision = Decision::on(&self.position, RecordTime(START));
        change(&mut decision);
        let Decided { position, events, applied } = decision.finish();
        self.position = position;
        self.events.extend(events);
        self.applied.extend(applied);
    }
}

#[test]
fn replaying_shows_every_viewer_the_same() {
    for byte in 0..8 {
        let log = played_out(byte);
        let (position, applied) = replay(&log.events).unwrap();
        assert_eq!(position.head_hash(), log.position.head_hash());
        for viewer in VIEWERS {
            assert_eq!(position.shown(viewer), log.position.shown(viewer));
            let shown = |applied: &[AppliedEvent]| {
                applied.iter().map(|applied| applied.shown(viewer)).collect::<Vec<_>>()
            };
            assert_eq!(shown(&applied), shown(&log.applied));
        }
    }
}

#[test]
fn a_drawn_card_is_shown_to_its_seat_only() {
    let log = played_out(3);
    for viewer in [Viewer::Seat(Seat::ALL[0]), Viewer::Seat(Seat::ALL[1]), Viewer::Spectator] {
        let own = match viewer {
            Viewer::Seat(seat) => Some([game::Side::Summoner, game::Side::Exorcist][seat.index()]),
            Viewer::Spectator | Viewer::Open => None,
        };
        let facts = log.applied.iter().flat_map(|applied| applied.shown(viewer).facts);
        let draws = facts.filter_map(|fact| match fact.game {
            Some(fact::Game::AceExorcist(game::Fact { fact: Some(Step::Drew(drew)) })) => Some(drew),
            _ => None,
        });
        let draws: Vec<_> = draws.collect();
        assert!(draws.len() > 5, "a match draws many cards");
        for drew in draws {
            assert_eq!(drew.card.is_some(), own == Some(drew.side()));
        }
    }
}

#[test]
fn open_moves_have_no_sealed_part() {
    let log = played_out(4);
    let sealed = log.events.iter().filter(|event| event.sealed.is_some()).count();
    // The service's contribution to the seed, and the two names.
    assert_eq!(sealed, 3);
}
