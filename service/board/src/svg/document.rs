//! The SVG document around a drawing: its size, its title and description for screen readers, and its style
//! sheet.

use super::element::{Element, group, rect};
use super::theme::Theme;

/// The content of a drawing, without its theme.
#[derive(Debug)]
pub(super) struct Scene {
    /// A class of the root element: the game's ID, or another name for what the drawing shows.
    pub(super) class: &'static str,
    pub(super) width: i32,
    pub(super) height: i32,
    /// A short title.
    pub(super) title: String,
    /// The position in sentences, for screen readers.
    pub(super) description: String,
    /// The elements, back to front.
    pub(super) content: Vec<Element>,
}

const TITLE_ID: &str = "board-title";
const DESCRIPTION_ID: &str = "board-description";

/// Renders the scene as a document.
pub(super) fn write(scene: &Scene, theme: Theme) -> String {
    let Scene { class, width, height, .. } = scene;
    let paper = rect(0, 0, *width, *height).set("rx", 12).set("class", "paper");
    Element::new("svg")
        .set("xmlns", "http://www.w3.org/2000/svg")
        .set("viewBox", format!("0 0 {width} {height}"))
        .set("width", width)
        .set("height", height)
        .set("class", format!("{} {class}", theme.class()))
        .set("role", "img")
        .set("aria-labelledby", format!("{TITLE_ID} {DESCRIPTION_ID}"))
        .add(Element::new("title").set("id", TITLE_ID).text(&scene.title))
        .add(Element::new("desc").set("id", DESCRIPTION_ID).text(&scene.description))
        .add(Element::new("style").text(&theme.style_sheet()))
        .add(paper)
        .add(group(scene.content.iter().cloned()))
        .to_document()
}
