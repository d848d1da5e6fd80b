//! Events and results in words.

use board::{event_line, result_line};
use rules::{GameId, Reason};
use wire::GameKind;
use wire::games::angels_and_demons::v1 as game;
use wire::v1::{
    Event, GameOptions, MatchCreated, MatchEnded, MatchStarted, MoveMade, MoveSealed, Player,
    ProposalAnswered, ProposalKind, ProposalMade, SeatClaimed, event, game_options,
};

use crate::positions::{Position, a_fact, resolved, result, reveal, seats};

fn line(kind: event::Kind) -> String {
    let event = Event { seq: 1, kind: Some(kind), ..Event::default() };
    event_line(&event, Some(GameKind::AngelsAndDemons), &seats("Gabriel", "Lilith"))
}

#[test]
fn the_first_events_of_a_match() {
    let options = game::Options { rows: Some(4), cols: Some(6), turns: Some(9) };
    let options = GameOptions { game: Some(game_options::Game::AngelsAndDemons(options)) };
    let created = MatchCreated {
        game_id: "angels-and-demons".to_owned(),
        options: Some(options),
        ..Default::default()
    };
    assert_eq!(
        line(event::Kind::MatchCreated(created)),
        "Match of angels-and-demons created: 4 x 6 spaces, 9 turns"
    );
    let claimed = SeatClaimed { seat: Some(1), player: Some(Player::named("Lil\u{1b}ith")), entropy: vec![] };
    assert_eq!(line(event::Kind::SeatClaimed(claimed)), "Demons: Lil\u{FFFD}ith took the seat");
    assert_eq!(line(event::Kind::MatchStarted(MatchStarted {})), "The match begins");
}

#[test]
fn a_sealed_choice_is_named_only_to_its_seat() {
    let mut sealed = MoveSealed { seat: Some(0), ..Default::default() };
    assert_eq!(line(event::Kind::MoveSealed(sealed.clone())), "Angels chose in secret");
    sealed.notation = "3,5".to_owned();
    assert_eq!(line(event::Kind::MoveSealed(sealed)), "Angels chose 3,5 in secret");
}

#[test]
fn proposals_and_their_answers() {
    let made = |kind: i32| line(event::Kind::ProposalMade(ProposalMade { seat: Some(1), kind }));
    let [draw, takeback] = [ProposalKind::Draw, ProposalKind::Takeback].map(i32::from);
    assert_eq!(made(draw), "Demons offered a draw");
    assert_eq!(made(takeback), "Demons asked for a takeback");
    assert_eq!(made(99), "Demons made a proposal that this version does not know");
    let answered = |kind: i32, accepted: bool, moves_taken_back: u32| {
        let answered = ProposalAnswered { seat: Some(0), kind, accepted, moves_taken_back };
        line(event::Kind::ProposalAnswered(answered))
    };
    assert_eq!(answered(draw, false, 0), "Angels declined the draw");
    assert_eq!(answered(takeback, false, 0), "Angels declined the takeback");
    assert_eq!(answered(takeback, true, 1), "Angels accepted the takeback: the last move is taken back");
    assert_eq!(answered(takeback, true, 2), "Angels accepted the takeback: the last 2 moves are taken back");
    assert_eq!(answered(99, true, 0), "Angels accepted a proposal that this version does not know");
}

#[test]
fn a_public_move() {
    let made = MoveMade { seat: Some(0), r#move: None, notation: "e4".to_owned() };
    assert_eq!(line(event::Kind::MoveMade(made)), "Angels played e4");
}

#[test]
fn a_turn_lists_choices_changes_and_counts() {
    let mut event = resolved((3, 5), (4, 4));
    for col in [2, 4, 6] {
        let space = Some(game::Space { row: 3, col });
        let (before, after) = (game::Cover::Empty.into(), game::Cover::Angel.into());
        let changed = game::Changed { space, before, after };
        event.facts.push(a_fact(game::fact::Fact::Changed(changed)));
    }
    assert_eq!(
        event_line(&event, None, &seats("Gabriel", "Lilith")),
        "Turn 3: Angels 3,5, Demons 4,4; 3 spaces change; Angels 7, Demons 4"
    );
}

#[test]
fn a_turn_without_facts_lists_its_choices() {
    assert_eq!(
        event_line(&reveal((3, 5), (4, 4)), None, &[]),
        "Both choices revealed: seat 0 3,5, seat 1 4,4"
    );
}

#[test]
fn the_last_event_of_a_match() {
    let ended = |winner: Option<u32>, reason: &str| {
        let result = result(winner, reason);
        line(event::Kind::MatchEnded(MatchEnded { result: Some(result), seed_bytes: vec![] }))
    };
    assert_eq!(ended(Some(1), "count"), "The match is over. Winner: Demons (Lilith), more spaces");
    assert_eq!(ended(None, "equal-count"), "The match is over. Draw, equal counts");
    assert_eq!(ended(None, "expired"), "The match is over. Nobody wins: not started in time");
    assert_eq!(
        ended(Some(0), "resig\u{7}nation"),
        "The match is over. Winner: Angels (Gabriel), resig\u{FFFD}nation"
    );
}

#[test]
fn the_result_of_a_view_has_the_counts() {
    let line =
        |winner: Option<u32>, reason: &str| result_line(&Position::running().over(winner, reason).view());
    assert_eq!(line(Some(0), "count"), "Winner: Angels (Gabriel), 5 spaces to 3");
    assert_eq!(line(None, "equal-count"), "Draw, 5 spaces each");
    assert_eq!(result_line(&Position::running().view()), "The match is not over.");
}

#[test]
fn every_reason_has_words_of_its_own() {
    for game in GameId::ALL {
        let kind = GameKind::parse(game.as_str());
        for reason in Reason::all_of(game) {
            let result = result(None, reason.as_str());
            let ended = event::Kind::MatchEnded(MatchEnded { result: Some(result), seed_bytes: vec![] });
            let event = Event { seq: 1, kind: Some(ended), ..Event::default() };
            let line = event_line(&event, kind, &[]);
            let unread = format!("The match is over. Draw, {}", reason.as_str());
            assert!(line.starts_with("The match is over. Draw, ") && line != unread, "{game}: {line}");
            // Without the game, the word is shown as it is, and never in the words of another game.
            assert_eq!(event_line(&event, None, &[]), unread, "{game}");
        }
    }
}
