//! Parses the path templates of `google.api.http`: `/v1/{shelf}/books/**:verb`. Matching is in `route_match`,
//! comparison in `specificity`.

use std::fmt;
use std::ops::Range;

use thiserror::Error;

/// The pattern of one path segment, inside or outside a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// Exactly this text.
    Literal(String),
    /// `*`: exactly one non-empty segment.
    Wildcard,
    /// `**`: all remaining segments, possibly none; always the last.
    CatchAll,
}

/// A part of the path that sets a field of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The field path as written: proto names separated by dots.
    pub field: String,
    /// The template's segments that it spans.
    pub segments: Range<usize>,
}

/// A parsed path template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    text: String,
    segments: Vec<Segment>,
    variables: Vec<Variable>,
    verb: Option<String>,
}

/// Why a text is not a path template. Positions are byte offsets.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TemplateError {
    /// The text does not follow the grammar.
    #[error("at byte {at}: expected {expected}")]
    Unexpected {
        /// The position.
        at: usize,
        /// What the grammar allows there.
        expected: &'static str,
    },
    /// A variable contains a variable.
    #[error("at byte {at}: variables cannot be nested")]
    NestedVariable {
        /// The position of the inner variable.
        at: usize,
    },
    /// `**` is not the last segment.
    #[error("`**` must be the last segment")]
    CatchAllNotLast,
}

impl Template {
    /// Parses a path template.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut parser = Parser { text, at: 0, segments: Vec::new(), variables: Vec::new() };
        parser.expect('/', "`/`")?;
        parser.segments(Inside::Template)?;
        let verb = if parser.eat(':') { Some(parser.literal("a verb")?) } else { None };
        if parser.at < text.len() {
            return Err(parser.unexpected("`/`, `:` or the end"));
        }
        let Parser { segments, variables, .. } = parser;
        if segments.iter().rev().skip(1).any(|segment| *segment == Segment::CatchAll) {
            return Err(TemplateError::CatchAllNotLast);
        }
        Ok(Self { text: text.to_owned(), segments, variables, verb })
    }

    /// Returns all segments, including those in variables.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns the variables from left to right.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Returns the verb after the colon at the end, if any.
    pub fn verb(&self) -> Option<&str> {
        self.verb.as_deref()
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Template,
    Variable,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    segments: Vec<Segment>,
    variables: Vec<Variable>,
}

impl Parser<'_> {
    fn segments(&mut self, inside: Inside) -> Result<(), TemplateError> {
        loop {
            self.segment(inside)?;
            if !self.eat('/') {
                return Ok(());
            }
        }
    }

    fn segment(&mut self, inside: Inside) -> Result<(), TemplateError> {
        let start = self.at;
        if self.eat('{') {
            return match inside {
                Inside::Template => self.variable(),
                Inside::Variable => Err(TemplateError::NestedVariable { at: start }),
            };
        }
        let segment = if !self.eat('*') {
            Segment::Literal(self.literal("a segment")?)
        } else if self.eat('*') {
            Segment::CatchAll
        } else {
            Segment::Wildcard
        };
        self.segments.push(segment);
        Ok(())
    }

    /// Parses a variable after its `{`.
    fn variable(&mut self) -> Result<(), TemplateError> {
        let field = self.field_path()?;
        let first = self.segments.len();
        if self.eat('=') {
            self.segments(Inside::Variable)?;
        } else {
            self.segments.push(Segment::Wildcard);
        }
        self.expect('}', "`}`")?;
        self.variables.push(Variable { field, segments: first..self.segments.len() });
        Ok(())
    }

    fn field_path(&mut self) -> Result<String, TemplateError> {
        let start = self.at;
        loop {
            if !self.rest().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                return Err(self.unexpected("a field name"));
            }
            self.take(|c| c.is_ascii_alphanumeric() || c == '_');
            if !self.eat('.') {
                return Ok(self.text[start..self.at].to_owned());
            }
        }
    }

    /// Parses a literal. Only characters that URLs contain unescaped are allowed, so that texts can be
    /// compared.
    fn literal(&mut self, expected: &'static str) -> Result<String, TemplateError> {
        let literal = self.take(|c| c.is_ascii_alphanumeric() || "-._~!$&'()+,;@".contains(c)).to_owned();
        if literal.is_empty() { Err(self.unexpected(expected)) } else { Ok(literal) }
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.rest().starts_with(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn expect(&mut self, wanted: char, expected: &'static str) -> Result<(), TemplateError> {
        if self.eat(wanted) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn unexpected(&self, expected: &'static str) -> TemplateError {
        TemplateError::Unexpected { at: self.at, expected }
    }
}
