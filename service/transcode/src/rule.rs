//! Reads `google.api.http` options from descriptors, through the dynamic extension. Checks against messages
//! are in `routes`.

use std::fmt;

use http::Method;
use prost_reflect::{DynamicMessage, MethodDescriptor, Value};
use thiserror::Error;

const EXTENSION: &str = "google.api.http";

/// The HTTP methods of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HttpMethod {
    /// This method only.
    Only(Method),
    /// Any method: the custom kind `*`.
    Any,
}

/// One HTTP mapping of an RPC; additional bindings are rules of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRule {
    /// The HTTP method.
    pub method: HttpMethod,
    /// The path template, unparsed.
    pub path: String,
    /// `*`, the name of a request field, or empty.
    pub body: String,
    /// The name of a response field, or empty.
    pub response_body: String,
}

/// Why an annotation is not a valid rule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RuleError {
    /// No method and path are set.
    #[error("the rule has no method and no path")]
    NoPattern,
    /// An additional binding has additional bindings.
    #[error("an additional binding must not have additional bindings")]
    NestedBindings,
    /// The custom kind is not a valid HTTP method name.
    #[error("`{0}` is not an HTTP method")]
    BadMethod(String),
}

/// Returns the rules of an RPC, the main rule first; empty if it is not annotated.
pub fn http_rules(rpc: &MethodDescriptor) -> Result<Vec<HttpRule>, RuleError> {
    let Some(extension) = rpc.parent_pool().get_extension_by_name(EXTENSION) else {
        return Ok(Vec::new());
    };
    let options = rpc.options();
    if !options.has_extension(&extension) {
        return Ok(Vec::new());
    }
    let annotation = options.get_extension(&extension);
    let main = annotation.as_message().ok_or(RuleError::NoPattern)?;
    let mut rules = vec![rule(main)?];
    for binding in bindings(main) {
        if !bindings(&binding).is_empty() {
            return Err(RuleError::NestedBindings);
        }
        rules.push(rule(&binding)?);
    }
    Ok(rules)
}

impl HttpMethod {
    /// Returns whether the rule applies to a method.
    pub fn accepts(&self, method: &Method) -> bool {
        match self {
            Self::Only(only) => only == method,
            Self::Any => true,
        }
    }
}

impl fmt::Display for HttpMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Only(method) => method.fmt(f),
            Self::Any => f.write_str("*"),
        }
    }
}

fn rule(message: &DynamicMessage) -> Result<HttpRule, RuleError> {
    let (method, path) = pattern(message)?;
    Ok(HttpRule { method, path, body: text(message, "body"), response_body: text(message, "response_body") })
}

fn pattern(message: &DynamicMessage) -> Result<(HttpMethod, String), RuleError> {
    let plain = [
        ("get", Method::GET),
        ("put", Method::PUT),
        ("post", Method::POST),
        ("delete", Method::DELETE),
        ("patch", Method::PATCH),
    ];
    for (field, method) in plain {
        if message.has_field_by_name(field) {
            return Ok((HttpMethod::Only(method), text(message, field)));
        }
    }
    match message.get_field_by_name("custom").as_deref() {
        Some(Value::Message(custom)) if message.has_field_by_name("custom") => {
            Ok((custom_method(&text(custom, "kind"))?, text(custom, "path")))
        }
        _ => Err(RuleError::NoPattern),
    }
}

fn custom_method(kind: &str) -> Result<HttpMethod, RuleError> {
    if kind == "*" {
        return Ok(HttpMethod::Any);
    }
    let method = Method::from_bytes(kind.as_bytes()).map_err(|_| RuleError::BadMethod(kind.to_owned()))?;
    Ok(HttpMethod::Only(method))
}

fn bindings(message: &DynamicMessage) -> Vec<DynamicMessage> {
    let field = message.get_field_by_name("additional_bindings");
    let list = field.as_deref().and_then(Value::as_list).unwrap_or_default();
    list.iter().filter_map(Value::as_message).cloned().collect()
}

fn text(message: &DynamicMessage, field: &str) -> String {
    let value = message.get_field_by_name(field);
    value.as_deref().and_then(Value::as_str).unwrap_or_default().to_owned()
}
