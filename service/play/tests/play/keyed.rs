//! A service with API keys, and callers of every role.

use journal::Journal;
use play::{ApiKey, Caller, Capacity, KeyRing, Play, Role, Settings};
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture;

/// A service with API keys.
pub(crate) struct Keyed {
    pub play: Play,
    pub app: Caller,
    pub other_app: Caller,
    pub audit: Caller,
    pub admin: Caller,
}

impl Keyed {
    pub(crate) async fn start() -> Self {
        Self::on(fixture::open("memory:").await).await
    }

    pub(crate) async fn on(journal: Journal) -> Self {
        Self::with_capacity(journal, Capacity::default()).await
    }

    pub(crate) async fn with_capacity(journal: Journal, capacity: Capacity) -> Self {
        Self::with_settings(journal, Settings { capacity, ..Settings::default() }).await
    }

    /// Starts a service on an open journal with these settings and the keys.
    pub(crate) async fn with_settings(journal: Journal, settings: Settings) -> Self {
        let roles =
            [("app", Role::App), ("other", Role::App), ("audit", Role::Audit), ("admin", Role::Admin)];
        let generated = roles.map(|(name, role)| ApiKey::generate(name, role).unwrap());
        let [app, other_app, audit, admin] = generated.clone().map(|(_, secret)| fixture::app(secret));
        let keys = KeyRing::new(generated.map(|(key, _)| key).to_vec()).unwrap();
        let play = fixture::with_settings(journal, Settings { keys, ..settings }).await;
        Self { play, app, other_app, audit, admin }
    }

    pub(crate) async fn create(&self, visibility: Visibility) -> String {
        let create = proto::CreateMatchRequest { visibility: Some(visibility.into()), ..fixture::create(3) };
        self.play.create_match(&self.app, create).await.unwrap().r#match.unwrap().match_id
    }

    pub(crate) async fn claim(
        &self,
        caller: &Caller,
        match_id: &str,
        seat: u32,
    ) -> Result<Caller, ErrorReason> {
        let claimed = self.play.claim_seat(caller, fixture::claim(match_id, seat)).await;
        claimed.map(|claimed| fixture::seat(claimed.seat_token)).map_err(|refusal| refusal.reason)
    }

    pub(crate) async fn viewer(&self, caller: &Caller, match_id: &str) -> Result<proto::Viewer, ErrorReason> {
        let request = proto::GetViewRequest { match_id: match_id.to_owned(), ..Default::default() };
        let answer = self.play.get_view(caller, request).await.map_err(|refusal| refusal.reason);
        answer.map(|answer| answer.view.unwrap().viewer.unwrap())
    }
}
