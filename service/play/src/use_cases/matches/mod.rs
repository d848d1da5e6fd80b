//! Calls on matches: creating, forking, finding, labelling and viewing them.

mod batch_get_matches;
mod create_match;
mod create_rematch;
mod creation;
mod fork_match;
mod get_match;
mod get_view;
mod list_matches;
mod match_filter;
mod notes;
mod update_match_labels;

pub(super) use match_filter::match_filter;
