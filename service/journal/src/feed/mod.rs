//! The feed: all events of all matches in one order that never changes. A reader can continue at any
//! position.
//!
//! **Order.** Events sort by (hlc, match, seq). The hlc grows along each writer and along each match, so a
//! match's events keep their order, and the events of a batch share one hlc. The order depends on the events
//! alone: pruning the commit log does not change it.
//!
//! **Frontier.** A reader must not pass a position at which an event may still appear. A writer's next batch
//! has a larger hlc than its last, so everything up to the smallest last hlc of all open writers is final.
//! One statement reads the open writers of all shards with their last commits, so this holds for its
//! snapshot. It keeps holding, because
//! - a writer that opens later first becomes visible, then reads the largest hlc ever committed and stays
//!   above it. A reader that did not see the writer had a frontier at or below that hlc; a reader that saw it
//!   waits for it;
//! - a closed writer commits no more: the closing commit took the number that a late batch would need.
//!
//! **Idle writers** would hold the frontier back until their next keep-alive. So a waiting reader that sees
//! events above the frontier requests commits: from its own replica's writers by a signal, from other
//! replicas by an empty commit that their tailers read. Writers that lag behind answer with an empty commit
//! above the requested hlc. While nothing happens, or nobody waits, nothing is written. A dead replica holds
//! the frontier back until its writers are closed for silence.

mod cursor;
mod item;
mod query;
mod reader;
mod signals;

pub use self::cursor::FeedCursor;
pub use self::item::FeedItem;
pub use self::query::{FeedEnd, FeedPage, FeedQuery};
pub(crate) use self::reader::FeedReader;
pub(crate) use self::signals::{FeedSignals, FrontierRequests};
