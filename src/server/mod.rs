//! The TCP tournament server: bots connect, and play a round robin on 6x6.
//!
//! | to see or change | look at |
//! |---|---|
//! | how the parts are put together and started | `serve.rs` |
//! | the protocol, for authors of bots (`santorini help protocol`) | `PROTOCOL.txt` |
//! | the lines that are sent and read | `protocol.rs` |
//! | one game, step by step, without connections | `game.rs` |
//! | why an answer is not played, in words | `refusal.rs` |
//! | who won a game, and how | `outcome.rs` |
//! | one game between two connections, forfeits | `play.rs` |
//! | who plays whom and when | `schedule.rs` |
//! | who may take a seat, is there, or late | `entrant.rs` |
//! | games that bots lose because they are away | `absence.rs` |
//! | entries, points, the course of the tournament | `tournament.rs` |
//! | who is let in, limits of connections and names | `entrance.rs` |
//! | places that networks share fairly | `places.rs` |
//! | reading and sending with bounded memory | `connection.rs` |
//! | the results file, going on with it | `results_file.rs` |
//! | the table | `standings.rs` |
//! | how fast the server answers | `latency.rs` |
//! | what spectators can see | `live.rs` |
//! | the web page that shows it | `watch/` |
//! | the port of a web page, limits of connections | `port.rs` |
//! | who may open a web page: names, origins, tokens | `guard.rs`, `proxy.rs`, `token.rs` |

mod absence;
mod connection;
mod entrance;
mod entrant;
mod game;
pub(crate) mod guard;
mod latency;
mod live;
mod outcome;
pub(crate) mod places;
mod play;
pub(crate) mod port;
pub mod protocol;
mod proxy;
mod refusal;
mod results_file;
mod schedule;
mod serve;
mod standings;
mod token;
mod tournament;
mod watch;

pub use connection::LONGEST_LINE;
pub use game::Game;
pub use guard::Access;
pub use latency::Latency;
pub use live::{Gallery, Phase};
pub use outcome::Outcome;
pub use play::Terms;
pub use port::Page;
pub use proxy::ProxyAddress;
pub use results_file::{ResultsFile, ResultsFileError, Resumed};
pub use serve::{ServeError, Server};
pub use standings::{Score, Standings};
pub use token::{TOKEN_VARIABLE, Token};
pub use tournament::{FinalReport, MOST_BOTS, MOST_ROUNDS, ServerSettings};
