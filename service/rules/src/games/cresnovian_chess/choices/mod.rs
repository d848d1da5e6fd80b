//! Building any legal move by answers, by exactly one path (CC-80): the questions of a placement, a choice
//! and a turn.

pub(super) mod sample;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::games::cresnovian_chess::actions::abilities::{self, Scene};
use crate::games::cresnovian_chess::actions::answers::{Answers, kind_choice};
use crate::games::cresnovian_chess::actions::perform::{self, PerformanceKind};
use crate::games::cresnovian_chess::actions::{document, travel};
use crate::games::cresnovian_chess::field::FOUNDATION;
use crate::games::cresnovian_chess::field::poem::{DOCUMENT_WORDS, MAX_WORD_CHARS, Word};
use crate::games::cresnovian_chess::field::square::{Kingdom, Square};
use crate::games::cresnovian_chess::field::umbration::{PieceSet, Umbration};
use crate::games::cresnovian_chess::legal;
use crate::games::cresnovian_chess::moves::{Move, Performance};
use crate::games::cresnovian_chess::notation::kingdom_word;
use crate::games::cresnovian_chess::state::{Playing, Stage, State};
use crate::{BadAnswer, Choice, Illegal, Question, QuestionKind, Side, Step};

pub(crate) fn choices(state: &State, seat: Side, path: &[String]) -> Result<Step<Move>, BadAnswer> {
    legal::check_to_act(state, seat).map_err(|illegal| BadAnswer { index: 0, illegal })?;
    let mut answers = PathAnswers { answers: path, used: 0 };
    match ask_move(state, seat, &mut answers) {
        Ok(_) if answers.used < path.len() => {
            Err(answers.bad(Illegal::malformed("the move is already finished")))
        }
        Ok(mv) => Ok(Step::Done(mv)),
        Err(Stop::Ask(question)) => Ok(Step::Ask(question)),
        Err(Stop::Bad(bad)) => Err(bad),
    }
}

fn ask_move<A: Answers>(state: &State, seat: Side, answers: &mut A) -> Result<Move, A::Stop> {
    match &state.stage {
        Stage::Placing => ask_placement(answers),
        Stage::Choosing(_) => ask_kingdom(answers),
        Stage::Playing(playing) => ask_turn(playing, seat, answers),
    }
}

pub(crate) fn ask_placement<A: Answers>(answers: &mut A) -> Result<Move, A::Stop> {
    let mut squares = [Square::ALL[0]; 9];
    let mut placed = PieceSet::EMPTY;
    for (row, col) in FOUNDATION {
        let free: PieceSet = Umbration::ALL.into_iter().filter(|&piece| !placed.contains(piece)).collect();
        let piece = answers.piece(&format!("Which piece do you place on {row},{col}?"), free)?;
        placed = placed.with(piece);
        squares[piece.index()] = Square::new(row, col).expect("a foundation square is on the field");
    }
    Ok(Move::Place(squares))
}

pub(crate) fn ask_kingdom<A: Answers>(answers: &mut A) -> Result<Move, A::Stop> {
    let choice = |kingdom| {
        let label = match kingdom {
            Kingdom::Left => "the Left Kingdom, columns 1 to 3",
            Kingdom::Right => "the Right Kingdom, columns 7 to 9",
        };
        kind_choice(kingdom_word(kingdom), label)
    };
    answers.pick("Which kingdom do you choose?", Kingdom::ALL.into_iter(), choice).map(Move::Choose)
}

/// The kinds of turn.
#[derive(Clone, Copy)]
enum Kind {
    Travel,
    Perform,
    Document,
    Pass,
}

fn ask_turn<A: Answers>(playing: &Playing, seat: Side, answers: &mut A) -> Result<Move, A::Stop> {
    let is_legal = |kind: &Kind| match kind {
        Kind::Travel => !travel::travelers(playing).is_empty(),
        Kind::Perform => perform::available(playing, seat).next().is_some(),
        Kind::Document => document::check_kind(playing).is_ok(),
        Kind::Pass => legal::must_pass(playing, seat),
    };
    let choice = |kind| match kind {
        Kind::Travel => kind_choice("travel", "Travel"),
        Kind::Perform => kind_choice("perform", "Perform"),
        Kind::Document => kind_choice("document", "Document"),
        Kind::Pass => kind_choice("pass", "Pass"),
    };
    let kinds = [Kind::Travel, Kind::Perform, Kind::Document, Kind::Pass].into_iter().filter(is_legal);
    match answers.pick("What do you do?", kinds, choice)? {
        Kind::Travel => {
            let piece = answers.piece("Which piece travels?", travel::travelers(playing))?;
            ask_travel(playing, piece, answers)
        }
        Kind::Perform => {
            let performers = perform::available(playing, seat).map(|(piece, _)| piece).collect();
            let performer = answers.piece("Which piece performs?", performers)?;
            let available = perform::available(playing, seat).filter(|&(piece, _)| piece == performer);
            let kind = answers.pick("What does it perform?", available.map(|(_, kind)| kind), |kind| {
                performance_choice(performer, kind)
            })?;
            ask_performance(Scene { playing, seat, performer }, kind, answers)
        }
        Kind::Document => ask_document(answers),
        Kind::Pass => Ok(Move::Pass),
    }
}

fn performance_choice(performer: Umbration, kind: PerformanceKind) -> Choice {
    match kind {
        PerformanceKind::Repair => kind_choice("repair", "Repair"),
        PerformanceKind::Basic => kind_choice("basic", performer.basic().name()),
        PerformanceKind::Elite => kind_choice("elite", performer.elite().name()),
    }
}

pub(crate) fn ask_travel<A: Answers>(
    playing: &Playing,
    piece: Umbration,
    answers: &mut A,
) -> Result<Move, A::Stop> {
    let to = answers.square("Where does it go?", travel::destinations(playing, piece))?;
    Ok(Move::Travel { piece, to })
}

/// Asks for a use of one of the performer's abilities.
pub(crate) fn ask_performance<A: Answers>(
    scene: Scene<'_>,
    kind: PerformanceKind,
    answers: &mut A,
) -> Result<Move, A::Stop> {
    let performance = match kind {
        PerformanceKind::Repair => Performance::Repair(scene.performer),
        PerformanceKind::Basic if scene.performer == Umbration::Caprice => {
            let whose =
                answers.piece("Which piece's ability does Caprice dance?", abilities::dancers(scene))?;
            Performance::Dance(abilities::ask_basic(scene, whose, answers)?)
        }
        PerformanceKind::Basic => Performance::Basic(abilities::ask_basic(scene, scene.performer, answers)?),
        PerformanceKind::Elite => Performance::Elite(abilities::ask_elite(scene, answers)?),
    };
    Ok(Move::Perform(performance))
}

pub(crate) fn ask_document<A: Answers>(answers: &mut A) -> Result<Move, A::Stop> {
    let mut words = Vec::with_capacity(DOCUMENT_WORDS);
    for nth in 1..=DOCUMENT_WORDS {
        words.push(answers.word(WORD_PROMPTS[nth - 1])?);
    }
    Ok(Move::Document(words))
}

const WORD_PROMPTS: [&str; DOCUMENT_WORDS] = [
    "Which is the first of nine words? No white space, control characters or invisible direction characters.",
    "Which is the second word?",
    "Which is the third word?",
    "Which is the fourth word?",
    "Which is the fifth word?",
    "Which is the sixth word?",
    "Which is the seventh word?",
    "Which is the eighth word?",
    "Which is the ninth word?",
];

/// A client's path, and the number of answers used so far.
struct PathAnswers<'a> {
    answers: &'a [String],
    used: usize,
}

/// Why a path does not make a move.
enum Stop {
    Ask(Question),
    Bad(BadAnswer),
}

impl<'a> PathAnswers<'a> {
    /// Returns the next answer, or the question if the path ends here.
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

impl Answers for PathAnswers<'_> {
    type Stop = Stop;

    fn pick<T, I>(&mut self, prompt: &str, offered: I, choice: impl Fn(T) -> Choice) -> Result<T, Stop>
    where
        T: Copy,
        I: Iterator<Item = T> + Clone,
    {
        let kind = || QuestionKind::OneOf(offered.clone().map(&choice).collect());
        let answer = self.next(prompt, kind)?;
        let picked = offered.clone().find(|&one| choice(one).value == answer);
        self.take(picked, "this answer is not offered")
    }

    fn number(&mut self, prompt: &str, min: u32, max: u32) -> Result<u32, Stop> {
        let kind = || QuestionKind::Integer { min: i64::from(min), max: i64::from(max) };
        let answer = self.next(prompt, kind)?;
        let number = answer.parse().ok().filter(|number: &u32| number.to_string() == answer);
        self.take(number.filter(|number| (min..=max).contains(number)), "the number is out of range")
    }

    fn word(&mut self, prompt: &str) -> Result<Word, Stop> {
        let longest = u32::try_from(MAX_WORD_CHARS).expect("a word is short");
        let answer = self.next(prompt, || QuestionKind::Text { min_chars: 1, max_chars: longest })?;
        let word = Word::new(answer);
        document::check_word(&word).map_err(|refused| Stop::Bad(self.bad(refused.into())))?;
        self.used += 1;
        Ok(word)
    }
}
