//! A terminal for a test: a pseudo-terminal that runs the client, and an emulator that knows its screen.

use std::io::{Read as _, Write};
use std::num::NonZero;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long a test waits for the screen. A busy machine may take its time.
const PATIENCE: Duration = Duration::from_secs(60);

/// The keys that have names.
pub(crate) const ENTER: &str = "\r";
pub(crate) const ESCAPE: &str = "\u{1b}";
pub(crate) const DOWN: &str = "\u{1b}[B";
pub(crate) const UP: &str = "\u{1b}[A";
pub(crate) const TAB: &str = "\t";
pub(crate) const CTRL_C: &str = "\u{3}";

/// The client on a terminal.
pub(crate) struct TerminalScreen {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    emulator: Arc<Mutex<vt100::Parser>>,
    printed: Arc<Mutex<Vec<u8>>>,
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("a screen has cells")
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, ..PtySize::default() }
}

impl TerminalScreen {
    /// Starts a command on a terminal of this size.
    pub(crate) fn start(command: &Command, (rows, cols): (u16, u16)) -> Self {
        let pair = native_pty_system().openpty(size(rows, cols)).expect("the system has terminals");
        let mut builder = CommandBuilder::new(command.get_program());
        builder.args(command.get_args());
        builder.env("TERM", "xterm-256color");
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => builder.env(name, value),
                None => builder.env_remove(name),
            }
        }
        let child = pair.slave.spawn_command(builder).expect("the client starts");
        let mut reader = pair.master.try_clone_reader().expect("the terminal can be read");
        let emulator = Arc::new(Mutex::new(vt100::Parser::new(cells(rows), cells(cols), 0)));
        let printed = Arc::new(Mutex::new(Vec::new()));
        let (screen, bytes) = (Arc::clone(&emulator), Arc::clone(&printed));
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                screen.lock().expect("no thread panics with it").process(&buffer[..count]);
                bytes.lock().expect("no thread panics with it").extend_from_slice(&buffer[..count]);
            }
        });
        let keyboard = pair.master.take_writer().expect("the terminal can be written to");
        Self { child, master: pair.master, keyboard, emulator, printed }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("the terminal is open");
    }

    /// Returns what the screen shows.
    pub(crate) fn text(&self) -> String {
        self.emulator.lock().expect("no thread panics with it").screen().contents()
    }

    /// Returns all bytes that the client printed.
    pub(crate) fn printed(&self) -> String {
        String::from_utf8_lossy(&self.printed.lock().expect("no thread panics with it")).into_owned()
    }

    /// Waits until the screen shows what is wanted, and returns it.
    #[track_caller]
    pub(crate) fn wait_until(&self, wanted: &str, shows: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let text = self.text();
            if shows(&text) {
                return text;
            }
            assert!(began.elapsed() < PATIENCE, "the screen never shows {wanted}:\n{text}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the screen shows this text, and returns the screen.
    #[track_caller]
    pub(crate) fn wait_for(&self, wanted: &str) -> String {
        self.wait_until(wanted, |text| text.contains(wanted))
    }

    /// Changes the terminal's size.
    pub(crate) fn resize(&mut self, rows: u16, cols: u16) {
        self.emulator
            .lock()
            .expect("no thread panics with it")
            .screen_mut()
            .set_size(cells(rows), cells(cols));
        self.master.resize(size(rows, cols)).expect("the terminal is open");
    }

    /// Waits until the client ends, and returns its exit code.
    pub(crate) fn exit_code(mut self) -> u32 {
        let status = self.child.wait().expect("the client ends");
        status.exit_code()
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
    }
}
