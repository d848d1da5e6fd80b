//! A match on the whole screen: the board redrawn in place, a line to type in, lists to choose from. The game
//! goes on beside what the player does: frames of the watch, answers and clocks arrive by themselves.

mod layout;
mod mode;

use std::time::{Duration, Instant};

use futures_util::TryStreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use matchbook_client::Watch;
use wire::v1::{ErrorReason, WatchMatchResponse};

use self::layout::draw;
use self::mode::{Mode, Step};
use super::call::{Answer, Call, LegalMoves, NextPart};
use super::paragraphs::joined_lines;
use super::rematch::Rematch;
use super::screen::{Input, Prompt, Screen};
use super::seated::Seated;
use super::typed::{COMMANDS, Command, Typed, help};
use crate::failure::Failure;
use crate::output::{Output, failure_line};
use crate::viewing::Table;

/// How often running clocks are redrawn.
const TICK: Duration = Duration::from_millis(200);

/// The time after which the player learns that an answer is missing.
const PATIENCE: Duration = Duration::from_secs(2);

/// The service sends a heartbeat more often than this.
const SILENCE: Duration = Duration::from_secs(40);

/// Plays a match on the screen until the player leaves or wants the rematch, which is returned.
pub(crate) async fn play_on_screen(
    screen: &mut Screen,
    output: Output,
    seated: Seated,
) -> Result<Option<Rematch>, Failure> {
    let watch = seated.client.watch().with_views();
    let game = Game {
        output,
        mode: Mode::Typing,
        prompt: Prompt::default(),
        table: Table::default(),
        legal: LegalMoves::default(),
        notice: seated.invitation.clone(),
        heard: Instant::now(),
        seated,
        calls: FuturesUnordered::new(),
        called: Instant::now(),
        asking: None,
        rematch: None,
    };
    game.play(screen, watch).await
}

/// A match on the screen.
struct Game {
    seated: Seated,
    output: Output,
    table: Table,
    /// The legal moves at the position that they were asked for.
    legal: LegalMoves,
    mode: Mode,
    prompt: Prompt,
    /// What the player should know besides the board.
    notice: Option<String>,
    /// When the service last sent anything.
    heard: Instant,
    /// The calls under way.
    calls: FuturesUnordered<BoxFuture<'static, Answer>>,
    /// When the last of them began.
    called: Instant,
    /// The answers whose continuation was asked for last, until it arrives. Others come too late.
    asking: Option<Vec<String>>,
    /// The match to go on with.
    rematch: Option<Rematch>,
}

/// Whether the player goes on.
#[derive(PartialEq, Eq)]
enum Stay {
    Here,
    Leave,
}

impl Game {
    async fn play(mut self, screen: &mut Screen, mut watch: Watch) -> Result<Option<Rematch>, Failure> {
        let mut watching = true;
        while self.rematch.is_none() {
            screen.draw(|frame| draw(&mut self, frame))?;
            tokio::select! {
                input = screen.input() => if self.take(input?) == Stay::Leave { return Ok(None) },
                frame = watch.try_next(), if watching => match frame? {
                    Some(frame) => self.receive(frame),
                    None => watching = false,
                },
                Some(answer) = self.calls.next() => self.receive_answer(answer),
                failure = self.seated.bot.failed() => {
                    self.notice = Some(format!("The bot stopped. {}", failure_line(&failure)));
                }
                () = tokio::time::sleep(TICK), if self.changes_with_time() => {}
                () = tokio::time::sleep(SILENCE) => {}
            }
        }
        Ok(self.rematch)
    }

    fn receive(&mut self, frame: WatchMatchResponse) {
        self.heard = Instant::now();
        let (before, was_to_act) = (self.table.seq(), self.table.is_to_act());
        self.table.receive(frame);
        if self.table.seq() == before {
            return;
        }
        if self.table.is_to_act() {
            if !was_to_act {
                // It was about waiting.
                self.notice = None;
            }
            self.start(Call::ListMoves);
        } else if matches!(self.mode, Mode::Choosing(_)) {
            self.type_again();
        }
    }

    /// Returns whether the screen changes without any news.
    fn changes_with_time(&self) -> bool {
        self.table.has_running_clock() || !self.calls.is_empty()
    }

    fn start(&mut self, call: Call) {
        self.called = Instant::now();
        self.calls.push(call.start(self.seated.client.clone()));
    }

    /// Asks what follows these answers on the way to a move.
    fn ask(&mut self, path: Vec<String>, seq: Option<u32>) {
        self.asking = Some(path.clone());
        self.start(Call::AskNext { path, seq });
    }

    /// Leaves what was being built or read.
    fn type_again(&mut self) {
        self.asking = None;
        self.mode = Mode::Typing;
    }

    fn receive_answer(&mut self, answer: Answer) {
        match answer {
            Answer::Done(_) => self.notice = None,
            Answer::Moves(moves) => self.legal = moves,
            Answer::Rematch(rematch) => self.rematch = Some(*rematch),
            Answer::Rules(text) => self.mode = Mode::reading("Rules", joined_lines(&text)),
            Answer::Next { path, .. } if self.asking.take_if(|asked| *asked == path).is_none() => {}
            Answer::Next { path, seq, next } => {
                self.notice = None;
                self.mode = match next {
                    NextPart::Question(question) => Mode::choosing(path, seq, question),
                    NextPart::Finished(built) => Mode::finished(path, seq, built),
                };
            }
            Answer::Failed(failure) => {
                if is_stale(&failure) {
                    self.mode = Mode::Typing;
                }
                self.notice = Some(failure_line(&failure));
            }
        }
    }

    fn take(&mut self, input: Input) -> Stay {
        match input {
            Input::Leave => return Stay::Leave,
            Input::Resized => {}
            Input::Pasted(text) => self.prompt.paste(&text),
            Input::Key(key) => match self.mode.press(key, &mut self.prompt) {
                Step::Nothing => {}
                Step::Back => self.type_again(),
                Step::Complete => {
                    let commands = COMMANDS.iter().map(|(word, ..)| *word);
                    let moves = self.legal.notations.iter().map(String::as_str);
                    self.prompt.complete(commands.chain(moves));
                }
                Step::Entered(line) => return self.enter(&line),
                Step::Ask(path, seq) => self.ask(path, Some(seq)),
                Step::Call(call) => {
                    self.mode = Mode::Typing;
                    self.start(call);
                }
            },
        }
        Stay::Here
    }

    /// Carries out a typed line.
    fn enter(&mut self, line: &str) -> Stay {
        self.notice = None;
        match line.parse() {
            Err(problem) => self.notice = Some(problem),
            // Enter alone builds a move, which needs no notation.
            Ok(Typed::Move(notation)) if notation.is_empty() => self.command(Command::Choose),
            Ok(Typed::Move(notation)) => self.start(Call::MakeMove(notation)),
            Ok(Typed::Command(Command::Quit)) => return Stay::Leave,
            Ok(Typed::Command(command)) => self.command(command),
        }
        Stay::Here
    }

    fn command(&mut self, command: Command) {
        use wire::v1::ProposalKind::{Draw, Takeback};
        match command {
            Command::Help => self.mode = Mode::reading("Help", format!("{}\n{KEYS}", help())),
            Command::Rules => self.start(Call::ReadRules),
            Command::Legal => self.mode = Mode::reading("Legal moves", self.legal.in_words(self.table.seq())),
            Command::Choose => self.ask(Vec::new(), None),
            Command::Draw => self.start(Call::Propose(Draw)),
            Command::Takeback => self.start(Call::Propose(Takeback)),
            Command::Accept | Command::Decline => match self.table.proposed() {
                Some(kind) => self.start(Call::AnswerProposal(kind, command == Command::Accept)),
                None => self.notice = Some("the other player proposes nothing".to_owned()),
            },
            Command::Resign => self.mode = Mode::Confirming("Resign?", Call::Resign),
            Command::Abort => self.mode = Mode::Confirming("End the match without a winner?", Call::Abort),
            Command::Rematch if self.table.is_over() => {
                self.start(Call::Rematch(self.seated.bot.seat().cloned()));
            }
            Command::Rematch => self.notice = Some("there is a rematch once the match is over".to_owned()),
            // Taken by the loop.
            Command::Quit => {}
        }
    }
}

/// The help on keys.
const KEYS: &str = "\
Keys:
  Enter        make the move; on an empty line: build one from lists
  Tab          complete a move or a command
  Up, Down     earlier lines
  Esc          back
  Ctrl-C       leave; the seat stays yours: `matchbook play MATCH` goes on
";

fn is_stale(failure: &Failure) -> bool {
    let Failure::Refused(refusal) = failure else { return false };
    matches!(
        refusal.known_reason(),
        Some(ErrorReason::StalePosition | ErrorReason::NotYourTurn | ErrorReason::MatchOver)
    )
}
