//! Which form of an answer a client wants, by its `Accept`, and whether a body comes in
//! a form that is read.

use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};

/// A form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One message.
    Json,
    /// A message a line.
    Ndjson,
    /// Server-sent events.
    Sse,
}

impl Form {
    /// What a unary RPC is answered in.
    pub const OF_MESSAGES: &'static [Self] = &[Self::Json];
    /// What a streaming RPC is answered in, the usual form first.
    pub const OF_STREAMS: &'static [Self] = &[Self::Ndjson, Self::Sse];

    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Ndjson => "application/x-ndjson",
            Self::Sse => "text/event-stream",
        }
    }
}

/// The offer that the client likes best; the earlier of equals.
pub(crate) fn choose(headers: &HeaderMap, offers: &[Form]) -> Option<Form> {
    let accept: Vec<&str> = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).collect();
    if accept.is_empty() {
        return offers.first().copied();
    }
    let ranges: Vec<Range<'_>> = accept.iter().flat_map(|line| line.split(',')).filter_map(range).collect();
    let mut best: Option<(Form, u16)> = None;
    for offer in offers {
        let quality = quality(&ranges, offer.media_type());
        if quality > best.map_or(0, |(_, quality)| quality) {
            best = Some((*offer, quality));
        }
    }
    best.map(|(form, _)| form)
}

/// Whether a request's body is plain JSON in UTF-8.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(Ok(text)), None) = (types.next().map(|value| value.to_str()), types.next()) else {
        return false;
    };
    let mut parts = text.split(';').map(str::trim);
    let json = parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("application/json"));
    json && parts.all(|parameter| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        !name.eq_ignore_ascii_case("charset") || value.trim_matches('"').eq_ignore_ascii_case("utf-8")
    })
}

/// Whether a request's body comes as it is, not compressed.
pub(crate) fn is_plain(headers: &HeaderMap) -> bool {
    headers.get_all(CONTENT_ENCODING).iter().all(|value| value.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// `text/*;q=0.5`
struct Range<'a> {
    kind: &'a str,
    subkind: &'a str,
    /// In thousandths.
    quality: u16,
}

fn range(text: &str) -> Option<Range<'_>> {
    let mut parts = text.split(';').map(str::trim);
    let (kind, subkind) = parts.next()?.split_once('/')?;
    let quality = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    let quality = match quality {
        None => 1000,
        Some(text) => thousandths(text)?,
    };
    Some(Range { kind, subkind, quality })
}

fn thousandths(text: &str) -> Option<u16> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = fraction.len() <= 3 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    match whole {
        "1" => Some(1000),
        "0" if digits => format!("{fraction:0<3}").parse().ok(),
        _ => None,
    }
}

/// By the most particular range that fits, as RFC 9110 wants it.
fn quality(ranges: &[Range<'_>], media_type: &str) -> u16 {
    let (kind, subkind) = media_type.split_once('/').expect("ours have a slash");
    let fit = |range: &Range<'_>| match (range.kind, range.subkind) {
        (k, s) if k.eq_ignore_ascii_case(kind) && s.eq_ignore_ascii_case(subkind) => Some(3),
        (k, "*") if k.eq_ignore_ascii_case(kind) => Some(2),
        ("*", "*") => Some(1),
        _ => None,
    };
    let fitting = ranges.iter().filter_map(|range| Some((fit(range)?, range.quality)));
    fitting.max().map_or(0, |(_, quality)| quality)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(accept: &str, offers: &[Form]) -> Option<Form> {
        let headers = HeaderMap::from_iter([(ACCEPT, accept.parse().unwrap())]);
        choose(&headers, offers)
    }

    #[test]
    fn streams_come_as_they_are_wanted() {
        for (accept, form) in [
            ("text/event-stream", Some(Form::Sse)),
            ("application/x-ndjson", Some(Form::Ndjson)),
            ("*/*", Some(Form::Ndjson)),
            ("text/*, application/*;q=0.5", Some(Form::Sse)),
            ("*/*, application/x-ndjson;q=0", Some(Form::Sse)),
            ("text/event-stream;q=0.001, */*;q=0", Some(Form::Sse)),
            ("application/json", None),
            ("", None),
            ("*/*;q=0", None),
            ("*/*;q=nonsense", None),
        ] {
            assert_eq!(chosen(accept, Form::OF_STREAMS), form, "{accept}");
        }
        assert_eq!(choose(&HeaderMap::new(), Form::OF_STREAMS), Some(Form::Ndjson));
        assert_eq!(chosen("text/html, */*;q=0.8", Form::OF_MESSAGES), Some(Form::Json));
    }

    #[test]
    fn bodies_are_json() {
        for (value, json) in [
            ("application/json", true),
            ("Application/JSON; charset=UTF-8", true),
            ("application/json; charset=\"utf-8\"", true),
            ("application/json; charset=latin-1", false),
            ("text/json", false),
            ("application/x-www-form-urlencoded", false),
        ] {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, value.parse().unwrap())]);
            assert_eq!(is_json(&headers), json, "{value}");
        }
    }
}
