//! Commands about credentials.

pub(super) mod login;
pub(super) mod logout;
pub(super) mod rotate;
