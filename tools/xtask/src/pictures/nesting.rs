//! A drawing of the service as a part of another picture: placed, and with ids that no other part has.

use anyhow::{Context, Result, bail};

/// Returns `drawing` with `prefix` before its ids, at a place given by left, top, width and height.
pub(super) fn nested(drawing: &str, prefix: &str, place: [u32; 4]) -> Result<String> {
    if drawing.contains("url(") || drawing.contains("href=") {
        bail!("the board of {prefix} refers to ids in a way that is not renamed");
    }
    let (root, body) = drawing.split_once('>').context("a board has no root element")?;
    let body = body.replace(" id=\"", &format!(" id=\"{prefix}-"));
    Ok(format!("{}>{body}", placed(root, prefix, place)?))
}

/// Returns the opening tag with its new place and size. It keeps `viewBox`, by which the drawing scales.
fn placed(root: &str, prefix: &str, [left, top, width, height]: [u32; 4]) -> Result<String> {
    let class = attribute(root, "class")?;
    let view_box = attribute(root, "viewBox")?;
    let labels = attribute(root, "aria-labelledby")?.split(' ').map(|id| format!("{prefix}-{id}"));
    let labels = labels.collect::<Vec<_>>().join(" ");
    Ok(format!(
        "<svg x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" viewBox=\"{view_box}\" \
         class=\"{class}\" role=\"img\" aria-labelledby=\"{labels}\""
    ))
}

fn attribute<'a>(tag: &'a str, name: &str) -> Result<&'a str> {
    let value = tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
    value.map(|(value, _)| value).with_context(|| format!("a board has no attribute {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWING: &str = "<svg viewBox=\"0 0 4 2\" width=\"4\" class=\"c\" aria-labelledby=\"t d\">\
                           <title id=\"t\">T</title><g id=\"d\"/></svg>";

    #[test]
    fn ids_and_references_get_the_prefix() {
        let nested = nested(DRAWING, "p", [1, 2, 3, 4]).unwrap();
        assert_eq!(
            nested,
            "<svg x=\"1\" y=\"2\" width=\"3\" height=\"4\" viewBox=\"0 0 4 2\" class=\"c\" role=\"img\" \
             aria-labelledby=\"p-t p-d\"><title id=\"p-t\">T</title><g id=\"p-d\"/></svg>"
        );
    }

    #[test]
    fn other_references_are_refused() {
        assert!(nested(&DRAWING.replace("<g ", "<g fill=\"url(#t)\" "), "p", [0; 4]).is_err());
    }
}
