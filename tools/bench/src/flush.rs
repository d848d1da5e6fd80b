//! Flushes of 8 KiB, the size of a database's page, to disk: the lower bound of every commit.

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::figure::Figure;
use crate::samples::Samples;
use crate::window::{Phases, Window};

const PAGE: [u8; 8192] = [0x5a; 8192];
/// The file is overwritten in a circle, as a database recycles the files of its log.
const PAGES: u64 = 2048;

/// Writes and flushes pages of a file in `folder`, one at a time.
pub(crate) fn measure(folder: &Path, phases: Phases) -> Result<Figure> {
    let mut file =
        tempfile::tempfile_in(folder).with_context(|| format!("cannot write in {}", folder.display()))?;
    for _ in 0..PAGES {
        file.write_all(&PAGE)?;
    }
    file.sync_all()?;
    let window = Window::from_now(phases);
    let mut samples = Samples::default();
    for page in (0..PAGES).cycle() {
        let started = Instant::now();
        if window.is_over(started) {
            break;
        }
        file.seek(SeekFrom::Start(page * PAGE.len() as u64))?;
        file.write_all(&PAGE)?;
        file.sync_data()?;
        samples.add(&window, started, 0);
    }
    Ok(Figure::of(1, &window, samples))
}
