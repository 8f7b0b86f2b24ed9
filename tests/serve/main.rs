//! The tournament server from the view of its bots: the real program, real sockets on
//! loopback, bots of all kinds.

#[allow(dead_code)] // The other test programs use the rest.
#[path = "../browser.rs"]
mod browser;
#[allow(dead_code)] // The other test programs use the rest.
#[path = "../installed.rs"]
mod installed;
#[allow(dead_code)] // The other test programs use the rest.
#[path = "../program.rs"]
mod program;

#[cfg(target_os = "linux")]
mod crowds;
mod files;
mod harness;
mod misbehaviour;
mod page;
mod protocol;
mod resume;
mod seats;
mod whole;
