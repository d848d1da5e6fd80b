//! `matchbook play`: plays a match in the terminal.

use clap::Args;

use crate::arguments::{
    GameOption, SeatName, TIME_CONTROL_SYNTAX, TimeControlArgument, game_options, match_id,
};
use crate::bot::{BotSettings, SKILLS, Skill};
use crate::failure::Failure;
use crate::output::OutputFormat;
use crate::session::Session;
use crate::terminal::{
    Against, Screen, Seated, Wishes, find_seat, has_screen, play_in_lines, play_on_screen, take_seat,
};

const EXAMPLES: &str = "\
Examples:
  matchbook play                       pick a game, an opponent and a seat
  matchbook play --game ludus-magus --against bot --name Ann
  matchbook play --game angels-and-demons --against friend --seat angels --time 5m+3s
  matchbook play MATCH                 go on with a match, or take its free seat
  matchbook play MATCH --plain         line by line, without a screen

Type moves in the game's notation; Tab completes them, and Enter on an empty line
builds one from lists. /help shows all commands and keys.

Leaving (Ctrl-C) ends nothing: the seat's token is stored, and `matchbook play MATCH`
goes on. A bot plays only while this program runs. Where the input or the output is
not a terminal, or TERM is `dumb`, the match is played line by line.";

/// Arguments of `matchbook play`.
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{TIME_CONTROL_SYNTAX}\n\n{SKILLS}"))]
pub(crate) struct PlayInTerminal {
    /// Id of the match; default: a new one
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: Option<String>,
    /// Id of the game, see `matchbook games`; default: asked
    #[arg(long, value_name = "GAME", conflicts_with = "match_id")]
    game: Option<String>,
    /// Whom to play against; default: asked
    #[arg(long, value_enum, value_name = "WHOM", conflicts_with = "match_id")]
    against: Option<Against>,
    /// Option of the game, see `matchbook games GAME`; repeatable
    #[arg(long = "option", short = 'o', value_name = "NAME=VALUE", requires = "game")]
    options: Vec<GameOption>,
    /// Time control, see below; default: no clocks
    #[arg(long, value_name = "TIME", conflicts_with = "match_id")]
    time: Option<TimeControlArgument>,
    /// Seat to play: 0, 1, or its title in the game; default: the stored one, else asked
    #[arg(long)]
    seat: Option<SeatName>,
    /// Your name, visible to everybody; default: asked
    #[arg(long)]
    name: Option<String>,
    /// Skill of the bot, see below
    #[arg(long, value_enum, default_value_t)]
    skill: Skill,
    /// Seed that makes the bot's moves repeatable
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Play line by line, without drawing on the screen
    #[arg(long)]
    plain: bool,
}

impl PlayInTerminal {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        if session.output.format() == OutputFormat::Json {
            let message = "`matchbook play` has no JSON; scripts use `matchbook watch` and `matchbook move`";
            return Err(Failure::Usage(message.to_owned()));
        }
        let wishes = self.wishes()?;
        let match_id = if self.plain || !has_screen() {
            let Some(seated) = self.seat(session, None, &wishes).await? else { return Ok(()) };
            let match_id = seated.client.match_id().to_owned();
            play_in_lines(session.output, seated).await?;
            match_id
        } else {
            let mut screen = Screen::open()?;
            let Some(mut seated) = self.seat(&session.silent(), Some(&mut screen), &wishes).await? else {
                return Ok(());
            };
            loop {
                let match_id = seated.client.match_id().to_owned();
                match play_on_screen(&mut screen, session.output, seated).await? {
                    Some(rematch) => seated = Seated::in_rematch(&session.silent(), rematch, wishes.bot)?,
                    None => break match_id,
                }
            }
        };
        session.output.text(&format!("`matchbook play {match_id}` returns to this match.\n"))
    }

    async fn seat(
        &self,
        session: &Session,
        screen: Option<&mut Screen>,
        wishes: &Wishes,
    ) -> Result<Option<Seated>, Failure> {
        match &self.match_id {
            Some(match_id) => take_seat(session, screen, wishes, match_id).await,
            None => find_seat(session, screen, wishes).await,
        }
    }

    fn wishes(&self) -> Result<Wishes, Failure> {
        let game = self.game.clone();
        let options = game.as_deref().map(|game| game_options(game, &self.options)).transpose()?.flatten();
        Ok(Wishes {
            options,
            game,
            time: self.time.map(Into::into),
            against: self.against,
            seat: self.seat.clone(),
            name: self.name.clone(),
            bot: BotSettings { skill: self.skill, seed: self.seed, ..BotSettings::default() },
        })
    }
}
