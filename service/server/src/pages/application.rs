//! The page for browsers: one document, at every path that names something in it, and the files it loads.

use std::collections::HashMap;

use super::fixed_page::FixedPage;

/// Allows scripts, styles and calls of this service alone, and the verifier, which is WebAssembly.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";

/// The paths that show the document besides `/`, which is JSON for scripts. A star stands for one segment,
/// which the document reads.
const PATHS: [&[&str]; 5] = [&["new"], &["new", "*"], &["matches", "*"], &["games", "*"], &["verify"]];

/// The page for browsers.
pub(super) struct Application {
    document: FixedPage,
    files: HashMap<&'static str, FixedPage>,
}

impl Application {
    /// Takes the embedded files.
    pub(super) fn new() -> Self {
        let document = FixedPage::new("text/html; charset=utf-8", web::DOCUMENT).with_policy(POLICY);
        // A worker is bound by the policy of its own script.
        let page = |file: &web::File| (file.path, FixedPage::of_file(file).with_policy(POLICY));
        Self { document, files: web::FILES.iter().map(page).collect() }
    }

    /// Returns the document.
    pub(super) fn document(&self) -> &FixedPage {
        &self.document
    }

    /// Returns what a path shows, if it is the page's.
    pub(super) fn find(&self, path: &str) -> Option<&FixedPage> {
        self.files.get(path).or_else(|| shows_document(path).then_some(&self.document))
    }
}

fn shows_document(path: &str) -> bool {
    let segments: Vec<&str> = path.split('/').skip(1).take(3).collect();
    let names =
        |pattern: &&str, segment: &&str| *pattern == *segment || *pattern == "*" && !segment.is_empty();
    PATHS.iter().any(|pattern| {
        pattern.len() == segments.len() && pattern.iter().zip(&segments).all(|(one, other)| names(one, other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_at_paths_that_name_something_in_it() {
        for path in ["/new", "/new/cresnovian", "/matches/0193", "/games/x", "/verify"] {
            assert!(shows_document(path), "{path}");
        }
        for path in
            ["/", "/new/", "/matches", "/matches/", "/matches/a/b", "/verify/a", "/games/a/", "new", ""]
        {
            assert!(!shows_document(path), "{path}");
        }
    }
}
