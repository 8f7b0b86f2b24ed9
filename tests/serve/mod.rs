//! The tournament server as its bots see it: the real program, real sockets on loopback,
//! bots of all kinds.

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
