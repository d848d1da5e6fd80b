//! Ace Exorcist as text, and its moves in words.

use board::{Colour, Orientation, TextStyle, event_line, result_line, text};
use wire::games::ace_exorcist::v1 as game;
use wire::v1::{
    Event, Fact, GameView, MatchStatus, Move, MoveMade, Player, SeatStatus, View, Viewer, event, fact,
    game_view, r#move,
};

use crate::golden::golden;
use crate::positions::result;

const PLAIN: TextStyle = TextStyle { colour: Colour::Plain, orientation: Orientation::Viewer };

pub(crate) fn card(suit: game::Suit, value: u32) -> game::Card {
    game::Card { suit: suit.into(), value }
}

pub(crate) fn seats() -> Vec<SeatStatus> {
    let seat = |seat: u32, title: &str, name: &str| SeatStatus {
        seat: Some(seat),
        title: title.to_owned(),
        claimed: true,
        player: Some(Player::named(name)),
    };
    vec![seat(0, "Summoner", "Mordred"), seat(1, "Exorcist", "Agnes")]
}

/// Returns a position in which the Exorcist must answer an attack, for a spectator.
pub(crate) fn attacked() -> View {
    use game::Suit::{Bell, Blade, Blood, Candle, Flame};
    let table = game::View {
        summoner: Some(game::Holding {
            hit_points: 47,
            hand_size: 3,
            stack_size: 17,
            known_top: Some(card(Flame, 9)),
            discards: vec![card(Blood, 2), card(Blade, 2)],
            ..game::Holding::default()
        }),
        exorcist: Some(game::Holding {
            hit_points: 13,
            hand_size: 4,
            stack_size: 1,
            ..game::Holding::default()
        }),
        ritual: vec![card(Blood, 10)],
        attack: vec![card(Blade, 3), card(Flame, 4)],
        latest_assault: Some(game::AssaultResult {
            strength: 7,
            taken: vec![card(Blood, 2), card(Blade, 2)],
            put_back: Some(card(Flame, 9)),
        }),
    };
    let mut view = View {
        status: MatchStatus::Running.into(),
        viewer: Some(Viewer::spectator()),
        seats: seats(),
        to_act: vec![1],
        game_view: Some(GameView { game: Some(game_view::Game::AceExorcist(table)) }),
        ..View::default()
    };
    holding(&mut view, 1).discards = vec![card(Bell, 1), card(Candle, 6)];
    view
}

pub(crate) fn table(view: &mut View) -> &mut game::View {
    let Some(GameView { game: Some(game_view::Game::AceExorcist(table)) }) = &mut view.game_view else {
        panic!("no table");
    };
    table
}

pub(crate) fn holding(view: &mut View, seat: u32) -> &mut game::Holding {
    let table = table(view);
    let side = if seat == 1 { &mut table.exorcist } else { &mut table.summoner };
    side.as_mut().expect("both sides are there")
}

#[test]
fn an_attack_for_a_spectator() {
    golden("ace-exorcist-attacked.txt", &text(&attacked(), PLAIN));
}

#[test]
fn the_exorcist_sees_its_hand_and_its_side_at_the_bottom() {
    let mut view = attacked();
    view.viewer = Some(Viewer::in_seat(1));
    let cards = vec![card(game::Suit::Bell, 2), card(game::Suit::Book, 5), card(game::Suit::Candle, 8)];
    holding(&mut view, 1).hand = Some(game::CardList { cards });
    golden("ace-exorcist-own-hand.txt", &text(&view, PLAIN));
}

#[test]
fn the_open_view_of_a_finished_match_shows_hands_and_stacks() {
    let mut view = attacked();
    view.viewer = Some(Viewer::open());
    view.status = MatchStatus::Over.into();
    view.to_act.clear();
    view.result = Some(result(Some(0), "hit-points"));
    for (seat, suit) in [(0, game::Suit::Flame), (1, game::Suit::Book)] {
        let holding = holding(&mut view, seat);
        holding.hand = Some(game::CardList { cards: vec![card(suit, 1), card(suit, 7)] });
        holding.stack = Some(game::CardList { cards: vec![card(suit, 9), card(suit, 2)] });
    }
    holding(&mut view, 1).hit_points = 0;
    golden("ace-exorcist-open.txt", &text(&view, PLAIN));
}

#[test]
fn an_attack_in_colours() {
    golden(
        "ace-exorcist-attacked.ansi",
        &text(&attacked(), TextStyle { colour: Colour::Ansi, orientation: Orientation::One }),
    );
}

#[test]
fn results_in_words() {
    let line = |winner: Option<u32>, reason: &str| {
        let mut view = attacked();
        view.result = Some(result(winner, reason));
        result_line(&view)
    };
    assert_eq!(line(Some(0), "ritual"), "Winner: Summoner (Mordred), the ritual is complete");
    assert_eq!(line(Some(1), "hit-points"), "Winner: Exorcist (Agnes), no hit points are left");
    assert_eq!(line(Some(1), "stack"), "Winner: Exorcist (Agnes), a draw stack is empty");
    assert_eq!(line(None, "repetition"), "Draw, the same position for the third time");
}

fn line(seat: u32, kind: game::r#move::Kind, steps: Vec<game::fact::Fact>) -> String {
    let made = Move { game: Some(r#move::Game::AceExorcist(game::Move { kind: Some(kind) })) };
    let facts = steps
        .into_iter()
        .map(|step| Fact { game: Some(fact::Game::AceExorcist(game::Fact { fact: Some(step) })) });
    let made = MoveMade { seat: Some(seat), r#move: Some(made), notation: "as written".to_owned() };
    let event = Event { kind: Some(event::Kind::MoveMade(made)), facts: facts.collect(), ..Event::default() };
    event_line(&event, None, &seats())
}

#[test]
fn moves_are_described_by_their_facts() {
    use game::fact::Fact as Step;
    use game::r#move::Kind;
    use game::{Side, Suit};
    let (exorcist, summoner) = (Side::Exorcist.into(), Side::Summoner.into());
    let passed = line(
        0,
        Kind::PassTurn(game::Pass {}),
        vec![
            Step::HandFull(game::HandFull { side: summoner }),
            Step::TurnBegan(game::TurnBegan { side: exorcist }),
            Step::Drew(game::Drew { side: exorcist, card: Some(card(Suit::Book, 10)) }),
        ],
    );
    assert_eq!(passed, "Summoner passes; Summoner's hand is full; Exorcist draws Archon of Book (10)");
    let guard = game::Guard { low: Some(card(Suit::Book, 2)), high: None };
    let guarded = line(
        1,
        Kind::Guard(guard),
        vec![
            Step::Guarded(game::Guarded { low: guard.low, high: None }),
            Step::AttackDiscarded(game::AttackDiscarded { cards: vec![card(Suit::Blood, 3)] }),
            Step::Damaged(game::Damaged { side: exorcist, damage: 0, hit_points: 30 }),
            Step::TurnSkipped(game::TurnSkipped {}),
            Step::Drew(game::Drew { side: summoner, card: None }),
        ],
    );
    assert_eq!(
        guarded,
        "Exorcist guards the low end with Book 2; no damage; Exorcist skips a turn; Summoner draws a card"
    );
    let flush = vec![card(Suit::Bell, 7)];
    let result = game::AssaultResult { strength: 7, taken: vec![card(Suit::Flame, 2)], put_back: None };
    let assaulted = line(
        1,
        Kind::Assault(game::Assault { flush: flush.clone() }),
        vec![
            Step::Played(game::Played { side: exorcist, cards: flush }),
            Step::Assaulted(game::Assaulted { result: Some(result) }),
            Step::Damaged(game::Damaged { side: summoner, damage: 2, hit_points: 58 }),
        ],
    );
    assert_eq!(
        assaulted,
        "Exorcist plays Bell 7; an assault of strength 7 took Flame 2; Summoner takes 2 damage, 58 left"
    );
    assert_eq!(line(0, Kind::Ritual(game::Ritual::default()), vec![]), "Summoner played as written");
}
