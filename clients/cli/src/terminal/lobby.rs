//! On the way to a match: which game, against whom, which seat. What the command line does not say is asked
//! on the screen; without one it is refused.

use clap::ValueEnum;
use crossterm::event::KeyCode;
use matchbook_client::request_id;
use wire::v1::{
    self, CreateMatchRequest, Game, GameOptions, ListMatchesRequest, Match, MatchStatus, TimeControl,
    Visibility,
};

use super::screen::{Input, Item, Menu, Picked, Prompt, Screen};
use super::seated::Seated;
use crate::arguments::{SeatName, SeatTitles};
use crate::bot::BotSettings;
use crate::failure::Failure;
use crate::seating::claim_and_store;
use crate::session::Session;

/// Number of open matches to choose from.
const LISTED_MATCHES: u32 = 100;

/// Maximum length of a player's name in characters.
const MAX_NAME_CHARS: usize = 40;

/// Whom to play against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Against {
    /// A bot, played by this program
    Bot,
    /// A person whom you send the match's id; the match is not listed
    Friend,
    /// The first person to join; the match is listed as open
    Anyone,
}

/// What the player wants, as far as the command line says it.
pub(crate) struct Wishes {
    pub(crate) game: Option<String>,
    pub(crate) options: Option<GameOptions>,
    pub(crate) time: Option<TimeControl>,
    pub(crate) against: Option<Against>,
    pub(crate) seat: Option<SeatName>,
    pub(crate) name: Option<String>,
    pub(crate) bot: BotSettings,
}

/// Where what is missing is asked: on the screen if there is one.
struct Lobby<'a> {
    session: &'a Session,
    screen: Option<&'a mut Screen>,
    wishes: &'a Wishes,
}

/// Returns the seat of a new match, or of an open one that the player picks; `None` if the player leaves.
pub(crate) async fn find_seat(
    session: &Session,
    screen: Option<&mut Screen>,
    wishes: &Wishes,
) -> Result<Option<Seated>, Failure> {
    Lobby { session, screen, wishes }.find_seat().await
}

/// Returns the player's seat in a match: the stored one, else a free one, which is claimed; `None` if the
/// player leaves.
pub(crate) async fn take_seat(
    session: &Session,
    screen: Option<&mut Screen>,
    wishes: &Wishes,
    match_id: &str,
) -> Result<Option<Seated>, Failure> {
    Lobby { session, screen, wishes }.take_seat(match_id).await
}

impl Lobby<'_> {
    async fn find_seat(&mut self) -> Result<Option<Seated>, Failure> {
        loop {
            let games = self.session.client.list_games(v1::ListGamesRequest::default()).await?.games;
            let Some(picked) = self.pick_game(&games).await? else { return Ok(None) };
            let found = match games.get(picked) {
                Some(game) => self.create(game).await?,
                None => self.join().await?,
            };
            // Back in a later list returns to the first one.
            if found.is_some() || self.wishes.game.is_some() {
                return Ok(found);
            }
        }
    }

    /// Returns the index of the game to play, or an index behind the last to join an open match.
    async fn pick_game(&mut self, games: &[Game]) -> Result<Option<usize>, Failure> {
        if let Some(wanted) = &self.wishes.game {
            let found = games.iter().position(|game| game.game_id == *wanted);
            let known = || games.iter().map(|game| board::printable(&game.game_id)).collect::<Vec<_>>();
            let unknown = || format!("there is no game `{wanted}`; the games are {}", known().join(", "));
            return found.map(Some).ok_or_else(|| Failure::Usage(unknown()));
        }
        let game =
            |game: &Game| Item::new(board::printable(&game.title)).with(board::printable(&game.summary));
        let mut items: Vec<Item> = games.iter().map(game).collect();
        items.push(Item::new("Join an open match").with("Take a free seat that somebody offers"));
        self.pick("What do you want to play?", items, "--game GAME, or a match's id").await
    }

    /// Has the player pick an open match.
    async fn join(&mut self) -> Result<Option<Seated>, Failure> {
        let status = Some(MatchStatus::Open.into());
        let request = ListMatchesRequest { status, page_size: LISTED_MATCHES, ..Default::default() };
        let open = self.session.client.list_matches(request).await?.matches;
        if open.is_empty() {
            self.pick("Nobody offers a match now.", vec![Item::new("Back")], "").await?;
            return Ok(None);
        }
        let items = open.iter().map(|open| Item::new(board::printable(&open.game_id)).with(players(open)));
        let picked = self.pick("Which match do you want to join?", items.collect(), "a match's id").await?;
        match picked.and_then(|picked| open.get(picked)) {
            Some(open) => self.take_seat(&open.match_id).await,
            None => Ok(None),
        }
    }

    async fn take_seat(&mut self, match_id: &str) -> Result<Option<Seated>, Failure> {
        if let Some(token) = &self.session.given_token {
            return Seated::again(self.session, match_id, token, self.wishes.bot).map(Some);
        }
        let mut stored = self.session.stored_tokens(match_id)?;
        let client = self.session.participant_client(match_id)?;
        let found = client.get_match(match_id).await?.r#match.unwrap_or_default();
        let titles = SeatTitles::of_match(&found);
        if let Some(wanted) = &self.wishes.seat {
            let wanted = titles.find(wanted)?;
            stored.retain(|(seat, _)| *seat == wanted);
        }
        let seat = |&(seat, _): &(u32, String)| Item::new(titles.title(seat));
        let of_two = "both seats are yours; choose one with --seat";
        let chosen = match stored.len() {
            0 => return self.claim_free_seat(&found, &titles).await,
            1 => Some(0),
            _ => {
                self.pick("Which seat do you want to play?", stored.iter().map(seat).collect(), of_two)
                    .await?
            }
        };
        let Some((_, token)) = chosen.and_then(|chosen| stored.get(chosen)) else { return Ok(None) };
        Seated::again(self.session, match_id, token, self.wishes.bot).map(Some)
    }

    async fn claim_free_seat(
        &mut self,
        found: &Match,
        titles: &SeatTitles,
    ) -> Result<Option<Seated>, Failure> {
        let free = found.seats.iter().filter(|status| !status.claimed).filter_map(|status| status.seat);
        let free: Vec<u32> = free.collect();
        if free.is_empty() {
            let id = board::printable(&found.match_id);
            let message = format!("every seat of that match is taken; `matchbook watch {id}` follows it");
            return Err(Failure::Usage(message));
        }
        let Some(seat) = self.pick_seat(&free, titles).await? else { return Ok(None) };
        let Some(name) = self.name().await? else { return Ok(None) };
        let token = self.claim(&found.match_id, seat, &name).await?;
        Seated::again(self.session, &found.match_id, &token, self.wishes.bot).map(Some)
    }

    /// Creates a match of a game and claims a seat in it.
    async fn create(&mut self, game: &Game) -> Result<Option<Seated>, Failure> {
        let Some(against) = self.against().await? else { return Ok(None) };
        let titles = SeatTitles::of_game(game);
        let seats: Vec<u32> = (0..).take(game.seat_names.len()).collect();
        let Some(seat) = self.pick_seat(&seats, &titles).await? else { return Ok(None) };
        let Some(name) = self.name().await? else { return Ok(None) };
        let visibility = if against == Against::Anyone { Visibility::Public } else { Visibility::Unlisted };
        let request = CreateMatchRequest {
            game_id: game.game_id.clone(),
            options: self.wishes.options.clone(),
            time_control: self.wishes.time,
            visibility: Some(visibility.into()),
            request_id: Some(request_id()),
            ..CreateMatchRequest::default()
        };
        let created = self.session.app_client()?.create_match(request).await?;
        let match_id = created.r#match.unwrap_or_default().match_id;
        let token = self.claim(&match_id, seat, &name).await?;
        if against == Against::Bot {
            for other in seats.iter().filter(|other| **other != seat) {
                self.claim_for_bot(&match_id, *other).await?;
            }
            return Seated::again(self.session, &match_id, &token, self.wishes.bot).map(Some);
        }
        let mut seated = Seated::again(self.session, &match_id, &token, self.wishes.bot)?;
        seated.invitation = Some(format!("The other player joins with: matchbook play {match_id}"));
        Ok(Some(seated))
    }
}

impl Lobby<'_> {
    async fn against(&mut self) -> Result<Option<Against>, Failure> {
        if let Some(against) = self.wishes.against {
            return Ok(Some(against));
        }
        let items = vec![
            Item::new("A bot").with("It plays as long as this program runs"),
            Item::new("A friend").with("You send the match's id"),
            Item::new("Anyone").with("The match is listed until somebody joins"),
        ];
        let picked =
            self.pick("Against whom?", items, "--against bot, --against friend or --against anyone").await?;
        let kinds = [Against::Bot, Against::Friend, Against::Anyone];
        Ok(picked.and_then(|picked| kinds.get(picked).copied()))
    }

    async fn pick_seat(&mut self, seats: &[u32], titles: &SeatTitles) -> Result<Option<u32>, Failure> {
        if let Some(name) = &self.wishes.seat {
            let wanted = titles.find(name)?;
            let taken = || format!("seat {name} is taken; leave --seat out, or name another one");
            return seats.contains(&wanted).then_some(Some(wanted)).ok_or_else(|| Failure::Usage(taken()));
        }
        if let [only] = seats {
            return Ok(Some(*only));
        }
        let items = seats.iter().map(|seat| Item::new(titles.title(*seat))).collect();
        let picked = self.pick("Which seat do you want?", items, "--seat SEAT").await?;
        Ok(picked.and_then(|picked| seats.get(picked).copied()))
    }

    async fn name(&mut self) -> Result<Option<String>, Failure> {
        if let Some(name) = &self.wishes.name {
            return Ok(Some(name.clone()));
        }
        let Some(screen) = self.screen.as_deref_mut() else { return Err(missing("--name NAME")) };
        let user = std::env::var("USER").unwrap_or_default();
        let name = ask(screen, "Your name, which everybody sees:", Prompt::with(&user)).await?;
        Ok(name.map(|name| name.chars().take(MAX_NAME_CHARS).collect()))
    }

    /// Has the player pick an item; `None` if the player goes back. Without a screen `flags` are missing.
    async fn pick(&mut self, title: &str, items: Vec<Item>, flags: &str) -> Result<Option<usize>, Failure> {
        let Some(screen) = self.screen.as_deref_mut() else { return Err(missing(flags)) };
        let mut menu = Menu::new(title, items);
        loop {
            screen.draw(|frame| menu.draw(frame, frame.area()))?;
            match screen.input().await? {
                Input::Leave => return Ok(None),
                Input::Key(key) => match menu.press(key) {
                    Picked::Item(index) => return Ok(Some(index)),
                    Picked::Back => return Ok(None),
                    Picked::Nothing => {}
                },
                Input::Pasted(_) | Input::Resized => {}
            }
        }
    }

    /// Claims a seat for the player and stores its token.
    async fn claim(&self, match_id: &str, seat: u32, name: &str) -> Result<String, Failure> {
        claim_and_store(self.session, self.session.tokens.as_ref(), match_id, seat, name).await
    }

    /// Claims a seat for the bot. Its token is stored apart, so that the bot goes on with the player.
    async fn claim_for_bot(&self, match_id: &str, seat: u32) -> Result<String, Failure> {
        claim_and_store(self.session, self.session.bot_tokens.as_ref(), match_id, seat, "Bot").await
    }
}

fn missing(flags: &str) -> Failure {
    Failure::Usage(format!("nothing can be asked without a full screen; give {flags}"))
}

/// Asks for a line of text; `None` if the player goes back.
async fn ask(screen: &mut Screen, title: &str, mut line: Prompt) -> Result<Option<String>, Failure> {
    loop {
        screen.draw(|frame| line.draw(title, frame, frame.area()))?;
        match screen.input().await? {
            Input::Leave => return Ok(None),
            Input::Key(key) if key.code == KeyCode::Esc => return Ok(None),
            Input::Key(key) => match line.press(key) {
                Some(text) if !text.is_empty() => return Ok(Some(text)),
                Some(_) | None => {}
            },
            Input::Pasted(text) => line.paste(&text),
            Input::Resized => {}
        }
    }
}

/// Says who offers a match.
fn players(open: &Match) -> String {
    let seat = |status: &v1::SeatStatus| {
        let name = status.player.as_ref().map(|player| board::printable(&player.display_name));
        let name =
            if status.claimed { name.unwrap_or_else(|| "(redacted)".to_owned()) } else { "free".to_owned() };
        format!("{}: {name}", board::printable(&status.title))
    };
    open.seats.iter().map(seat).collect::<Vec<_>>().join(", ")
}
