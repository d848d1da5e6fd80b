//! A made-up game that exercises what not every real game has: alternating turns, numbers and free text,
//! families too large to list, facts that only one seat sees. Seats take 1 to 3 from a pile and murmur a word
//! to themselves, or wait once per match; the seat that empties the pile wins.

use rules::{
    BadAnswer, BadNotation, BadOption, BySide, Choice, Dice, Ending, Game, GameInfo, Illegal, Listing,
    Paragraph, Played, Question, QuestionKind, Seed, Side, Sides, Step, ValueType, Viewer,
};

use crate::subject::{Outcome, Subject};
use crate::walk::Walk;

pub(crate) struct Murmur;

/// The size of the pile at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pile(u32);

impl Default for Pile {
    fn default() -> Self {
        Self(12)
    }
}

#[derive(Clone)]
pub(crate) struct State {
    pile: u32,
    to_act: Side,
    has_waited: BySide<bool>,
    words: BySide<Vec<String>>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Move {
    Take(u32, String),
    Wait,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    Took(Side, u32),
    Murmured(Side, String),
    Waited(Side),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    EmptyPile,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct View {
    pile: u32,
    to_act: Side,
    has_waited: BySide<bool>,
    words: BySide<Vec<String>>,
}

fn is_word(text: &str) -> bool {
    (1..=4).contains(&text.len()) && text.chars().all(|c| c.is_ascii_lowercase())
}

fn hears(viewer: Viewer, seat: Side) -> bool {
    viewer == Viewer::Seat(seat) || viewer == Viewer::Open
}

fn check_to_act(state: &State, seat: Side) -> Result<(), Illegal> {
    match (Murmur::ending(state), state.to_act == seat) {
        (Some(_), _) => Err(Illegal::match_over()),
        (None, false) => Err(Illegal::not_to_act("wait for the other seat")),
        (None, true) => Ok(()),
    }
}

fn check_move(state: &State, mv: &Move) -> Result<(), Illegal> {
    match mv {
        Move::Wait if state.has_waited[state.to_act] => {
            Err(Illegal::new(Paragraph::new("M-3"), "wait only once"))
        }
        Move::Take(count, _) if !(1..=state.pile.min(3)).contains(count) => {
            Err(Illegal::new(Paragraph::new("M-1"), "take 1 to 3, no more than there are"))
        }
        Move::Take(_, word) if !is_word(word) => {
            Err(Illegal::new(Paragraph::new("M-2"), "one to four of a to z"))
        }
        Move::Wait | Move::Take(..) => Ok(()),
    }
}

fn choice(value: &str) -> Choice {
    Choice { value: value.to_string(), label: value.to_string(), value_type: ValueType::Kind }
}

/// Returns the question or the move after these answers, or the index of an answer that was not offered.
fn follow_path(state: &State, path: &[String]) -> Result<Step<Move>, usize> {
    let ask = |prompt: &str, kind| Ok(Step::Ask(Question { prompt: prompt.to_string(), kind }));
    let may_wait = !state.has_waited[state.to_act];
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let most = state.pile.min(3);
    let count_of = |text: &str| (1..=most).find(|count| count.to_string() == text);
    match path[..] {
        [] => {
            let choices = ["take", "wait"].into_iter().filter(|&kind| kind == "take" || may_wait).map(choice);
            ask("What do you do?", QuestionKind::OneOf(choices.collect()))
        }
        ["wait"] if may_wait => Ok(Step::Done(Move::Wait)),
        ["wait", ..] if may_wait => Err(1),
        ["take"] => ask("How many?", QuestionKind::Integer { min: 1, max: i64::from(most) }),
        ["take", count, ref rest @ ..] => match (count_of(count), rest) {
            (None, _) => Err(1),
            (Some(_), []) => ask("Which word?", QuestionKind::Text { min_chars: 1, max_chars: 4 }),
            (Some(_), [word, ..]) if !is_word(word) => Err(2),
            (Some(count), [word]) => Ok(Step::Done(Move::Take(count, (*word).to_string()))),
            (Some(_), _) => Err(3),
        },
        _ => Err(0),
    }
}

impl Game for Murmur {
    const INFO: GameInfo = GameInfo {
        id: "murmur",
        title: "Murmur",
        summary: "Takes and murmurs.",
        rules_version: 1,
        seat_names: BySide::new("First", "Second"),
        simultaneous: false,
        secrets: true,
        chance: false,
        options: &[],
        rules_text: "G-2: as everywhere. M-1: take 1 to 3. M-2: words. M-3: wait once. \
                     The end is an empty-pile.",
    };

    const REASONS: &'static [Reason] = &[Reason::EmptyPile];

    type Options = Pile;
    type State = State;
    type Move = Move;
    type Fact = Fact;
    type View = View;
    type Reason = Reason;

    fn opening(options: &Pile, _rules_version: u32, _seed: &Seed) -> Result<State, BadOption> {
        let words = BySide::new(Vec::new(), Vec::new());
        Ok(State { pile: options.0, to_act: Side::Zero, has_waited: BySide::new(false, false), words })
    }

    fn to_act(state: &State) -> Sides {
        if state.pile == 0 { Sides::NONE } else { Sides::only(state.to_act) }
    }

    fn legal(state: &State, seat: Side) -> Listing<Move> {
        if check_to_act(state, seat).is_err() {
            return Listing::complete(Vec::new());
        }
        let moves = if state.has_waited[seat] { Vec::new() } else { vec![Move::Wait] };
        Listing { moves, unlisted_families: vec!["take"] }
    }

    fn choices(state: &State, seat: Side, path: &[String]) -> Result<Step<Move>, BadAnswer> {
        check_to_act(state, seat).map_err(|illegal| BadAnswer { index: 0, illegal })?;
        follow_path(state, path)
            .map_err(|index| BadAnswer { index, illegal: Illegal::malformed("this was not offered") })
    }

    fn play(state: &State, seat: Side, mv: &Move) -> Result<Played<State, Fact>, Illegal> {
        check_to_act(state, seat)?;
        check_move(state, mv)?;
        let mut state = state.clone();
        state.to_act = seat.other();
        let facts = match mv {
            Move::Wait => {
                state.has_waited[seat] = true;
                vec![Fact::Waited(seat)]
            }
            Move::Take(count, word) => {
                state.pile -= count;
                state.words[seat].push(word.clone());
                vec![Fact::Took(seat, *count), Fact::Murmured(seat, word.clone())]
            }
        };
        Ok(Played { state, facts })
    }

    fn ending(state: &State) -> Option<Ending<Reason>> {
        (state.pile == 0).then_some(Ending::won(state.to_act.other(), Reason::EmptyPile))
    }

    fn reason_word(reason: Reason) -> &'static str {
        match reason {
            Reason::EmptyPile => "empty-pile",
        }
    }

    fn view(state: &State, viewer: Viewer) -> View {
        let heard = |seat| if hears(viewer, seat) { state.words[seat].clone() } else { Vec::new() };
        let words = BySide::new(heard(Side::Zero), heard(Side::One));
        View { pile: state.pile, to_act: state.to_act, has_waited: state.has_waited, words }
    }

    fn redact_fact(fact: &Fact, viewer: Viewer) -> Option<Fact> {
        match fact {
            Fact::Murmured(seat, _) if !hears(viewer, *seat) => None,
            Fact::Murmured(..) | Fact::Took(..) | Fact::Waited(_) => Some(fact.clone()),
        }
    }

    fn print_move(mv: &Move) -> String {
        match mv {
            Move::Wait => "wait".to_string(),
            Move::Take(count, word) => format!("take {count} {word}"),
        }
    }

    fn parse_move(text: &str) -> Result<Move, BadNotation> {
        let take = || {
            let (count, word) = text.strip_prefix("take ")?.split_once(' ')?;
            let mv = Move::Take(count.parse().ok()?, word.to_string());
            (Self::print_move(&mv) == text).then_some(mv)
        };
        if text == "wait" {
            Ok(Move::Wait)
        } else {
            take().ok_or_else(|| BadNotation::new("take 2 word, or wait"))
        }
    }

    fn canonical(state: &State) -> Vec<u8> {
        let State { pile, to_act, has_waited, words } = state;
        format!("{pile} {to_act:?} {has_waited:?} {words:?}").into_bytes()
    }
}

pub(crate) struct UnderTest;

impl Subject for UnderTest {
    type Game = Murmur;

    /// At most 200 words and two counters.
    const LARGEST_CANONICAL: usize = 2_000;

    fn options() -> Vec<Pile> {
        vec![Pile(1), Pile(12), Pile(200)]
    }

    fn longest(options: &Pile) -> usize {
        options.0 as usize + 2
    }

    fn probes(_options: &Pile, _dice: &mut Dice) -> Vec<Move> {
        let takes = [(0, "a"), (1, "word"), (3, ""), (2, "lengthy"), (3, "A"), (4, "b"), (u32::MAX, "c")];
        takes
            .map(|(count, word)| Move::Take(count, word.to_string()))
            .into_iter()
            .chain([Move::Wait])
            .collect()
    }

    /// Replaces the murmured word.
    fn twin(walk: &Walk<Self>, viewer: Viewer, _dice: &mut Dice) -> Option<Outcome<Murmur>> {
        let (mover, Move::Take(count, word)) = walk.history.last()? else { return None };
        let other = if word == "a" { "zzzz" } else { "a" };
        let twin = Outcome::of(walk.before.as_ref()?, *mover, &Move::Take(*count, other.to_string()));
        (!hears(viewer, *mover)).then_some(twin)
    }

    fn follow(view: &mut View, _own: Option<&Move>, facts: &[Fact]) {
        for fact in facts {
            match fact {
                Fact::Took(seat, count) => (view.pile, view.to_act) = (view.pile - count, seat.other()),
                Fact::Murmured(seat, word) => view.words[*seat].push(word.clone()),
                Fact::Waited(seat) => (view.has_waited[*seat], view.to_act) = (true, seat.other()),
            }
        }
    }
}
