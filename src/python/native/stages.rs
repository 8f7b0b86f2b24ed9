//! The games of a batch, all on one board size: how they start, and operations on all
//! of them.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use santorini::openings::random_opening_until;
use santorini::rules::{Card, Cards, Position};

use crate::action::action_count;
use crate::array::has_room;
use crate::board::FEW_TURNS;
use crate::planes::{Value, planes};
use crate::stage::{Ended, Stage};

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

    /// Whether a game takes long to begin.
    pub fn begins_slowly(&self) -> bool {
        matches!(self.start, Start::Random(turns) if turns > FEW_TURNS)
    }
}

/// Why work on the games failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BatchError {
    /// It was stopped.
    Stopped,
    /// There was no memory for this many bytes.
    Memory(usize),
}

/// A list with room for this many items.
pub fn room<T>(count: usize) -> Result<Vec<T>, BatchError> {
    let bytes = count.saturating_mul(size_of::<T>());
    let mut list = Vec::new();
    let is_there = has_room(bytes) && list.try_reserve_exact(count).is_ok();
    is_there.then_some(list).ok_or(BatchError::Memory(bytes))
}

/// Random bits for a number. Neighbouring numbers have unrelated bits.
fn mix(number: u64) -> u64 {
    SplitMix64::seed_from_u64(number).next_u64()
}

fn check(stop: &AtomicBool) -> Result<(), BatchError> {
    if stop.load(Ordering::Relaxed) {
        return Err(BatchError::Stopped);
    }
    Ok(())
}

/// A place of a batch, with its current game.
#[derive(Clone, Copy)]
pub struct Slot<const N: usize> {
    pub stage: Stage<N>,
    /// The number of games begun in this place.
    pub begun: u32,
    /// The number of actions played in this game.
    pub length: u32,
}

/// A game that the last step ended.
#[derive(Clone, Copy)]
pub struct Last<const N: usize> {
    pub game: usize,
    pub ended: Ended<N>,
    pub length: u32,
}

/// Games on boards of one size. The random choices of a game depend only on the seed, its
/// place, and the numbers of its starts and draws, so they are the same in a batch of any
/// size.
pub struct Stages<const N: usize> {
    pub slots: Vec<Slot<N>>,
    pub setting: Setting,
    pub seed: u64,
    /// The number of draws of random numbers for all games.
    pub drawn: u64,
    /// The games that the last step ended, in order.
    pub last: Vec<Last<N>>,
}

impl<const N: usize> Stages<N> {
    /// Creates this many games at their start.
    pub fn new(
        count: usize,
        setting: Setting,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Self, BatchError> {
        let mut games = Self {
            slots: room(count)?,
            setting,
            seed,
            drawn: 0,
            last: Vec::new(),
        };
        for game in 0..count {
            check(stop)?;
            let slot = games.begin(game, 0, stop)?;
            games.slots.push(slot);
        }
        Ok(games)
    }

    /// Starts a game in its place, after `begun` others there.
    fn begin(&self, game: usize, begun: u32, stop: &AtomicBool) -> Result<Slot<N>, BatchError> {
        let number = u64::from(begun) << 32 | game as u64;
        let cards = self.deal(number);
        let stage = match self.setting.start {
            Start::Empty => Stage::empty(cards),
            Start::Random(turns) => {
                let start = random_opening_until(turns, self.seed, number, cards, stop);
                start.map(Stage::Playing).ok_or(BatchError::Stopped)?
            }
        };
        Ok(Slot {
            stage,
            begun: begun.wrapping_add(1),
            length: 0,
        })
    }

    /// Continues with the random numbers of another seed, as if each place had no game yet.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
        self.drawn = 0;
        self.last.clear();
        self.slots.iter_mut().for_each(|slot| slot.begun = 0);
    }

    /// Restarts games. After an error or a stop, all games stay as they are.
    pub fn reset(&mut self, games: &[usize], stop: &AtomicBool) -> Result<(), BatchError> {
        let mut slots = room(games.len())?;
        for &game in games {
            check(stop)?;
            slots.push(self.begin(game, self.slots[game].begun, stop)?);
        }
        for (&game, slot) in games.iter().zip(slots) {
            self.slots[game] = slot;
        }
        Ok(())
    }

    /// Puts a position into a game.
    pub fn set(&mut self, game: usize, position: Position<N>) {
        let slot = &mut self.slots[game];
        slot.stage = Stage::Playing(position);
        slot.length = 0;
    }

    /// The random numbers of the next draw for each game.
    fn draw(&mut self) -> impl Fn(usize) -> Xoshiro256PlusPlus + use<N> {
        let (seed, drawn) = (self.seed, self.drawn);
        self.drawn = drawn.wrapping_add(1);
        let of_draw = mix(seed ^ mix(drawn));
        move |game| Xoshiro256PlusPlus::seed_from_u64(of_draw ^ mix(game as u64))
    }

    /// The cards of a game. Drawn cards depend on the seed and the number of the game, like
    /// random starts.
    fn deal(&self, number: u64) -> Cards {
        let pair = match self.setting.deal {
            Deal::None => None,
            Deal::Pair(pair) => Some(pair),
            Deal::Random => {
                let seed = mix(self.seed ^ mix(number));
                Card::pairs().choose(&mut Xoshiro256PlusPlus::seed_from_u64(seed))
            }
        };
        pair.map_or([None, None], |pair| pair.map(Some))
    }

    /// Plays an action in the games of `chosen`, or in all, and marks in `won` which of them
    /// it won. Finished games stay as they are. Returns the first game whose action is
    /// illegal, if any; then, or after an error, nothing is played.
    pub fn step(
        &mut self,
        actions: &[i64],
        chosen: Option<&[bool]>,
        won: &mut [bool],
        stop: &AtomicBool,
    ) -> Result<Option<usize>, BatchError> {
        let mut slots = room(self.slots.len())?;
        let mut last = Vec::new();
        won.fill(false);
        for (game, slot) in self.slots.iter().enumerate() {
            check(stop)?;
            let is_chosen = chosen.is_none_or(|chosen| chosen[game]);
            if !is_chosen || matches!(slot.stage, Stage::Over(_)) {
                slots.push(*slot);
                continue;
            }
            let Some(mut next) = slot.after(actions[game]) else {
                return Ok(Some(game));
            };
            if let Stage::Over(ended) = next.stage {
                won[game] = true;
                let room = last.try_reserve(1);
                room.map_err(|_| BatchError::Memory(size_of::<Last<N>>()))?;
                let length = next.length;
                last.push(Last {
                    game,
                    ended,
                    length,
                });
                if self.setting.restart {
                    next = self.begin(game, slot.begun, stop)?;
                }
            }
            slots.push(next);
        }
        self.slots = slots;
        self.last = last;
        Ok(None)
    }

    /// Marks the legal actions of each game.
    pub fn mark_masks(&self, masks: &mut [bool], stop: &AtomicBool) -> Result<(), BatchError> {
        let masks = masks.chunks_exact_mut(action_count(N, self.setting.has_cards()));
        for (slot, mask) in self.slots.iter().zip(masks) {
            check(stop)?;
            mask.fill(false);
            slot.stage.mark_mask(mask);
        }
        Ok(())
    }

    /// Writes the observations of stages of these games.
    pub fn mark_planes<T: Value>(
        &self,
        stages: impl Iterator<Item = Stage<N>>,
        player: Option<u8>,
        observations: &mut [T],
        stop: &AtomicBool,
    ) -> Result<(), BatchError> {
        let length = planes(self.setting.has_cards()) * N * N;
        for (stage, planes) in stages.zip(observations.chunks_exact_mut(length)) {
            check(stop)?;
            planes.fill(T::from(0));
            stage.mark_planes(player, planes);
        }
        Ok(())
    }

    /// Writes the number of the player to move in each game.
    pub fn mark_movers(&self, movers: &mut [u8], stop: &AtomicBool) -> Result<(), BatchError> {
        for (slot, mover) in self.slots.iter().zip(movers) {
            check(stop)?;
            *mover = slot.stage.mover();
        }
        Ok(())
    }

    /// Writes the rewards of both players of each game in the last step: 1 for the winner, -1
    /// for the loser.
    pub fn mark_rewards(&self, rewards: &mut [f32]) {
        rewards.fill(0.0);
        for last in &self.last {
            let winner = usize::from(last.ended.winner());
            rewards[2 * last.game + winner] = 1.0;
            rewards[2 * last.game + 1 - winner] = -1.0;
        }
    }

    /// Writes a random legal action of each game.
    pub fn sample(&mut self, actions: &mut [i64], stop: &AtomicBool) -> Result<(), BatchError> {
        let rng = self.draw();
        for (game, (slot, action)) in self.slots.iter().zip(actions).enumerate() {
            check(stop)?;
            *action = slot.stage.sample(&mut rng(game)) as i64;
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
    ) -> Result<(), BatchError> {
        let rng = self.draw();
        for (game, (slot, share)) in self.slots.iter().zip(shares).enumerate() {
            let share_of = slot.stage.rollouts(games, &mut rng(game), stop);
            *share = share_of.ok_or(BatchError::Stopped)?;
        }
        Ok(())
    }
}

impl<const N: usize> Slot<N> {
    /// The game after an action; `None` if it is illegal.
    fn after(&self, action: i64) -> Option<Self> {
        let action = usize::try_from(action).ok()?;
        Some(Self {
            stage: self.stage.after(action)?,
            length: self.length.wrapping_add(1),
            ..*self
        })
    }
}
