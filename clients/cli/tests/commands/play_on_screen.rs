//! `matchbook play` on a real pseudo-terminal.

use crate::service::Service;
use crate::terminal_screen::{CTRL_C, DOWN, ENTER, ESCAPE, TAB, TerminalScreen, UP};

const SIZE: (u16, u16) = (36, 120);

fn play(service: &Service, arguments: &[&str]) -> TerminalScreen {
    TerminalScreen::start(&service.command(&[&["play"], arguments].concat()), SIZE)
}

const SMALL_MATCH: [&str; 8] =
    ["--game", "angels-and-demons", "--option", "rows=4", "--option", "cols=4", "--option", "turns=2"];

/// Plays against a bot by taking the first choice everywhere, until the screen shows that it is over.
#[track_caller]
fn play_first_choices(terminal: &mut TerminalScreen, is_done: impl Fn(&str) -> bool) {
    loop {
        let waiting = |text: &str| {
            let choosing = text.contains("Enter: take it") || text.contains("Enter: play it");
            is_done(text) || choosing || text.contains("Your move.") || text.contains(" to ")
        };
        let text = terminal.wait_until("a choice, or the end", waiting);
        if is_done(&text) {
            return;
        }
        terminal.press(ENTER);
        let before = text;
        terminal.wait_until("something new", |text| *text != before || is_done(text));
    }
}

/// Returns the least number, or number of characters, that a line like `How many? (1 to 5):` asks for, and
/// whether it asks for a text.
fn asked_for(line: &str) -> Option<(usize, bool)> {
    let (least, rest) = line.rsplit_once(" (")?.1.split_once(" to ")?;
    let (most, _) = rest.split_once("):")?;
    Some((least.parse().ok()?, most.ends_with(" characters")))
}

/// Returns the keys that answer what the screen asks: the second entry of a list by the arrow keys, the
/// shortest text, the lowest number. `None` if it asks nothing.
fn keys_for(text: &str) -> Option<String> {
    if text.contains("Enter: take it") {
        return Some(format!("{DOWN}{ENTER}"));
    }
    match text.lines().rev().find_map(asked_for) {
        Some((least, true)) => Some(format!("{}{ENTER}", "a".repeat(least.max(1)))),
        Some((least, false)) => Some(format!("{least}{ENTER}")),
        // The finished move, or the player's turn.
        None => ["Enter: play it", "Enter: build a move"]
            .iter()
            .any(|key| text.contains(key))
            .then(|| ENTER.to_owned()),
    }
}

/// Builds moves from lists with the arrow keys until the screen is as wanted.
#[track_caller]
fn build_moves(terminal: &mut TerminalScreen, is_done: impl Fn(&str) -> bool) {
    let mut before = String::new();
    loop {
        let asks = |text: &str| text != before && keys_for(text).is_some();
        let text = terminal.wait_until("a question, or the end", |text| is_done(text) || asks(text));
        match keys_for(&text).filter(|_| !is_done(&text)) {
            Some(keys) => terminal.press(&keys),
            None => return,
        }
        before = text;
    }
}

#[test]
fn a_whole_match_of_cresnovian_chess_is_played_with_the_arrow_keys() {
    let service = Service::start();
    let arguments =
        ["--game", "cresnovian-chess", "--option", "max_turns=4", "--against", "bot", "--seat", "0"];
    let mut terminal = play(&service, &[&arguments[..], &["--name", "Ann", "--skill", "random"]].concat());
    build_moves(&mut terminal, |text| text.contains("The match is over."));
    terminal.press("/quit\r");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn a_game_an_opponent_and_a_seat_are_picked_from_lists() {
    let service = Service::start();
    let mut terminal = play(&service, &["--name", "Ann"]);
    terminal.wait_for("What do you want to play?");
    terminal.press("lud");
    terminal.wait_for("> Ludus Magus");
    terminal.press(ENTER);
    terminal.wait_for("Against whom?");
    terminal.press(ESCAPE);
    terminal.wait_for("What do you want to play?");
    terminal.press(&format!("lud{ENTER}"));
    terminal.wait_for("Against whom?");
    terminal.press(ENTER);
    terminal.wait_for("> White");
    terminal.press(&format!("{DOWN}{UP}{ENTER}"));
    terminal.wait_for("Your move.");
    terminal.press("b1-c");
    terminal.wait_for("b1-c2");
    terminal.press(TAB);
    terminal.wait_for("> b1-c2");
    terminal.press(ENTER);
    let text = terminal.wait_until("the bot's reply", |text| text.contains("Black played"));
    assert!(text.contains("White played b1-c2"), "{text}");
    terminal.press("a1-a9\r");
    terminal.wait_for("write a move in lower case");
    terminal.press(CTRL_C);
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn a_whole_match_of_each_game_is_played_with_enter_alone() {
    let service = Service::start();
    let games: [&[&str]; 3] = [
        &SMALL_MATCH,
        &["--game", "ludus-magus", "--option", "max_turns=6"],
        &["--game", "ace-exorcist", "--seat", "exorcist"],
    ];
    for game in games {
        let arguments = [game, &["--against", "bot", "--seat", "0", "--name", "Ann"]].concat();
        let arguments = if game.contains(&"--seat") {
            [game, &["--against", "bot", "--name", "Ann"]].concat()
        } else {
            arguments
        };
        let mut terminal = play(&service, &arguments);
        play_first_choices(&mut terminal, |text| text.contains("The match is over."));
        terminal.press("/quit\r");
        assert_eq!(terminal.exit_code(), 0, "{game:?}");
    }
}

#[test]
fn two_people_play_and_each_sees_the_other_by_itself() {
    let service = Service::start();
    let mut ann =
        play(&service, &["--game", "ludus-magus", "--against", "friend", "--seat", "white", "--name", "Ann"]);
    let text = ann.wait_for("The other player joins with: matchbook play ");
    let id = text.split("matchbook play ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let mut bob = service.command(&["play", &id, "--name", "Bob"]);
    bob.env("MATCHBOOK_STATE", service.state().join("bob"));
    let mut bob = TerminalScreen::start(&bob, SIZE);
    ann.wait_for("Black: Bob took the seat");
    // A move before Bob's first position would be part of it.
    bob.wait_for("Bob (you)");
    ann.press("b1-c2\r");
    bob.wait_for("White played b1-c2");
    bob.wait_for("Your move.");
    bob.press("/draw\r");
    ann.wait_for("The other player offers a draw");
    ann.press("/decline\r");
    bob.wait_for("declined the draw");
    ann.press("/takeback\r");
    bob.wait_for("asks for a takeback");
    bob.press("/accept\r");
    ann.wait_for("Black accepted the takeback");
    ann.press("/resign\r");
    ann.wait_for("Resign? y");
    ann.press("n");
    ann.wait_for("Your move.");
    ann.press("/resign\ry");
    bob.wait_for("The match is over.");
    ann.wait_for("The match is over.");
    ann.press(CTRL_C);
    bob.press("/quit\r");
    assert_eq!((ann.exit_code(), bob.exit_code()), (0, 0));
}

#[test]
fn a_rematch_begins_from_the_screen_with_seats_swapped() {
    let service = Service::start();
    // Without chance both seats come with their tokens; with chance they are claimed.
    for game in ["ludus-magus", "ace-exorcist"] {
        let arguments = ["--game", game, "--against", "bot", "--seat", "0", "--name", "Ann"];
        let mut terminal = play(&service, &arguments);
        terminal.wait_for("Ann (you)");
        terminal.press("/resign\ry");
        terminal.wait_for("The match is over.");
        terminal.press("/rematch\r");
        terminal.wait_until("the rematch", |text| text.contains("Ann (you)") && !text.contains("is over"));
        if game == "ludus-magus" {
            // The bot is White now and has moved.
            terminal.wait_for("Your move.");
        }
        terminal.press(CTRL_C);
        terminal.wait_for("returns to this match");
        let printed = terminal.printed();
        let id = printed.split("`matchbook play ").nth(1).unwrap().split('`').next().unwrap().to_owned();
        assert_eq!(terminal.exit_code(), 0);
        let seats = &service.json(&["show", &id])[0]["view"]["seats"];
        assert_eq!(seats[1]["player"]["displayName"], "Ann", "{seats}");
    }
}

#[test]
fn two_people_agree_on_a_rematch() {
    let service = Service::start();
    let mut ann =
        play(&service, &["--game", "ludus-magus", "--against", "friend", "--seat", "white", "--name", "Ann"]);
    let text = ann.wait_for("The other player joins with: matchbook play ");
    let id = text.split("matchbook play ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let mut bob = service.command(&["play", &id, "--name", "Bob"]);
    bob.env("MATCHBOOK_STATE", service.state().join("bob"));
    let mut bob = TerminalScreen::start(&bob, SIZE);
    bob.wait_for("Bob (you)");
    bob.press("/rematch\r");
    bob.wait_for("there is a rematch once the match is over");
    bob.press("/resign\ry");
    ann.wait_for("The match is over.");
    bob.wait_for("The match is over.");
    ann.press("/rematch\r");
    ann.wait_for("The other player joins with /rematch.");
    bob.press("/rematch\r");
    bob.wait_for("Your move.");
    ann.wait_until("the match to begin", |text| text.contains("Bob, to move"));
    bob.press("b1-c2\r");
    ann.wait_for("White played b1-c2");
}

#[test]
fn leaving_keeps_the_seat_and_the_bot_goes_on_with_the_player() {
    let service = Service::start();
    let arguments = [&SMALL_MATCH[..], &["--against", "bot", "--seat", "0", "--name", "Ann"]].concat();
    let mut terminal = play(&service, &arguments);
    terminal.wait_for("Your move.");
    terminal.press(CTRL_C);
    terminal.wait_for("returns to this match");
    let printed = terminal.printed();
    let id = printed.split("`matchbook play ").nth(1).unwrap().split('`').next().unwrap().to_owned();
    assert_eq!(terminal.exit_code(), 0);
    assert!(service.ok(&["show", &id]).contains("Ann"));

    let mut terminal = play(&service, &[&id]);
    terminal.wait_for("Your move.");
    play_first_choices(&mut terminal, |text| text.contains("The match is over."));
}

#[test]
fn the_screen_follows_the_terminals_size_and_pages_can_be_read() {
    let service = Service::start();
    let arguments = [&SMALL_MATCH[..], &["--against", "bot", "--seat", "0", "--name", "Ann"]].concat();
    let mut terminal = play(&service, &arguments);
    terminal.wait_for("Your move.");
    terminal.wait_for("│");
    terminal.resize(18, 50);
    // Below the board there is a line above the events, beside it none.
    terminal.wait_for("──────");
    terminal.press("/rules\r");
    terminal.wait_for("Esc: back");
    terminal.press(DOWN);
    terminal.press(ESCAPE);
    terminal.wait_for("Your move.");
    terminal.press("/help\r");
    terminal.wait_for("/takeback");
    terminal.press("q");
    terminal.press("/legal\r");
    terminal.wait_for("Legal moves");
    terminal.press("q/nonsense\r");
    terminal.wait_for("there is no command /nonsense");
    terminal.resize(3, 10);
    terminal.resize(36, 120);
    terminal.wait_for("│");
    terminal.press(CTRL_C);
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn clocks_tick_and_no_color_is_respected() {
    let service = Service::start();
    let arguments =
        [&SMALL_MATCH[..], &["--against", "bot", "--seat", "0", "--name", "Ann", "--time", "5m+0"]];
    let mut command = service.command(&[&["play"][..], &arguments.concat()].concat());
    command.env("NO_COLOR", "1");
    let mut terminal = TerminalScreen::start(&command, SIZE);
    terminal.wait_for("4:59 left");
    terminal.wait_for("4:57 left");
    assert!(!terminal.printed().contains("\u{1b}[38;5;"), "colours with NO_COLOR");
    terminal.press(CTRL_C);
    assert_eq!(terminal.exit_code(), 0);
}
