//! Content negotiation: chooses the response format by `Accept`, and checks the format of request bodies.

use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};

/// A response format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseFormat {
    /// One JSON message.
    Json,
    /// One JSON message per line.
    Ndjson,
    /// Server-sent events.
    Sse,
}

impl ResponseFormat {
    /// The formats of unary responses.
    pub const UNARY: &'static [Self] = &[Self::Json];
    /// The formats of streaming responses, the default first.
    pub const STREAMING: &'static [Self] = &[Self::Ndjson, Self::Sse];

    /// Returns the media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Ndjson => "application/x-ndjson",
            Self::Sse => "text/event-stream",
        }
    }
}

/// Returns the available format that the client prefers, the first among equals; `None` if it accepts none.
pub(crate) fn choose(headers: &HeaderMap, available: &[ResponseFormat]) -> Option<ResponseFormat> {
    let accept: Vec<&str> = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).collect();
    if accept.is_empty() {
        return available.first().copied();
    }
    let ranges: Vec<Range<'_>> = accept.iter().flat_map(|line| line.split(',')).filter_map(range).collect();
    let mut best: Option<(ResponseFormat, u16)> = None;
    for format in available {
        let quality = quality(&ranges, format.media_type());
        if quality > best.map_or(0, |(_, quality)| quality) {
            best = Some((*format, quality));
        }
    }
    best.map(|(format, _)| format)
}

/// Returns whether a request's body has this media type, in UTF-8, and is not compressed.
pub(crate) fn is_readable(headers: &HeaderMap, format: ResponseFormat) -> bool {
    is_of_type(headers, format.media_type()) && is_uncompressed(headers)
}

fn is_of_type(headers: &HeaderMap, media_type: &str) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(Ok(text)), None) = (types.next().map(|value| value.to_str()), types.next()) else {
        return false;
    };
    let mut parts = text.split(';').map(str::trim);
    let same = parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case(media_type));
    same && parts.all(|parameter| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        !name.eq_ignore_ascii_case("charset") || value.trim_matches('"').eq_ignore_ascii_case("utf-8")
    })
}

fn is_uncompressed(headers: &HeaderMap) -> bool {
    headers.get_all(CONTENT_ENCODING).iter().all(|value| value.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// A media range such as `text/*;q=0.5`.
struct Range<'a> {
    kind: &'a str,
    subkind: &'a str,
    /// The weight, in thousandths.
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

/// Returns the weight of the most specific matching range, as RFC 9110 requires.
fn quality(ranges: &[Range<'_>], media_type: &str) -> u16 {
    let (kind, subkind) = media_type.split_once('/').expect("media types contain a slash");
    let specificity = |range: &Range<'_>| match (range.kind, range.subkind) {
        (k, s) if k.eq_ignore_ascii_case(kind) && s.eq_ignore_ascii_case(subkind) => Some(3),
        (k, "*") if k.eq_ignore_ascii_case(kind) => Some(2),
        ("*", "*") => Some(1),
        _ => None,
    };
    let matching = ranges.iter().filter_map(|range| Some((specificity(range)?, range.quality)));
    matching.max().map_or(0, |(_, quality)| quality)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(accept: &str, available: &[ResponseFormat]) -> Option<ResponseFormat> {
        let headers = HeaderMap::from_iter([(ACCEPT, accept.parse().unwrap())]);
        choose(&headers, available)
    }

    #[test]
    fn the_preferred_format_is_chosen() {
        for (accept, format) in [
            ("text/event-stream", Some(ResponseFormat::Sse)),
            ("application/x-ndjson", Some(ResponseFormat::Ndjson)),
            ("*/*", Some(ResponseFormat::Ndjson)),
            ("text/*, application/*;q=0.5", Some(ResponseFormat::Sse)),
            ("*/*, application/x-ndjson;q=0", Some(ResponseFormat::Sse)),
            ("text/event-stream;q=0.001, */*;q=0", Some(ResponseFormat::Sse)),
            ("application/json", None),
            ("", None),
            ("*/*;q=0", None),
            ("*/*;q=nonsense", None),
        ] {
            assert_eq!(chosen(accept, ResponseFormat::STREAMING), format, "{accept}");
        }
        assert_eq!(choose(&HeaderMap::new(), ResponseFormat::STREAMING), Some(ResponseFormat::Ndjson));
        assert_eq!(chosen("text/html, */*;q=0.8", ResponseFormat::UNARY), Some(ResponseFormat::Json));
    }

    #[test]
    fn only_json_in_utf_8_is_json() {
        for (value, json) in [
            ("application/json", true),
            ("Application/JSON; charset=UTF-8", true),
            ("application/json; charset=\"utf-8\"", true),
            ("application/json; charset=latin-1", false),
            ("text/json", false),
            ("application/x-www-form-urlencoded", false),
        ] {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, value.parse().unwrap())]);
            assert_eq!(is_of_type(&headers, "application/json"), json, "{value}");
        }
    }
}
