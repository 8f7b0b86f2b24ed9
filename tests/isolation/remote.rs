//! Players on another machine, which is this one: games through ssh.

use super::{Arena, ada, is_regular, processes};
use crate::program::{Program, SANTORINI, wait_until};
use crate::ssh::Sshd;

/// A seed that no other test uses.
const SEED: &str = "86086";

#[test]
fn a_player_started_by_ssh_plays_in_every_mode() {
    let Some(arena) = Arena::new("full") else {
        return;
    };
    let Some(sshd) = Sshd::start() else {
        return;
    };
    for isolation in ["off", "processes", "full"] {
        let mut command = arena.command("referee --time 50", isolation);
        let remote = format!("SANTORINI_TIME=50 exec {SANTORINI} fake-player random --seed {SEED}");
        command.args([format!("Bob={} {remote}", sshd.client()), ada()]);
        let ended = Program::start(command).end();
        assert!(is_regular(ended.errors.last().unwrap()), "{ended:?}");
        let player = [SANTORINI, "fake-player", "random", "--seed", SEED, ""].join("\0");
        wait_until("its end", || processes(player.as_bytes()) == 0);
    }
}
