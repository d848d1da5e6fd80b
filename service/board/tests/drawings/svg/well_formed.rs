//! Requirements on every drawing.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

/// Asserts that a drawing is well-formed XML with a title, a description and unique ids, and that it contains
/// nothing that runs code or loads a resource.
#[track_caller]
pub(crate) fn check(svg: &str) {
    let document = Document::parse(svg).expect("well-formed XML");
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    assert_eq!(root.attribute("role"), Some("img"));
    let view_box: Vec<i32> = root
        .attribute("viewBox")
        .expect("a viewBox")
        .split(' ')
        .map(|part| part.parse().expect("a number"))
        .collect();
    assert!(view_box.len() == 4 && view_box[2] > 0 && view_box[3] > 0, "{view_box:?}");

    let ids: Vec<&str> = root.descendants().filter_map(|node| node.attribute("id")).collect();
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), distinct.len(), "duplicate ids: {ids:?}");
    assert!(ids.iter().all(|id| !id.is_empty() && !id.contains(char::is_whitespace)), "{ids:?}");
    for id in root.attribute("aria-labelledby").expect("a name").split(' ') {
        let named = root
            .children()
            .find(|node| node.attribute("id") == Some(id))
            .expect("the element that labels it");
        assert!(!named.text().unwrap_or_default().trim().is_empty(), "{id} is empty");
    }
    for node in root.descendants().filter(Node::is_element) {
        check_element(&node);
    }
    assert!(!svg.contains("url(") && !svg.contains("@import") && !svg.contains("<!"), "a resource is loaded");
    let unsafe_text =
        |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{200b}');
    assert!(!svg.contains(unsafe_text), "characters that hide or reverse text");
}

#[track_caller]
fn check_element(node: &Node<'_, '_>) {
    const KNOWN: [&str; 14] = [
        "svg", "title", "desc", "style", "g", "rect", "circle", "ellipse", "line", "path", "polygon", "text",
        "tspan", "polyline",
    ];
    let name = node.tag_name().name();
    assert!(KNOWN.contains(&name), "unexpected element: {name}");
    for attribute in node.attributes() {
        let name = attribute.name();
        assert!(!name.starts_with("on") && name != "href" && name != "style", "{name}={}", attribute.value());
    }
    let [class, value] = ["square", "piece"].map(|kind| {
        let value = node.attribute(format!("data-{kind}").as_str())?;
        node.attribute("id")
            .filter(|id| id.starts_with(kind))
            .map(|id| (id.to_owned(), format!("{kind}-{value}")))
    });
    for (id, expected) in class.into_iter().chain(value) {
        assert_eq!(id, expected);
    }
}
