//! Finds the route of a method and a path, and extracts the values of its path variables.

use std::borrow::Cow;
use std::collections::BTreeSet;

use http::Method;

use crate::error::MatchError;
use crate::field_path::FieldPath;
use crate::percent::{self, EscapeError};
use crate::routes::{Route, Routes};
use crate::rule::HttpMethod;
use crate::template::Segment;

/// Maximum length of a path, in bytes.
pub const MAX_PATH_BYTES: usize = 4096;

/// Maximum number of segments in a path.
pub const MAX_SEGMENTS: usize = 32;

/// A path variable: a field and its value in the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The field.
    pub field: FieldPath,
    /// The percent-decoded value. In a variable of several segments, escaped slashes stay escaped.
    pub value: String,
}

/// The route of a request, with the values of its path variables.
#[derive(Debug, Clone)]
pub struct RouteMatch<'r> {
    route: &'r Route,
    bindings: Vec<Binding>,
}

impl RouteMatch<'_> {
    /// Returns the route.
    pub fn route(&self) -> &Route {
        self.route
    }

    /// Returns the path variables from left to right.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }
}

impl Routes {
    /// Finds the most specific route that matches the path (without its query) and accepts the method.
    pub fn find(&self, method: &Method, path: &str) -> Result<RouteMatch<'_>, MatchError> {
        let path = RequestPath::split(path, self)?;
        self.check_verb(&path)?;
        let mut allow = Vec::new();
        for route in self.iter().filter(|route| path.matches(route)) {
            match route.http_method() {
                accepted if accepted.accepts(method) => {
                    let bindings = path.bindings(route).map_err(MatchError::BadPath)?;
                    return Ok(RouteMatch { route, bindings });
                }
                HttpMethod::Only(other) if !allow.contains(other) => allow.push(other.clone()),
                _ => {}
            }
        }
        if allow.is_empty() {
            return Err(MatchError::NotFound);
        }
        // The path is that of a resource only if its colon belongs to an ID. What reads the resource may
        // find out; what would change it names a custom method that does not exist.
        if let Some(verb) = path.unknown_verb() {
            return Err(MatchError::UnknownVerb { verb: verb.to_owned(), custom_methods: Vec::new() });
        }
        allow.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        Err(MatchError::MethodNotAllowed { allow })
    }

    /// Rejects a verb that the resource lacks, if the resource has others. Without any, the colon may belong
    /// to an ID.
    fn check_verb(&self, path: &RequestPath<'_>) -> Result<(), MatchError> {
        let Some(verb) = path.verb.or(path.unknown_verb()) else { return Ok(()) };
        let resource = path.without_verb(verb);
        let same_resource = self.iter().filter(|route| matches(route, &resource));
        let custom = same_resource.filter_map(|route| Some((route.template().verb()?, route.http_method())));
        let custom: BTreeSet<_> = custom.map(|(verb, method)| (verb, method.to_string())).collect();
        if custom.is_empty() || custom.iter().any(|(known, _)| *known == verb) {
            return Ok(());
        }
        let custom_methods = custom.iter().map(|(verb, method)| format!("{method} :{verb}")).collect();
        Err(MatchError::UnknownVerb { verb: verb.to_owned(), custom_methods })
    }
}

/// Returns whether these segments match those of the route's template.
fn matches(route: &Route, segments: &[Cow<'_, str>]) -> bool {
    let pattern = route.template().segments();
    let (pattern, count_matches) = match pattern.split_last() {
        Some((Segment::CatchAll, before)) => (before, segments.len() >= before.len()),
        _ => (pattern, segments.len() == pattern.len()),
    };
    count_matches
        && pattern.iter().zip(segments).all(|(pattern, segment)| match pattern {
            Segment::Literal(literal) => segment == literal,
            Segment::Wildcard | Segment::CatchAll => true,
        })
}

struct RequestPath<'p> {
    /// The segments as received.
    raw: Vec<&'p str>,
    /// The percent-decoded segments.
    segments: Vec<Cow<'p, str>>,
    verb: Option<&'p str>,
}

impl<'p> RequestPath<'p> {
    fn split(path: &'p str, routes: &Routes) -> Result<Self, MatchError> {
        if path.len() > MAX_PATH_BYTES {
            return Err(MatchError::PathTooLong { limit: MAX_PATH_BYTES });
        }
        let path = path.strip_prefix('/').ok_or(MatchError::NotFound)?;
        // A colon that does not begin a known verb belongs to the segment, since IDs may contain colons. An
        // escaped colon always does.
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

    /// Returns what follows the last colon of the path, if it looks like a custom method that no route has.
    fn unknown_verb(&self) -> Option<&'p str> {
        let (_, verb) = self.raw.last()?.rsplit_once(':').filter(|_| self.verb.is_none())?;
        let is_name = !verb.is_empty() && verb.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_name.then_some(verb)
    }

    /// Returns the segments without a colon and this verb at their end.
    fn without_verb(&self, verb: &str) -> Vec<Cow<'p, str>> {
        let mut segments = self.segments.clone();
        if let Some(last) = segments.last_mut()
            && let Some(id) = last.strip_suffix(verb).and_then(|rest| rest.strip_suffix(':'))
            && self.verb.is_none()
        {
            *last = Cow::Owned(id.to_owned());
        }
        segments
    }

    fn matches(&self, route: &Route) -> bool {
        self.verb == route.template().verb() && matches(route, &self.segments)
    }

    fn bindings(&self, route: &Route) -> Result<Vec<Binding>, EscapeError> {
        let template = route.template();
        let mut bindings = Vec::new();
        for (variable, field) in template.variables().iter().zip(route.variables()) {
            let spanned = &template.segments()[variable.segments.clone()];
            let first = variable.segments.start;
            let value = match spanned {
                [Segment::Wildcard | Segment::Literal(_)] => self.segments[first].clone().into_owned(),
                [.., Segment::CatchAll] => percent::decode_except_slashes(&self.raw[first..].join("/"))?,
                _ => percent::decode_except_slashes(&self.raw[variable.segments.clone()].join("/"))?,
            };
            bindings.push(Binding { field: field.clone(), value });
        }
        Ok(bindings)
    }
}
