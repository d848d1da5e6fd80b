//! What the disk takes to keep 8 KiB, the size of a database's page: the floor of every commit.

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::figure::Figure;
use crate::tally::Tally;
use crate::window::{Span, Window};

const PAGE: [u8; 8192] = [0x5a; 8192];
/// The file is written round and round, as a database's log recycles its files.
const PAGES: u64 = 2048;

/// Writes and flushes one page after the other in a file of that folder.
pub(crate) fn measure(folder: &Path, span: Span) -> Result<Figure> {
    let mut file =
        tempfile::tempfile_in(folder).with_context(|| format!("cannot write in {}", folder.display()))?;
    for _ in 0..PAGES {
        file.write_all(&PAGE)?;
    }
    file.sync_all()?;
    let window = Window::from_now(span);
    let mut tally = Tally::default();
    for page in (0..PAGES).cycle() {
        let asked = Instant::now();
        if window.is_over(asked) {
            break;
        }
        file.seek(SeekFrom::Start(page * PAGE.len() as u64))?;
        file.write_all(&PAGE)?;
        file.sync_data()?;
        tally.count(&window, asked, 0);
    }
    Ok(Figure::of(1, &window, tally))
}
