//! The database's URL from a file, where a password stands in neither a command line nor an environment.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// More than any URL needs; the path may name something endless.
const MAX_BYTES: u64 = 4096;

/// What the file says, without the line end. Errors name the file and never its content.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let complaint = |what: &str| format!("--database-url-file: {} {what}", path.display());
    let text = read_bounded(path).map_err(|error| complaint(&format!("can't be read: {error}")))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(complaint("is too long for a URL"));
    }
    match text.trim() {
        "" => Err(complaint("is empty")),
        url => Ok(url.to_owned()),
    }
}

fn read_bounded(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::read;

    fn said_of(content: &[u8]) -> Result<String, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        read(file.path())
    }

    #[test]
    fn the_line_end_does_not_count() {
        assert_eq!(said_of(b"postgres://ann@db/games\r\n"), Ok("postgres://ann@db/games".to_owned()));
    }

    #[test]
    fn what_is_no_url_is_told_without_repeating_it() {
        for (content, what) in
            [(&b" \n"[..], "is empty"), (b"s3cret\xff", "can't be read"), (&[b'x'; 5000], "too long")]
        {
            let error = said_of(content).unwrap_err();
            assert!(error.contains(what) && !error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = read("/nowhere/url".as_ref()).unwrap_err();
        assert!(error.contains("/nowhere/url can't be read"), "{error}");
    }
}
