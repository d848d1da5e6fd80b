//! The bots that a model plays against. They run in this program, and start again with it when the model
//! comes back to their match.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use matchbook_client::MoveStream;

use crate::bot::{BotSettings, Player};
use crate::failure::Failure;
use crate::seating::claim_and_store;
use crate::session::{Session, tireless};

/// The matches in which a bot plays now. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Bots {
    playing: Arc<Mutex<BTreeSet<String>>>,
    /// The stream that makes the moves of all, once there is a bot.
    moves: Arc<OnceLock<MoveStream>>,
}

impl Bots {
    /// Claims a seat for a bot, which then plays until the match is over or the program ends.
    pub(super) async fn claim(&self, session: &Session, match_id: &str, seat: u32) -> Result<(), Failure> {
        // Stored, so that the bot goes on after the program has ended: here or in `matchbook play`.
        claim_and_store(session, session.bot_tokens.as_ref(), match_id, seat, "Bot").await?;
        self.resume(session, match_id)
    }

    /// Has the stored bot of a match play, if there is one and it does not play already.
    pub(super) fn resume(&self, session: &Session, match_id: &str) -> Result<(), Failure> {
        let Some(tokens) = &session.bot_tokens else { return Ok(()) };
        let Some((_, token)) = tokens.of_match(session.client.server(), match_id)?.into_iter().next() else {
            return Ok(());
        };
        let client = tireless(&session.app_client()?);
        let moves = self.moves.get_or_init(|| client.move_stream());
        let bot = Player::new(client.seat(match_id, &token)?.over(moves), BotSettings::default());
        if !self.lock().insert(match_id.to_owned()) {
            return Ok(());
        }
        let (bots, match_id, output) = (self.clone(), match_id.to_owned(), session.output);
        tokio::spawn(async move {
            if let Err(failure) = bot.play().await {
                output.warn(&format!("the bot stopped: {failure}"));
            }
            // One that failed starts again when the model asks for the match.
            bots.lock().remove(&match_id);
        });
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
