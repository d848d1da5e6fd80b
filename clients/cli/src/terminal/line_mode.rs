//! A match line by line, for pipes and for terminals without a cursor: what happens is printed as it happens,
//! and each line read is a move, a command or an answer.

use std::collections::VecDeque;
use std::io::BufRead as _;
use std::thread;

use board::Orientation;
use futures_util::TryStreamExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::mpsc;
use wire::v1::ProposalKind;
use wire::v1::question::Kind;

use super::call::{Answer, Call, NextPart};
use super::seated::Seated;
use super::typed::{Command, Typed, help};
use crate::failure::Failure;
use crate::output::{Output, failure_line};
use crate::viewing::{News, Table};

/// Number of lines that are read ahead of the game.
const MAX_WAITING: usize = 16;

/// Plays a match line by line until it is over, the player leaves, or the input ends.
pub(crate) async fn play_in_lines(output: Output, seated: Seated) -> Result<(), Failure> {
    let mut watch = seated.client.watch().with_views();
    let mut lines = lines_of_input();
    let mut game = Game::new(output, seated);
    if let Some(invitation) = &game.seated.invitation {
        output.text(&format!("{invitation}\n"))?;
    }
    while game.proceed()? == Stay::Here {
        tokio::select! {
            biased;
            answer = under_way(&mut game.call) => {
                game.call = None;
                game.receive_answer(answer)?;
            }
            frame = watch.try_next() => match frame? {
                Some(frame) => {
                    let news = game.table.receive(frame);
                    game.print_news(&news)?;
                }
                None => return Ok(()),
            },
            failure = game.seated.bot.failed() => return Err(failure),
            line = lines.recv(), if game.reads && game.waiting.len() < MAX_WAITING => match line {
                Some(line) => game.waiting.push_back(line),
                None => game.reads = false,
            },
        }
    }
    Ok(())
}

/// Reads the standard input on a thread of its own, which ends with the program.
fn lines_of_input() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(1);
    thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Waits for the answer to the call under way; for ever without one.
async fn under_way(call: &mut Option<BoxFuture<'static, Answer>>) -> Answer {
    match call {
        Some(call) => call.await,
        None => std::future::pending().await,
    }
}

/// A match line by line.
struct Game {
    seated: Seated,
    output: Output,
    table: Table,
    /// Lines that were read and not carried out yet.
    waiting: VecDeque<String>,
    /// Whether there may be more lines.
    reads: bool,
    /// The call under way. The next line waits for its answer.
    call: Option<BoxFuture<'static, Answer>>,
    /// The last event of the last call that took effect.
    done: u32,
    building: Option<Building>,
}

/// A move that is being built: the answers so far, the position, and what is asked.
struct Building {
    path: Vec<String>,
    seq: u32,
    next: NextPart,
}

/// Whether the player goes on.
#[derive(PartialEq, Eq)]
enum Stay {
    Here,
    Leave,
}

impl Game {
    fn new(output: Output, seated: Seated) -> Self {
        let (table, waiting) = (Table::default(), VecDeque::new());
        // A match has a first event, so lines wait until the watch has shown the table.
        Self { seated, output, table, waiting, reads: true, call: None, done: 1, building: None }
    }

    /// Carries out the lines that the game is ready for.
    fn proceed(&mut self) -> Result<Stay, Failure> {
        // After a call the table is old until the watch has shown what came of it.
        while self.call.is_none() && self.table.seq() >= self.done {
            let Some(line) = self.waiting.front() else {
                return Ok(if self.reads || self.is_bots_turn() { Stay::Here } else { Stay::Leave });
            };
            // A move waits for the player's turn.
            if !(line.starts_with('/') || self.building.is_some() || self.table.is_to_act()) {
                return Ok(Stay::Here);
            }
            let line = self.waiting.pop_front().unwrap_or_default();
            if self.take(line.trim())? == Stay::Leave {
                return Ok(Stay::Leave);
            }
        }
        Ok(Stay::Here)
    }

    /// Returns whether the bot has yet to move. It plays only while this program runs.
    fn is_bots_turn(&self) -> bool {
        self.seated.bot.is_bot() && !self.table.is_to_act() && !self.table.is_over()
    }

    fn take(&mut self, line: &str) -> Result<Stay, Failure> {
        if let Some(building) = self.building.take()
            && !line.starts_with('/')
        {
            return self.answer(building, line).map(|()| Stay::Here);
        }
        match line.parse() {
            Err(problem) => self.output.text(&format!("{problem}\n"))?,
            Ok(Typed::Move(notation)) if notation.is_empty() => {}
            Ok(Typed::Move(notation)) => self.start(Call::MakeMove(notation)),
            Ok(Typed::Command(Command::Quit)) => return Ok(Stay::Leave),
            Ok(Typed::Command(command)) => self.command(command)?,
        }
        Ok(Stay::Here)
    }

    fn command(&mut self, command: Command) -> Result<(), Failure> {
        match command {
            Command::Help => return self.output.text(&help()),
            Command::Rules => self.start(Call::ReadRules),
            Command::Legal => self.start(Call::ListMoves),
            Command::Choose => self.start(Call::AskNext { path: Vec::new(), seq: None }),
            Command::Draw => self.start(Call::Propose(ProposalKind::Draw)),
            Command::Takeback => self.start(Call::Propose(ProposalKind::Takeback)),
            Command::Accept | Command::Decline => match self.table.proposed() {
                Some(kind) => self.start(Call::AnswerProposal(kind, command == Command::Accept)),
                None => return self.output.text("the other player proposes nothing\n"),
            },
            Command::Resign => self.start(Call::Resign),
            Command::Abort => self.start(Call::Abort),
            Command::Rematch => {
                let after = "`matchbook rematch MATCH` plays again once the match is over\n";
                return self.output.text(after);
            }
            // Taken before.
            Command::Quit => {}
        }
        Ok(())
    }

    fn start(&mut self, call: Call) {
        self.call = Some(call.start(self.seated.client.clone()));
    }

    /// Takes a line as the answer to what was asked.
    fn answer(&mut self, building: Building, line: &str) -> Result<(), Failure> {
        let Building { mut path, seq, next } = building;
        match next {
            NextPart::Finished(built) if line.eq_ignore_ascii_case("y") => {
                self.start(Call::MakeBuiltMove(built, seq));
            }
            NextPart::Finished(_) => {}
            NextPart::Question(question) => {
                let answer = match &question.kind {
                    Some(Kind::ChoiceList(list)) => {
                        let number = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                        number.and_then(|at| list.choices.get(at)).map(|choice| choice.value.clone())
                    }
                    _ => Some(line.to_owned()),
                };
                let Some(answer) = answer else {
                    self.output.text("type the number of a line above, or /choose to begin again\n")?;
                    self.building = Some(Building { path, seq, next: NextPart::Question(question) });
                    return Ok(());
                };
                path.push(answer);
                self.start(Call::AskNext { path, seq: Some(seq) });
            }
        }
        Ok(())
    }

    fn receive_answer(&mut self, answer: Answer) -> Result<(), Failure> {
        match answer {
            Answer::Done(seq) => {
                self.done = seq;
                Ok(())
            }
            Answer::Moves(moves) => self.output.text(&moves.in_words(self.table.seq())),
            Answer::Rules(text) => self.output.text(&format!("{text}\n")),
            // Not asked for here: the program ends with the match.
            Answer::Rematch(_) => Ok(()),
            Answer::Next { path, seq, next } => {
                self.output.text(&asked(&next))?;
                self.building = Some(Building { path, seq, next });
                Ok(())
            }
            Answer::Failed(failure) => self.output.text(&format!("{}\n", failure_line(&failure))),
        }
    }

    /// Prints what happened, and the board when the player needs it.
    fn print_news(&self, news: &News) -> Result<(), Failure> {
        if let Some(line) = &news.line {
            self.output.text(&format!("{line}\n"))?;
        }
        if news.board {
            self.output.text(&format!("\n{}\n", self.table.draw(self.output.style(Orientation::Viewer))))?;
        }
        if news.line.is_none() && !news.board {
            return Ok(());
        }
        self.output.text(&format!("{}\n", self.table.prompt()))
    }
}

/// Says what is asked, with the choices numbered.
fn asked(next: &NextPart) -> String {
    match next {
        NextPart::Finished(built) => {
            format!("Play {}? Type y, or anything else to leave it.\n", board::printable(&built.notation))
        }
        NextPart::Question(question) => {
            let mut text = format!("{}\n", board::printable(&question.prompt));
            match &question.kind {
                Some(Kind::ChoiceList(list)) => {
                    for (number, choice) in (1..).zip(&list.choices) {
                        text.push_str(&format!("  {number:>3}  {}\n", board::printable(&choice.label)));
                    }
                }
                Some(Kind::Integer(range)) => {
                    text.push_str(&format!("A number, {} to {}:\n", range.min_value, range.max_value));
                }
                Some(Kind::Text(limits)) => text
                    .push_str(&format!("A text, {} to {} characters:\n", limits.min_chars, limits.max_chars)),
                None => {}
            }
            text
        }
    }
}
