//! Tournaments, servers and other commands are killed a few times and resumed. The
//! full-size test is `long/killed.rs`.

use crate::kills::commands;
use crate::kills::serve::Serve;
use crate::kills::survive;
use crate::kills::tournament::Tournament;

#[test]
fn a_killed_tournament_loses_nothing() {
    survive::<Tournament>(8, 1);
}

#[test]
fn a_killed_server_loses_nothing() {
    survive::<Serve>(8, 1);
}

#[test]
fn killed_commands_leave_complete_files() {
    commands::survive(26, 1);
}
