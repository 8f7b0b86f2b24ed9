//! The games of a batch on boards of one size: how they begin, and what is done with
//! all at once.

use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::openings::random_opening;
use santorini::rules::{Card, Cards};

use crate::action::Actions;
use crate::planes::planes;
use crate::stage::Stage;

/// How games begin.
#[derive(Clone, Copy)]
pub enum Start {
    /// On the empty board; the players place their workers.
    Empty,
    /// After a random placement and this many random turns.
    Random(u32),
}

/// The cards that the players get.
#[derive(Clone, Copy)]
pub enum Deal {
    /// None: the base game.
    None,
    /// These, of the first player and of the second.
    Pair([Card; 2]),
    /// Two that differ, drawn for each game.
    Random,
}

/// How games are begun.
#[derive(Clone, Copy)]
pub struct Setting {
    pub start: Start,
    pub deal: Deal,
    /// Whether a game that is over begins again at once.
    pub restart: bool,
}

impl Setting {
    pub const fn has_cards(&self) -> bool {
        !matches!(self.deal, Deal::None)
    }
}

/// Games on boards of one size.
pub struct Stages<const N: usize> {
    pub stages: Vec<Stage<N>>,
    pub setting: Setting,
    seed: u64,
    /// How many games were begun: each random start has a number of its own.
    begun: u64,
    rng: Xoshiro256PlusPlus,
}

impl<const N: usize> Stages<N> {
    pub fn new(count: usize, setting: Setting, seed: u64) -> Self {
        let mut games = Self {
            stages: Vec::new(),
            setting,
            seed,
            begun: 0,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        };
        games.stages = (0..count).map(|_| games.begin()).collect();
        games
    }

    /// The start of the next game.
    pub fn begin(&mut self) -> Stage<N> {
        self.begun += 1;
        let cards = self.deal();
        match self.setting.start {
            Start::Empty => Stage::empty(cards),
            Start::Random(turns) => {
                Stage::Playing(random_opening(turns, self.seed, self.begun, cards))
            }
        }
    }

    /// The cards of the game that begins. Drawn ones are decided by the seed and
    /// the number of the game, as random starts are.
    fn deal(&self) -> Cards {
        let pair = match self.setting.deal {
            Deal::None => None,
            Deal::Pair(pair) => Some(pair),
            Deal::Random => {
                let seed = self.seed ^ self.begun.rotate_left(32);
                Card::pairs().choose(&mut Xoshiro256PlusPlus::seed_from_u64(seed))
            }
        };
        pair.map_or([None, None], |pair| pair.map(Some))
    }

    /// Plays an action in every game, and gives which of them it won. If one is
    /// illegal nothing is played, and its game is the error.
    pub fn step(&mut self, actions: &[i64]) -> Result<Vec<bool>, usize> {
        let pairs = self.stages.iter().zip(actions);
        let after = pairs.enumerate().map(|(game, (stage, &action))| {
            let action = usize::try_from(action).map_err(|_| game)?;
            stage.after(action).ok_or(game)
        });
        let after: Vec<(Stage<N>, bool)> = after.collect::<Result<_, _>>()?;
        let mut won = Vec::with_capacity(after.len());
        for (game, (stage, wins)) in after.into_iter().enumerate() {
            self.stages[game] = if wins && self.setting.restart {
                self.begin()
            } else {
                stage
            };
            won.push(wins);
        }
        Ok(won)
    }

    pub fn actions(&self) -> Actions {
        Actions::of(self.setting.has_cards())
    }

    /// The number of all actions.
    pub fn action_count(&self) -> usize {
        self.actions().count::<N>()
    }

    pub fn mark_masks(&self, masks: &mut [bool]) {
        masks.fill(false);
        let masks = masks.chunks_exact_mut(self.action_count());
        for (stage, mask) in self.stages.iter().zip(masks) {
            stage.mark_mask(mask);
        }
    }

    pub fn mark_planes(&self, observations: &mut [u8]) {
        observations.fill(0);
        let length = planes(self.setting.has_cards()) * N * N;
        let observations = observations.chunks_exact_mut(length);
        for (stage, planes) in self.stages.iter().zip(observations) {
            stage.mark_planes(planes);
        }
    }

    pub fn sample(&mut self) -> Vec<i64> {
        let Self { stages, rng, .. } = self;
        stages
            .iter()
            .map(|stage| stage.sample(rng) as i64)
            .collect()
    }

    pub fn rollouts(&mut self, games: u32) -> Vec<f32> {
        let Self { stages, rng, .. } = self;
        stages
            .iter()
            .map(|stage| stage.rollouts(games, rng))
            .collect()
    }
}
