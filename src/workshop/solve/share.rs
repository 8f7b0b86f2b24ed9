//! How often the engine plays a turn that keeps a win.

use rand::RngExt;

use super::embed::{embedded, extracted, fits};
use super::game::SmallGame;
use super::probe::Prober;
use super::random::random_game;
use super::run::SolveError;
use super::state::SmallState;
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
/// keep the win, others do not, and none wins at once. `None` if the work was stopped.
///
/// # Errors
/// As [`Prober::value`].
pub fn kept_share(
    prober: &mut Prober,
    options: &ShareOptions,
    jobs: Jobs,
    mut report: impl FnMut(u64),
) -> Result<Option<KeptShare>, SolveError> {
    let game = prober.game().clone();
    let mut share = KeptShare::default();
    let mut seed = options.seed;
    while share.states < options.states {
        if jobs.is_stopped() {
            return Ok(None);
        }
        let found = choice(prober, &game, seed)?;
        seed = seed.wrapping_add(1);
        let Some(choice) = found else { continue };
        let played = if fits::<5>(&game) {
            played_state::<5>(&game, &choice.state, options)
        } else {
            played_state::<6>(&game, &choice.state, options)
        };
        let mut keeping = choice.keeping.iter();
        let kept = keeping.find(|(state, _)| Some(*state) == played);
        share.states += 1;
        share.kept += u64::from(kept.is_some());
        share.shortest += u64::from(kept.is_some_and(|(_, is_shortest)| *is_shortest));
        share.at_random += choice.keeping.len() as f64 / choice.turns as f64;
        report(share.states);
    }
    Ok(Some(share))
}

/// The state after the turn of a new engine.
fn played_state<const N: usize>(
    game: &SmallGame,
    state: &SmallState,
    options: &ShareOptions,
) -> Option<SmallState> {
    let position = embedded::<N>(game, state);
    let mut engine = Engine::new(options.engine);
    let turn = engine
        .best(&position, &Limits::nodes(options.nodes))
        .turn()?;
    Some(extracted(game, &position.play(turn)))
}

/// A random state of a random game; `None` if the turn does not matter in it, or the work
/// was stopped.
fn choice(prober: &mut Prober, game: &SmallGame, seed: u64) -> Result<Option<Choice>, SolveError> {
    let mut rng = seeded(seed);
    let states = random_game(game, &mut rng);
    let state = states[rng.random_range(0..states.len())];
    let Some(turns) = prober.turns(&state)? else {
        return Ok(None);
    };
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
