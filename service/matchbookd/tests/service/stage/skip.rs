//! Skips tests whose external requirements are missing, or fails them if `MATCHBOOK_TEST_REQUIRE_ALL` is set.

/// An external requirement of a test, given by an environment variable.
#[derive(Clone, Copy)]
pub(crate) enum Needed {
    /// The URL of a Postgres superuser who may create databases.
    Postgres,
    /// The path of grpcurl.
    Grpcurl,
    /// The path of curl.
    Curl,
}

/// Returns the value of the variable, or `None` if the test has to return.
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

/// Reports a skipped test, or panics if no test may be skipped.
pub(crate) fn skipped(why: &str) {
    assert!(std::env::var_os("MATCHBOOK_TEST_REQUIRE_ALL").is_none(), "{why}");
    println!("SKIPPED: {why}");
}
