//! A text followed by signatures, as specified in <https://c2sp.org/signed-note>.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{KeyName, PublicKey, Signer};

/// Maximum length of a note, in bytes.
const MAX_NOTE: usize = 64 << 10;

/// Maximum number of signatures of a note.
const MAX_SIGNATURES: usize = 16;

/// A text with signatures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedNote {
    /// The signed text, which ends with a line feed.
    text: String,
    signatures: Vec<NoteSignature>,
}

/// A signature of a note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoteSignature {
    /// Name of its key.
    pub name: KeyName,
    /// ID of its key.
    pub id: [u8; 4],
    /// Ed25519 signature of the text, unless the key has another type.
    bytes: Vec<u8>,
}

/// Why a text is not a signed note.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a signed note: {0}")]
pub struct BadNote(&'static str);

impl SignedNote {
    /// Signs a text, which must end with a line feed. Its first line names the note's purpose, so that no
    /// note passes as one made for another.
    pub fn sign(text: String, signer: &Signer) -> Self {
        let key = signer.public_key();
        let bytes = signer.sign(&text).to_vec();
        let signature = NoteSignature { name: key.name().clone(), id: key.id(), bytes };
        Self { text, signatures: vec![signature] }
    }

    /// Returns the signed text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the signatures, none of them verified.
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }

    /// Returns whether this key has signed the note. Every signature that claims to be the key's must be
    /// valid.
    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        let mut claimed =
            self.signatures.iter().filter(|one| one.name == *key.name() && one.id == key.id()).peekable();
        let valid = |one: &NoteSignature| {
            <&[u8; 64]>::try_from(one.bytes.as_slice()).is_ok_and(|bytes| key.verifies(&self.text, bytes))
        };
        claimed.peek().is_some() && claimed.all(valid)
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
            return Err(BadNote("it exceeds 64 KiB"));
        }
        if note.chars().any(|c| c < ' ' && c != '\n') {
            return Err(BadNote("it has control characters"));
        }
        let blank = note.rfind("\n\n").ok_or(BadNote("it has no blank line before the signatures"))?;
        let (text, lines) = (&note[..=blank], &note[blank + 2..]);
        let lines = lines.strip_suffix('\n').ok_or(BadNote("its last line has no line feed"))?;
        let signatures = lines.split('\n').map(read_signature).collect::<Result<Vec<_>, _>>()?;
        if signatures.len() > MAX_SIGNATURES {
            return Err(BadNote("it has more than 16 signatures"));
        }
        Ok(Self { text: text.to_owned(), signatures })
    }
}

fn read_signature(line: &str) -> Result<NoteSignature, BadNote> {
    const BAD: BadNote = BadNote("a signature line does not have the form `\u{2014} NAME BASE64`");
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
    fn a_note_survives_the_round_trip_and_verifies_with_its_key_alone() {
        let note = SignedNote::sign("first\n\nsecond\n".to_owned(), &signer(1));
        let read: SignedNote = note.to_string().parse().unwrap();
        assert_eq!(read, note);
        assert!(read.is_signed_by(&signer(1).public_key()));
        assert!(!read.is_signed_by(&signer(2).public_key()));
    }

    /// The note is the example of the signed-note specification; its Go implementation publishes the key.
    #[test]
    fn a_published_note_verifies() {
        let note = "If you think cryptography is the answer to your problem,\n\
                    then you don't know what your problem is.\n\
                    \n\
                    \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1\
                    FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
        let key: PublicKey =
            "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW".parse().unwrap();
        let read: SignedNote = note.parse().unwrap();
        assert!(read.is_signed_by(&key));
        assert_eq!(read.to_string(), note);
    }

    #[test]
    fn a_note_has_at_most_16_signatures_and_64_kib() {
        let signed = |text: &str, signatures: usize| {
            let note = SignedNote::sign(text.to_owned(), &signer(1));
            let signatures = vec![note.signatures[0].clone(); signatures];
            SignedNote { signatures, ..note }.to_string()
        };
        assert_eq!(signed("text\n", 16).parse::<SignedNote>().unwrap().signatures.len(), 16);
        assert!(signed("text\n", 17).parse::<SignedNote>().is_err());
        let rest = signed("\n", 1).len() - 1;
        let long = |bytes: usize| signed(&("x".repeat(bytes - rest - 1) + "\n"), 1);
        assert_eq!(long(64 << 10).len(), 64 << 10);
        assert!(long(64 << 10).parse::<SignedNote>().is_ok());
        assert!(long((64 << 10) + 1).parse::<SignedNote>().is_err());
    }

    #[test]
    fn malformed_notes_are_rejected() {
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
