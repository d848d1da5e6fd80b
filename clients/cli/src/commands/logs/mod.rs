//! Commands about log files, receipts and the feed.

pub(super) mod convert;
pub(super) mod export;
pub(super) mod feed;
pub(super) mod keys;
pub(super) mod sign;
pub(super) mod verify;
