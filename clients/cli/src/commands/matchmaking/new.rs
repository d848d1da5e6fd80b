//! `matchbook new`: creates a match; optionally claims a seat, plays bots, watches.

use std::time::Duration;

use clap::Args;
use futures_util::future::try_join_all;
use humantime::parse_duration;
use matchbook_client::{SeatClient, request_id};
use wire::v1::{self, CreateMatchRequest, GetGameRequest, Match, Visibility};

use super::claim::claim;
use crate::arguments::VisibilityArgument;
use crate::arguments::{GameOption, game_options};
use crate::arguments::{Label, labels};
use crate::arguments::{SeatName, SeatTitles};
use crate::arguments::{TIME_CONTROL_SYNTAX, TimeControlArgument};
use crate::bot::{BotSettings, Player, SKILLS, Skill};
use crate::failure::Failure;
use crate::output::next_steps;
use crate::seating::claim_seat;
use crate::session::Session;
use crate::viewing::Spectator;

const EXAMPLES: &str = "\
Examples:
  matchbook new angels-and-demons
  matchbook new angels-and-demons --option rows=6 --option cols=6 --option turns=10
  matchbook new angels-and-demons --seat angels --name Ann
  matchbook new ludus-magus --time 5m+3s --visibility unlisted
  matchbook new ludus-magus --label tenant=acme --external-id game-17
  matchbook new angels-and-demons --bots 2 --watch
  matchbook new angels-and-demons --bots 2 --watch --delay 500ms --seed 7
  matchbook new ludus-magus --bots 2 --watch --skill greedy,random
  matchbook new angels-and-demons --seat angels --name Ann --bots 1
                                  play against a bot: this command runs until the
                                  match is over, you move from another terminal

With --bots or --watch the command runs until the match is over.";

/// Arguments of `matchbook new`.
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{TIME_CONTROL_SYNTAX}\n\n{SKILLS}"))]
pub(crate) struct New {
    /// Id of the game, see `matchbook games`
    game: String,
    /// Option of the game, see `matchbook games GAME`; structured values as JSON; repeatable
    #[arg(long = "option", short = 'o', value_name = "NAME=VALUE")]
    options: Vec<GameOption>,
    /// Time control, see below; default: no clocks
    #[arg(long, value_name = "TIME")]
    time: Option<TimeControlArgument>,
    /// Visibility of the match; default: public
    #[arg(long, value_enum, value_name = "WHO")]
    visibility: Option<VisibilityArgument>,
    /// Rules version, see `matchbook games`; default: the game's newest
    #[arg(long, value_name = "N")]
    rules_version: Option<u32>,
    /// Label of the match, visible to its owner only; repeatable
    #[arg(long = "label", value_name = "KEY=VALUE")]
    labels: Vec<Label>,
    /// Your own id for the match, unique among your matches
    #[arg(long, value_name = "ID")]
    external_id: Option<String>,
    /// Forbid taking back moves
    #[arg(long)]
    no_takebacks: bool,
    /// Seat to claim: 0, 1, or its title in the game
    #[arg(long, requires = "name")]
    seat: Option<SeatName>,
    /// Player's name in that seat
    #[arg(long, requires = "seat")]
    name: Option<String>,
    /// Your app's own id of that player, hidden from players and spectators; requires an API key
    #[arg(long, value_name = "ID", requires = "seat")]
    player_id: Option<String>,
    /// Number of seats that bots play
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=2), value_name = "N")]
    bots: u8,
    /// Skill of the bots, see below: one for all, or seat 0's and seat 1's, such as greedy,random
    #[arg(long, visible_alias = "skills", value_enum, value_delimiter = ',', default_value = "greedy")]
    skill: Vec<Skill>,
    /// Follow the match and draw the board after each turn
    #[arg(long)]
    watch: bool,
    /// Delay before each move of a bot, such as 500ms
    #[arg(long, default_value = "0s", value_parser = parse_duration, value_name = "DURATION")]
    delay: Duration,
    /// Seed that makes the bots' moves repeatable
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
}

impl New {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let titles = self.titles(session).await?;
        let seat = self.seat.as_ref().map(|name| titles.find(name)).transpose()?;
        let bots = with_skills(bot_seats(self.bots, seat)?, &self.skill)?;

        let created = self.create(session).await?;
        let (match_id, first_seq) = (created.match_id, created.head_seq.unwrap_or_default());
        if let (Some(seat), Some(name)) = (seat, self.name.clone()) {
            let player = v1::Player { display_name: name, player_id: self.player_id.clone() };
            claim(session, &session.app_client()?, &match_id, seat, player, None).await?;
        }
        let moves = session.app_client()?.move_stream();
        let mut players = Vec::new();
        for (seat, skill) in bots {
            let client = self.claim_for_bot(session, &match_id, seat).await?.over(&moves);
            players.push(Player::new(client, BotSettings { skill, seed: self.seed, delay: self.delay }));
        }
        let has_players = !players.is_empty();
        let playing = try_join_all(players.into_iter().map(Player::play));

        // The token was just stored: a player sees its own sealed choices.
        let viewer = session.viewer_client(&match_id, None).await?;
        let spectator = Spectator::new(&viewer, &match_id, session.output);
        if self.watch {
            tokio::try_join!(spectator.watch(Some(first_seq)), playing)?;
        } else if has_players {
            playing.await?;
            let over = viewer.get_match(&match_id).await?;
            session.output.json("GetMatchResponse", &over)?;
            session.output.text(&format!("The match is over: matchbook show {match_id}\n"))?;
        } else {
            session.output.text(&next_steps(&match_id, seat, &titles))?;
        }
        Ok(())
    }

    async fn titles(&self, session: &Session) -> Result<SeatTitles, Failure> {
        let request = GetGameRequest { game_id: self.game.clone() };
        Ok(SeatTitles::of_game(&session.client.get_game(request).await?.game.unwrap_or_default()))
    }

    async fn create(&self, session: &Session) -> Result<Match, Failure> {
        let request = CreateMatchRequest {
            game_id: self.game.clone(),
            options: game_options(&self.game, &self.options)?,
            request_id: Some(request_id()),
            time_control: self.time.map(Into::into),
            visibility: self.visibility.map(|visibility| Visibility::from(visibility).into()),
            rules_version: self.rules_version,
            labels: labels(&self.labels)?,
            external_id: self.external_id.clone(),
            forbid_takebacks: self.no_takebacks,
            // Claims separately, so that every game takes the same steps: with chance, the service's
            // commitment must be seen before a claim.
            ..CreateMatchRequest::default()
        };
        let answer = session.app_client()?.create_match(request).await?;
        session.output.json("CreateMatchResponse", &answer)?;
        let created = answer.r#match.unwrap_or_default();
        session.output.text(&format!("Match {}\n", board::printable(&created.match_id)))?;
        Ok(created)
    }

    /// Claims a seat for a bot. Its token is not stored: it is useless once this command ends, and commands
    /// would find it beside the user's own.
    async fn claim_for_bot(
        &self,
        session: &Session,
        match_id: &str,
        seat: u32,
    ) -> Result<SeatClient, Failure> {
        let name = if seat == 1 { "Bot One" } else { "Bot Zero" };
        let named = v1::Player::named(name);
        let answer = claim_seat(&session.app_client()?, match_id, seat, named, None).await?;
        session.output.json("ClaimSeatResponse", &answer)?;
        Ok(session.app_client()?.seat(match_id, &answer.seat_token)?)
    }
}

/// Returns the seats for bots: those that the user does not claim, seat 0 last.
fn bot_seats(bots: u8, user: Option<u32>) -> Result<Vec<u32>, Failure> {
    let free: Vec<u32> = [1, 0].into_iter().filter(|seat| Some(*seat) != user).collect();
    let wanted = usize::from(bots);
    if wanted > free.len() {
        return Err(Failure::Usage("with --seat, one seat is left for a bot: use --bots 1".to_owned()));
    }
    Ok(free.into_iter().take(wanted).collect())
}

/// Returns each bot's seat with its skill.
fn with_skills(seats: Vec<u32>, skills: &[Skill]) -> Result<Vec<(u32, Skill)>, Failure> {
    match *skills {
        [skill] => Ok(seats.into_iter().map(|seat| (seat, skill)).collect()),
        [zero, one] if seats.len() == 2 => {
            Ok(seats.into_iter().map(|seat| (seat, if seat == 1 { one } else { zero })).collect())
        }
        _ => Err(Failure::Usage("--skill takes one skill, or with --bots 2 one per seat".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_get_the_remaining_seats() {
        assert_eq!(bot_seats(0, None).unwrap(), [0; 0]);
        assert_eq!(bot_seats(1, None).unwrap(), [1]);
        assert_eq!(bot_seats(1, Some(1)).unwrap(), [0]);
        assert_eq!(bot_seats(2, None).unwrap(), [1, 0]);
        assert!(bot_seats(2, Some(0)).is_err());
    }

    #[test]
    fn skills_are_assigned_by_seat() {
        use Skill::{Greedy, Random};
        let both = || vec![1, 0];
        assert_eq!(with_skills(both(), &[Random]).unwrap(), [(1, Random), (0, Random)]);
        let each = with_skills(both(), &[Greedy, Random]).unwrap();
        assert_eq!(each, [(1, Random), (0, Greedy)]);
        assert_eq!(with_skills(vec![], &[Greedy]).unwrap(), []);
        assert!(with_skills(vec![1], &[Greedy, Random]).is_err());
        assert!(with_skills(both(), &[Greedy, Greedy, Greedy]).is_err());
    }
}
