//! Playing on a terminal: typing ahead, Ctrl-Z, Ctrl-C, and text that fits.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread::spawn;
use std::time::Instant;

use nix::pty::{Winsize, openpty};
use nix::sys::termios::{LocalFlags, tcgetattr};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::program::{HANG, Signal, santorini, signal, wait_until};

/// `santorini play` on a terminal, in a process group of its own and with its own home
/// folder. It is killed when the value is dropped.
struct Terminal {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// What the screen got after the last text that was waited for.
    rest: String,
    /// The program's end of the terminal.
    program: OwnedFd,
    _home: tempfile::TempDir,
}

impl Terminal {
    /// Starts a game by hand. `variables` are added to an environment in UTF-8 without
    /// colour.
    fn start(columns: u16, variables: &[(&str, &str)]) -> Self {
        let size = Winsize {
            ws_row: 24,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let pair = openpty(&size, None).unwrap();
        let home = tempfile::tempdir().unwrap();
        let mut command = santorini(&["play", "--against", "nobody"]);
        for name in ["LC_ALL", "LC_CTYPE", "XDG_STATE_HOME"] {
            command.env_remove(name);
        }
        command
            .env("HOME", home.path())
            .env("LANG", "C.UTF-8")
            .env("NO_COLOR", "1")
            .env("TERM", "xterm")
            .envs(variables.iter().copied())
            .process_group(0)
            .stdin(pair.slave.try_clone().unwrap())
            .stdout(pair.slave.try_clone().unwrap())
            .stderr(pair.slave.try_clone().unwrap());
        let child = command.spawn().unwrap();
        let keyboard = File::from(pair.master);
        let mut shown = keyboard.try_clone().unwrap();
        let (send, screen) = channel();
        spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = shown.read(&mut bytes) {
                if count == 0 || send.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            keyboard,
            screen,
            rest: String::new(),
            program: pair.slave,
            _home: home,
        }
    }

    fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// What the program writes up to this text, which is included.
    fn until(&mut self, text: &str) -> String {
        let end = Instant::now() + HANG;
        loop {
            if let Some(at) = self.rest.find(text) {
                let rest = self.rest.split_off(at + text.len());
                return std::mem::replace(&mut self.rest, rest);
            }
            let left = end.saturating_duration_since(Instant::now());
            let more = self.screen.recv_timeout(left);
            let more = more.unwrap_or_else(|_| panic!("{text:?} does not come: {}", self.rest));
            self.rest += &String::from_utf8_lossy(&more);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn every_line_typed_ahead_is_a_request() {
    let mut terminal = Terminal::start(80, &[]);
    terminal.until("place> ");
    terminal.types("b2 d4\rd2 b4\rjson\rcards pan\rturns\rlist\rquit\r");
    let shown = terminal.until("the game is saved in ");
    for part in [
        "\"turn\":0}",
        "You also win",
        " legal turns:\r\n",
        ">   0  start\r\n",
    ] {
        assert!(shown.contains(part), "{part:?} is missing: {shown}");
    }
    wait_until("the end", || terminal.child.try_wait().unwrap().is_some());
}

#[test]
fn ctrl_z_stops_with_the_old_terminal_settings() {
    let mut terminal = Terminal::start(80, &[]);
    terminal.until("place> ");
    let typed = |terminal: &Terminal| {
        let flags = tcgetattr(&terminal.program).unwrap().local_flags;
        flags.contains(LocalFlags::ICANON | LocalFlags::ECHO)
    };
    assert!(!typed(&terminal), "the editor reads single keys");
    terminal.types("b2 ");
    terminal.until("b2 ");
    terminal.types("\u{1a}");
    let id = Pid::from_raw(terminal.child.id() as i32);
    let stopped = waitpid(id, Some(WaitPidFlag::WUNTRACED)).unwrap();
    assert_eq!(stopped, WaitStatus::Stopped(id, Signal::SIGTSTP));
    assert!(typed(&terminal), "the settings of the shell are back");
    signal(terminal.child.id(), Signal::SIGCONT);
    terminal.until("place> b2 ");
    assert!(!typed(&terminal), "the editor continues");
    terminal.types("d4\r");
    terminal.until("Place both workers of the second player");
}

#[test]
fn a_signal_ends_the_line_of_the_prompt() {
    let mut terminal = Terminal::start(80, &[("TERM", "dumb")]);
    terminal.types("b2 d4\nd2 b4\n");
    terminal.until("turn 0: X to move");
    terminal.until("\n> ");
    signal(terminal.child.id(), Signal::SIGINT);
    let shown = terminal.until("the game is saved in ");
    assert!(shown.contains("\nthe game is saved"), "{shown:?}");
}

#[test]
fn text_fits_the_terminal_and_its_locale() {
    let mut terminal = Terminal::start(40, &[("LC_ALL", "C")]);
    terminal.until("place> ");
    terminal.types("nonsense\rrules\rend\r");
    let shown = terminal.until("\"end\" is not possible yet");
    assert!(shown.contains("is not two spaces; type"), "{shown}");
    let lines = shown.lines().filter(|line| !line.contains("place> "));
    for line in lines {
        assert!(line.is_ascii() && line.len() <= 40, "{line:?}");
    }
}
