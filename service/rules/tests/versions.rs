//! The table of rules versions, and versions whose code stands beside a built-in game's.

use std::marker::PhantomData;

use rules::games::ace_exorcist::AceExorcist;
use rules::games::angels_and_demons::AngelsAndDemons;
use rules::games::cresnovian_chess::CresnovianChess;
use rules::games::ludus_magus::LudusMagus;
use rules::{
    BadAnswer, BadNotation, BadOption, BuiltIn, Dice, Ending, Game, GameId, GameInfo, Games, Illegal,
    IllegalKind, Listing, Options, OtherVersion, Played, Rules, Seed, Side, Sides, State, Step,
    VersionStatus, Viewer,
};

/// A version 2 whose paragraphs are all those of version 1.
struct Unchanged<G>(PhantomData<G>);

impl<G: BuiltIn<State: Send + Sync + 'static> + 'static> OtherVersion for Unchanged<G> {
    type Of = G;
}

impl<G: BuiltIn> Game for Unchanged<G> {
    const INFO: GameInfo = GameInfo { rules_version: 2, ..G::INFO };
    const REASONS: &'static [G::Reason] = G::REASONS;

    type Options = G::Options;
    type State = G::State;
    type Move = G::Move;
    type Fact = G::Fact;
    type View = G::View;
    type Reason = G::Reason;

    fn opening(options: &G::Options, rules_version: u32, seed: &Seed) -> Result<G::State, BadOption> {
        G::opening(options, rules_version, seed)
    }

    fn to_act(state: &G::State) -> Sides {
        G::to_act(state)
    }

    fn legal(state: &G::State, seat: Side) -> Listing<G::Move> {
        G::legal(state, seat)
    }

    fn choices(state: &G::State, seat: Side, path: &[String]) -> Result<Step<G::Move>, BadAnswer> {
        G::choices(state, seat, path)
    }

    fn play(state: &G::State, seat: Side, mv: &G::Move) -> Result<Played<G::State, G::Fact>, Illegal> {
        G::play(state, seat, mv)
    }

    fn reveal(state: &G::State) -> Option<Played<G::State, G::Fact>> {
        G::reveal(state)
    }

    fn ending(state: &G::State) -> Option<Ending<G::Reason>> {
        G::ending(state)
    }

    fn reason_word(reason: G::Reason) -> &'static str {
        G::reason_word(reason)
    }

    fn view(state: &G::State, viewer: Viewer) -> G::View {
        G::view(state, viewer)
    }

    fn redact_fact(fact: &G::Fact, viewer: Viewer) -> Option<G::Fact> {
        G::redact_fact(fact, viewer)
    }

    fn print_move(mv: &G::Move) -> String {
        G::print_move(mv)
    }

    fn parse_move(text: &str) -> Result<G::Move, BadNotation> {
        G::parse_move(text)
    }

    fn canonical(state: &G::State) -> Vec<u8> {
        G::canonical(state)
    }

    fn sample(state: &G::State, seat: Side, dice: &mut Dice) -> Option<G::Move> {
        G::sample(state, seat, dice)
    }
}

/// Plays a random match on both states and compares every answer.
fn assert_same_match(own: State, other: State) {
    let (mut own, mut other) = (own, other);
    let [mut dice, mut again] = [Dice::new(&Seed::new([7; 32])), Dice::new(&Seed::new([7; 32]))];
    for _ in 0..300 {
        assert_same_answers(&own, &other);
        let Some(seat) = own.to_act().iter().next() else { break };
        let chosen = own.sample(seat, &mut dice);
        assert_eq!(chosen, other.sample(seat, &mut again));
        let chosen = chosen.expect("a seat to act has a move");
        let played = own.play(seat, &chosen).expect("a sampled move is legal");
        let elsewhere = other.play(seat, &chosen).expect("both accept the same moves");
        assert_eq!(played.facts, elsewhere.facts);
        (own, other) = (played.state, elsewhere.state);
        match (own.reveal(), other.reveal()) {
            (Some(turn), Some(elsewhere)) => {
                assert_eq!(turn.facts, elsewhere.facts);
                (own, other) = (turn.state, elsewhere.state);
            }
            (turn, elsewhere) => assert!(turn.is_none() && elsewhere.is_none()),
        }
    }
}

fn assert_same_answers(own: &State, other: &State) {
    assert!(matches!(other, State::Other(_)), "a version of its own stays one");
    assert_eq!((own.game(), own.to_act(), own.ending()), (other.game(), other.to_act(), other.ending()));
    assert_eq!(own.canonical(), other.canonical());
    for viewer in [Viewer::Seat(Side::Zero), Viewer::Seat(Side::One), Viewer::Spectator, Viewer::Open] {
        assert_eq!(own.view(viewer), other.view(viewer));
    }
    for seat in Side::ALL {
        assert_eq!(own.legal(seat), other.legal(seat));
        assert_eq!(own.choices(seat, &[]), other.choices(seat, &[]));
        assert_eq!(own.choices(seat, &["?".to_owned()]), other.choices(seat, &["?".to_owned()]));
    }
}

#[test]
fn a_version_of_its_own_answers_as_its_code_does() {
    let others: [Rules; 4] = [
        Rules::other::<Unchanged<AceExorcist>>(),
        Rules::other::<Unchanged<LudusMagus>>(),
        Rules::other::<Unchanged<AngelsAndDemons>>(),
        Rules::other::<Unchanged<CresnovianChess>>(),
    ];
    for (other, game) in others.into_iter().zip(GameId::ALL) {
        assert_eq!((other.game(), other.rules_version()), (game, 2));
        let (options, seed) = (Options::default_of(game), Seed::new([3; 32]));
        let own = Rules::built_in(game, 2).setup(&options, &seed).unwrap();
        assert_same_match(own, other.setup(&options, &seed).unwrap());
    }
}

#[test]
fn a_move_of_another_game_is_malformed_under_every_version() {
    let rules = Rules::other::<Unchanged<LudusMagus>>();
    let state = rules.setup(&Options::default_of(GameId::LudusMagus), &Seed::new([0; 32])).unwrap();
    let foreign = GameId::AngelsAndDemons.parse_move("1,1").unwrap();
    assert_eq!(state.play(Side::Zero, &foreign).err().unwrap().kind, IllegalKind::Move);
    assert_eq!(state.play(Side::One, &foreign).err().unwrap().kind, IllegalKind::NotToAct);
}

#[test]
fn a_state_carries_the_version_that_it_was_set_up_under() {
    for game in GameId::ALL {
        let (options, seed) = (Options::default_of(game), Seed::new([3; 32]));
        let canonical = |version| Rules::built_in(game, version).setup(&options, &seed).unwrap().canonical();
        assert_eq!(canonical(1), State::setup(&options, &seed).unwrap().canonical());
        assert_ne!(canonical(1), canonical(2), "{game}: digests tell versions apart");
    }
}

#[test]
fn the_table_has_the_current_version_of_every_game() {
    let games = Games::built_in();
    for game in GameId::ALL {
        let current = games.current(game);
        assert_eq!(current.rules_version(), game.info().rules_version, "{game}");
        assert_eq!(games.versions(game)[0], current.rules_version());
    }
}

#[test]
fn versions_are_current_kept_or_missing() {
    let games = Games::built_in().with(Rules::other::<Unchanged<LudusMagus>>());
    assert_eq!(games.versions(GameId::LudusMagus), [2, 1]);
    assert_eq!(games.current(GameId::LudusMagus).rules_version(), 2);
    for (game, version, status) in [
        ("ludus-magus", 2, VersionStatus::Current),
        ("ludus-magus", 1, VersionStatus::Kept),
        ("ludus-magus", 3, VersionStatus::Missing),
        ("ace-exorcist", 1, VersionStatus::Current),
        ("ludus", 1, VersionStatus::Missing),
    ] {
        assert_eq!(games.status(game, version), status, "{game} {version}");
        assert_eq!(games.pinned(game, version).is_some(), status != VersionStatus::Missing);
    }
}

#[test]
#[should_panic(expected = "rules version 1 of ludus-magus is registered twice")]
fn a_version_is_registered_once() {
    let _ = Games::built_in().with(Rules::built_in(GameId::LudusMagus, 1));
}
