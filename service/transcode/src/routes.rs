//! The table of all routes, built and checked at start.

use std::collections::BTreeSet;

use http::Method;
use prost_reflect::{DescriptorPool, FieldDescriptor, Kind, MessageDescriptor, MethodDescriptor};

use crate::error::{RouteError, RouteProblem};
use crate::field_path::{FieldPath, FieldPathError};
use crate::rule::{HttpMethod, HttpRule, http_rules};
use crate::specificity::{Overlap, more_specific_first, overlap};
use crate::template::Template;

/// The part of the request message that the HTTP body carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Nothing: requests have no body.
    None,
    /// All fields that the path does not carry.
    Whole,
    /// This field.
    Field(FieldDescriptor),
}

/// An HTTP method and path template that map to an RPC.
#[derive(Debug, Clone)]
pub struct Route {
    rpc: MethodDescriptor,
    method: HttpMethod,
    template: Template,
    variables: Vec<FieldPath>,
    body: Body,
    response_body: Option<FieldDescriptor>,
}

/// All routes of a descriptor pool, more specific ones first.
#[derive(Debug, Clone)]
pub struct Routes {
    routes: Vec<Route>,
    verbs: BTreeSet<String>,
}

impl Routes {
    /// Reads the annotations of all services. Returns all errors at once.
    pub fn from_pool(pool: &DescriptorPool) -> Result<Self, Vec<RouteError>> {
        let mut routes = Vec::new();
        let mut errors = Vec::new();
        for service in pool.services() {
            for route in service.methods().flat_map(|rpc| routes_of(&rpc)) {
                match route {
                    Ok(route) => routes.push(route),
                    Err(error) => errors.push(error),
                }
            }
        }
        errors.extend(conflicts(&routes));
        if !errors.is_empty() {
            return Err(errors);
        }
        routes.sort_by(|a, b| more_specific_first(&a.template, &b.template));
        let verbs = routes.iter().filter_map(|route| route.template.verb()).map(str::to_owned).collect();
        Ok(Self { routes, verbs })
    }

    /// Returns all routes, more specific ones first.
    pub fn iter(&self) -> impl Iterator<Item = &Route> {
        self.routes.iter()
    }

    pub(crate) fn has_verb(&self, verb: &str) -> bool {
        self.verbs.contains(verb)
    }
}

impl Route {
    fn new(rpc: &MethodDescriptor, rule: HttpRule) -> Result<Self, RouteProblem> {
        let template = Template::parse(&rule.path)
            .map_err(|error| RouteProblem::Template { template: rule.path.clone(), error })?;
        let variables = variables(&template, &rpc.input())?;
        let body = body(&rule, &rpc.input())?;
        let is_lines = rpc.is_server_streaming() && body == Body::Whole && variables.is_empty();
        if rpc.is_client_streaming() && !is_lines {
            return Err(RouteProblem::ClientStreaming);
        }
        if let Body::Field(body) = &body
            && variables.iter().any(|variable| variable.fields() == [body.clone()])
        {
            return Err(RouteProblem::BoundTwice(rule.body));
        }
        let response_body = match rule.response_body.as_str() {
            "" => None,
            name => Some(top_field(&rpc.output(), name)?),
        };
        Ok(Self { rpc: rpc.clone(), method: rule.method, template, variables, body, response_body })
    }

    /// Returns the RPC that the route calls.
    pub fn rpc(&self) -> &MethodDescriptor {
        &self.rpc
    }

    /// Returns the HTTP method.
    pub fn http_method(&self) -> &HttpMethod {
        &self.method
    }

    /// Returns the path template.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// Returns the fields that the path sets, in the order of [`Template::variables`].
    pub fn variables(&self) -> &[FieldPath] {
        &self.variables
    }

    /// Returns what the HTTP body carries.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// Returns the response field that becomes the HTTP body; `None` for the whole response.
    pub fn response_body(&self) -> Option<&FieldDescriptor> {
        self.response_body.as_ref()
    }
}

fn routes_of(rpc: &MethodDescriptor) -> Vec<Result<Route, RouteError>> {
    let error = |problem| RouteError { rpc: rpc.full_name().to_owned(), problem };
    match http_rules(rpc) {
        Ok(rules) => rules.into_iter().map(|rule| Route::new(rpc, rule).map_err(error)).collect(),
        Err(problem) => vec![Err(error(problem.into()))],
    }
}

fn variables(template: &Template, request: &MessageDescriptor) -> Result<Vec<FieldPath>, RouteProblem> {
    let mut paths: Vec<FieldPath> = Vec::new();
    for variable in template.variables() {
        let field = variable.field.clone();
        let path = FieldPath::from_proto_names(request, &field)
            .map_err(|error| RouteProblem::NoSuchField { field: field.clone(), error })?;
        let target = path.target();
        // A map field is a list of messages, so this rejects maps too.
        if target.is_list() || matches!(target.kind(), Kind::Message(_)) {
            return Err(RouteProblem::NotAScalar(field));
        }
        if paths.contains(&path) {
            return Err(RouteProblem::BoundTwice(field));
        }
        paths.push(path);
    }
    Ok(paths)
}

fn body(rule: &HttpRule, request: &MessageDescriptor) -> Result<Body, RouteProblem> {
    let body = match rule.body.as_str() {
        "" => return Ok(Body::None),
        "*" => Body::Whole,
        name => Body::Field(top_field(request, name)?),
    };
    if rule.method == HttpMethod::Only(Method::GET) {
        return Err(RouteProblem::GetWithBody);
    }
    Ok(body)
}

fn top_field(message: &MessageDescriptor, name: &str) -> Result<FieldDescriptor, RouteProblem> {
    message
        .get_field_by_name(name)
        .ok_or_else(|| RouteProblem::NoSuchField { field: name.to_owned(), error: FieldPathError::Unknown })
}

fn conflicts(routes: &[Route]) -> Vec<RouteError> {
    let mut errors = Vec::new();
    for (index, route) in routes.iter().enumerate() {
        for other in &routes[..index] {
            if share_a_method(&route.method, &other.method)
                && overlap(&route.template, &other.template) == Overlap::Ambiguous
            {
                let problem = RouteProblem::Conflict {
                    method: route.method.to_string(),
                    template: route.template.to_string(),
                    other_template: other.template.to_string(),
                    other_rpc: other.rpc.full_name().to_owned(),
                };
                errors.push(RouteError { rpc: route.rpc.full_name().to_owned(), problem });
            }
        }
    }
    errors
}

fn share_a_method(a: &HttpMethod, b: &HttpMethod) -> bool {
    match (a, b) {
        (HttpMethod::Only(a), HttpMethod::Only(b)) => a == b,
        (HttpMethod::Any, _) | (_, HttpMethod::Any) => true,
    }
}
