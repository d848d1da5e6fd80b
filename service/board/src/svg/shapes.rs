//! Shapes that more than one game draws. Each is created in a box from -50 to 50 in both directions and then
//! placed.

use super::element::{Element, circle, group, line, path, rect};

/// Scales a shape to `size` and centres it at a position.
pub(super) fn place(shape: Element, x: i32, y: i32, size: i32) -> Element {
    let scale = format!("{}.{:02}", size / 100, size % 100);
    group([shape]).set("transform", format!("translate({x} {y}) scale({scale})"))
}

/// Creates a closed padlock: sealed, or locked in place.
pub(super) fn padlock(class: &'static str, stroke: &'static str) -> Element {
    group([
        path("M-20 -2V-20A20 20 0 0 1 20 -20V-2")
            .set("class", stroke)
            .set("fill", "none")
            .set("stroke-width", 11),
        rect(-34, -4, 68, 50).set("rx", 9).set("class", class),
    ])
}

/// Creates a five-pointed star.
pub(super) fn star(class: &'static str) -> Element {
    path("M0 -48L14 -15L48 -15L21 8L31 42L0 22L-31 42L-21 8L-48 -15L-14 -15Z").set("class", class)
}

/// Creates a triangle pointing right: to move.
pub(super) fn pointer(class: &'static str) -> Element {
    path("M-30 -42L42 0L-30 42Z").set("class", class)
}

/// Creates a cross of two strokes: something was captured here.
pub(super) fn cross(stroke: &'static str) -> Element {
    let bar =
        |from, to| line(from, to).set("class", stroke).set("stroke-width", 14).set("stroke-linecap", "round");
    group([bar((-34, -34), (34, 34)), bar((-34, 34), (34, -34))])
}

/// Creates a ring with a bar across: forbidden now.
pub(super) fn forbidden(stroke: &'static str) -> Element {
    group([
        circle(0, 0, 40).set("class", stroke).set("fill", "none").set("stroke-width", 12),
        line((-28, 28), (28, -28)).set("class", stroke).set("stroke-width", 12),
    ])
}

/// Creates an angel: a triangle pointing up with a ring above it.
pub(super) fn angel(class: &'static str, stroke: &'static str) -> Element {
    let ring = Element::new("ellipse").set("cx", 0).set("cy", -38).set("rx", 22).set("ry", 8);
    group([
        path("M0 -26L44 46H-44Z").set("class", class),
        ring.set("class", stroke).set("fill", "none").set("stroke-width", 7),
    ])
}

/// Creates a demon: a triangle pointing down with horns.
pub(super) fn demon(class: &'static str) -> Element {
    path("M-46 -46L-20 -24H20L46 -46L36 -10L0 48L-36 -10Z").set("class", class)
}

/// Creates an arrow between two positions, to draw below pieces. It ends `short` units before its
/// destination.
pub(super) fn arrow((x1, y1): (i32, i32), (x2, y2): (i32, i32), short: i32) -> Element {
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = (dx * dx + dy * dy).isqrt().max(1);
    let along = |far: i32, aside: i32| {
        let (far, aside) = (far.clamp(0, length), aside);
        (x1 + (dx * far - dy * aside) / length, y1 + (dy * far + dx * aside) / length)
    };
    let tip = length - short;
    let shaft = line(along(5, 0), along(tip - 9, 0)).set("class", "mark-line").set("stroke-width", 5);
    let head = [along(tip, 0), along(tip - 15, 9), along(tip - 15, -9)];
    let points: Vec<String> = head.iter().map(|(x, y)| format!("{x},{y}")).collect();
    let head = Element::new("polygon").set("points", points.join(" ")).set("class", "mark-ink");
    group([shaft.set("stroke-linecap", "round"), head])
}

/// Creates four corner brackets around a position: a square that the last move changed.
pub(super) fn corners(x: i32, y: i32, half: i32) -> Element {
    let (near, far) = (half / 2, half);
    let data = [(-1, -1), (1, -1), (1, 1), (-1, 1)].map(|(h, v)| {
        let (h, v) = (|at: i32| x + h * at, |at: i32| y + v * at);
        format!("M{} {}H{}V{}", h(near), v(far), h(far), v(near))
    });
    path(&data.concat())
        .set("class", "mark-line")
        .set("fill", "none")
        .set("stroke-width", (half / 8).clamp(2, 5))
}
