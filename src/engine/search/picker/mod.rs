//! The move picker: the turns of a position, best first. The table's turn comes first, then
//! the killers, then the others by history and the levels they climb.
//!
//! | to see or change | look at |
//! |---|---|
//! | the order of the stages: table turn, killers, the rest | `mod.rs` (here) |
//! | scores of the rest in the base game, grouped by step | `by_step.rs` |
//! | scores of the rest with cards, grouped by all but the last build | `by_group.rs` |

mod by_group;
mod by_step;

use crate::rules::{Bitboard, Position, Square, Turn, WinPaths};

use super::history::History;
use super::move_features::{CHUNK, FeatureIndex, MoveFeatures};
use super::params::Params;
use by_group::TurnsByGroup;
use by_step::TurnsByStep;

/// The squares of one vector of scores.
const LANES: usize = CHUNK;

/// The bits of an ordering score, with its sign.
const SCORE_BITS: u32 = 22;
/// The key of a square without a turn, or with a picked one.
const NO_TURN: i32 = i32::MIN;
/// The score of the table's turn. The killers score 1 and 2 less.
const TT_SCORE: i32 = (1 << (SCORE_BITS - 1)) - 1;
/// The table's turn and the killers score at least this, other turns less.
pub(super) const MIN_KILLER_SCORE: i32 = 1 << 20;

/// The table's turn and the killers, searched before all others.
pub(super) type TtAndKillers = [Option<Turn>; 3];

/// The scores that order the other turns.
pub(super) struct MoveOrdering<'a> {
    pub history: &'a History,
    pub params: &'a Params,
    /// The opponent's last turn. None at the root.
    pub last: Option<Turn>,
}

impl MoveOrdering<'_> {
    /// The score of a turn's step.
    #[inline(always)]
    fn step<const N: usize>(
        &self,
        position: &Position<N>,
        features: &MoveFeatures,
        turn: Turn,
    ) -> i32 {
        let (history, player) = (self.history, position.player());
        let climb = features.level(turn.to()) as i32 - features.level(turn.from()) as i32;
        let by_features = history.step_features.get(features.step(turn));
        history.steps.get(player, turn.from(), turn.to())
            + history.steps_by_workers.get(position, turn)
            + weighted(by_features, self.params.step_feature_weight)
            + self.response(player, turn)
            + self.params.climb_value * climb
    }

    /// The score of a step as a response to the opponent's last turn.
    #[inline(always)]
    fn response(&self, player: usize, turn: Turn) -> i32 {
        self.last.map_or(0, |last| {
            let to_step = self.history.responses.get(player, last, turn);
            let to_build = last.build().map_or(0, |build| {
                (self.history.steps_after_build).get(player, build, turn.to())
            });
            weighted(to_step, self.params.response_weight) + to_build
        })
    }

    /// The scores of builds on a chunk of squares as responses to the opponent's last build.
    #[inline(always)]
    fn build_responses(&self, player: usize, start: usize) -> &[i16; CHUNK] {
        match self.last.and_then(Turn::build) {
            Some(last) => self.history.builds_after_build.chunk(player, last, start),
            None => &[0; CHUNK],
        }
    }

    /// The scores of a step with a level built on each square of a chunk.
    #[inline(always)]
    fn whole_turns(&self, player: usize, step: Turn, start: usize) -> [i32; CHUNK] {
        let values = self.history.turns.chunk(player, step, start);
        weighted_chunk(values, self.params.turn_weight)
    }

    /// The score of a build by its features.
    #[inline(always)]
    fn build_features(&self, build: FeatureIndex) -> i32 {
        let value = self.history.build_features.get(build);
        weighted(value, self.params.build_feature_weight)
    }

    /// The scores of builds by features, on a chunk of squares of these classes, after a
    /// step from `from` to a square of this level.
    #[inline(always)]
    fn build_features_chunk(
        &self,
        features: &MoveFeatures,
        classes: &[u16; CHUNK],
        from: Square,
        level: usize,
        start: usize,
    ) -> [i32; CHUNK] {
        let (rank, near) = features.other_worker(from);
        let near = (near.0 >> start) as u32;
        let values = (self.history.build_features).chunk(level, rank, near, classes);
        weighted_chunk(&values, self.params.build_feature_weight)
    }
}

/// A value times a weight in sixteenths.
#[inline(always)]
fn weighted(value: i32, weight: i32) -> i32 {
    (value * weight) >> 4
}

#[inline(always)]
fn weighted_chunk(values: &[i16; CHUNK], weight: i32) -> [i32; CHUNK] {
    let mut scores = [0; CHUNK];
    for lane in 0..CHUNK {
        scores[lane] = weighted(values[lane].into(), weight);
    }
    scores
}

/// The turns of a position that are left to search.
#[derive(Default)]
pub(super) struct Picker {
    tt_and_killers: TtAndKillers,
    /// The index of the next one to try.
    next: usize,
    /// Whether the other turns have been generated.
    filled: bool,
    by_step: TurnsByStep,
    by_group: TurnsByGroup,
}

impl Picker {
    /// Starts a new position. The table's turn and the killers may be illegal.
    pub(super) fn start(&mut self, tt_and_killers: TtAndKillers) {
        self.tt_and_killers = tt_and_killers;
        self.next = 0;
        self.filled = false;
    }

    /// Picks the best turn left, with its score, of those that do not win at once and meet the
    /// opponent's threats: in the base game those that build on `builds`, with cards those that
    /// change a square of each of `wins`.
    ///
    /// Other turns are generated only if the table's turn and the killers do not cut off.
    /// Measured in the base game: they cut off at three nodes in ten.
    pub(super) fn pick<const N: usize>(
        &mut self,
        position: &Position<N>,
        builds: Bitboard,
        wins: &WinPaths,
        ordering: &MoveOrdering,
    ) -> Option<(Turn, i32)> {
        if position.has_cards() {
            return self.pick_with_cards(position, wins, ordering);
        }
        let is_possible = |turn| position.is_legal_quiet_base(turn, builds);
        if let Some(picked) = self.pick_tt_or_killer(is_possible) {
            return Some(picked);
        }
        if !self.filled {
            self.by_step
                .fill(position, builds, self.tt_and_killers, ordering);
            self.filled = true;
        }
        self.by_step.pick()
    }

    /// [`Self::pick`] with cards. Kept out of line: inlined, the base game runs at 0.98 of the
    /// speed.
    #[inline(never)]
    fn pick_with_cards<const N: usize>(
        &mut self,
        position: &Position<N>,
        wins: &WinPaths,
        ordering: &MoveOrdering,
    ) -> Option<(Turn, i32)> {
        let is_possible = |turn| position.is_legal_quiet(turn) && wins.are_met(position, turn);
        if let Some(picked) = self.pick_tt_or_killer(is_possible) {
            return Some(picked);
        }
        if !self.filled {
            self.by_group
                .fill(position, wins, self.tt_and_killers, ordering);
            self.filled = true;
        }
        self.by_group.pick()
    }

    /// The next possible one of the table's turn and the killers, with its score.
    fn pick_tt_or_killer(&mut self, is_possible: impl Fn(Turn) -> bool) -> Option<(Turn, i32)> {
        while let Some(&turn) = self.tt_and_killers.get(self.next) {
            let index = self.next;
            self.next += 1;
            let is_new = !self.tt_and_killers[..index].contains(&turn);
            if let Some(turn) = turn.filter(|&turn| is_new && is_possible(turn)) {
                return Some((turn, TT_SCORE - index as i32));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::{cutoff, raised};
    use super::super::params::{HISTORY_MAX, TUNABLE};
    use super::*;
    use crate::rules::{Card, Extra, Geometry};
    use crate::seeds::{SeededRng, seeded};
    use rand::RngExt;
    use rand::seq::IndexedRandom;

    /// The part of a turn's score that only the base game has, without threats.
    fn base_part<const N: usize>(
        position: &Position<N>,
        turn: Turn,
        ordering: &MoveOrdering,
    ) -> i32 {
        let (player, build) = (position.player(), turn.build().unwrap().index());
        let (start, lane) = (build / CHUNK * CHUNK, build % CHUNK);
        ordering.build_responses(player, start)[lane].into()
    }

    /// All turns with their scores, as picked.
    fn picked(mut pick: impl FnMut() -> Option<(Turn, i32)>) -> Vec<(Turn, i32)> {
        std::iter::from_fn(&mut pick).collect()
    }

    /// In each position of a random base game, both ways to group turns must give all of
    /// them, best first, with the same scores.
    fn check_game<const N: usize>(start: &str, rng: &mut SeededRng) {
        let none = WinPaths::default();
        let mut position: Position<N> = start.parse().unwrap();
        let mut history = History::default();
        let (mut picker, mut by_group) = (Picker::default(), TurnsByGroup::default());
        let mut last = None;
        while position.has_turn() && !position.has_win() {
            let builds = Bitboard(rng.random::<u64>() | rng.random::<u64>()) & Geometry::<N>::BOARD;
            let mut turns = Vec::new();
            position.for_each_quiet(builds, |turn| turns.push(turn));
            let some = turns.sample(rng, 2).copied().collect::<Vec<_>>();
            // Some are legal, some come twice, some are the opponent's.
            let tt_and_killers = [some.first().copied(), last, some.last().copied()];
            let ordering = MoveOrdering {
                history: &history,
                params: &Params::DEFAULT,
                last: last.filter(|_| rng.random()),
            };
            picker.start(tt_and_killers);
            by_group.fill(&position, &none, tt_and_killers, &ordering);
            let mut from_picker = picked(|| picker.pick(&position, builds, &none, &ordering));
            check_order(&from_picker, tt_and_killers);
            turns.sort();
            assert_eq!(sorted(&from_picker), turns);
            // The groups have all builds, but not the turns picked before them.
            let mut from_groups = picked(|| by_group.pick());
            assert!(from_groups.is_sorted_by_key(|(_, score)| -score));
            from_groups.retain(|(turn, _)| turn.build().is_some_and(|build| builds.has(build)));
            // With cards threats have no value.
            for (turn, score) in &mut from_groups {
                let threatens = position.play(*turn).with_players_swapped().has_win();
                *score += i32::from(threatens) * Params::DEFAULT.threat_value;
                *score += base_part(&position, *turn, &ordering);
            }
            from_picker.retain(|&(_, score)| score < MIN_KILLER_SCORE);
            from_picker.sort();
            from_groups.sort();
            assert_eq!(from_groups, from_picker);
            let mut all = Vec::new();
            position.for_each_quiet(Geometry::<N>::BOARD, |turn| all.push(turn));
            let turn = *all.choose(rng).unwrap();
            let cutoff = cutoff(last, HISTORY_MAX / 2);
            history.update(&position, &cutoff, turn, &all[..all.len() / 2]);
            position = position.play(turn);
            last = Some(turn);
        }
    }

    /// Turns come in the order of their scores, the table's turn and the killers first.
    fn check_order(picked: &[(Turn, i32)], tt_and_killers: TtAndKillers) {
        assert!(picked.is_sorted_by_key(|(_, score)| -score));
        let mut first = Vec::new();
        for turn in tt_and_killers.into_iter().flatten() {
            let is_picked = picked.iter().any(|&(other, _)| other == turn);
            if is_picked && !first.contains(&turn) {
                first.push(turn);
            }
        }
        let is_first = |score| score >= MIN_KILLER_SCORE;
        let tried = picked.iter().take_while(|&&(_, score)| is_first(score));
        let tried: Vec<Turn> = tried.map(|&(turn, _)| turn).collect();
        assert_eq!(tried, first);
    }

    fn sorted(picked: &[(Turn, i32)]) -> Vec<Turn> {
        let mut turns: Vec<Turn> = picked.iter().map(|&(turn, _)| turn).collect();
        turns.sort();
        turns
    }

    /// The score of a turn, part by part.
    fn score_of<const N: usize>(
        position: &Position<N>,
        turn: Turn,
        ordering: &MoveOrdering,
    ) -> i32 {
        let (player, features) = (position.player(), MoveFeatures::of(position));
        let (history, to) = (ordering.history, turn.to());
        let build = |square| history.builds.get(player, to, square);
        let second = match turn.extra() {
            Extra::SecondBuild(square) if turn.build() != Some(square) => build(square),
            Extra::SecondBuild(square) | Extra::FirstBuild(square) => {
                history.extras.get(player, to, square)
            }
            Extra::None if turn.is_dome() => history.extras.get(player, to, turn.build().unwrap()),
            Extra::None if turn.displaces() => history.extras.get(player, to, turn.from()),
            Extra::None | Extra::Via(_) => 0,
        };
        let by_features: i32 = (features.builds(turn))
            .map(|it| ordering.build_features(it))
            .sum();
        let by_turn = |square: Square| {
            let start = square.index() / CHUNK * CHUNK;
            ordering.whole_turns(player, turn, start)[square.index() % CHUNK]
        };
        ordering.step(position, &features, turn)
            + build(turn.build().unwrap())
            + second
            + raised(turn).map(by_turn).sum::<i32>()
            + by_features
    }

    /// In each position of a random game with cards, all turns that meet the opponent's threats
    /// must be picked once, with their scores.
    fn check_game_with_cards<const N: usize>(start: &str, rng: &mut SeededRng) {
        let mut position: Position<N> = start.parse().unwrap();
        let mut history = History::default();
        let mut picker = Picker::default();
        let mut last = None;
        while position.has_turn() && !position.has_win() {
            let wins = WinPaths::of_opponent(&position);
            let mut turns = Vec::new();
            position.for_each_quiet(Geometry::<N>::BOARD, |turn| turns.push(turn));
            let turn = *turns.choose(rng).unwrap();
            let others = &turns[..turns.len() / 2];
            history.update(&position, &cutoff(last, HISTORY_MAX / 2), turn, others);
            let next = position.play(turn);
            turns.retain(|&turn| wins.are_met(&position, turn));
            let tt_and_killers = [turns.choose(rng).copied(), last, Some(turn)];
            let ordering = MoveOrdering {
                history: &history,
                params: &Params::CARDS,
                last,
            };
            picker.start(tt_and_killers);
            let board = Geometry::<N>::BOARD;
            let picked = picked(|| picker.pick(&position, board, &wins, &ordering));
            check_order(&picked, tt_and_killers);
            for &(turn, score) in &picked {
                let is_first = score >= MIN_KILLER_SCORE;
                assert!(is_first || score == score_of(&position, turn, &ordering));
            }
            turns.sort();
            assert_eq!(sorted(&picked), turns, "{position}");
            position = next;
            last = Some(turn);
        }
    }

    #[test]
    fn all_turns_are_picked_best_first() {
        let mut rng = seeded(7);
        for _ in 0..20 {
            check_game::<5>("00000/00000/00000/00000/00000 b3d3 c2c4 0", &mut rng);
            let six = "000000/000000/000000/000000/000000/000000 b3d3 c2e5 0";
            check_game::<6>(six, &mut rng);
        }
    }

    #[test]
    fn with_cards_all_turns_that_meet_threats_are_picked() {
        let mut rng = seeded(8);
        for [own, other] in Card::pairs() {
            let cards = format!("0 {} {}", own.name(), other.name());
            for _ in 0..3 {
                let five = format!("00000/00000/00000/00000/00000 b3d3 c2c4 {cards}");
                check_game_with_cards::<5>(&five, &mut rng);
                let six = format!("000000/000000/000000/000000/000000/000000 b3d3 c2e5 {cards}");
                check_game_with_cards::<6>(&six, &mut rng);
            }
        }
    }

    /// The score of a turn that always caused cutoffs, with the largest parameters.
    fn greatest_score(position: &str, turn: &str) -> i32 {
        let mut params = Params::DEFAULT;
        for tunable in TUNABLE {
            (tunable.set)(&mut params, tunable.max);
        }
        let position: Position<5> = position.parse().unwrap();
        let turn = Turn::parse::<5>(turn).unwrap();
        let last = Turn::parse::<5>("c1-c2+c1").ok();
        let mut history = History::default();
        for _ in 0..1000 {
            let cutoff = cutoff(last, params.history_bonus_max);
            history.update(&position, &cutoff, turn, &[]);
        }
        let ordering = MoveOrdering {
            history: &history,
            params: &params,
            last,
        };
        let mut picker = Picker::default();
        picker.start([None; 3]);
        let none = WinPaths::default();
        let best = picker.pick(&position, Geometry::<5>::BOARD, &none, &ordering);
        let (best, score) = best.unwrap();
        assert_eq!(best, turn);
        score
    }

    #[test]
    fn scores_sum_all_parts_and_stay_below_killers() {
        // A step of the same height counts by its squares, by its features, as a response to
        // a step and to a build, and by all workers. A build counts by its square and its
        // features, in the base game also as a response, and with its step as a whole turn.
        // A dome on a low tower, a build before the move and a displacing step add a square,
        // a second build adds a square and features.
        let board = "00000/01000/00000/00000/00000 b3d3 c2c4 0";
        let (square, features) = (HISTORY_MAX, HISTORY_MAX * 128 / 16);
        let [response, whole] = [HISTORY_MAX * 64 / 16; 2];
        for (cards, turn, squares, all_features, raised) in [
            ("", "b3-a3+a2", 2, 2, 1),
            ("Pan Apollo", "b3-a3+a2", 2, 2, 1),
            ("Apollo Pan", "b3xc2+b1", 3, 2, 1),
            ("Atlas Pan", "b3-a3^a2", 3, 1, 0),
            ("Demeter Pan", "b3-a3+a2+a4", 3, 3, 2),
            ("Hephastus Pan", "b3-a3+a2+a2", 3, 3, 1),
            ("Prometheus Pan", "b3+a2-a3+a4", 3, 3, 2),
        ] {
            let score = greatest_score(&format!("{board} {cards}"), turn);
            let parts = squares * square + all_features * features + raised * whole;
            let base = if cards.is_empty() { square } else { 0 };
            assert_eq!(score, parts + response + 2 * square + base, "{turn}");
            assert!(score < MIN_KILLER_SCORE);
        }
        let climbing = greatest_score(&format!("{board} Hephastus Pan"), "b3-b2+b1+b1");
        assert!(
            (500_000..MIN_KILLER_SCORE).contains(&climbing),
            "{climbing}"
        );
        let board = "00000/32000/01000/00000/00000 b3d3 c2c4 0";
        let threatening = greatest_score(board, "b3-b2+b1");
        let parts = 5 * square + 2 * features + response + whole;
        assert_eq!(threatening, parts + 8000 + 40_000);
        assert!(threatening < MIN_KILLER_SCORE);
    }
}
