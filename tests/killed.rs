//! Kills and resumes tournaments, servers and other commands a few times;
//! `long/killed.rs` does so many times.

use crate::kills::commands;
use crate::kills::serve::Serve;
use crate::kills::survive;
use crate::kills::tournament::Tournament;

#[test]
fn a_tournament_that_is_killed_loses_nothing() {
    survive::<Tournament>(8, 1);
}

#[test]
fn a_server_that_is_killed_loses_nothing() {
    survive::<Serve>(8, 1);
}

#[test]
fn commands_that_are_killed_leave_whole_files() {
    commands::survive(26, 1);
}
