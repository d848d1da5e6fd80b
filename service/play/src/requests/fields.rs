//! Fields that many requests share, read strictly: ids, seats, names, sizes, times.

use event::{ChainHash, MatchId, RecordTime, Seat, Seq};
use icu_properties::props::{
    BinaryProperty as _, DefaultIgnorableCodePoint, EnumeratedProperty as _, GeneralCategory,
};
use journal::{Head, PageSize, WebhookId};
use replay::{MAX_ENTROPY_BYTES, ProposalKind, TimeControl};
use rules::{GameId, Games, Rules, Viewer};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use super::limits::{self, PageLimits};
use crate::Refusal;

/// Results of `ListGames`.
const GAMES: PageLimits = PageLimits::new(50, 200);

/// Results of `ListKeys`.
const KEYS: PageLimits = PageLimits::new(100, 500);

/// Results of `ListLegalMoves`.
const LEGAL_MOVES: PageLimits = PageLimits::new(1_000, 10_000);

/// Results of `ListEvents`.
const EVENTS: PageLimits = PageLimits::new(100, 500);

/// Results of `ListMatches`.
const MATCHES: PageLimits = PageLimits::new(50, 200);

/// Results of `ListWebhooks`.
const WEBHOOKS: PageLimits = PageLimits::new(50, 200);

/// Results of `ListDeadLetters`.
const DEAD_LETTERS: PageLimits = PageLimits::new(50, 200);

/// Reads a webhook's id.
pub(crate) fn webhook_id(text: &str) -> Result<WebhookId, Refusal> {
    uuid("webhook_id", text).map(WebhookId)
}

/// Returns the number of webhooks to list.
pub(crate) fn webhooks(page_size: u32) -> u32 {
    WEBHOOKS.of(page_size)
}

/// Returns the number of dead letters to list.
pub(crate) fn dead_letters(page_size: u32) -> u32 {
    DEAD_LETTERS.of(page_size)
}

/// Reads a match's id.
pub(crate) fn match_id(text: &str) -> Result<MatchId, Refusal> {
    match_id_in("match_id", text)
}

/// Reads a match's id in this field.
pub(crate) fn match_id_in(field: &str, text: &str) -> Result<MatchId, Refusal> {
    uuid(field, text).map(MatchId)
}

/// Reads a call's id. Without one, retrying the call is unsafe.
pub(crate) fn request_id(text: Option<&str>) -> Result<Option<Uuid>, Refusal> {
    text.map(|text| uuid("request_id", text)).transpose()
}

/// Reads a UUID in its hyphenated form only.
fn uuid(field: &str, text: &str) -> Result<Uuid, Refusal> {
    let hyphenated = text.len() == uuid::fmt::Hyphenated::LENGTH;
    Uuid::try_parse(text)
        .ok()
        .filter(|_| hyphenated)
        .ok_or_else(|| Refusal::field(field, "must be a UUID such as 0192f0c1-2b3a-7c4d-8e5f-60718293a4b5"))
}

/// Reads an optional event number.
pub(crate) fn seq(number: Option<u32>) -> Option<Seq> {
    number.map(Seq)
}

/// Reads the event that a caller has seen, if it names one by its hash.
pub(crate) fn seen_event(seq: Option<u32>, hash: Option<&[u8]>) -> Result<Option<Head>, Refusal> {
    let Some(hash) = hash else { return Ok(None) };
    let field = "after_hash";
    let hash: ChainHash = hash.try_into().map_err(|_| {
        Refusal::field(field, format!("must have 32 bytes, the hash of an event, and has {}", hash.len()))
    })?;
    match seq {
        None | Some(0) => Err(Refusal::field(field, "needs the event's seq, at least 1, as after_seq")),
        Some(seq) => Ok(Some(Head { seq: Seq(seq), hash })),
    }
}

/// Reads a required seat of a match with this many seats.
pub(crate) fn seat(field: &str, seat: Option<u32>, seats: usize) -> Result<Seat, Refusal> {
    let seat = seat.and_then(replay::seat_from_wire).filter(|seat| seat.index() < seats);
    seat.ok_or_else(|| {
        let last = seats.saturating_sub(1);
        Refusal::field(field, format!("must be 0 to {last}, since the match has {seats} seats"))
    })
}

/// Reads a viewer of a match with this many seats. Returns `None` if the request leaves the choice to the
/// service.
pub(crate) fn viewer(
    field: &str,
    viewer: Option<&proto::Viewer>,
    seats: usize,
) -> Result<Option<Viewer<Seat>>, Refusal> {
    use proto::viewer::Kind;
    let Some(viewer) = viewer else { return Ok(None) };
    match (Kind::try_from(viewer.kind), viewer.seat) {
        (Ok(Kind::Unspecified), None) => Ok(None),
        (Ok(Kind::Unspecified | Kind::Seat), number) => {
            seat(&format!("{field}.seat"), number, seats).map(|seat| Some(Viewer::Seat(seat)))
        }
        (Ok(Kind::Spectator), None) => Ok(Some(Viewer::Spectator)),
        (Ok(Kind::Open), None) => Ok(Some(Viewer::Open)),
        (Ok(Kind::Spectator | Kind::Open), Some(_)) => {
            Err(Refusal::field(format!("{field}.seat"), "must be absent unless the viewer is a seat"))
        }
        (Err(_), _) => {
            let must = "must be KIND_SPECTATOR, KIND_SEAT or KIND_OPEN";
            Err(Refusal::field(format!("{field}.kind"), must))
        }
    }
}

/// Reads a visibility, or returns `default` if the request sets none. A private match belongs to an API key,
/// so an owner without one cannot have it.
pub(crate) fn visibility(
    value: Option<i32>,
    default: proto::Visibility,
    owner: &str,
) -> Result<proto::Visibility, Refusal> {
    let visibility = match value.map(proto::Visibility::try_from) {
        None => default,
        Some(Ok(named)) if named != proto::Visibility::Unspecified => named,
        Some(_) => {
            let must = "must be VISIBILITY_PUBLIC, VISIBILITY_UNLISTED or VISIBILITY_PRIVATE";
            return Err(Refusal::field("visibility", must));
        }
    };
    if visibility == proto::Visibility::Private && owner.is_empty() {
        // No credential helps: nobody could own the match.
        let must =
            "must not be VISIBILITY_PRIVATE, since this service has no API keys to own private matches";
        return Err(Refusal::field("visibility", must));
    }
    Ok(visibility)
}

/// Reads the kind of a proposal.
pub(crate) fn proposal_kind(field: &str, kind: i32) -> Result<ProposalKind, Refusal> {
    let must = "must be PROPOSAL_KIND_DRAW or PROPOSAL_KIND_TAKEBACK";
    ProposalKind::from_wire(kind).ok_or_else(|| Refusal::field(field, must))
}

/// Reads a strategy, which may be unspecified.
pub(crate) fn strategy(value: i32) -> Result<proto::Strategy, Refusal> {
    proto::Strategy::try_from(value).map_err(|_| {
        Refusal::field("strategy", "must be STRATEGY_RANDOM or STRATEGY_GREEDY; unspecified is random")
    })
}

/// Reads what the response to a move contains, which may be unspecified.
pub(crate) fn move_answer(value: i32) -> Result<proto::MoveAnswer, Refusal> {
    proto::MoveAnswer::try_from(value).map_err(|_| {
        let must = "must be MOVE_ANSWER_EVENTS_AND_VIEW, MOVE_ANSWER_EVENTS or MOVE_ANSWER_RECEIPT; \
                    unspecified is the first";
        Refusal::field("answer", must)
    })
}

/// Reads an optional time control.
pub(crate) fn time_control(control: Option<&proto::TimeControl>) -> Result<Option<TimeControl>, Refusal> {
    control
        .map(TimeControl::from_wire)
        .transpose()
        .map_err(|bad| Refusal::field(bad.field, format!("must be {}", bad.must)))
}

/// Maximum number of characters of an unknown game's id to repeat in a refusal.
const MAX_SHOWN_GAME_CHARS: usize = 64;

/// Reads the id of a game that this service has.
pub(crate) fn game(id: &str) -> Result<GameId, Refusal> {
    if id.is_empty() {
        return Err(Refusal::field("game_id", "must be the id of a game; ListGames lists the games"));
    }
    GameId::parse(id).ok_or_else(|| {
        let known: Vec<_> = GameId::ALL.into_iter().map(GameId::as_str).collect();
        let word: String = id.chars().take(MAX_SHOWN_GAME_CHARS).collect();
        let message = format!("unknown game {word:?}; ListGames lists the games: {}", known.join(", "));
        Refusal::new(ErrorReason::UnknownGame, message)
    })
}

/// Returns the rules to pin a new match to: the version asked for, or the game's current one.
pub(crate) fn rules(games: Games, game: GameId, asked: Option<u32>) -> Result<Rules, Refusal> {
    let Some(version) = asked else { return Ok(games.current(game)) };
    games.find(game, version).ok_or_else(|| {
        let versions: Vec<_> = games.versions(game).iter().map(u32::to_string).collect();
        let versions = versions.join(", ");
        Refusal::field(
            "rules_version",
            format!("must be a rules version of {game} in this build: {versions}"),
        )
        .with("rules_versions", versions)
    })
}

/// Reads a text of 1 to `max_chars` visible characters and inner spaces.
pub(crate) fn text(field: &str, text: String, max_chars: usize) -> Result<String, Refusal> {
    if !(1..=max_chars).contains(&text.chars().count()) {
        return Err(Refusal::field(field, format!("must have 1 to {max_chars} characters")));
    }
    visible(field, &text)?;
    Ok(text)
}

/// Refuses a text that begins or ends with a space, or has other characters that nobody sees.
pub(super) fn visible(field: &str, text: &str) -> Result<(), Refusal> {
    if text.starts_with(' ') || text.ends_with(' ') {
        return Err(Refusal::field(field, "must not begin or end with a space"));
    }
    if text.chars().any(is_invisible) {
        return Err(Refusal::field(field, "must not contain control or invisible characters"));
    }
    Ok(())
}

/// Symbols that fonts draw as nothing: the Braille pattern without dots, and the musical note without a head.
const BLANK_SYMBOLS: [char; 2] = ['\u{2800}', '\u{1D159}'];

/// Returns whether Unicode gives a character no visible form: white space other than the plain space, control
/// and format characters, private and unassigned ones, blank symbols, and all that a program may leave out.
fn is_invisible(char: char) -> bool {
    let formless = matches!(
        GeneralCategory::for_char(char),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::PrivateUse
            | GeneralCategory::Unassigned
            | GeneralCategory::SpaceSeparator
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    );
    char != ' ' && (formless || BLANK_SYMBOLS.contains(&char) || DefaultIgnorableCodePoint::for_char(char))
}

/// Checks a seat's contribution to the seed.
pub(crate) fn entropy(entropy: &[u8]) -> Result<(), Refusal> {
    if entropy.len() > MAX_ENTROPY_BYTES {
        return Err(Refusal::field("entropy", format!("must have at most {MAX_ENTROPY_BYTES} bytes")));
    }
    Ok(())
}

/// Checks the answers of a path through `GetChoices`.
pub(crate) fn path(path: &[String]) -> Result<(), Refusal> {
    if path.len() > limits::PATH_ANSWERS {
        return Err(Refusal::field("path", format!("must have at most {} answers", limits::PATH_ANSWERS)));
    }
    match path.iter().position(|answer| answer.chars().count() > limits::TEXT_CHARS) {
        Some(index) => {
            let description = format!("must have at most {} characters", limits::TEXT_CHARS);
            Err(Refusal::field(format!("path[{index}]"), description))
        }
        None => Ok(()),
    }
}

/// Returns the number of games to list.
pub(crate) fn games(page_size: u32) -> u32 {
    GAMES.of(page_size)
}

/// Returns the number of keys to list.
pub(crate) fn keys(page_size: u32) -> u32 {
    KEYS.of(page_size)
}

/// Returns the number of moves to list.
pub(crate) fn legal_moves(page_size: u32) -> u32 {
    LEGAL_MOVES.of(page_size)
}

/// Returns the number of events to list.
pub(crate) fn events(page_size: u32) -> PageSize {
    PageSize(EVENTS.of(page_size))
}

/// Returns the number of matches to list.
pub(crate) fn matches(page_size: u32) -> u32 {
    MATCHES.of(page_size)
}

/// Reads a time, to the microsecond.
pub(crate) fn time(field: &str, time: prost_types::Timestamp) -> Result<RecordTime, Refusal> {
    let nanos = i64::from(time.nanos);
    let micros = time.seconds.checked_mul(1_000_000).and_then(|micros| micros.checked_add(nanos / 1_000));
    match micros.filter(|_| (0..1_000_000_000).contains(&nanos)) {
        Some(micros) => Ok(RecordTime(micros)),
        None => Err(Refusal::field(field, "must be a time between the years 1 and 9999")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_hyphenated_uuids() {
        assert!(match_id("0192f0c1-2b3a-7c4d-8e5f-60718293a4b5").is_ok());
        for text in ["", "7", "0192f0c12b3a7c4d8e5f60718293a4b5", "{0192f0c1-2b3a-7c4d-8e5f-60718293a4b5}"] {
            let refusal = match_id(text).unwrap_err();
            assert_eq!(refusal.reason, ErrorReason::InvalidArgument);
            assert_eq!(refusal.fields[0].field, "match_id");
        }
    }

    #[test]
    fn a_path_has_few_and_short_answers() {
        let longest = "é".repeat(limits::TEXT_CHARS);
        assert!(path(&vec![longest.clone(); limits::PATH_ANSWERS]).is_ok());
        let field = |answers: &[String]| path(answers).unwrap_err().fields[0].field.to_string();
        assert_eq!(field(&vec!["a".to_owned(); limits::PATH_ANSWERS + 1]), "path");
        assert_eq!(field(&[longest.clone(), longest + "é"]), "path[1]");
    }
}
