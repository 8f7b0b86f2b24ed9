//! The TCP tournament server: bots connect and play a round robin on 6x6.
//!
//! | to see or change | look at |
//! |---|---|
//! | assembling and starting the server | `serve.rs` |
//! | the messages; the protocol for authors of bots | `src/games/protocol/tcp.rs`, `src/games/protocol/TCP.txt` |
//! | the rules and the outcome of one game, without connections | `game.rs`; the names of endings `src/games/record/ending.rs` |
//! | why an answer is illegal, in words | `refusal.rs` |
//! | one game between two connections, forfeits | `play.rs` |
//! | the schedule, the maximum of bots and rounds, which games can start | `schedule.rs` |
//! | a bot's seat: who may take it, whether it is connected or late | `entrant.rs` |
//! | games lost because a bot is absent | `no_show.rs` |
//! | settings, the course of the tournament | `tournament.rs` |
//! | accepting bots, limits of connections and names | `accept.rs` |
//! | reading and sending lines with bounded memory | `connection.rs` |
//! | the log of all lines | `line_log.rs` |
//! | the results file, and resuming from it | `results_file.rs` |
//! | the table | `standings.rs` |
//! | measuring the server's latency | `latency.rs` |
//! | what spectators see | `live.rs` |
//! | the web page for spectators | `watch/` |
//! | the port of a web page, limits of connections | `src/base/http/` |

mod accept;
mod connection;
mod entrant;
mod game;
mod latency;
mod line_log;
mod live;
mod no_show;
mod play;
mod refusal;
mod results_file;
mod schedule;
mod serve;
mod standings;
mod tournament;
mod watch;

pub use connection::LONGEST_LINE;
pub use game::{Game, Outcome};
pub use latency::Latency;
pub use line_log::{LINE_LOG, LineLog};
pub use live::{Phase, TournamentView};
pub use play::Terms;
pub use results_file::{ForeignFile, ResultsFile, ResumedTournament};
pub use schedule::{MOST_BOTS, MOST_ROUNDS};
pub use serve::Server;
pub use standings::{Score, Standings};
pub use tournament::{FinalReport, ServerSettings};
