//! XML elements and how they are written down: escaped, in the order in which
//! they were added, one a line. What they depict is not decided here.

use std::fmt::Display;

/// An element with its attributes and children.
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
    /// An empty element of this name.
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, attributes: Vec::new(), children: Vec::new() }
    }

    /// The element with one more attribute; each is set at most once.
    pub(super) fn set(mut self, name: &'static str, value: impl Display) -> Self {
        debug_assert!(self.attributes.iter().all(|(other, _)| *other != name), "{name} is set twice");
        self.attributes.push((name, value.to_string()));
        self
    }

    /// The element with one more child.
    pub(super) fn add(mut self, child: Self) -> Self {
        self.children.push(Child::Element(child));
        self
    }

    /// The element with these children more.
    pub(super) fn add_all(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children.into_iter().map(Child::Element));
        self
    }

    /// The element with this text at the end.
    pub(super) fn write(mut self, text: &str) -> Self {
        self.children.push(Child::Text(text.to_owned()));
        self
    }

    /// The element with a name that is shown where the pointer rests on it.
    pub(super) fn named(self, name: &str) -> Self {
        self.add(Self::new("title").write(name))
    }

    /// The element as a document.
    pub(super) fn document(&self) -> String {
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
        // A line break inside a text would be drawn as a space.
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

/// Text for between tags or quotes, without the characters that XML 1.0 has no
/// way to write.
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

/// The production Char of XML 1.0; of the controls only tab and line breaks.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}')
}

/// A group of elements.
pub(super) fn group(children: impl IntoIterator<Item = Element>) -> Element {
    Element::new("g").add_all(children)
}

/// A rectangle by its upper left corner and its size.
pub(super) fn rect(x: i32, y: i32, width: i32, height: i32) -> Element {
    Element::new("rect").set("x", x).set("y", y).set("width", width).set("height", height)
}

/// A circle by its middle.
pub(super) fn circle(x: i32, y: i32, radius: i32) -> Element {
    Element::new("circle").set("cx", x).set("cy", y).set("r", radius)
}

/// A path in SVG's own notation.
pub(super) fn path(data: &str) -> Element {
    Element::new("path").set("d", data)
}

/// A line between two places.
pub(super) fn line((x1, y1): (i32, i32), (x2, y2): (i32, i32)) -> Element {
    Element::new("line").set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2)
}

/// How a text stands to the place that it is written at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// One line of text; `y` is the middle of its height.
pub(super) fn text(x: i32, y: i32, size: i32, align: Align, content: &str) -> Element {
    let anchor = match align {
        Align::Start => "start",
        Align::Middle => "middle",
        Align::End => "end",
    };
    // Capitals are about seven tenths of the size high, so the base line lies
    // half of that below the middle.
    let text = Element::new("text").set("x", x).set("y", y + size * 35 / 100).set("font-size", size);
    let text = if align == Align::Start { text } else { text.set("text-anchor", anchor) };
    text.write(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_are_escaped() {
        let element = Element::new("g").set("data-word", "\"<a&b>'").write("</g><script>&");
        assert_eq!(
            element.document(),
            "<g data-word=\"&quot;&lt;a&amp;b&gt;&#39;\">&lt;/g&gt;&lt;script&gt;&amp;</g>\n"
        );
    }

    #[test]
    fn what_xml_can_not_say_is_replaced() {
        let element = Element::new("text").write("a\0b\u{1b}c\u{FFFE}d\u{FFFF}e\u{10FFFF}");
        assert_eq!(element.document(), "<text>a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{10FFFF}</text>\n");
    }

    #[test]
    fn elements_stand_on_lines_of_their_own_unless_there_is_text_beside() {
        let inner = Element::new("text").write("a").add(Element::new("tspan").write("b"));
        let outer = group([inner, circle(1, 2, 3)]);
        assert_eq!(
            outer.document(),
            "<g>\n<text>a<tspan>b</tspan></text>\n<circle cx=\"1\" cy=\"2\" r=\"3\"/>\n</g>\n"
        );
    }
}
