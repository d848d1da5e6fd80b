//! The page for browsers, embedded: each file, as it is and compressed, and the document that loads them. How
//! they are served is the service's matter.

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A file that the document loads. Its path contains a hash of all files, so what is there never changes.
#[derive(Debug, Clone, Copy)]
pub struct File {
    /// The path in a URL, from its first slash.
    pub path: &'static str,
    /// The value of `Content-Type`.
    pub media_type: &'static str,
    /// The contents.
    pub plain: &'static [u8],
    /// The contents, compressed with gzip.
    pub gzip: &'static [u8],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_loads_files_that_exist() {
        let quoted = DOCUMENT.split('"').filter(|text| text.starts_with("/assets/"));
        let loaded: Vec<&str> = quoted.collect();
        assert!(loaded.iter().any(|path| path.ends_with("/src/main.js")), "{loaded:?}");
        for path in loaded {
            assert!(FILES.iter().any(|file| file.path == path), "{path}");
        }
        assert!(!DOCUMENT.contains("{{"), "a placeholder was left");
    }

    #[test]
    fn all_paths_are_in_one_folder_named_by_a_hash() {
        for file in FILES {
            let [empty, assets, hash, name] = file.path.splitn(4, '/').collect::<Vec<_>>()[..] else {
                panic!("{}", file.path)
            };
            assert_eq!((empty, assets, hash.len()), ("", "assets", 16), "{}", file.path);
            assert!(hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{}", file.path);
            assert!(
                ["src/", "vendor/", "verifier.wasm"].iter().any(|start| name.starts_with(start)),
                "{}",
                file.path
            );
            assert!(FILES.iter().all(|other| other.path.contains(hash)), "{}", file.path);
        }
    }

    #[test]
    fn files_are_compressed_with_gzip() {
        for file in FILES {
            assert_eq!(file.gzip[..2], [0x1f, 0x8b], "{}", file.path);
            let [.., a, b, c, d] = *file.gzip else { panic!("{}", file.path) };
            assert_eq!(u32::from_le_bytes([a, b, c, d]) as usize, file.plain.len(), "{}", file.path);
        }
    }
}
