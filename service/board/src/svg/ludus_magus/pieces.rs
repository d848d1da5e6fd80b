//! The pieces of Ludus Magus as tokens: bright discs for White, dark squares for Black. The shape on a token
//! is its kind, after the alchemical symbols of the Elements.

use wire::games::ludus_magus::v1::{Kind, Side};

use crate::svg::element::{Align, Element, circle, group, line, path, rect, text};
use crate::words::ludus_magus::abbreviation;

/// Draws a piece in a box from -50 to 50.
pub(super) fn token(side: Side, kind: Kind) -> Element {
    let (tint, letters) = match side {
        Side::Black => (tints(kind)[1], "on-black b"),
        Side::White | Side::Unspecified => (tints(kind)[0], "on-white b"),
    };
    let (shape, height) = shape(kind);
    group([ground(side), shape.set("class", tint)])
        .add_all(bar(kind, side))
        .add(text(0, height, 37, Align::Middle, abbreviation(kind)).set("class", letters))
}

/// Draws the ground of a token, which differs by side.
fn ground(side: Side) -> Element {
    match side {
        Side::Black => {
            rect(-43, -43, 86, 86).set("rx", 14).set("class", "black one-line").set("stroke-width", 8)
        }
        Side::White | Side::Unspecified => {
            circle(0, 0, 46).set("class", "white zero-line").set("stroke-width", 8)
        }
    }
}

/// Returns the kind's shape, and the vertical offset of its letters from the centre.
fn shape(kind: Kind) -> (Element, i32) {
    match kind {
        Kind::Aer | Kind::Ignis => (path("M0 -40L36 26H-36Z"), 11),
        Kind::Aqua | Kind::Terra => (path("M0 40L36 -26H-36Z"), -10),
        Kind::Aether => (path("M-19 -33H19L37 0L19 33H-19L-37 0Z"), 0),
        Kind::Codex => (path("M-30 -33H30V33H-30Z"), 0),
        Kind::Famulus => (path("M0 -40L40 0L0 40L-40 0Z"), 0),
        Kind::Magus => (
            path(
                "M0 -42L11 -27L30 -30L27 -11L42 0L27 11L30 30L11 27\
                 L0 42L-11 27L-30 30L-27 11L-42 0L-27 -11L-30 -30L-11 -27Z",
            ),
            0,
        ),
        Kind::Unspecified => (circle(0, 0, 30), 0),
    }
}

/// Draws the bar that distinguishes air from fire and earth from water, and the spine of the Codex.
fn bar(kind: Kind, side: Side) -> Option<Element> {
    let ends = match kind {
        Kind::Aer => ((-27, -13), (27, -13)),
        Kind::Terra => ((-27, 14), (27, 14)),
        Kind::Codex => ((-23, -33), (-23, 33)),
        _ => return None,
    };
    let stroke = if side == Side::Black { "on-black-line" } else { "on-white-line" };
    Some(line(ends.0, ends.1).set("class", stroke).set("stroke-width", 5))
}

/// Returns the classes of a kind on White's disc and on Black's square.
fn tints(kind: Kind) -> [&'static str; 2] {
    match kind {
        Kind::Aer => ["aer-w", "aer-b"],
        Kind::Aqua => ["aqua-w", "aqua-b"],
        Kind::Ignis => ["ignis-w", "ignis-b"],
        Kind::Terra => ["terra-w", "terra-b"],
        Kind::Aether => ["aether-w", "aether-b"],
        Kind::Magus => ["magus-w", "magus-b"],
        Kind::Codex | Kind::Famulus | Kind::Unspecified => ["art-w", "art-b"],
    }
}
