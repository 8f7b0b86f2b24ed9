//! The tournament server as its bots meet it: the real program, real sockets
//! on loopback, bots of all manners.

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
mod harness;
mod misbehaviour;
mod page;
mod protocol;
mod resume;
mod seats;
mod whole;
