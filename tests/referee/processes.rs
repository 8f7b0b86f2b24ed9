//! No process is left, and good players keep running between games.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use santorini::jobs::NEVER;
use santorini::program::{Player, TimeLimit};
use santorini::referee::{GameOptions, GameOutcome, play};

use super::{command, fake, finish, loses};
use crate::place::players_of;
use crate::program::{
    HANG, Program, SANTORINI, Signal, santorini, signal, use_default_hangup, wait_until,
};

#[test]
fn an_interrupted_game_leaves_no_process() {
    for interrupt in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        let mut command = command(
            &["--time", "600"],
            &fake("daemon --after 2"),
            &fake("stubborn --after 2"),
        );
        use_default_hangup(&mut command);
        let program = Program::start(command);
        let id = program.id();
        // Both players, and the orphaned child of the first.
        wait_until("three players", || players_of(id).len() >= 3);
        signal(id, interrupt);
        let game = finish(program);
        assert_eq!(game.last_line(), "Error: the game was interrupted");
        assert_eq!(game.code, Some(1));
    }
}

/// A process cannot react to SIGKILL, so another one must kill the players.
#[test]
fn a_killed_referee_leaves_no_process() {
    let stubborn = fake("stubborn --after 2");
    let wrapped = format!("sh -c '{}; true'", fake("daemon --after 2"));
    for command in [&["referee"][..], &["tournament", "--reuse", "--jobs", "2"]] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = santorini(command);
        command
            .args(["--time", "600", &stubborn, &wrapped])
            .current_dir(&folder);
        let program = Program::start(command);
        let id = program.id();
        // The stubborn player, the shell, and its player in another session.
        wait_until("three players", || players_of(id).len() >= 3);
        // This kills it.
        drop(program);
        wait_until("the players' end", || players_of(id).is_empty());
    }
}

/// The token opens the web pages of this program.
#[test]
fn players_do_not_get_the_token_of_a_page() {
    for isolation in ["off", "processes"] {
        let options = ["--isolate", isolation];
        let mut command = command(
            &options,
            "sh -c 'env | grep ^SANTORINI_ >&2; exit 3'",
            &fake("random"),
        );
        command.env("SANTORINI_TOKEN", "0123456789abcdef");
        let commentary = finish(Program::start(command)).commentary;
        assert!(commentary.contains("SANTORINI_PLAYER="), "{commentary}");
        assert!(!commentary.contains("SANTORINI_TOKEN"), "{commentary}");
    }
}

/// After `job & exec santorini referee`, the job is a child of the referee.
#[test]
fn jobs_of_the_callers_shell_are_not_killed() {
    let player = fake("random");
    let script = format!(
        "sleep 600 </dev/null >/dev/null 2>&1 & echo $! >&2; exec {SANTORINI} referee \"$1\" \"$2\" >/dev/null"
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", &player, &player]);
    let game = finish(Program::start(shell));
    assert_eq!(game.code, Some(0), "{}", game.commentary);
    let job = game.commentary.lines().next().unwrap();
    // Fails if the job is dead.
    signal(job.parse().unwrap(), Signal::SIGKILL);
}

/// Games at a time need more files than the usual soft limit allows.
#[test]
fn the_soft_limit_on_files_is_raised() {
    let player = format!("sh -c 'ulimit -n >&2; exec {}'", fake("random"));
    let script =
        format!("ulimit -Sn 40; exec {SANTORINI} referee --stderr /dev/stdout \"$1\" \"$1\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", &player]);
    let output = shell.output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let limits = told
        .lines()
        .filter_map(|line| line.rsplit_once(": ")?.1.parse().ok());
    let limits: Vec<u64> = limits.collect();
    assert!(
        limits.len() == 2 && limits.iter().all(|&limit| limit > 40),
        "{told}"
    );
}

/// Children in the group, in another session, without the environment, without a parent,
/// and without any of these.
#[test]
fn everything_that_a_player_started_is_killed() {
    // A sleep time that no other process uses.
    let nap = format!("98765.{}", std::process::id());
    let script = format!(
        "sleep {nap} & setsid sleep {nap} & env -i sleep {nap} & env -i setsid sleep {nap} & \
         (setsid sleep {nap} &) ; (env -i setsid sleep {nap} &) ; read x; echo hello; wait"
    );
    let sleepers = || {
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let commands = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        let ours = commands.filter(|command| {
            command.starts_with(b"sleep\0") && command[6..].starts_with(nap.as_bytes())
        });
        ours.count()
    };
    loses(
        &[],
        &format!("sh -c '{script}'"),
        "is not one JSON array or object",
    );
    assert_eq!(sleepers(), 0);
    // Validates the check: such a process is found.
    let mut seen = Command::new("sleep").arg(&nap).spawn().unwrap();
    wait_until("the process", || sleepers() > 0);
    seen.kill().unwrap();
    seen.wait().unwrap();
}

fn player(program: &Path, name: &str, kind: &str) -> Player {
    let command = format!("{} fake-player {kind}", program.display());
    Player::new(name, command.parse().unwrap(), TimeLimit::unannounced(HANG))
}

fn game(first: &mut Player, second: &mut Player) -> GameOutcome {
    let options = GameOptions {
        reuse: true,
        ..GameOptions::default()
    };
    play([first, second], &options, &NEVER, &mut ())
}

/// The ids of the running processes of a program.
fn running(program: &Path) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let ours = entries.filter(|entry| {
        let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        words.split(|&byte| byte == 0).next() == Some(program.as_os_str().as_bytes())
    });
    let mut ids: Vec<String> = ours
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    ids.sort();
    ids
}

#[test]
fn good_players_stay_and_faulty_ones_restart() {
    // A unique name tells its processes from those of other tests.
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("player");
    symlink(SANTORINI, &program).unwrap();
    let running = || running(&program);
    let mut first = player(&program, "A", "random");
    let mut second = player(&program, "B", "random --seed 2");
    let outcome = game(&mut first, &mut second);
    assert!(!outcome.ending.kind().is_fault(), "{outcome:?}");
    let ids = running();
    assert_eq!(ids.len(), 2);
    for _ in 0..5 {
        assert!(!game(&mut second, &mut first).ending.kind().is_fault());
        assert_eq!(running(), ids, "the same processes play on");
    }

    let mut crashing = player(&program, "C", "crash --after 3");
    for _ in 0..2 {
        let outcome = game(&mut crashing, &mut first);
        assert_eq!(outcome.ending.kind().name(), "crashed");
        assert_eq!(outcome.winner, Some(1));
        // One placement and two turns, each by a new process.
        assert_eq!((outcome.setup_seconds.len(), outcome.seconds.len()), (2, 4));
        assert_eq!(running(), ids, "only the faulty one is gone");
    }

    drop((first, second, crashing));
    assert!(running().is_empty());
}
