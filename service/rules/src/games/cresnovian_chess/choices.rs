//! Building any legal move by answers, one way to each (CC-80): the questions of a placement, a choice and a turn.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::abilities::{self, Scene};
use super::asking::{Asker, kind_offer};
use super::field::FOUNDATION;
use super::moves::{Move, Performance};
use super::notation::kingdom_word;
use super::performing::{self, Act};
use super::poem::{DOCUMENT, LONGEST_WORD, Word};
use super::square::{Kingdom, Square};
use super::state::{Playing, Stage, State};
use super::umbration::{PieceSet, Umbration};
use super::{document, legal, travel};
use crate::{BadAnswer, Illegal, Offer, Question, QuestionKind, Seat, Step};

pub(super) fn choices(state: &State, seat: Seat, path: &[String]) -> Result<Step<Move>, BadAnswer> {
    legal::check_to_act(state, seat).map_err(|illegal| BadAnswer { index: 0, illegal })?;
    let mut answers = Path { answers: path, used: 0 };
    match ask_move(state, seat, &mut answers) {
        Ok(_) if answers.used < path.len() => {
            Err(answers.bad(Illegal::malformed("the move was finished before")))
        }
        Ok(made) => Ok(Step::Done(made)),
        Err(Stop::Ask(question)) => Ok(Step::Ask(question)),
        Err(Stop::Bad(bad)) => Err(bad),
    }
}

fn ask_move<A: Asker>(state: &State, seat: Seat, asker: &mut A) -> Result<Move, A::Stop> {
    match &state.stage {
        Stage::Placing => ask_placement(asker),
        Stage::Choosing(_) => ask_kingdom(asker),
        Stage::Playing(playing) => ask_turn(playing, seat, asker),
    }
}

pub(super) fn ask_placement<A: Asker>(asker: &mut A) -> Result<Move, A::Stop> {
    let mut squares = [Square::ALL[0]; 9];
    let mut placed = PieceSet::EMPTY;
    for (row, col) in FOUNDATION {
        let free: PieceSet = Umbration::ALL.into_iter().filter(|&piece| !placed.contains(piece)).collect();
        let piece = asker.piece(&format!("Which piece is placed on {row},{col}?"), free)?;
        placed = placed.with(piece);
        squares[piece.index()] = Square::new(row, col).expect("a foundation square is on the field");
    }
    Ok(Move::Place(squares))
}

pub(super) fn ask_kingdom<A: Asker>(asker: &mut A) -> Result<Move, A::Stop> {
    let offer = |kingdom| {
        let label = match kingdom {
            Kingdom::Left => "the Left Kingdom, columns 1 to 3",
            Kingdom::Right => "the Right Kingdom, columns 7 to 9",
        };
        kind_offer(kingdom_word(kingdom), label)
    };
    asker.pick("Which kingdom is yours?", Kingdom::ALL.into_iter(), offer).map(Move::Choose)
}

/// The kinds of turn.
#[derive(Clone, Copy)]
enum Kind {
    Travel,
    Perform,
    Document,
    Pass,
}

fn ask_turn<A: Asker>(playing: &Playing, seat: Seat, asker: &mut A) -> Result<Move, A::Stop> {
    let is_legal = |kind: &Kind| match kind {
        Kind::Travel => !travel::travelers(playing).is_empty(),
        Kind::Perform => performing::acts(playing, seat).next().is_some(),
        Kind::Document => document::check_kind(playing).is_ok(),
        Kind::Pass => legal::must_pass(playing, seat),
    };
    let offer = |kind| match kind {
        Kind::Travel => kind_offer("travel", "Travel"),
        Kind::Perform => kind_offer("perform", "Perform"),
        Kind::Document => kind_offer("document", "Document"),
        Kind::Pass => kind_offer("pass", "Pass"),
    };
    let kinds = [Kind::Travel, Kind::Perform, Kind::Document, Kind::Pass].into_iter().filter(is_legal);
    match asker.pick("What do you do?", kinds, offer)? {
        Kind::Travel => {
            let piece = asker.piece("Which piece travels?", travel::travelers(playing))?;
            ask_travel(playing, piece, asker)
        }
        Kind::Perform => {
            let performers = performing::acts(playing, seat).map(|(piece, _)| piece).collect();
            let performer = asker.piece("Which piece performs?", performers)?;
            let acts = performing::acts(playing, seat).filter(|&(piece, _)| piece == performer);
            let act = asker
                .pick("What does it perform?", acts.map(|(_, act)| act), |act| act_offer(performer, act))?;
            ask_performance(Scene { playing, seat, performer }, act, asker)
        }
        Kind::Document => ask_document(asker),
        Kind::Pass => Ok(Move::Pass),
    }
}

fn act_offer(performer: Umbration, act: Act) -> Offer {
    match act {
        Act::Repair => kind_offer("repair", "Repair"),
        Act::Basic => kind_offer("basic", performer.basic().name()),
        Act::Elite => kind_offer("elite", performer.elite().name()),
    }
}

pub(super) fn ask_travel<A: Asker>(
    playing: &Playing,
    piece: Umbration,
    asker: &mut A,
) -> Result<Move, A::Stop> {
    let to = asker.square("Where does it go?", travel::destinations(playing, piece))?;
    Ok(Move::Travel { piece, to })
}

/// Asks for a use of what the performer can do.
pub(super) fn ask_performance<A: Asker>(scene: Scene<'_>, act: Act, asker: &mut A) -> Result<Move, A::Stop> {
    let performance = match act {
        Act::Repair => Performance::Repair(scene.performer),
        Act::Basic if scene.performer == Umbration::Caprice => {
            let whose = asker.piece("Like which piece does Caprice dance?", abilities::dancers(scene))?;
            Performance::Dance(abilities::ask_basic(scene, whose, asker)?)
        }
        Act::Basic => Performance::Basic(abilities::ask_basic(scene, scene.performer, asker)?),
        Act::Elite => Performance::Elite(abilities::ask_elite(scene, asker)?),
    };
    Ok(Move::Perform(performance))
}

pub(super) fn ask_document<A: Asker>(asker: &mut A) -> Result<Move, A::Stop> {
    let mut words = Vec::with_capacity(DOCUMENT);
    for nth in 1..=DOCUMENT {
        words.push(asker.word(WORD_PROMPTS[nth - 1])?);
    }
    Ok(Move::Document(words))
}

const WORD_PROMPTS: [&str; DOCUMENT] = [
    "The first of nine words? No white space, no control and no invisible direction characters.",
    "The second word?",
    "The third word?",
    "The fourth word?",
    "The fifth word?",
    "The sixth word?",
    "The seventh word?",
    "The eighth word?",
    "The ninth word?",
];

/// A client's answers, and how many of them have been used.
struct Path<'a> {
    answers: &'a [String],
    used: usize,
}

/// Why a path does not amount to a move.
enum Stop {
    Ask(Question),
    Bad(BadAnswer),
}

impl<'a> Path<'a> {
    /// The next answer; without one, the question is asked.
    fn next(&self, prompt: &str, kind: impl FnOnce() -> QuestionKind) -> Result<&'a str, Stop> {
        let next = self.answers.get(self.used).map(String::as_str);
        next.ok_or_else(|| Stop::Ask(Question { prompt: prompt.to_owned(), kind: kind() }))
    }

    fn bad(&self, illegal: Illegal) -> BadAnswer {
        BadAnswer { index: self.used, illegal }
    }

    fn take<T>(&mut self, answer: Option<T>, text: &str) -> Result<T, Stop> {
        let answer = answer.ok_or_else(|| Stop::Bad(self.bad(Illegal::malformed(text))))?;
        self.used += 1;
        Ok(answer)
    }
}

impl Asker for Path<'_> {
    type Stop = Stop;

    fn pick<T, I>(&mut self, prompt: &str, offered: I, offer: impl Fn(T) -> Offer) -> Result<T, Stop>
    where
        T: Copy,
        I: Iterator<Item = T> + Clone,
    {
        let kind = || QuestionKind::OneOf(offered.clone().map(&offer).collect());
        let answer = self.next(prompt, kind)?;
        let picked = offered.clone().find(|&one| offer(one).value == answer);
        self.take(picked, "this answer was not offered")
    }

    fn number(&mut self, prompt: &str, min: u32, max: u32) -> Result<u32, Stop> {
        let kind = || QuestionKind::Integer { min: i64::from(min), max: i64::from(max) };
        let answer = self.next(prompt, kind)?;
        let number = answer.parse().ok().filter(|number: &u32| number.to_string() == answer);
        self.take(number.filter(|number| (min..=max).contains(number)), "this number is out of range")
    }

    fn word(&mut self, prompt: &str) -> Result<Word, Stop> {
        let longest = u32::try_from(LONGEST_WORD).expect("a word is short");
        let answer = self.next(prompt, || QuestionKind::Text { min_chars: 1, max_chars: longest })?;
        let word = Word::new(answer);
        document::check_word(&word).map_err(|refused| Stop::Bad(self.bad(refused.into())))?;
        self.used += 1;
        Ok(word)
    }
}
