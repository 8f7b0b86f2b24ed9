//! Positions from strong games whose outcome is proved twice: by the engine, and by a
//! forward search that uses only the rules.

use serde::{Deserialize, Serialize};

use super::value::ExactValue;
use crate::openings::random_opening;
use crate::prover::Prover;
use crate::rules::{Card, Cards, Position};
use crate::search::{Engine, EngineOptions, Limits, plies_to_end};
use crate::seeds::derive_seed;

/// The proved positions built into the program.
pub const BUILT_IN: &str = include_str!("proofs.jsonl");

/// The maximum plies of a game: every turn but the last adds a level.
const MOST_PLIES: u32 = 4 * 25 + 1;

/// A position with its exact value. The distance is the shortest win or the longest
/// defence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProvedPosition {
    /// The position as text.
    pub position: String,
    /// Whether the player to move wins.
    pub wins: bool,
    /// The plies to the end of the game.
    pub plies: u32,
    /// The nodes within which the engine proves it.
    pub nodes: u64,
}

impl ProvedPosition {
    /// Parses a file with one position per line.
    ///
    /// # Errors
    /// The first invalid line, and why it is invalid.
    pub fn read(text: &str) -> Result<Vec<(Position<5>, Self)>, String> {
        let lines = text.lines().enumerate();
        let lines = lines.filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(index, line)| {
                let number = index + 1;
                let proof: Self = serde_json::from_str(line)
                    .map_err(|cause| format!("line {number}: {cause}"))?;
                let position = proof.position.parse();
                let position = position.map_err(|cause| format!("line {number}: {cause}"))?;
                if proof.plies > MOST_PLIES || proof.wins != (proof.plies % 2 == 1) {
                    let (wins, plies) = (proof.wins, proof.plies);
                    return Err(format!(
                        "line {number}: wins {wins} in {plies} plies: a win has an odd number of \
                         plies, a loss an even one, and no game more than {MOST_PLIES}"
                    ));
                }
                Ok((position, proof))
            })
            .collect()
    }

    /// The line of a file for this position.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are JSON") + "\n"
    }

    /// The exact value.
    pub const fn value(&self) -> ExactValue {
        ExactValue::in_plies(self.plies)
    }
}

/// The options of a search for provable positions.
#[derive(Clone, Copy, Debug)]
pub struct ProofOptions {
    /// The seed of the games.
    pub seed: u64,
    /// The maximum nodes of the engine's proof.
    pub most_nodes: u64,
    /// The maximum nodes of the second proof, for each distance that it tries.
    pub prover_nodes: u64,
}

impl Default for ProofOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            most_nodes: 100_000,
            prover_nodes: 5000,
        }
    }
}

/// The nodes per turn in the games.
const GAME_NODES: u64 = 1000;

/// The minimum plies to the end of the game.
const LEAST_PLIES: u32 = 5;

/// The minimum nodes of the engine's proof.
const LEAST_NODES: u64 = 200;

/// The memory of the engine's table.
const ENGINE_MIB: usize = 16;

/// The memory of the table of the second proof. A small one fits the processor's caches.
const PROVER_MIB: usize = 2;

/// The proved positions of the game with this number, if any. A game begins after a random
/// placement and up to nine random turns.
///
/// # Errors
/// If the two proofs contradict each other.
pub fn proofs_of_game(
    options: &ProofOptions,
    number: u64,
    cards: Option<[Card; 2]>,
) -> Result<Vec<(Position<5>, ProvedPosition)>, String> {
    let cards: Cards = cards.map_or([None; 2], |cards| cards.map(Some));
    let seed = derive_seed(options.seed, &[number]);
    let mut position = random_opening::<5>((seed % 10) as u32, seed, number, cards);
    let mut engine = Engine::new(EngineOptions {
        hash_mib: ENGINE_MIB,
        ..EngineOptions::default()
    });
    let mut played = Vec::new();
    loop {
        let report = engine.best(&position, &Limits::nodes(GAME_NODES));
        let Some(turn) = report.turn() else { break };
        played.push(position);
        if turn.wins() {
            break;
        }
        position = position.play(turn);
    }
    // Go back from the end, until a position is too hard.
    let mut found = Vec::new();
    let mut prover = Prover::new(PROVER_MIB);
    for position in played.iter().rev() {
        engine.clear();
        let report = engine.best(position, &Limits::nodes(options.most_nodes));
        let Some(end) = plies_to_end(report.score()) else {
            break;
        };
        let claimed = end.unsigned_abs();
        if claimed < LEAST_PLIES {
            continue;
        }
        let Some(plies) = exact_plies(&mut prover, position, claimed, options.prover_nodes)? else {
            break;
        };
        if plies >= LEAST_PLIES && report.nodes >= LEAST_NODES {
            let proof = ProvedPosition {
                position: position.to_string(),
                wins: end > 0,
                plies,
                nodes: report.nodes,
            };
            found.push((*position, proof));
        }
    }
    Ok(found)
}

/// The exact plies to the end of a game that, as the engine has proved, ends within
/// `claimed`; `None` if the second proof is too hard.
///
/// # Errors
/// If the second proof contradicts the engine.
fn exact_plies(
    prover: &mut Prover<5>,
    position: &Position<5>,
    claimed: u32,
    nodes: u64,
) -> Result<Option<u32>, String> {
    let mut within = |plies| prover.ends_within(position, plies, nodes);
    match within(claimed) {
        None => return Ok(None),
        Some(true) => {}
        Some(false) => {
            let claim = ExactValue::in_plies(claimed);
            return Err(format!("{position}: there is no {claim}"));
        }
    }
    // The engine found some win; there may be a shorter one.
    let mut plies = claimed;
    while plies > 2 {
        match within(plies - 2) {
            Some(true) => plies -= 2,
            Some(false) => break,
            None => return Ok(None),
        }
    }
    Ok(Some(plies))
}

/// The result of checking a value by forward search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The winner and the distance are right.
    Exact,
    /// The winner is right, but the distance is shorter.
    Nearer,
    /// The game ends within the distance. Whether it ends sooner takes too many nodes.
    Within,
    /// A proof takes too many nodes.
    Open,
    /// The game does not end this way within the distance.
    Wrong,
}

impl Proof {
    /// Proves that a position is won or lost within `plies` plies and not within
    /// fewer, with at most `nodes` nodes for either.
    pub fn of(position: &Position<5>, wins: bool, plies: u32, nodes: u64) -> Self {
        if wins != (plies % 2 == 1) {
            return Self::Wrong;
        }
        let mut prover = Prover::new(PROVER_MIB);
        match prover.ends_within(position, plies, nodes) {
            None => Self::Open,
            Some(false) => Self::Wrong,
            Some(true) if plies < 2 => Self::Exact,
            Some(true) => match prover.ends_within(position, plies - 2, nodes) {
                None => Self::Within,
                Some(true) => Self::Nearer,
                Some(false) => Self::Exact,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn built_in_positions_are_proved_again() {
        let proofs = ProvedPosition::read(BUILT_IN).unwrap();
        assert!(proofs.len() >= 10_000, "{}", proofs.len());
        let keys: BTreeSet<u64> = proofs.iter().map(|(it, _)| it.symmetric_key()).collect();
        assert_eq!(keys.len(), proofs.len());
        let cards: BTreeSet<String> = proofs
            .iter()
            .map(|(it, _)| format!("{:?}", it.cards()))
            .collect();
        assert_eq!(cards.len(), 1 + 56);
        assert!(proofs.iter().all(|(_, proof)| proof.plies >= 5));
        for (position, proof) in proofs.iter().step_by(proofs.len() / 60) {
            let proved = Proof::of(position, proof.wins, proof.plies, 400_000);
            assert_eq!(proved, Proof::Exact, "{}", proof.position);
            // Neither the opposite nor a shorter distance is proved.
            assert_eq!(
                Proof::of(position, !proof.wins, proof.plies, 20_000),
                Proof::Wrong
            );
            let shorter = Proof::of(position, proof.wins, proof.plies - 2, 20_000);
            assert_eq!(shorter, Proof::Wrong);
        }
    }

    #[test]
    fn bad_lines_of_proved_positions_are_named() {
        let good = "00000/00100/02021/20422/12402 c3d4 a4e4 25";
        let line = |position: &str, wins: bool, plies: u32| {
            format!(r#"{{"position":"{position}","wins":{wins},"plies":{plies},"nodes":1}}"#)
        };
        let read =
            |second: &str| ProvedPosition::read(&format!("{}\n{second}\n", line(good, false, 10)));
        assert_eq!(read("").unwrap().len(), 1);
        for bad in [
            "{}".to_string(),
            line("00000", true, 5),
            line(good, true, 10),
            line(good, true, 999),
        ] {
            assert!(read(&bad).unwrap_err().starts_with("line 2: "), "{bad}");
        }
    }
}
