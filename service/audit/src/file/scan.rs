//! A cursor over a line that accepts one spelling of each value.

use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The unread rest of a line.
pub(super) struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Self { rest: line }
    }

    /// Consumes these characters if they come next, and returns whether they did.
    pub(super) fn skip(&mut self, literal: &str) -> bool {
        match self.rest.strip_prefix(literal) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Consumes these characters, which must come next.
    pub(super) fn expect(&mut self, literal: &str) -> Result<&mut Self, &'static str> {
        if self.skip(literal) { Ok(self) } else { Err("a field is missing, misspelled or out of order") }
    }

    /// Checks that the whole line is consumed.
    pub(super) fn expect_end(&self) -> Result<(), &'static str> {
        if self.rest.is_empty() { Ok(()) } else { Err("its line has trailing characters") }
    }

    /// Reads a decimal integer without leading zeros.
    pub(super) fn number<N: FromStr + ToString>(&mut self) -> Result<N, &'static str> {
        let end = self.rest.find(|c: char| c != '-' && !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let number: N = digits.parse().map_err(|_| "a number is malformed or out of range")?;
        if number.to_string() != digits {
            return Err("a number has leading zeros");
        }
        self.rest = rest;
        Ok(number)
    }

    /// Reads an integer in quotes, as ProtoJSON writes 64-bit integers.
    pub(super) fn quoted_number<N: FromStr + ToString>(&mut self) -> Result<N, &'static str> {
        let number = self.expect("\"")?.number()?;
        self.expect("\"")?;
        Ok(number)
    }

    /// Reads a string.
    pub(super) fn text(&mut self) -> Result<String, &'static str> {
        self.expect("\"")?;
        let mut text = String::new();
        loop {
            let end = self.rest.find(['"', '\\']).ok_or("a string has no closing quote")?;
            text.push_str(&self.rest[..end]);
            self.rest = &self.rest[end..];
            let escape = ["\\\\", "\\\"", "\\n"].into_iter().find(|escape| self.skip(escape));
            match escape {
                Some("\\n") => text.push('\n'),
                Some(escape) => text.push_str(&escape[1..]),
                None => break,
            }
        }
        self.expect("\"").map_err(|_| "a string has an unnecessary escape")?;
        if text.chars().any(|c| c.is_control() && c != '\n') {
            return Err("a string has control characters");
        }
        Ok(text)
    }

    /// Reads bytes in padded base64.
    pub(super) fn bytes(&mut self) -> Result<Vec<u8>, &'static str> {
        let inside = self.expect("\"")?.rest;
        let end = inside.find('"').ok_or("a string has no closing quote")?;
        self.rest = &inside[end + 1..];
        STANDARD.decode(&inside[..end]).map_err(|_| "bytes are not in padded base64")
    }

    /// Reads bytes if the field comes next.
    pub(super) fn optional_bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, &'static str> {
        if self.skip(name) { self.bytes().map(Some) } else { Ok(None) }
    }
}
