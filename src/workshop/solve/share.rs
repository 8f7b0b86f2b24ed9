//! How often the engine plays a turn that keeps a won state won.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::embed::{embedded, extracted, fits};
use super::game::SmallGame;
use super::probe::Oracle;
use super::random::random_start;
use super::run::SolveError;
use super::state::SmallState;
use crate::jobs::Jobs;
use crate::search::{Engine, EngineOptions, Limits};

/// Which states the engine searches.
#[derive(Clone, Copy, Debug)]
pub struct ShareOptions {
    /// The options of the engine to test.
    pub engine: EngineOptions,
    /// The nodes of a search.
    pub nodes: u64,
    /// The number of states.
    pub states: u64,
    /// The seed that the states are drawn with.
    pub seed: u64,
}

/// How often the engine kept the win.
#[derive(Clone, Copy, Default, Debug)]
pub struct KeptShare {
    /// The number of states searched.
    pub states: u64,
    /// The turns that kept the win.
    pub kept: u64,
    /// The turns that would have, if turns were played at random.
    pub at_random: f64,
    /// The turns of those that kept it that win soonest.
    pub shortest: u64,
}

/// A state in which some turns keep the win and others do not.
struct Choice {
    state: SmallState,
    /// The states that keep the win, and whether they do so soonest.
    keeping: Vec<(SmallState, bool)>,
    turns: usize,
}

/// Lets the engine search one state of each random game in which some turns keep the
/// win and others do not, and no turn wins at once. `None` if the work was stopped.
///
/// # Errors
/// As [`Oracle::value`].
pub fn kept_share(
    oracle: &mut Oracle,
    options: &ShareOptions,
    jobs: Jobs,
    mut report: impl FnMut(u64),
) -> Result<Option<KeptShare>, SolveError> {
    let game = oracle.game().clone();
    let mut share = KeptShare::default();
    let mut number = 0;
    while share.states < options.states {
        if jobs.is_stopped() {
            return Ok(None);
        }
        let Some(choice) = choice_of_game(oracle, &game, options.seed.wrapping_add(number))? else {
            number += 1;
            continue;
        };
        number += 1;
        let played = if fits::<5>(&game) {
            played_state::<5>(&game, &choice.state, options)
        } else {
            played_state::<6>(&game, &choice.state, options)
        };
        let kept = choice
            .keeping
            .iter()
            .find(|(state, _)| Some(*state) == played);
        share.states += 1;
        share.kept += u64::from(kept.is_some());
        share.shortest += u64::from(kept.is_some_and(|(_, soonest)| *soonest));
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

/// One of the states of a random game that leave a choice.
fn choice_of_game(
    oracle: &mut Oracle,
    game: &SmallGame,
    seed: u64,
) -> Result<Option<Choice>, SolveError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state = random_start(game, &mut rng);
    let mut states = Vec::new();
    loop {
        states.push(state);
        let turns = state.turns(game);
        let quiet: Vec<_> = turns.iter().filter(|turn| !turn.wins()).collect();
        if quiet.is_empty() || quiet.len() < turns.len() {
            break;
        }
        state = state.after(quiet[rng.random_range(0..quiet.len())], game);
    }
    // States in the file are looked up; others are solved again.
    let state = states[rng.random_range(0..states.len())];
    choice(oracle, state)
}

fn choice(oracle: &mut Oracle, state: SmallState) -> Result<Option<Choice>, SolveError> {
    let Some(turns) = oracle.turns(&state)? else {
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
