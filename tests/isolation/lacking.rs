//! Isolation on machines that lack something: a folder, open files, processes.

use std::process::Command;

use super::{Arena, ada, is_regular};
use crate::installed::installed;
use crate::place::fake;
use crate::program::{Ended, Program, SANTORINI};

/// A shell in which anybody may mount.
const MOUNTING: &str = "unshare --map-root-user --mount --propagation shared sh";

/// A game between Ada and Bob. A script of this shell starts it, as `"$@"`.
fn game(arena: &Arena, isolation: &str, shell: &str, script: &str) -> Ended {
    let mut shell = shell.split_whitespace();
    let mut command = Command::new(shell.next().unwrap());
    command
        .args(shell)
        .args(["-c", script, "sh", SANTORINI, "referee", "--time", "20"])
        .args(["--isolate", isolation, &ada(), &fake("Bob", "random")])
        .current_dir(arena.path(""));
    Program::start(command).end()
}

/// Plays a game that ends as usual. Returns the standard error.
fn regular_game(arena: &Arena, isolation: &str, shell: &str, script: &str) -> String {
    let ended = game(arena, isolation, shell, script);
    let told = ended.errors.join("\n");
    assert!(is_regular(ended.errors.last().unwrap()), "{told}");
    told
}

/// A folder for games with mounts, if they can be made here.
fn mounting(isolation: &str) -> Option<Arena> {
    installed(&["unshare"])?;
    Arena::new(isolation)
}

#[test]
fn players_are_isolated_without_device_files() {
    let Some(arena) = mounting("processes") else {
        return;
    };
    let script = "mount -t tmpfs empty /dev && exec \"$@\"";
    let told = regular_game(&arena, "processes", MOUNTING, script);
    assert!(!told.contains("isolated"), "{told}");
}

#[test]
fn a_missing_proc_is_named() {
    let Some(arena) = mounting("processes") else {
        return;
    };
    let script = "mount -t tmpfs empty /proc && exec \"$@\"";
    let told = regular_game(&arena, "full", MOUNTING, script);
    let line = "players are not isolated on this machine: /proc is not mounted";
    assert!(told.contains(line), "{told}");
}

#[test]
fn a_low_limit_on_processes_leaves_players_isolated() {
    let Some(arena) = Arena::new("full") else {
        return;
    };
    let script = "ulimit -u 100000; exec \"$@\" --processes 200000";
    let told = regular_game(&arena, "full", "sh", script);
    assert!(!told.contains("isolated"), "{told}");
}

#[test]
fn a_shortage_of_files_ends_the_command() {
    let Some(arena) = Arena::new("off") else {
        return;
    };
    for isolation in ["processes", "full"] {
        let ended = game(&arena, isolation, "sh", "ulimit -n 10; exec \"$@\"");
        let told = ended.errors.join("\n");
        assert!(told.contains("ulimit -n"), "{told}");
        assert!(!told.contains("isolated"), "{told}");
        assert_eq!((ended.code, ended.output), (Some(1), Vec::new()), "{told}");
    }
}

#[test]
fn mounts_for_a_player_do_not_show_outside() {
    let Some(arena) = mounting("full") else {
        return;
    };
    // The root folder of the game is not a mount, so its mounts cannot be set apart.
    let script = "mkdir root
        for folder in /*; do
            test -d $folder && mkdir root$folder && mount --rbind $folder root$folder
        done
        PATH=$PATH:/usr/sbin:/sbin chroot root sh -c 'cd \"$0\" && exec \"$@\"' \"$PWD\" \"$@\"
        cat /proc/self/mountinfo >mounts";
    let told = regular_game(&arena, "full", MOUNTING, script);
    assert!(told.contains("isolated only in part"), "{told}");
    let mounts = arena.text("mounts");
    assert!(mounts.contains("root/dev"), "{mounts}");
    assert!(!mounts.contains("scratch"), "{mounts}");
}
