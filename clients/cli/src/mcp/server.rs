//! The server itself: what it can do, its tools and its resources.

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::{
    Implementation, ListResourcesResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::stdio;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _, tool_handler};

use super::bots::Bots;
use super::lost_moves::LostMoves;
use super::resources::{list_rules, read_rules};
use crate::failure::Failure;
use crate::session::Session;

const INSTRUCTIONS: &str = "\
Play board and card games on a Matchbook service. Call list_games, then create_match or join_match; you hold \
that seat from then on. On your turn call look and legal_moves (or choose, where moves are too many to \
list), then make_move with the notation exactly as given. After your move call wait, which returns when it \
is your turn again or the match is over. The rules of each game are resources, and read_rules returns them \
too.";

/// A server for one model, with the seats of one user.
#[derive(Clone)]
pub(super) struct AgentServer {
    pub(super) session: Session,
    pub(super) bots: Bots,
    pub(super) lost_moves: LostMoves,
    tool_router: ToolRouter<Self>,
}

/// Serves a model's host on the standard streams until the host closes them.
pub(crate) async fn serve(session: Session) -> Result<(), Failure> {
    let (bots, lost_moves) = (Bots::default(), LostMoves::default());
    let server = AgentServer { session, bots, lost_moves, tool_router: AgentServer::tools() };
    let cannot = |error: String| Failure::Usage(format!("cannot speak MCP on the standard streams: {error}"));
    let running = server.serve(stdio()).await.map_err(|error| cannot(error.to_string()))?;
    running.waiting().await.map(drop).map_err(|error| cannot(error.to_string()))
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for AgentServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let mut info = ServerConfig::new(capabilities).with_instructions(INSTRUCTIONS);
        info.server_info = Implementation::new("matchbook", env!("CARGO_PKG_VERSION"));
        info
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        list_rules(&self.session).await
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        read_rules(&self.session, request.uri).await
    }
}
