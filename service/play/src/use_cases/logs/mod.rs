//! Calls on the logs of matches: listed, watched, exported, signed, and all of them as one feed.

mod export_log;
mod export_matches;
mod list_events;
mod list_keys;
mod sign_head;
mod stream_feed;
mod watch_match;
