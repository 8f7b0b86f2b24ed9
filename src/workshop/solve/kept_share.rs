//! How often the engine plays a turn that keeps a win.

use rand::RngExt;

use super::embed::{embedded_any, extracted};
use super::game::SmallGame;
use super::probe::Prober;
use super::random::random_game;
use super::run::SolveError;
use super::state::SmallState;
use crate::at_size;
use crate::jobs::Jobs;
use crate::search::{Engine, EngineOptions, Limits};
use crate::seeds::seeded;

/// The options of the test.
#[derive(Clone, Copy, Debug)]
pub struct ShareOptions {
    /// The options of the engine to test.
    pub engine: EngineOptions,
    /// The nodes of each search.
    pub nodes: u64,
    /// The number of states to search.
    pub states: u64,
    /// The seed of the games.
    pub seed: u64,
}

/// How often the engine kept the win.
#[derive(Clone, Copy, Default, Debug)]
pub struct KeptShare {
    /// The number of states searched.
    pub states: u64,
    /// How often its turn kept the win.
    pub kept: u64,
    /// How often random turns would have, on average.
    pub at_random: f64,
    /// How often its turn was a shortest win.
    pub shortest: u64,
}

/// A state in which some turns keep the win and others do not.
struct Choice {
    state: SmallState,
    /// The successors that keep the win, and whether each is a shortest win.
    keeping: Vec<(SmallState, bool)>,
    turns: usize,
}

/// Lets the engine search states of random games, at most one of each, in which some turns
/// keep the win, others do not, and none wins at once.
///
/// # Errors
/// As [`Prober::value`].
pub fn kept_share(
    prober: &mut Prober,
    options: &ShareOptions,
    jobs: Jobs,
    mut report: impl FnMut(u64),
) -> Result<KeptShare, SolveError> {
    let game = prober.game().clone();
    let mut share = KeptShare::default();
    let mut seed = options.seed;
    while share.states < options.states {
        if jobs.is_stopped() {
            return Err(SolveError::Stopped);
        }
        let found = choice(prober, &game, seed)?;
        seed = seed.wrapping_add(1);
        let Some(choice) = found else { continue };
        let played = played_state(&game, &choice.state, options);
        let mut keeping = choice.keeping.iter();
        let kept = keeping.find(|(state, _)| Some(*state) == played);
        share.states += 1;
        share.kept += u64::from(kept.is_some());
        share.shortest += u64::from(kept.is_some_and(|(_, is_shortest)| *is_shortest));
        share.at_random += choice.keeping.len() as f64 / choice.turns as f64;
        report(share.states);
    }
    Ok(share)
}

/// The state after the turn of a new engine.
fn played_state(
    game: &SmallGame,
    state: &SmallState,
    options: &ShareOptions,
) -> Option<SmallState> {
    at_size!(embedded_any(game, state), position => {
        let mut engine = Engine::new(options.engine);
        let report = engine.best(&position, &Limits::nodes(options.nodes));
        Some(extracted(game, &position.play(report.turn()?)))
    })
}

/// A random state of a random game; `None` if the turn does not matter in it.
fn choice(prober: &mut Prober, game: &SmallGame, seed: u64) -> Result<Option<Choice>, SolveError> {
    let mut rng = seeded(seed);
    let states = random_game(game, &mut rng);
    let state = states[rng.random_range(0..states.len())];
    let turns = prober.turns(&state)?;
    let Some(best) = turns
        .first()
        .filter(|best| best.value.wins() && best.after.is_some())
    else {
        return Ok(None);
    };
    let keeping = turns.iter().filter(|turn| turn.value.wins());
    let keeping = keeping.filter_map(|turn| Some((turn.after?, turn.value == best.value)));
    let keeping: Vec<(SmallState, bool)> = keeping.collect();
    let is_choice = keeping.len() < turns.len();
    Ok(is_choice.then_some(Choice {
        state,
        keeping,
        turns: turns.len(),
    }))
}
