//! The document around a picture: its size, its name and description for people
//! who hear it, its colours.

use super::element::{Element, group, rect};
use super::theme::Theme;

/// A picture before it is written down.
#[derive(Debug)]
pub(super) struct Scene {
    /// The game's id, or what else it shows; a class of the root.
    pub(super) class: &'static str,
    pub(super) width: i32,
    pub(super) height: i32,
    /// What it is, in a few words.
    pub(super) title: String,
    /// The position in sentences.
    pub(super) description: String,
    /// What is drawn, from behind to the front.
    pub(super) content: Vec<Element>,
}

const TITLE_ID: &str = "board-title";
const DESCRIPTION_ID: &str = "board-description";

/// The picture as a document.
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
        .add(Element::new("title").set("id", TITLE_ID).write(&scene.title))
        .add(Element::new("desc").set("id", DESCRIPTION_ID).write(&scene.description))
        .add(Element::new("style").write(&theme.sheet()))
        .add(paper)
        .add(group(scene.content.iter().cloned()))
        .document()
}
