//! The tournament server as its bots meet it: the real program, real sockets
//! on loopback, bots of all manners.

mod browser;
mod harness;
mod misbehaviour;
mod page;
mod protocol;
mod resume;
mod seats;
mod whole;
