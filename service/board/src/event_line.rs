//! Events told in words, one line each.

use wire::GameKind;
use wire::games::angels_and_demons::v1 as angels_and_demons;
use wire::v1::{
    Event, MatchCreated, MatchForked, SeatStatus, TimeControl, TurnRevealed, Visibility, event, fact,
    game_options,
};

use crate::{
    ace_exorcist, cresnovian_chess, ludus_magus, origin, printable, result_line, seats, time_control,
};

/// What happened, in one line without a line break. `game` is the match's, if the caller knows it yet; `seats` gives the
/// names, as any view of the match has them.
pub fn event_line(event: &Event, game: Option<GameKind>, seats: &[SeatStatus]) -> String {
    match &event.kind {
        Some(event::Kind::MatchCreated(created)) => match_created(created),
        Some(event::Kind::MatchForked(forked)) => match_forked(forked),
        Some(event::Kind::SeatTokenRotated(rotated)) => {
            format!("{} got a new token", seats::title(seats, rotated.seat()))
        }
        Some(event::Kind::DrawOffered(offered)) => {
            format!("{} offered a draw", seats::title(seats, offered.seat()))
        }
        Some(event::Kind::DrawDeclined(declined)) => {
            format!("{} declined the draw", seats::title(seats, declined.seat()))
        }
        Some(event::Kind::SeatClaimed(claimed)) => {
            format!(
                "{}: {} took the seat",
                seats::title(seats, claimed.seat()),
                printable(&claimed.player_name)
            )
        }
        Some(event::Kind::MatchStarted(_)) => "The match begins".to_owned(),
        Some(event::Kind::MoveMade(made)) => {
            if let Some(told) = ace_exorcist::told(made, &event.facts, seats) {
                return told;
            }
            let played = format!("{} played {}", seats::title(seats, made.seat()), printable(&made.notation));
            let effects = ludus_magus::outcome(&event.facts);
            move_outcome(event)
                .map_or_else(|| played.clone() + &effects, |outcome| format!("{played}; {outcome}"))
        }
        Some(event::Kind::MoveSealed(sealed)) if sealed.notation.is_empty() => {
            format!("{} chose in secret", seats::title(seats, sealed.seat()))
        }
        Some(event::Kind::MoveSealed(sealed)) => {
            format!("{} chose {} in secret", seats::title(seats, sealed.seat()), printable(&sealed.notation))
        }
        Some(event::Kind::TurnRevealed(turn)) => turn_revealed(event, turn, seats),
        Some(event::Kind::MatchEnded(ended)) => match &ended.result {
            Some(result) => {
                format!("The match is over. {}", result_line::in_words(result, game, seats, None))
            }
            None => "The match is over".to_owned(),
        },
        None => "Something happened that this program doesn't know".to_owned(),
    }
}

/// What is to be said of a move's effects, in games that say it.
fn move_outcome(event: &Event) -> Option<String> {
    event.facts.iter().filter_map(|fact| fact.game.as_ref()).find_map(|fact| match fact {
        fact::Game::CresnovianChess(fact) => cresnovian_chess::outcome(fact),
        fact::Game::AngelsAndDemons(_) | fact::Game::AceExorcist(_) | fact::Game::LudusMagus(_) => None,
    })
}

fn match_forked(forked: &MatchForked) -> String {
    let mut told = format!("Match of {} forked", printable(&forked.game));
    if let Some(from) = &forked.forked_from {
        told.push_str(&format!(" from {}", origin::position(from)));
    }
    if forked.open_information {
        told.push_str("; everybody may see everything");
    }
    told + &terms(forked.time_control.as_ref(), forked.visibility())
}

fn match_created(created: &MatchCreated) -> String {
    let mut told = format!("Match of {} created", printable(&created.game));
    match created.options.as_ref().and_then(|options| options.game.as_ref()) {
        Some(game_options::Game::AngelsAndDemons(options)) => told.push_str(&format!(
            ": {} x {} spaces, {} turns",
            options.rows(),
            options.cols(),
            options.turns()
        )),
        Some(game_options::Game::CresnovianChess(options)) => {
            told.push_str(&format!(": at most {} turns", options.max_turns()));
        }
        Some(game_options::Game::LudusMagus(options)) => told.push_str(&format!(
            ": {} pieces, at most {} turns",
            options.pieces.len(),
            options.max_turns()
        )),
        Some(game_options::Game::AceExorcist(_)) | None => {}
    }
    if let Some(before) = &created.rematch_of {
        told.push_str(&format!("; rematch of match {}", printable(before)));
    }
    told + &terms(created.time_control.as_ref(), created.visibility())
}

/// Clocks, and who may know of the match if not everybody.
fn terms(control: Option<&TimeControl>, visibility: Visibility) -> String {
    let clocks = control.map(|control| format!("; {}", time_control(control))).unwrap_or_default();
    let shown_to = match visibility {
        Visibility::Private => "; private",
        Visibility::Unlisted => "; unlisted",
        Visibility::Public | Visibility::Unspecified => "",
    };
    clocks + shown_to
}

fn turn_revealed(event: &Event, turn: &TurnRevealed, seats: &[SeatStatus]) -> String {
    let choices: Vec<String> = turn
        .moves
        .iter()
        .map(|revealed| format!("{} {}", seats::title(seats, revealed.seat()), printable(&revealed.notation)))
        .collect();
    let choices = choices.join(", ");

    let mut changed = 0_u32;
    let mut resolved = None;
    for fact in event.facts.iter().filter_map(|fact| fact.game.as_ref()) {
        let fact::Game::AngelsAndDemons(fact) = fact else { continue };
        match &fact.fact {
            Some(angels_and_demons::fact::Fact::Changed(_)) => changed += 1,
            Some(angels_and_demons::fact::Fact::TurnResolved(end)) => resolved = Some(*end),
            Some(angels_and_demons::fact::Fact::Chosen(_) | angels_and_demons::fact::Fact::Revealed(_))
            | None => {}
        }
    }
    let Some(end) = resolved else { return format!("Both choices opened: {choices}") };
    let spaces = match changed {
        0 => "nothing changes".to_owned(),
        1 => "1 space changes".to_owned(),
        more => format!("{more} spaces change"),
    };
    format!("Turn {}: {choices}; {spaces}; Angels {}, Demons {}", end.turn, end.angels, end.demons)
}
