//! Matches between neighbouring levels. The lowest level plays an agent of the
//! study.

use super::factory::Factory;
use super::games::Match;
use super::spec::AgentSpec;
use crate::levels::Level;
use crate::stats::{elo_of_score, win_interval};

/// The opponent of the lowest level.
const FOOT: &str = "alphabeta:depth=1";

/// A level and its match against the level below.
pub struct Rung {
    /// The level that is measured.
    pub level: Level,
    /// The agent it plays against.
    pub opponent: String,
    games: Match,
}

impl Rung {
    /// Creates the match of a level; all games derive from `seed`.
    pub fn new(level: Level, seed: u64) -> Self {
        let below = Level::new(level.number() - 1);
        let opponent = below.map_or(FOOT.to_string(), agent_of);
        let factory = |text: &str| {
            let spec: AgentSpec = text.parse().expect("the agents of the ladder are valid");
            Factory::new(&spec, seed, &mut |_, _| {}).expect("they read no files")
        };
        Self {
            level,
            games: Match {
                players: [factory(&agent_of(level)), factory(&opponent)],
                seed,
                swap: true,
                opening: None,
            },
            opponent,
        }
    }

    /// Plays game number `game`. Returns whether the level won.
    pub fn wins(&self, game: u64) -> bool {
        let game = self.games.play(game).expect("levels always answer");
        game.winner() == 0
    }
}

fn agent_of(level: Level) -> String {
    format!("level:number={level}")
}

/// The score of a match.
#[derive(Clone, Copy, Default, Debug)]
pub struct RungScore {
    /// The games won by the level.
    pub won: u64,
    /// The games played.
    pub games: u64,
}

impl RungScore {
    /// Counts a game.
    pub fn add(&mut self, won: bool) {
        self.won += u64::from(won);
        self.games += 1;
    }

    /// The share of games won with its 95% interval, or `None` without games.
    pub fn share(self) -> Option<[f64; 3]> {
        let [low, high] = win_interval(self.won, self.games)?;
        Some([self.won as f64 / self.games as f64, low, high])
    }

    /// The share and its interval in Elo.
    pub fn elo(self) -> Option<[f64; 3]> {
        self.share().map(|share| share.map(elo_of_score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_repeat_and_scores_have_their_interval() {
        let rung = Rung::new(Level::LOWEST, 1);
        assert_eq!(rung.opponent, FOOT);
        let play = || (0..6).map(|game| rung.wins(game)).collect::<Vec<_>>();
        assert_eq!(play(), play());
        let mut score = RungScore::default();
        assert!(score.share().is_none());
        (0..100).for_each(|game| score.add(game % 4 > 0));
        let [share, low, high] = score.share().unwrap();
        assert!(share == 0.75 && low > 0.65 && high < 0.83);
        assert!((score.elo().unwrap()[0] - 190.8).abs() < 0.1);
        assert_eq!(Rung::new(Level::HIGHEST, 1).opponent, "level:number=9");
    }
}
