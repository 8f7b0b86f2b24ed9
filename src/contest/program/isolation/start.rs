//! The referee's side: starts a launcher, and writes the user map of its namespace.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::unistd::{getegid, geteuid};

use super::super::kill::kill_tree;
use super::super::process_list::MARK;
use super::super::supervisor;
use super::message::{Channel, FromLauncher, MapsWritten, receive, send};
use super::{IN_FORCE, Isolation, LAUNCH};
use crate::http::TOKEN_VARIABLE;
use crate::mutex::MutexExt as _;

/// This program, which is run again as the launcher.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// The maximum wait for a launcher, which takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// The maximum number of launchers for one start. A launcher is killed by Ctrl-C, or another
/// signal to the referee's process group, until it has left the group.
const TRIES: usize = 10;

/// Starts a program by a launcher in a folder, if one is given, with all three standard streams
/// piped and these environment variables added. It gets the isolation in force.
///
/// # Errors
/// If the program cannot be started.
pub(in super::super) fn start(
    folder: Option<&Path>,
    words: &[&str],
    variables: &[(&str, &str)],
) -> io::Result<Child> {
    let (isolation, missing) = *IN_FORCE.locked();
    launch(isolation, missing, folder, words, variables).map(|(child, ..)| child)
}

/// Whether players can be kept apart here, and what else the kernel does not allow.
///
/// # Errors
/// If there is no launcher.
pub(super) fn probe(isolation: Isolation) -> io::Result<(bool, Vec<String>)> {
    if !Path::new(THIS_PROGRAM).exists() {
        return Ok((false, vec!["/proc is not mounted".into()]));
    }
    // The guard finds by the mark what is left if this process is killed now.
    let mark = format!("{}-probe", std::process::id());
    let variables = [(MARK, mark.as_str())];
    let (mut child, apart, missing) = launch(isolation, usize::MAX, None, &[], &variables)?;
    give_up(&mut child, &variables);
    Ok((apart, missing))
}

/// Starts a launcher, which starts no player if more than `allowed` parts of the isolation
/// are missing. One that ends without a message is replaced.
fn launch(
    isolation: Isolation,
    allowed: usize,
    folder: Option<&Path>,
    words: &[&str],
    variables: &[(&str, &str)],
) -> io::Result<(Child, bool, Vec<String>)> {
    let mut tries = TRIES;
    loop {
        match launch_once(isolation, allowed, folder, words, variables) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && tries > 1 => tries -= 1,
            launched => return launched,
        }
    }
}

fn launch_once(
    isolation: Isolation,
    allowed: usize,
    folder: Option<&Path>,
    words: &[&str],
    variables: &[(&str, &str)],
) -> io::Result<(Child, bool, Vec<String>)> {
    let (ours, theirs) = UnixStream::pair()?;
    ours.set_read_timeout(Some(PATIENCE))?;
    let mut command = Command::new(THIS_PROGRAM);
    command
        .args([LAUNCH, &theirs.as_raw_fd().to_string()])
        .args([serde_json::to_string(&isolation)?, allowed.to_string()])
        .args(words)
        .env_remove(TOKEN_VARIABLE)
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let mut child = supervisor::spawn(&mut command, Some(OwnedFd::from(theirs)))?;
    match converse(&mut Channel::new(ours), child.id()) {
        Ok((apart, missing)) => Ok((child, apart, missing)),
        Err(error) => {
            give_up(&mut child, variables);
            Err(error)
        }
    }
}

/// Answers the launcher until it has started the player.
fn converse(launcher: &mut Channel, id: u32) -> io::Result<(bool, Vec<String>)> {
    loop {
        match receive(launcher).map_err(timed_out)? {
            FromLauncher::NeedsMaps => {
                let written = write_maps(id).err();
                let error = written.map(|error| error.raw_os_error().unwrap_or_default());
                send(launcher.get_mut(), &MapsWritten(error))?;
            }
            FromLauncher::Started { apart, missing } => return Ok((apart, missing)),
            FromLauncher::Failed(error) => return Err(io::Error::from_raw_os_error(error)),
        }
    }
}

/// The error of a read that may have waited for [`PATIENCE`]. Its number, EAGAIN, would also mean
/// that there are too many processes.
fn timed_out(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::WouldBlock => io::ErrorKind::TimedOut.into(),
        _ => error,
    }
}

/// Kills a launcher and everything that it has started. `variables` hold its mark.
fn give_up(child: &mut Child, variables: &[(&str, &str)]) {
    let mark = variables.iter().find(|(name, _)| *name == MARK);
    kill_tree(child, mark.map_or("", |(_, mark)| mark));
    supervisor::ended(child.id());
}

/// Gives all users the same number inside the launcher's user namespace as outside. Only
/// root may do so; for others only their own number is mapped.
fn write_maps(launcher: u32) -> io::Result<()> {
    let write = |file: &str, text: &str| fs::write(format!("/proc/{launcher}/{file}"), text);
    if geteuid().is_root() {
        let same = |file: &str| Ok::<_, io::Error>(identity(&fs::read_to_string(file)?));
        let mapped = write("uid_map", &same("/proc/self/uid_map")?);
        if mapped.is_ok() {
            return write("gid_map", &same("/proc/self/gid_map")?);
        }
    }
    // Without this, a group that denies something to its members could be left.
    write("setgroups", "deny")?;
    write("uid_map", &format!("{0} {0} 1", geteuid()))?;
    write("gid_map", &format!("{0} {0} 1", getegid()))
}

/// The map of a new user namespace in which all users of this one keep their numbers. A line
/// of a map has the first number inside, the first one outside, and how many follow.
fn identity(map: &str) -> String {
    let ranges = map.lines().filter_map(|line| {
        let mut numbers = line.split_whitespace();
        let (first, count) = (numbers.next()?, numbers.nth(1)?);
        Some(format!("{first} {first} {count}\n"))
    });
    ranges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Shortage;

    #[test]
    fn a_slow_launcher_is_no_lack_of_processes() {
        let (ours, _theirs) = UnixStream::pair().unwrap();
        ours.set_read_timeout(Some(Duration::from_millis(10)))
            .unwrap();
        let error = converse(&mut Channel::new(ours), 0).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let shortage = Shortage::of(&error).unwrap().to_string();
        assert!(
            shortage.ends_with("did not answer within 20 s"),
            "{shortage}"
        );
    }

    #[test]
    fn an_identity_map_has_the_same_ranges() {
        let map = "         0     100000      65536\n     65536          7          1\n";
        assert_eq!(identity(map), "0 0 65536\n65536 65536 1\n");
    }
}
