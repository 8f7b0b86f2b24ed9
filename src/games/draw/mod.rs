//! Pictures of boards: text for terminals and pipes, SVG, and the shapes shared with web
//! pages.
//!
//! ```
//! use santorini::draw::{Scene, Style};
//! use santorini::rules::{Position, Turn};
//!
//! let before: Position<5> = "00000/00000/00000/00000/00000 c2c4 b3d3 0".parse().unwrap();
//! let turn = Turn::parse::<5>("c2-b2+b1").unwrap();
//! let after = before.play(turn);
//! let scene = Scene::new(&after).after(&before, turn);
//! println!("{}", scene.text(Style::for_stdout()));
//! assert!(scene.text(Style::Ascii).to_string().starts_with("turn 1: O to move; X played c2-b2+b1"));
//! ```
//!
//! | to see or change | look at |
//! |---|---|
//! | which JSON values can be drawn, games recognised | `source.rs` |
//! | scenes of either board size | `any.rs` |
//! | what a picture shows: board, last turn, captions | `scene.rs` |
//! | boards as plain text, ASCII or Unicode | `text.rs` |
//! | boards in colour on a terminal | `colour.rs` |
//! | boards as SVG: pictures and contact sheets | `svg.rs` |
//! | where spaces, towers and workers are in a picture | `plan.rs` |
//! | the colours of levels, workers and sea in pictures and on pages; the shapes of workers and the last turn | `look.svg` |
//! | the shapes of towers, seen at an angle and from above, with walls and grass | `towers.svg`, `flat.svg` |
//! | the shapes of lit spaces and advice, which only pages show | `marks.svg` |
//! | a page that replays games | `page.rs`, `page.css`, `page.js` |
//! | boards and replays in a web page, drawn by JavaScript | `web.rs`, `board.js` |
//! | lists of games in a web page | `games.js`, `games.css` |
//!
//! | to add | change |
//! |---|---|
//! | a theme of pictures | `PictureOptions` in `svg.rs`, its colours in `look.svg`; its option in `src/cli/draw.rs` |
//! | a style of text | `Style` in `text.rs` |
//!
//! These files define all shapes; the SVG pictures and the web pages only position them.

mod any;
mod colour;
mod page;
mod plan;
mod scene;
mod source;
mod svg;
mod text;
mod web;

pub use any::{AnyScene, AnySource};
pub use page::{PAGE_FILE, REPLAY_STYLE, replay_page};
pub use plan::View;
pub use scene::{LastTurn, Mark, Scene, Seat, SpaceView};
pub use source::{Boards, Source, SourceError, illegal_board, record_scenes, value_size};
pub use svg::{PICTURE_FILE, PictureOptions, contact_sheet};
pub use text::{SceneText, Style};
pub use web::{BOARD_SCRIPT, GAMES_SCRIPT, GAMES_STYLE};
