//! The games of a batch, all on one board size: how they start, and operations on all
//! of them.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::openings::random_opening_until;
use santorini::rules::{Card, Cards};

use crate::action::Actions;
use crate::planes::planes;
use crate::stage::Stage;

/// The start of games.
#[derive(Clone, Copy)]
pub enum Start {
    /// On the empty board; the players place their workers.
    Empty,
    /// After a random placement and this many random turns.
    Random(u32),
}

/// The cards of the players.
#[derive(Clone, Copy)]
pub enum Deal {
    /// None: the base game.
    None,
    /// The cards of the first and of the second player.
    Pair([Card; 2]),
    /// Two different cards, drawn for each game.
    Random,
}

/// How games start.
#[derive(Clone, Copy)]
pub struct Setting {
    pub start: Start,
    pub deal: Deal,
    /// Whether a finished game starts again at once.
    pub restart: bool,
}

impl Setting {
    pub const fn has_cards(&self) -> bool {
        !matches!(self.deal, Deal::None)
    }
}

/// Why work on the games failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undone {
    /// It was stopped.
    Stopped,
    /// There was no memory for this many bytes.
    Memory(usize),
    /// The action of this game is not legal.
    Illegal(usize),
}

/// A list with room for this many items.
fn room<T>(count: usize) -> Result<Vec<T>, Undone> {
    let mut list = Vec::new();
    let room = list.try_reserve_exact(count);
    room.map_err(|_| Undone::Memory(count.saturating_mul(size_of::<T>())))?;
    Ok(list)
}

fn check(stop: &AtomicBool) -> Result<(), Undone> {
    if stop.load(Ordering::Relaxed) {
        return Err(Undone::Stopped);
    }
    Ok(())
}

/// Games on boards of one size.
pub struct Stages<const N: usize> {
    pub stages: Vec<Stage<N>>,
    pub setting: Setting,
    seed: u64,
    /// The number of games started; it numbers the random starts.
    begun: u64,
    rng: Xoshiro256PlusPlus,
}

impl<const N: usize> Stages<N> {
    /// Creates this many games at their start.
    pub fn new(
        count: usize,
        setting: Setting,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Self, Undone> {
        let mut games = Self {
            stages: room(count)?,
            setting,
            seed,
            begun: 0,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        };
        for _ in 0..count {
            check(stop)?;
            let stage = games.begin(stop)?;
            games.stages.push(stage);
        }
        Ok(games)
    }

    /// The start of the next game.
    pub fn begin(&mut self, stop: &AtomicBool) -> Result<Stage<N>, Undone> {
        self.begun += 1;
        let cards = self.deal();
        match self.setting.start {
            Start::Empty => Ok(Stage::empty(cards)),
            Start::Random(turns) => {
                let start = random_opening_until(turns, self.seed, self.begun, cards, stop);
                start.map(Stage::Playing).ok_or(Undone::Stopped)
            }
        }
    }

    /// Starts a game again.
    pub fn reset(&mut self, game: usize, stop: &AtomicBool) -> Result<(), Undone> {
        self.stages[game] = self.begin(stop)?;
        Ok(())
    }

    /// The cards of the next game. Seed and game number determine drawn cards, as they do
    /// random starts.
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

    /// Plays one action in every game and writes to `won` which games it won. Plays nothing
    /// on an error.
    pub fn step(
        &mut self,
        actions: &[i64],
        won: &mut [bool],
        stop: &AtomicBool,
    ) -> Result<(), Undone> {
        let begun = self.begun;
        match self.stepped(actions, won, stop) {
            Ok(stages) => {
                self.stages = stages;
                Ok(())
            }
            Err(undone) => {
                self.begun = begun;
                Err(undone)
            }
        }
    }

    /// The games after one action in each.
    fn stepped(
        &mut self,
        actions: &[i64],
        won: &mut [bool],
        stop: &AtomicBool,
    ) -> Result<Vec<Stage<N>>, Undone> {
        let mut stages = room(self.stages.len())?;
        for (game, (&action, won)) in actions.iter().zip(won).enumerate() {
            check(stop)?;
            let action = usize::try_from(action).ok();
            let after = action.and_then(|action| self.stages[game].after(action));
            let (stage, wins) = after.ok_or(Undone::Illegal(game))?;
            *won = wins;
            stages.push(if wins && self.setting.restart {
                self.begin(stop)?
            } else {
                stage
            });
        }
        Ok(stages)
    }

    pub fn actions(&self) -> Actions {
        Actions::of(self.setting.has_cards())
    }

    /// The number of all actions.
    pub fn action_count(&self) -> usize {
        self.actions().count::<N>()
    }

    /// Marks the legal actions of each game.
    pub fn mark_masks(&self, masks: &mut [bool], stop: &AtomicBool) -> Result<(), Undone> {
        let masks = masks.chunks_exact_mut(self.action_count());
        for (stage, mask) in self.stages.iter().zip(masks) {
            check(stop)?;
            mask.fill(false);
            stage.mark_mask(mask);
        }
        Ok(())
    }

    /// Writes the observation of each game.
    pub fn mark_planes(&self, observations: &mut [u8], stop: &AtomicBool) -> Result<(), Undone> {
        let length = planes(self.setting.has_cards()) * N * N;
        let observations = observations.chunks_exact_mut(length);
        for (stage, planes) in self.stages.iter().zip(observations) {
            check(stop)?;
            planes.fill(0);
            stage.mark_planes(planes);
        }
        Ok(())
    }

    /// Writes the number of the player to move in each game.
    pub fn mark_movers(&self, movers: &mut [u8], stop: &AtomicBool) -> Result<(), Undone> {
        for (stage, mover) in self.stages.iter().zip(movers) {
            check(stop)?;
            *mover = stage.mover();
        }
        Ok(())
    }

    /// Writes a legal action of each game.
    pub fn sample(&mut self, actions: &mut [i64], stop: &AtomicBool) -> Result<(), Undone> {
        let Self { stages, rng, .. } = self;
        for (stage, action) in stages.iter().zip(actions) {
            check(stop)?;
            *action = stage.sample(rng) as i64;
        }
        Ok(())
    }

    /// Writes, for each game, the share of `games` random games that the player to move
    /// wins.
    pub fn rollouts(
        &mut self,
        games: u32,
        shares: &mut [f32],
        stop: &AtomicBool,
    ) -> Result<(), Undone> {
        let Self { stages, rng, .. } = self;
        for (stage, share) in stages.iter().zip(shares) {
            *share = stage.rollouts(games, rng, stop).ok_or(Undone::Stopped)?;
        }
        Ok(())
    }
}
