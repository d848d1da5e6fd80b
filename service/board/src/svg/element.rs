//! XML elements and their serialization: escaped, in insertion order, one element per line. What they depict
//! is decided elsewhere.

use std::fmt::Display;

/// An XML element with its attributes and children.
#[derive(Debug, Clone)]
pub(super) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Child>,
}

#[derive(Debug, Clone)]
enum Child {
    Element(Element),
    Text(String),
}

impl Element {
    /// Creates an empty element.
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, attributes: Vec::new(), children: Vec::new() }
    }

    /// Adds an attribute, which must not be set yet.
    pub(super) fn set(mut self, name: &'static str, value: impl Display) -> Self {
        debug_assert!(
            self.attributes.iter().all(|(other, _)| *other != name),
            "attribute {name} is set twice"
        );
        self.attributes.push((name, value.to_string()));
        self
    }

    /// Adds a child.
    pub(super) fn add(mut self, child: Self) -> Self {
        self.children.push(Child::Element(child));
        self
    }

    /// Adds children.
    pub(super) fn add_all(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children.into_iter().map(Child::Element));
        self
    }

    /// Adds text.
    pub(super) fn text(mut self, text: &str) -> Self {
        self.children.push(Child::Text(text.to_owned()));
        self
    }

    /// Adds a name, which browsers show as a tooltip.
    pub(super) fn named(self, name: &str) -> Self {
        self.add(Self::new("title").text(name))
    }

    /// Serializes the element as a document.
    pub(super) fn to_document(&self) -> String {
        let mut out = String::new();
        self.print(&mut out);
        out.push('\n');
        out
    }

    fn print(&self, out: &mut String) {
        out.push('<');
        out.push_str(self.name);
        for (name, value) in &self.attributes {
            out.push_str(&format!(" {name}=\"{}\"", escape(value)));
        }
        if self.children.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        // Browsers render a line break inside a text as a space.
        let is_text = self.children.iter().any(|child| matches!(child, Child::Text(_)));
        for child in &self.children {
            if !is_text {
                out.push('\n');
            }
            match child {
                Child::Element(element) => element.print(out),
                Child::Text(text) => out.push_str(&escape(text)),
            }
        }
        if !is_text {
            out.push('\n');
        }
        out.push_str(&format!("</{}>", self.name));
    }
}

/// Escapes text for use between tags or quotes, and replaces the characters that XML 1.0 cannot represent.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if is_xml(c) => out.push(c),
            _ => out.push('\u{FFFD}'),
        }
    }
    out
}

/// Returns whether a character matches the production Char of XML 1.0, which excludes most control
/// characters.
fn is_xml(c: char) -> bool {
    let is_blank = matches!(c, '\t' | '\n' | '\r');
    is_blank || matches!(c, '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// Creates a group of elements.
pub(super) fn group(children: impl IntoIterator<Item = Element>) -> Element {
    Element::new("g").add_all(children)
}

/// Creates a rectangle from its upper left corner and its size.
pub(super) fn rect(x: i32, y: i32, width: i32, height: i32) -> Element {
    Element::new("rect").set("x", x).set("y", y).set("width", width).set("height", height)
}

/// Creates a circle from its centre.
pub(super) fn circle(x: i32, y: i32, radius: i32) -> Element {
    Element::new("circle").set("cx", x).set("cy", y).set("r", radius)
}

/// Creates a path from SVG path data.
pub(super) fn path(data: &str) -> Element {
    Element::new("path").set("d", data)
}

/// Creates a line between two points.
pub(super) fn line((x1, y1): (i32, i32), (x2, y2): (i32, i32)) -> Element {
    Element::new("line").set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2)
}

/// The horizontal alignment of a text at its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    /// The text starts there.
    Start,
    /// The text is centred there.
    Middle,
    /// The text ends there.
    End,
}

/// Creates one line of text; `y` is its vertical centre.
pub(super) fn text(x: i32, y: i32, size: i32, align: Align, content: &str) -> Element {
    let anchor = match align {
        Align::Start => "start",
        Align::Middle => "middle",
        Align::End => "end",
    };
    // Capitals are about 0.7 times the font size high, so the baseline is half of that below the centre.
    let text = Element::new("text").set("x", x).set("y", y + size * 35 / 100).set("font-size", size);
    let text = if align == Align::Start { text } else { text.set("text-anchor", anchor) };
    text.text(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_are_escaped() {
        let element = Element::new("g").set("data-word", "\"<a&b>'").text("</g><script>&");
        assert_eq!(
            element.to_document(),
            "<g data-word=\"&quot;&lt;a&amp;b&gt;&#39;\">&lt;/g&gt;&lt;script&gt;&amp;</g>\n"
        );
    }

    #[test]
    fn characters_that_xml_cannot_represent_are_replaced() {
        let element = Element::new("text").text("a\0b\u{1b}c\u{FFFE}d\u{FFFF}e\u{10FFFF}");
        assert_eq!(element.to_document(), "<text>a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{10FFFF}</text>\n");
    }

    #[test]
    fn elements_are_on_lines_of_their_own_except_beside_text() {
        let inner = Element::new("text").text("a").add(Element::new("tspan").text("b"));
        let outer = group([inner, circle(1, 2, 3)]);
        assert_eq!(
            outer.to_document(),
            "<g>\n<text>a<tspan>b</tspan></text>\n<circle cx=\"1\" cy=\"2\" r=\"3\"/>\n</g>\n"
        );
    }
}
