//! From a method and a path to a route, with the values of the path's variables.

use std::borrow::Cow;

use http::Method;

use crate::error::MatchError;
use crate::field_path::FieldPath;
use crate::percent::{self, EscapeError};
use crate::routes::{Route, Routes};
use crate::rule::HttpMethod;
use crate::template::Segment;

/// The longest path that is looked at.
pub const MAX_PATH_BYTES: usize = 4096;

/// The most segments that a path can have.
pub const MAX_SEGMENTS: usize = 32;

/// A field and the text that the path has for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The field.
    pub field: FieldPath,
    /// The decoded text; a slash that was escaped in a variable of several segments
    /// still is.
    pub value: String,
}

/// The route of a request, and what its path says.
#[derive(Debug, Clone)]
pub struct Matched<'r> {
    route: &'r Route,
    bindings: Vec<Binding>,
}

impl Matched<'_> {
    /// The route, with its RPC.
    pub fn route(&self) -> &Route {
        self.route
    }

    /// The path's variables from left to right.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }
}

impl Routes {
    /// Finds the most particular route for the path (without its query) that accepts
    /// the method.
    pub fn find(&self, method: &Method, path: &str) -> Result<Matched<'_>, MatchError> {
        let path = RequestPath::split(path, self)?;
        let mut allow = Vec::new();
        for route in self.iter().filter(|route| path.fits(route)) {
            match route.http_method() {
                accepted if accepted.accepts(method) => {
                    let bindings = path.bindings(route).map_err(MatchError::BadPath)?;
                    return Ok(Matched { route, bindings });
                }
                HttpMethod::Only(other) if !allow.contains(other) => allow.push(other.clone()),
                _ => {}
            }
        }
        if allow.is_empty() {
            return Err(MatchError::NotFound);
        }
        allow.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        Err(MatchError::MethodNotAllowed { allow })
    }
}

struct RequestPath<'p> {
    /// As they came.
    raw: Vec<&'p str>,
    /// The same, decoded.
    segments: Vec<Cow<'p, str>>,
    verb: Option<&'p str>,
}

impl<'p> RequestPath<'p> {
    fn split(path: &'p str, routes: &Routes) -> Result<Self, MatchError> {
        if path.len() > MAX_PATH_BYTES {
            return Err(MatchError::PathTooLong { limit: MAX_PATH_BYTES });
        }
        let path = path.strip_prefix('/').ok_or(MatchError::NotFound)?;
        // A colon that begins no known verb belongs to the segment, as people write ids with
        // colons; an escaped one always does.
        let (path, verb) = match path.rsplit_once(':') {
            Some((path, verb)) if routes.has_verb(verb) => (path, Some(verb)),
            _ => (path, None),
        };
        let raw: Vec<&str> = path.split('/').take(MAX_SEGMENTS + 1).collect();
        if raw.len() > MAX_SEGMENTS {
            return Err(MatchError::TooManySegments { limit: MAX_SEGMENTS });
        }
        let segments: Result<Vec<_>, _> = raw.iter().map(|segment| percent::decode(segment)).collect();
        let segments = segments.map_err(MatchError::BadPath)?;
        if segments.iter().any(|segment| segment.is_empty()) {
            return Err(MatchError::NotFound);
        }
        Ok(Self { raw, segments, verb })
    }

    fn fits(&self, route: &Route) -> bool {
        let wanted = route.template().segments();
        let (wanted, count_fits) = match wanted.split_last() {
            Some((Segment::Rest, before)) => (before, self.segments.len() >= before.len()),
            _ => (wanted, self.segments.len() == wanted.len()),
        };
        count_fits
            && self.verb == route.template().verb()
            && wanted.iter().zip(&self.segments).all(|(wanted, segment)| match wanted {
                Segment::Literal(literal) => segment == literal,
                Segment::One | Segment::Rest => true,
            })
    }

    fn bindings(&self, route: &Route) -> Result<Vec<Binding>, EscapeError> {
        let template = route.template();
        let mut bindings = Vec::new();
        for (variable, field) in template.variables().iter().zip(route.variables()) {
            let spanned = &template.segments()[variable.segments.clone()];
            let first = variable.segments.start;
            let value = match spanned {
                [Segment::One | Segment::Literal(_)] => self.segments[first].clone().into_owned(),
                [.., Segment::Rest] => percent::decode_but_slashes(&self.raw[first..].join("/"))?,
                _ => percent::decode_but_slashes(&self.raw[variable.segments.clone()].join("/"))?,
            };
            bindings.push(Binding { field: field.clone(), value });
        }
        Ok(bindings)
    }
}
