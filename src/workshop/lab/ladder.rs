//! Matches that measure the levels: the first levels against simulated beginners, and
//! each level against the level below.

use std::sync::atomic::AtomicBool;

use super::factory::Factory;
use super::games::Match;
use super::spec::AgentSpec;
use crate::levels::{FIRST_LEVEL, Level};
use crate::openings::Openings;
use crate::stats::win_interval;

/// The agents that simulate beginners, the weakest first.
pub fn beginners() -> impl Iterator<Item = &'static str> {
    FIRST_LEVEL.iter().map(|&(agent, _)| agent)
}

/// Levels that search at most this many nodes a turn play all games of a match.
const NODES: u64 = 2_000;

/// The games of a match of a level: fewer if it searches many nodes, so that all matches
/// take about the same time, but at least a tenth.
pub fn games_of(level: Level, games: u64) -> u64 {
    let nodes = level.strength().nodes.max(NODES);
    (games * NODES / nodes).max(games.div_ceil(10))
}

/// A match of a level.
pub struct LevelMatch(Match);

impl LevelMatch {
    /// The match of a level against the level below; `None` for level 1. Each pair of games
    /// starts from another board of the built-in book: from their own placements the highest
    /// levels would play the same games again.
    pub fn below(level: Level, seed: u64) -> Option<Self> {
        let below = Level::new(level.number() - 1)?;
        let openings = Openings::even(seed).expect("the built-in book is valid");
        Some(Self::new(level, &agent_of(below), seed, openings))
    }

    /// The match of a level against a beginner. Both place their workers.
    ///
    /// # Panics
    /// If the beginner is not an agent, or is one that reads or writes files.
    pub fn against(level: Level, beginner: &str, seed: u64) -> Self {
        Self::new(level, beginner, seed, Openings::SetUp)
    }

    /// The match of a level against an agent. All games derive from `seed`.
    fn new(level: Level, opponent: &str, seed: u64, openings: Openings) -> Self {
        let factory = |text: &str| {
            let spec: AgentSpec = text.parse().expect("the opponents are agents");
            Factory::new(&spec, seed, &mut |_, _| {}).expect("they read no files")
        };
        Self(Match {
            players: [factory(&agent_of(level)), factory(opponent)],
            seed,
            swap: true,
            openings,
        })
    }

    /// Plays game number `game`. Returns whether the level won. Once `stop` is set the result
    /// means nothing.
    pub fn wins(&self, game: u64, stop: &AtomicBool) -> bool {
        let game = self.0.play_until(game, stop);
        let game = game.expect("levels always answer");
        game.is_some_and(|game| game.winner() == 0)
    }
}

fn agent_of(level: Level) -> String {
    format!("level:number={level}")
}

/// The score of a match.
#[derive(Clone, Copy, Default, Debug)]
pub struct LevelScore {
    /// The games won by the level.
    pub won: u32,
    /// The games played.
    pub games: u32,
}

impl LevelScore {
    /// Counts a game.
    pub fn add(&mut self, won: bool) {
        self.won += u32::from(won);
        self.games += 1;
    }

    /// The share of games won with its 95% interval, or `None` without games.
    pub fn share(self) -> Option<[f64; 3]> {
        let [low, high] = win_interval(self.won.into(), self.games.into())?;
        Some([f64::from(self.won) / f64::from(self.games), low, high])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::jobs::NEVER;

    #[test]
    fn games_repeat_and_scores_have_their_interval() {
        assert!(LevelMatch::below(Level::LOWEST, 1).is_none());
        let second = LevelMatch::below(Level::new(2).unwrap(), 1).unwrap();
        let play = || {
            (0..6)
                .map(|game| second.wins(game, &NEVER))
                .collect::<Vec<_>>()
        };
        assert_eq!(play(), play());
        let mut score = LevelScore::default();
        assert!(score.share().is_none());
        (0..100).for_each(|game| score.add(game % 4 > 0));
        let [share, low, high] = score.share().unwrap();
        assert!(share == 0.75 && low > 0.65 && high < 0.83);
    }

    #[test]
    fn each_pair_of_games_between_levels_has_its_own_board() {
        let top = LevelMatch::below(Level::HIGHEST, 1).unwrap();
        let start = |game| top.0.opening(game).unwrap().to_string();
        let starts: BTreeSet<String> = (0..100).map(start).collect();
        assert_eq!(starts.len(), 50);
    }

    #[test]
    fn long_searches_play_fewer_games() {
        assert_eq!(games_of(Level::LOWEST, 1000), 1000);
        assert_eq!(games_of(Level::HIGHEST, 1000), 100);
        assert_eq!(games_of(Level::HIGHEST, 2), 1);
    }

    #[test]
    fn the_first_level_loses_to_the_careful_beginner() {
        let careful = beginners().last().unwrap();
        let games = LevelMatch::against(Level::LOWEST, careful, 1);
        let won = (0..100).filter(|&game| games.wins(game, &NEVER)).count();
        assert!(won <= 15, "{won}");
        let random = LevelMatch::against(Level::LOWEST, "random", 1);
        assert!((0..40).filter(|&game| random.wins(game, &NEVER)).count() >= 35);
    }
}
