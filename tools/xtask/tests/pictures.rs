//! The README's pictures: well-formed, small, self-contained, and all linked.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use roxmltree::Document;

const MAX_BYTES: usize = 150_000;
const PICTURES: [&str; 2] = ["boards", "terminal"];
const THEMES: [&str; 2] = ["light", "dark"];

#[test]
fn pictures_are_small_well_formed_and_self_contained() {
    for name in PICTURES.iter().flat_map(|picture| THEMES.map(|theme| format!("{picture}-{theme}.svg"))) {
        let text = read(&format!("docs/pictures/{name}"));
        assert!(text.len() <= MAX_BYTES, "{name} has {} bytes", text.len());
        let document = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(document.root_element().tag_name().name(), "svg", "{name}");
        let mut ids = BTreeSet::new();
        for id in document.descendants().filter_map(|node| node.attribute("id")) {
            assert!(ids.insert(id), "{name} has the id {id} twice");
        }
        for node in document.descendants() {
            for label in node.attribute("aria-labelledby").unwrap_or_default().split_whitespace() {
                assert!(ids.contains(label), "{name} refers to {label}, which is missing");
            }
        }
        for outside in ["<script", "href=", "url(", "@import", "@font-face"] {
            assert!(!text.contains(outside), "{name} contains {outside}");
        }
    }
}

#[test]
fn recordings_stand_still_for_readers_who_prefer_reduced_motion() {
    for theme in THEMES {
        let text = read(&format!("docs/pictures/terminal-{theme}.svg"));
        let (still, moving) =
            text.split_once("@media (prefers-reduced-motion:no-preference)").expect("a media query");
        assert!(!still.contains("animation:") && moving.contains("animation:"), "{theme}");
    }
}

#[test]
fn the_readme_shows_every_picture_in_both_themes() {
    let readme = read("README.md");
    for picture in PICTURES {
        let dark = format!("(prefers-color-scheme: dark)\" srcset=\"docs/pictures/{picture}-dark.svg\"");
        assert!(readme.contains(&dark), "{dark}");
        assert!(readme.contains(&format!("<img src=\"docs/pictures/{picture}-light.svg\" alt=\"")));
    }
}

#[test]
fn links_of_the_readme_lead_to_files() {
    let readme = read("README.md");
    let targets = ["](", "src=\"", "srcset=\""].into_iter().flat_map(|before| {
        readme.split(before).skip(1).map(|rest| rest.split([')', '"', '#']).next().unwrap_or_default())
    });
    let targets: Vec<_> = targets.filter(|target| !target.is_empty() && !target.contains("://")).collect();
    assert!(targets.len() > 20, "{targets:?}");
    for target in targets {
        assert!(root().join(target).exists(), "README.md links to {target}, which does not exist");
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("xtask is two folders below the root")
}
