//! A text with signatures under it, as <https://c2sp.org/signed-note> writes it.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{KeyName, PublicKey, Signer};

/// The most characters of a note.
const MAX_NOTE: usize = 64 << 10;

/// The most signatures of a note.
const MAX_SIGNATURES: usize = 16;

/// A signed text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedNote {
    /// What was signed; it ends with a line feed.
    text: String,
    signatures: Vec<NoteSignature>,
}

/// A signature under a note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoteSignature {
    /// The name of its key.
    pub name: KeyName,
    /// The id of its key.
    pub id: [u8; 4],
    /// An Ed25519 signature of the text, unless the key is of another type.
    bytes: Vec<u8>,
}

/// Why a text is no signed note.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a signed note: {0}")]
pub struct BadNote(&'static str);

impl SignedNote {
    /// Signs a text, which must end with a line feed.
    pub(super) fn sign(text: String, signer: &Signer) -> Self {
        let key = signer.public_key();
        let bytes = signer.sign(&text).to_vec();
        let signature = NoteSignature { name: key.name().clone(), id: key.id(), bytes };
        Self { text, signatures: vec![signature] }
    }

    /// What was signed, whoever did.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The signatures as they stand there, unchecked.
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }

    /// Whether the note has a signature of this key, and it is good. A bad one beside a good one spoils it.
    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        let mut own =
            self.signatures.iter().filter(|one| one.name == *key.name() && one.id == key.id()).peekable();
        let good = |one: &NoteSignature| {
            <&[u8; 64]>::try_from(one.bytes.as_slice()).is_ok_and(|bytes| key.has_signed(&self.text, bytes))
        };
        own.peek().is_some() && own.all(good)
    }
}

impl fmt::Display for SignedNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        for one in &self.signatures {
            let bytes = [one.id.as_slice(), &one.bytes].concat();
            writeln!(f, "\u{2014} {} {}", one.name, STANDARD.encode(bytes))?;
        }
        Ok(())
    }
}

impl FromStr for SignedNote {
    type Err = BadNote;

    fn from_str(note: &str) -> Result<Self, BadNote> {
        if note.len() > MAX_NOTE {
            return Err(BadNote("it is too long"));
        }
        if note.chars().any(|c| c < ' ' && c != '\n') {
            return Err(BadNote("it has control characters"));
        }
        let blank = note.rfind("\n\n").ok_or(BadNote("no blank line stands before the signatures"))?;
        let (text, lines) = (&note[..=blank], &note[blank + 2..]);
        let lines = lines.strip_suffix('\n').ok_or(BadNote("its last line has no end"))?;
        let signatures = lines.split('\n').map(read_signature).collect::<Result<Vec<_>, _>>()?;
        if signatures.len() > MAX_SIGNATURES {
            return Err(BadNote("it has too many signatures"));
        }
        Ok(Self { text: text.to_owned(), signatures })
    }
}

fn read_signature(line: &str) -> Result<NoteSignature, BadNote> {
    const BAD: BadNote = BadNote("a line of a signature has the form `\u{2014} NAME BASE64`");
    let (name, base64) = line.strip_prefix("\u{2014} ").and_then(|rest| rest.split_once(' ')).ok_or(BAD)?;
    let bytes = STANDARD.decode(base64).map_err(|_| BAD)?;
    let (id, bytes) = bytes.split_first_chunk().ok_or(BAD)?;
    Ok(NoteSignature { name: name.parse().map_err(|_| BAD)?, id: *id, bytes: bytes.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer(secret: u8) -> Signer {
        Signer::new("play.example".parse().unwrap(), &[secret; 32])
    }

    #[test]
    fn a_note_comes_back_and_verifies_with_its_key_alone() {
        let note = SignedNote::sign("first\n\nsecond\n".to_owned(), &signer(1));
        let read: SignedNote = note.to_string().parse().unwrap();
        assert_eq!(read, note);
        assert!(read.is_signed_by(&signer(1).public_key()));
        assert!(!read.is_signed_by(&signer(2).public_key()));
    }

    /// The example of the signed-note specification, with the key that its Go implementation publishes.
    #[test]
    fn a_published_note_verifies() {
        let note = "If you think cryptography is the answer to your problem,\n\
                    then you don't know what your problem is.\n\
                    \n\
                    \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
        let key: PublicKey =
            "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW".parse().unwrap();
        let read: SignedNote = note.parse().unwrap();
        assert!(read.is_signed_by(&key));
        assert_eq!(read.to_string(), note);
    }

    #[test]
    fn what_is_no_note_is_refused() {
        for bad in [
            "",
            "text\n",
            "text\n\n",
            "text\n\n- a AAAAAAAA\n",
            "te\rxt\n\n\u{2014} a AAAAAAAA\n",
            "t\n\n\u{2014} a AA==\n",
        ] {
            assert!(bad.parse::<SignedNote>().is_err(), "{bad:?}");
        }
    }
}
