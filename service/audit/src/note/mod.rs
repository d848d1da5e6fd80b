//! Signatures on logs: C2SP signed notes with named Ed25519 keys.

mod key;
mod signed_head;
mod signed_note;

pub use key::{BadKey, KeyName, PublicKey, Signer, keys_in};
pub use signed_head::SignedHead;
pub use signed_note::{BadNote, NoteSignature, SignedNote};
