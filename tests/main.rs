//! Integration tests: the program as people and referees run it, and the library as
//! other programs use it.
//!
//! | tested | where |
//! |---|---|
//! | the rules | `perft.rs`, `legality.rs`, `spelling.rs`, `recorded_games.rs` |
//! | the search | `search.rs`, `regression.rs` |
//! | the player | `player.rs`, `player_resources.rs`, `player_streams.rs`, `framing/`, `placements.rs`, `self_play.rs`, `little_memory.rs` |
//! | referee and tournaments | `referee/`, `first_failures.rs`, `tournament/` |
//! | the tournament server | `serve/` |
//! | hostile players, isolated or named | `isolation/` |
//! | drawing and playing by hand | `draw_*.rs`, `play/` |
//! | the page of `play --web`, in a browser too | `page/` |
//! | the other commands | `batch.rs`, `check.rs`, `book.rs`, `duel.rs`, `lab*.rs`, `rate.rs`, `sprt.rs`, `puzzles.rs`, `review.rs`, `tune.rs`, `training/`, `uci.rs` |
//! | rules of writing files, killed commands | `files/`, `killed.rs` |
//! | all commands: wrong input, untrusted text, closed output, Ctrl-C | `messages.rs`, `terminal.rs`, `output.rs`, `interrupted.rs` |
//! | progress of long commands | `progress.rs` |
//! | output of the commands, byte for byte | `outputs.rs`, `data/outputs/` |
//! | damaged files of every format | `damaged.rs`, `damage/` |
//! | broken and hostile input | `hostile_input.rs`, `bombs.rs`, `byte_order_mark.rs` |
//! | help, version, completions, manual pages | `help.rs` |
//! | players written by `new-bot` | `new_bot.rs` |
//! | the build script | `build_script.rs` |
//! | imports between folders, and documents that describe the source | `layers.rs`, `tried.rs` |
//! | the site | `site.rs` |
//! | helpers | `program.rs`, `charts.rs`, `properties.rs`, `place.rs`, `installed.rs`, `browser.rs`, `games.rs`, `proved.rs`, `ssh.rs`, `kills/`, `hostile/`, `reference/` |
//!
//! Tests that take too long to run each time are another program, `long/`.

mod browser;
mod charts;
mod damage;
mod games;
mod hostile;
mod installed;
mod kills;
mod place;
mod program;
mod properties;
mod proved;
mod reference;
mod ssh;

mod batch;
mod bombs;
mod book;
mod build_script;
mod byte_order_mark;
mod check;
mod damaged;
mod draw_command;
mod draw_svg;
mod draw_text;
mod duel;
mod files;
mod first_failures;
mod framing;
mod help;
mod hostile_input;
mod interrupted;
#[cfg(target_os = "linux")]
mod isolation;
mod killed;
mod lab;
mod lab_experiment;
mod layers;
mod legal_turns;
mod legality;
#[cfg(target_os = "linux")]
mod little_memory;
mod messages;
mod new_bot;
mod output;
mod outputs;
mod page;
mod perft;
mod placements;
mod play;
mod player;
mod player_resources;
mod player_streams;
mod progress;
mod puzzles;
mod rate;
mod recorded_games;
mod referee;
mod regression;
mod review;
mod search;
mod self_play;
mod serve;
mod site;
mod spelling;
mod sprt;
mod terminal;
mod tournament;
mod training;
mod tried;
mod tune;
mod uci;
