//! Kills tournaments, servers and all other commands that write files, a thousand times
//! each.

use crate::kills::commands;
use crate::kills::serve::Serve;
use crate::kills::survive;
use crate::kills::tournament::Tournament;

const KILLS: u32 = 1000;

#[test]
#[ignore = "1,000 kills take minutes"]
fn a_tournament_that_is_killed_loses_nothing() {
    survive::<Tournament>(KILLS, 2);
}

#[test]
#[ignore = "1,000 kills take minutes"]
fn a_server_that_is_killed_loses_nothing() {
    survive::<Serve>(KILLS, 2);
}

#[test]
#[ignore = "1,000 kills take minutes"]
fn commands_that_are_killed_leave_whole_files() {
    commands::survive(KILLS, 2);
}
