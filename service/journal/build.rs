//! Lists the migrations of each kind of database. `sqlx::migrate!` does it too, but with it the driver of
//! every database is compiled a second time, for the macro.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let out = env::var("OUT_DIR").expect("cargo sets it");
    for database in ["postgres", "sqlite"] {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations").join(database).canonicalize()?;
        println!("cargo::rerun-if-changed={}", folder.display());
        fs::write(Path::new(&out).join(format!("{database}_migrations.rs")), list(&folder)?)?;
    }
    Ok(())
}

/// Returns a slice of the names and statements of a folder's migrations, by number, as Rust code.
fn list(folder: &Path) -> io::Result<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with(|first: char| first.is_ascii_digit()) {
            names.push(name);
        }
    }
    names.sort();
    let entries = names.iter().map(|name| format!("({name:?}, include_str!({:?})),", folder.join(name)));
    Ok(format!("&[{}]", entries.collect::<String>()))
}
