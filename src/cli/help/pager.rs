//! Shows a text with a pager on a terminal.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;
use signal_hook::flag;

use crate::cli::CliError;
use crate::cli::output::print;

/// Prints a text: through a pager if standard output is a terminal and a pager can be
/// started, otherwise directly.
///
/// # Errors
/// [`CliError::Output`] if the text cannot be written.
pub(super) fn show(text: &str) -> Result<(), CliError> {
    if io::stdout().is_terminal() {
        let pager = env::var("PAGER").ok();
        let shown = words(pager.as_deref()).map(|words| page(&words, text));
        if matches!(shown, Some(Ok(()))) {
            return Ok(());
        }
    }
    print(text)
}

/// The command line of the pager; `None` for no pager. `-FRX`: print a text that fits
/// on the screen at once, show colours, and leave the text on the screen.
fn words(pager: Option<&str>) -> Option<Vec<String>> {
    let words = shlex::split(pager.unwrap_or("less -FRX"))?;
    let plain = matches!(words.first().map(String::as_str), None | Some("cat"));
    (!plain).then_some(words)
}

/// Shows a text with a pager and waits until it is closed.
///
/// # Errors
/// If the pager cannot be started; then nothing has been shown.
fn page(words: &[String], text: &str) -> io::Result<()> {
    // Ctrl-C is for the pager. If it ended this program, the pager could not restore
    // the terminal.
    flag::register(SIGINT, Arc::new(AtomicBool::new(false)))?;
    let mut pager = Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = pager.stdin.take() {
        match input.write_all(text.as_bytes()) {
            // The pager was closed early: not an error.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error),
            _ => {}
        }
    }
    pager.wait().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_variable_names_the_pager() {
        assert_eq!(words(None), Some(owned(&["less", "-FRX"])));
        assert_eq!(words(Some("more -d")), Some(owned(&["more", "-d"])));
        assert_eq!(words(Some("'my pager'")), Some(owned(&["my pager"])));
        for plain in ["", " ", "cat", "an 'open quote"] {
            assert_eq!(words(Some(plain)), None, "{plain:?}");
        }
    }

    #[test]
    fn a_pager_gets_the_whole_text_and_may_leave() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shown");
        let script = format!("cat > '{}'", file.display());
        let text = "a line\n".repeat(100_000);
        page(&owned(&["sh", "-c", &script]), &text).unwrap();
        assert_eq!(std::fs::read_to_string(file).unwrap(), text);
        page(&owned(&["true"]), &text).unwrap();
        assert!(page(&owned(&["no-such-pager"]), &text).is_err());
    }
}
