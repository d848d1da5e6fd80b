//! Reads `--database-url-file`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// More than any URL needs; the path may name an endless device.
const MAX_BYTES: u64 = 4096;

/// Returns the URL without surrounding whitespace. Errors name the file and never repeat its content.
pub(super) fn read(path: &Path) -> Result<String, String> {
    let error = |what: &str| format!("{} {what}", path.display());
    let text = read_bounded(path).map_err(|cause| error(&format!("cannot be read: {cause}")))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(error("is too long for a URL"));
    }
    match text.trim() {
        "" => Err(error("is empty")),
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

    fn read_content(content: &[u8]) -> Result<String, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        read(file.path())
    }

    #[test]
    fn the_line_end_is_trimmed() {
        assert_eq!(read_content(b"postgres://ann@db/games\r\n"), Ok("postgres://ann@db/games".to_owned()));
    }

    #[test]
    fn errors_do_not_repeat_the_content() {
        for (content, what) in
            [(&b" \n"[..], "is empty"), (b"s3cret\xff", "cannot be read"), (&[b'x'; 5000], "too long")]
        {
            let error = read_content(content).unwrap_err();
            assert!(error.contains(what) && !error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = read("/nowhere/url".as_ref()).unwrap_err();
        assert!(error.contains("/nowhere/url cannot be read"), "{error}");
    }
}
