//! The icons of the nine umbrations, and the other small shapes of the field.

use wire::games::cresnovian_chess::v1::Umbration;

use crate::svg::element::{Element, circle, group, path, rect};

/// Draws an umbration's icon in a box from -50 to 50, with the classes of its fill and its stroke.
pub(super) fn umbration(umbration: Umbration, fill: &'static str, stroke: &'static str) -> Element {
    let part = |data: &str| path(data).set("class", fill);
    let drawn = |shape: Element, width: i32| {
        shape.set("class", stroke).set("fill", "none").set("stroke-width", width)
    };
    match umbration {
        Umbration::Essence => group([circle(0, 0, 19).set("class", fill), drawn(circle(0, 0, 40), 10)]),
        Umbration::Duality => group([part("M0 -44A44 44 0 0 0 0 44Z"), drawn(circle(0, 0, 40), 9)]),
        Umbration::Cosmos => {
            let ring = Element::new("ellipse").set("cx", 0).set("cy", 0).set("rx", 46).set("ry", 15);
            group([circle(0, 0, 25).set("class", fill), drawn(ring.set("transform", "rotate(-24)"), 8)])
        }
        Umbration::Velocity => part("M-44 -38H-20L4 0L-20 38H-44L-20 0ZM-2 -38H22L46 0L22 38H-2L22 0Z"),
        Umbration::Radiance => part(
            "M0 -50L10 -24L35 -35L24 -10L50 0L24 10L35 35L10 24\
             L0 50L-10 24L-35 35L-24 10L-50 0L-24 -10L-35 -35L-10 -24Z",
        ),
        Umbration::Corporeality => part("M-44 -44H44V44H-44ZM-24 -24V24H24V-24Z").set("fill-rule", "evenodd"),
        Umbration::Innervation => part("M12 -50L-34 8H-6L-14 50L34 -12H6Z"),
        Umbration::Caprice => drawn(path("M-42 16C-28 -44 -10 -36 0 0C10 36 28 44 42 -16"), 17),
        Umbration::Cognizance => group([
            drawn(path("M-46 0C-22 -38 22 -38 46 0C22 38 -22 38 -46 0Z"), 9),
            circle(0, 0, 15).set("class", fill),
        ]),
        Umbration::Unspecified => rect(-30, -30, 60, 60).set("class", fill),
    }
}

/// Draws a monument: a pillar on a base.
pub(super) fn monument() -> Element {
    path("M0 -50L12 -34L17 30H32V46H-32V30H-17L-12 -34Z").set("class", "faint")
}

/// Draws a house: the home of a piece that is elsewhere.
pub(super) fn home() -> Element {
    path("M0 -42L46 0H32V40H-32V0H-46Z").set("class", "none-line").set("fill", "none").set("stroke-width", 8)
}

/// Draws the crack through a broken piece, in units of the drawing.
pub(super) fn crack(x: i32, y: i32, width: i32, height: i32) -> Element {
    let (half, third) = (width / 2, height / 3);
    let data = format!("M{} {y}l-9 {third}l14 {}l-8 {third}", x + half + 3, third / 3);
    path(&data).set("class", "alarm-line").set("fill", "none").set("stroke-width", 3)
}

/// Draws the infinity sign of an eternal piece.
pub(super) fn eternal(stroke: &'static str) -> Element {
    let eight = "M0 0C-12 -24 -46 -24 -46 0C-46 24 -12 24 0 0C12 -24 46 -24 46 0C46 24 12 24 0 0Z";
    path(eight).set("class", stroke).set("fill", "none").set("stroke-width", 11)
}
