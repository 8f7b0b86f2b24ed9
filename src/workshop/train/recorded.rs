//! Training data from recorded games of any players. Games against other programs have
//! positions that never occur in self-play.
//!
//! Every position is searched; the turns are taken from the record.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::datagen::GameSource;
use super::labels::{Block, LabelOptions, Labeller};
use crate::eval::network::features::FeatureSet;
use crate::fnv::Fnv;
use crate::record::{FileError, GameRecord, ReplayError, read_games};
use crate::rules::{Position, Turn};

/// The number of games in a block of the file.
const GAMES_A_BLOCK: usize = 32;

/// Recorded games to search.
pub struct RecordedGames<const N: usize> {
    labels: LabelOptions,
    games: Vec<Game<N>>,
    /// A checksum of all starts and turns, which identifies the games.
    checksum: Fnv,
}

/// The start position of a game, and its turns.
struct Game<const N: usize> {
    start: Position<N>,
    turns: Vec<Turn>,
}

/// Why recorded games cannot be learned from.
#[derive(Debug, thiserror::Error)]
pub enum RecordedGamesError {
    /// A file cannot be read as records.
    #[error(transparent)]
    File(#[from] FileError),
    /// A game breaks the rules.
    #[error("{path}, game {number}: {cause}")]
    Replay {
        /// The file with the game.
        path: PathBuf,
        /// The number of the game in it, from 1.
        number: u64,
        /// The turn or start that is wrong.
        cause: ReplayError,
    },
    /// Only one of this game and the first one has cards.
    #[error("{path}, game {number}: some games have cards, others do not; name files of one kind")]
    Mixed {
        /// The file with the game.
        path: PathBuf,
        /// The number of the game in it, from 1.
        number: u64,
    },
}

impl<const N: usize> RecordedGames<N> {
    /// Reads the games of these files. Games that ended before the first turn are skipped.
    ///
    /// # Errors
    /// If a file cannot be read, or a game breaks the rules, has another board size, or
    /// differs from the first game in having cards.
    pub fn read(paths: &[PathBuf], labels: LabelOptions) -> Result<Self, RecordedGamesError> {
        let mut all = Self {
            labels,
            games: Vec::new(),
            checksum: Fnv::default(),
        };
        for path in paths {
            for record in read_games(path)? {
                if !record.turns.is_empty() {
                    all.add(path, &record)?;
                }
            }
        }
        Ok(all)
    }

    fn add(&mut self, path: &Path, record: &GameRecord) -> Result<(), RecordedGamesError> {
        let replay = record.replay::<N>();
        let replay = replay.map_err(|cause| RecordedGamesError::Replay {
            path: path.to_path_buf(),
            number: record.number(),
            cause,
        })?;
        let game = Game {
            start: replay.positions[0],
            turns: replay.turns,
        };
        let first = self.games.first().unwrap_or(&game);
        if first.start.has_cards() != game.start.has_cards() {
            return Err(RecordedGamesError::Mixed {
                path: path.to_path_buf(),
                number: record.number(),
            });
        }
        self.checksum.add(game.start.to_string().as_bytes());
        self.checksum.add(record.turns.join(" ").as_bytes());
        self.games.push(game);
        Ok(())
    }

    /// The number of games.
    pub fn count(&self) -> u64 {
        self.games.len() as u64
    }

    /// The features that suit the games.
    fn features(&self) -> FeatureSet {
        let first = self.games.first();
        first.map_or(FeatureSet::Base, |game| FeatureSet::of(&game.start))
    }

    /// The games of a block; empty if the block does not exist.
    fn games_of(&self, block: u64) -> &[Game<N>] {
        let block = usize::try_from(block).unwrap_or(usize::MAX);
        let mut blocks = self.games.chunks(GAMES_A_BLOCK);
        blocks.nth(block).unwrap_or_default()
    }
}

impl<const N: usize> GameSource<N> for RecordedGames<N> {
    fn settings(&self) -> String {
        let LabelOptions {
            nodes,
            leaves,
            seed,
            ..
        } = self.labels;
        let (games, checksum) = (self.games.len(), self.checksum.value());
        let eval = self.labels.eval_text::<N>(self.features());
        format!(
            "games --nodes {nodes} --leaves {leaves} --seed {seed} --eval {eval} of {games} games \
             {checksum:016x}"
        )
    }

    fn blocks(&self) -> u64 {
        self.games.chunks(GAMES_A_BLOCK).len() as u64
    }

    fn games(&self, block: u64) -> u64 {
        self.games_of(block).len() as u64
    }

    /// Searches the games of a block. A game ends when a search proves its outcome, even if
    /// the players overlooked it. A game broken off before that has no result.
    fn block(&self, index: u64, stop: &AtomicBool) -> Block {
        let mut labeller = Labeller::<N>::new(&self.labels);
        let mut rng = self.labels.block_rng(index);
        let mut block = Block::new();
        for game in self.games_of(index) {
            let mut turns = game.turns.iter();
            let next = |position: &Position<N>, _| turns.next().map(|&turn| position.play(turn));
            labeller.game(game.start, &mut rng, stop, &mut block, next);
        }
        block
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::eval::{EvalKind, Weights};

    const LABELS: LabelOptions = LabelOptions {
        eval: EvalKind::Weighted(Weights::TUNED),
        nodes: 50,
        leaves: 0.0,
        seed: 1,
    };

    /// A file with the first turns of a game of 11, which the second player wins.
    fn file_with(turns: usize) -> tempfile::NamedTempFile {
        let all = [
            "c2-d3+c3", "d2-c3+b4", "b1-c2+d1", "b5-a4+a5", "c2-d2+e1", "a4-b4+a5", "d2-d1+e1",
            "c3-c2+b3", "d3-d2+e1", "c2-b1+a1", "d1-e1#",
        ];
        let game = json!({
            "game": 0, "players": ["a", "b"], "winner": 1, "ending": "win",
            "start": {
                "players": [[[1, 2], [2, 3]], [[2, 4], [5, 2]]],
                "spaces": [[0, 0, 0, 1, 0], [0, 0, 0, 1, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 0],
                           [0, 0, 0, 0, 0]],
                "turn": 3
            },
            "turns": &all[..turns],
        });
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, format!("{game}\n")).unwrap();
        file
    }

    fn records(turns: usize) -> Vec<(u32, Option<bool>)> {
        let file = file_with(turns);
        let games = RecordedGames::<5>::read(&[file.path().to_path_buf()], LABELS).unwrap();
        let block = games.block(0, &AtomicBool::new(false));
        let told = block.iter().map(|(_, record)| {
            let position = record.position::<5>().unwrap();
            (position.turn(), record.mover_wins())
        });
        told.collect()
    }

    #[test]
    fn a_game_has_a_result_if_it_was_played_to_its_end() {
        let whole = records(11);
        assert!(whole.len() > 2, "{whole:?}");
        for &(turn, mover_wins) in &whole {
            assert_eq!(mover_wins, Some(turn % 2 == 1), "turn {turn}");
        }
        let broken_off = whole[..2].iter().map(|&(turn, _)| (turn, None));
        assert_eq!(records(1), broken_off.collect::<Vec<_>>());
    }
}
