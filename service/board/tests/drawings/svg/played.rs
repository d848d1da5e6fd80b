//! Drawings of matches that the real rules play at random: every position has a well-formed one, and every
//! choice offered to a player is an element that can be clicked.

use std::collections::BTreeSet;

use event::{MatchId, RecordTime, Seat};
use replay::{
    AppliedEvent, Decided, Decision, GameState, GivenTerms, NewMatch, Position, ProposalKind,
    StartingPosition,
};
use roxmltree::Document;
use rules::{Dice, GameId, Games, Move, Options, QuestionKind, Seed, Step, ValueType, Viewer};
use uuid::Uuid;
use wire::v1::{Event, Visibility};

use super::{AUTO, well_formed};

/// Number of moves played.
const MOVES: usize = 24;

/// A match and its events.
pub(crate) struct Played {
    pub(crate) position: Position,
    told: Vec<AppliedEvent>,
}

impl Played {
    /// Starts a match.
    pub(crate) fn started(game: GameId, seed: u8) -> Self {
        let new = NewMatch {
            games: Games::built_in(),
            match_id: MatchId(Uuid::from_u128(7)),
            start: StartingPosition::Opening {
                options: Options::default_of(game),
                rules_version: game.info().rules_version,
                given: GivenTerms::default(),
                rematch_of: None,
            },
            visibility: Visibility::Public,
            clock_settings: None,
            salt: [1; 32],
            seed_bytes: [seed; 32],
        };
        let Decided { position, applied: told, .. } =
            Decision::create(&new, RecordTime(0)).expect("the options are fine").finish();
        let mut played = Self { position, told };
        played.grow(|draft| draft.claim(Seat::ALL[0], "Ada", Vec::new(), [3; 32]).expect("a free seat"));
        played.grow(|draft| draft.claim(Seat::ALL[1], "Bob", Vec::new(), [4; 32]).expect("a free seat"));
        played
    }

    pub(crate) fn submit(&mut self, seat: Seat, made: &Move) {
        self.grow(|draft| draft.submit(seat, made, [5; 32]).expect("a legal move"));
    }

    /// Makes a random move and returns its seat.
    fn submit_random(&mut self, dice: &mut Dice) -> Seat {
        let state = self.position.running_state().expect("play is on").clone();
        let seat = seat_to_act(&state, dice);
        self.submit(seat, &state.sample(seat, dice).expect("a legal move"));
        seat
    }

    fn grow(&mut self, change: impl FnOnce(&mut Decision)) {
        let arrival = RecordTime(i64::from(self.position.seq().0) * 1000);
        let mut draft = Decision::on(&self.position, arrival);
        change(&mut draft);
        let Decided { position, applied: told, .. } = draft.finish();
        self.position = position;
        self.told.extend(told);
    }

    /// Draws the position for a viewer.
    pub(crate) fn svg(&self, viewer: Viewer<Seat>) -> String {
        let events: Vec<Event> = self.told.iter().map(|told| told.shown(viewer)).collect();
        board::svg(&self.position.shown(viewer), &events, AUTO)
    }
}

fn seat_to_act(state: &GameState, dice: &mut Dice) -> Seat {
    let seats: Vec<Seat> = state.to_act().iter().collect();
    *dice.pick(&seats).expect("a seat is to act")
}

/// The mark of the last move included, whether one move was taken back or two.
#[test]
fn a_takeback_leaves_the_drawing_of_the_position_before() {
    for game in [GameId::LudusMagus, GameId::CresnovianChess] {
        let mut dice = Dice::new(&Seed::new([4; 32]));
        let mut played = Played::started(game, 4);
        for _ in 0..5 {
            played.submit_random(&mut dice);
        }
        for moves in [1, 2] {
            let before = played.svg(Viewer::Spectator);
            let movers: Vec<Seat> = (0..moves).map(|_| played.submit_random(&mut dice)).collect();
            assert_ne!(played.svg(Viewer::Spectator), before, "{game}");
            played.grow(|draft| draft.propose(movers[0], ProposalKind::Takeback).expect("a seat that moved"));
            played.grow(|draft| {
                draft.accept(Seat::ALL[1 - movers[0].index()], ProposalKind::Takeback).expect("a request");
            });
            assert_eq!(played.svg(Viewer::Spectator), before, "{game}");
        }
    }
}

#[test]
fn every_position_has_a_well_formed_drawing_for_every_viewer() {
    for game in GameId::ALL {
        let mut dice = Dice::new(&Seed::new([9; 32]));
        let mut played = Played::started(game, 9);
        for _ in 0..MOVES {
            for viewer in [Viewer::Seat(Seat::ALL[0]), Viewer::Seat(Seat::ALL[1]), Viewer::Spectator] {
                well_formed::check(&played.svg(viewer));
            }
            let Some(state) = played.position.running_state() else { break };
            let seat = seat_to_act(state, &mut dice);
            let made = state.sample(seat, &mut dice).expect("the seat has a move");
            played.submit(seat, &made);
        }
    }
}

#[test]
fn the_open_view_has_a_well_formed_drawing() {
    for game in GameId::ALL {
        let mut dice = Dice::new(&Seed::new([4; 32]));
        let mut played = Played::started(game, 4);
        while let Some(state) = played.position.running_state() {
            let seat = seat_to_act(state, &mut dice);
            let made = state.sample(seat, &mut dice).expect("the seat has a move");
            played.submit(seat, &made);
        }
        for viewer in [Viewer::Open, Viewer::Spectator] {
            well_formed::check(&played.svg(viewer));
        }
    }
}

#[test]
fn offered_squares_cards_and_pieces_are_elements_with_their_id() {
    for game in GameId::ALL {
        let mut dice = Dice::new(&Seed::new([6; 32]));
        let mut played = Played::started(game, 6);
        let mut offered = 0;
        for _ in 0..MOVES {
            let Some(state) = played.position.running_state() else { break };
            let seat = seat_to_act(state, &mut dice);
            let drawing = played.svg(Viewer::Seat(seat));
            let (made, found) = build(state, seat, &drawing, &mut dice);
            offered += found;
            played.submit(seat, &made);
        }
        assert!(offered > 30, "{game}: only {offered} choices were checked");
    }
}

/// Builds a move from random answers. Returns it with the number of choices found in the drawing.
fn build(state: &GameState, seat: Seat, drawing: &str, dice: &mut Dice) -> (Move, usize) {
    let document = Document::parse(drawing).expect("well-formed XML");
    let attributes = document.descendants().flat_map(|node| node.attributes());
    let known: BTreeSet<(&str, &str)> =
        attributes.map(|attribute| (attribute.name(), attribute.value())).collect();
    let has = |name: &str, value: &str| known.contains(&(name, value));
    let mut path = Vec::new();
    let mut found = 0;
    loop {
        let question = match state.choices(seat, &path).expect("offered answers are accepted") {
            Step::Done(made) => return (made, found),
            Step::Ask(question) => question,
        };
        let answer = match question.kind {
            QuestionKind::OneOf(offers) => {
                for offer in &offers {
                    let kind = match offer.value_type {
                        ValueType::Square => "square",
                        ValueType::Card => "card",
                        ValueType::Piece => "piece",
                        ValueType::Kind | ValueType::Number | ValueType::Enough => continue,
                    };
                    // The value of a victim of Terra is its place with an x in front.
                    let value = offer.value.strip_prefix('x').unwrap_or(&offer.value);
                    assert!(has("id", &format!("{kind}-{value}")), "no {kind} {value} in {drawing}");
                    assert!(has(&format!("data-{kind}"), value), "no data-{kind} of {value}");
                    found += 1;
                }
                dice.pick(&offers).expect("at least one choice").value.clone()
            }
            QuestionKind::Integer { min, max } => {
                let span = u32::try_from(max - min).expect("a short range") + 1;
                (min + i64::from(dice.below(span))).to_string()
            }
            QuestionKind::Text { min_chars, .. } => {
                "a".repeat(usize::try_from(min_chars).expect("few").max(3))
            }
        };
        path.push(answer);
    }
}
