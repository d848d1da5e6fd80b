//! Signatures on logs: C2SP signed notes under Ed25519 keys that have a name. What a note on a log says is in `head`.

mod head;
mod key;
mod signed;

pub(crate) use head::hex;
pub use head::{Head, hash_from_hex};
pub use key::{BadKey, KeyName, PublicKey, Signer};
pub use signed::{BadNote, NoteSignature, SignedNote};
