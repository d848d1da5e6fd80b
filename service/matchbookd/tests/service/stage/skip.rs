//! Tests that need something which is not there say so, and fail where nothing may be left out.

/// Something from outside that a test needs.
#[derive(Clone, Copy)]
pub(crate) enum Needed {
    /// A superuser of a Postgres where tests may make databases.
    Postgres,
    /// The path of grpcurl.
    Grpcurl,
    /// The path of curl.
    Curl,
}

/// The value of its variable; without one the test is to return.
pub(crate) fn needed(what: Needed) -> Option<String> {
    let variable = match what {
        Needed::Postgres => "MATCHBOOK_TEST_DATABASE_URL",
        Needed::Grpcurl => "MATCHBOOK_GRPCURL",
        Needed::Curl => "MATCHBOOK_CURL",
    };
    let value = std::env::var(variable).ok();
    if value.is_none() {
        skipped(&format!("{variable} is not set"));
    }
    value
}

/// Says that a test is skipped, or fails where none may be.
pub(crate) fn skipped(why: &str) {
    assert!(std::env::var_os("MATCHBOOK_TEST_REQUIRE_ALL").is_none(), "{why}");
    println!("SKIPPED: {why}");
}
