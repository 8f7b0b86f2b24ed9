//! The search parameters, with their steps and bounds for tuning.
//!
//! Scores and margins are in hundredths of a level of height, depths in plies. A new
//! parameter needs a line here and its use; `santorini tune` then tunes it too.

/// A search parameter that can be tuned.
#[derive(Debug)]
pub struct Tunable {
    /// The field of [`Params`].
    pub name: &'static str,
    /// How far tuning moves it up and down in a trial.
    pub step: f64,
    /// The range in which the search is sound.
    pub min: i32,
    /// The upper end of that range.
    pub max: i32,
    /// Reads the field.
    pub get: fn(&Params) -> i32,
    /// Writes the field.
    pub set: fn(&mut Params, i32),
}

/// The parameters without effect with cards: only the base game sees threats ahead.
const BASE_ONLY: &[&str] = &[
    "reverse_futility_menace_depth",
    "threats_ahead",
    "threat_value",
];

impl Tunable {
    /// Whether it has an effect in games with or without cards.
    pub fn counts(&self, cards: bool) -> bool {
        !cards || !BASE_ONLY.contains(&self.name)
    }

    /// The parameter with this name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        TUNABLE.iter().find(|tunable| tunable.name == name)
    }

    /// All names, separated by commas.
    pub fn names() -> String {
        let names: Vec<&str> = TUNABLE.iter().map(|tunable| tunable.name).collect();
        names.join(", ")
    }
}

impl PartialEq for Tunable {
    /// Names are unique.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Turns lines `name = value, step s, min to max;` into the fields of [`Params`],
/// their values and the table [`TUNABLE`].
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $value:literal, step $step:literal,
       $min:literal to $max:literal;)*) => {
        /// The parameters of a search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// The parameters for the base game.
            pub const DEFAULT: Self = Self { $($name: $value,)* };
        }

        /// All parameters that can be tuned.
        pub const TUNABLE: &[Tunable] = &[$(Tunable {
            name: stringify!($name),
            step: $step,
            min: $min,
            max: $max,
            get: |params| params.$name,
            set: |params, value| params.$name = value,
        },)*];
    };
}

params! {
    /// Half the width of the first aspiration window.
    aspiration_window = 18, step 12.0, 8 to 300;
    /// The factor by which a failed aspiration window grows.
    aspiration_growth = 4, step 1.0, 2 to 8;

    /// Reverse futility pruning: maximum depth.
    reverse_futility_depth = 6, step 1.5, 1 to 12;
    /// Reverse futility pruning: margin for each ply of depth.
    reverse_futility_margin = 80, step 12.0, 10 to 200;
    /// Reverse futility pruning: the score returned, from 0 = the evaluation to 16 = beta.
    reverse_futility_blend = 10, step 3.0, 0 to 16;
    /// Reverse futility pruning: minimum depth to spare menaced nodes; 200 = off.
    reverse_futility_menace_depth = 2, step 1.0, 1 to 200;
    /// Reverse futility pruning: minimum depth to spare nodes that the table knows below
    /// beta; 200 = off.
    reverse_futility_table_depth = 3, step 1.0, 1 to 200;

    /// Late move pruning: maximum depth.
    late_move_pruning_depth = 6, step 1.2, 0 to 9;
    /// Late move pruning: turn limit at depth 0.
    late_move_pruning_base = 4, step 1.5, 1 to 30;
    /// Late move pruning: turns added to the limit, times depth squared.
    late_move_pruning_factor = 1, step 1.2, 1 to 15;
    /// Late move pruning: margin below alpha for each ply of depth, beyond which the limit is
    /// halved; 10,000 = off.
    late_move_pruning_margin = 10_000, step 15.0, 0 to 10_000;
    /// Late move pruning: limit multiplier if the evaluation has not grown, in sixteenths.
    late_move_pruning_not_improving = 12, step 2.0, 1 to 16;
    /// Late move pruning: limit multiplier in PV nodes; 1000 = off.
    late_move_pruning_pv = 2, step 1.0, 1 to 1000;

    /// Late move reduction: base in hundredths of a ply, in `base + ln(depth) * ln(turns
    /// searched) / divisor`.
    reduction_base = 48, step 15.0, -50 to 200;
    /// Late move reduction: divisor in hundredths.
    reduction_divisor = 171, step 20.0, 60 to 400;

    /// Late move reduction: turns with at least this ordering score are reduced by a ply less.
    reduction_history = 18500, step 3000.0, 2000 to 200000;

    /// Late move reduction: plies less if the table has only an upper bound for the node.
    reduction_upper_bound = 1, step 1.0, 0 to 3;

    /// Late move reduction: under a threat, this many turns are not reduced, and later ones by
    /// a ply less; 10,000 = none is reduced.
    reduction_threat_turns = 4, step 1.0, 1 to 10_000;

    /// Hindsight: minimum reduction of a turn that leads to an extension; 64 = off.
    hindsight_reduction = 3, step 1.0, 1 to 64;

    /// Singular extensions: minimum depth.
    singular_depth = 4, step 1.0, 3 to 200;
    /// Singular extensions: margin for each ply of depth, in sixteenths so that small steps
    /// can be tuned.
    singular_margin = 58, step 16.0, 0 to 800;
    /// Singular extensions: depth of the verification search, in sixteenths of the depth left.
    singular_share = 7, step 1.0, 2 to 15;
    /// Singular extensions: margin beyond the first for an extension by two plies.
    singular_double_margin = 60, step 20.0, 0 to 1000;

    /// The number of threats in a row, before one that cannot be stopped, that inner nodes of
    /// the base game find without search, up to their depth.
    threats_ahead = 1, step 1.0, 0 to 4;

    /// Transposition table: an entry of this search stays if it is more than this many plies
    /// deeper than a new one that is neither exact nor proved; 200 = off.
    keep_deeper = 3, step 1.0, 0 to 200;

    /// Internal iterative reduction: minimum depth for a ply without a turn in the table.
    internal_reduction_depth = 4, step 1.0, 1 to 9;
    /// Internal iterative reduction: a ply if the entry is shallower by more plies than this;
    /// 200 = off.
    internal_reduction_margin = 5, step 1.0, 1 to 200;

    /// Move ordering: score of each level climbed.
    climb_value = 3200, step 500.0, 0 to 8000;
    /// Move ordering: score of a turn that threatens to win, in the base game.
    threat_value = 10500, step 2000.0, 0 to 40_000;
    /// Move ordering: weight of steps by features, in sixteenths of steps by squares.
    step_feature_weight = 26, step 8.0, 0 to 128;
    /// Move ordering: weight of builds by features, in sixteenths of builds by squares.
    build_feature_weight = 32, step 8.0, 0 to 128;
    /// Move ordering: weight of steps after the opponent's last step, in sixteenths.
    response_weight = 24, step 6.0, 0 to 64;
    /// Move ordering: weight of whole turns, in sixteenths.
    turn_weight = 30, step 6.0, 0 to 64;
    /// History: bonus of a cutoff for each ply of depth.
    history_bonus = 165, step 40.0, 10 to 800;
    /// History: maximum bonus.
    history_bonus_max = 1740, step 300.0, 100 to 6000;

    /// Correction history: half the maximum correction by levels; 0 = off.
    level_correction_weight = 34, step 8.0, 0 to 256;
    /// Correction history: half the maximum correction by workers; 0 = off.
    worker_correction_weight = 60, step 8.0, 0 to 256;
    /// Correction history: half the maximum correction by the opponent's last turn; 0 = off.
    turn_correction_weight = 54, step 8.0, 0 to 256;
    /// Correction history: half the maximum correction by the player's last turn; 0 = off.
    own_turn_correction_weight = 32, step 8.0, 0 to 256;
}

impl Params {
    /// The parameters for games with cards, which have many more turns. The last values tuned
    /// for the base game lose 30 Elo there at 40,000 nodes a turn.
    pub const CARDS: Self = Self {
        aspiration_window: 40,
        aspiration_growth: 2,
        reverse_futility_margin: 68,
        reverse_futility_blend: 6,
        reverse_futility_table_depth: 200,
        late_move_pruning_base: 7,
        late_move_pruning_factor: 2,
        late_move_pruning_margin: 95,
        late_move_pruning_not_improving: 9,
        reduction_base: 70,
        reduction_divisor: 152,
        reduction_history: 20000,
        singular_depth: 6,
        singular_double_margin: 40,
        keep_deeper: 200,
        reduction_upper_bound: 0,
        internal_reduction_depth: 3,
        internal_reduction_margin: 200,
        step_feature_weight: 32,
        build_feature_weight: 36,
        response_weight: 22,
        turn_weight: 24,
        history_bonus: 250,
        history_bonus_max: 1600,
        level_correction_weight: 48,
        worker_correction_weight: 48,
        turn_correction_weight: 34,
        own_turn_correction_weight: 26,
        ..Self::DEFAULT
    };

    /// The weights of the correction history.
    pub const fn correction_weights(&self) -> CorrectionWeights {
        CorrectionWeights {
            levels: self.level_correction_weight,
            workers: self.worker_correction_weight,
            turn: self.turn_correction_weight,
            own_turn: self.own_turn_correction_weight,
        }
    }
}

/// The weight of each kind of correction: half its maximum, in hundredths of a level.
#[derive(Clone, Copy, Debug)]
pub struct CorrectionWeights {
    pub levels: i32,
    pub workers: i32,
    pub turn: i32,
    pub own_turn: i32,
}

/// The parameters for both kinds of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamSets {
    /// For the base game.
    pub base: Params,
    /// For games with cards.
    pub cards: Params,
}

impl ParamSets {
    /// The built-in parameters.
    pub const BUILT_IN: Self = Self {
        base: Params::DEFAULT,
        cards: Params::CARDS,
    };

    /// The same parameters for both.
    pub const fn same(params: Params) -> Self {
        Self {
            base: params,
            cards: params,
        }
    }
}

/// The first depth with an aspiration window.
pub(super) const ASPIRATION_DEPTH: u32 = 4;

/// Late move reduction: minimum depth.
pub(super) const REDUCTION_DEPTH: i32 = 2;

/// Singular extensions: plies by which the table's entry may be shallower than the node.
pub(super) const SINGULAR_TT_MARGIN: i32 = 3;
/// Singular extensions: maximum ply of a tested node, in depths of the iteration.
pub(super) const SINGULAR_PLIES: usize = 2;

/// The bound of history values. The packing of turns for sorting depends on it.
pub(super) const HISTORY_MAX: i32 = 16_384;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_within_bounds_and_can_be_set() {
        let mut params = Params::DEFAULT;
        for tunable in TUNABLE {
            let range = tunable.min..=tunable.max;
            for built_in in [Params::DEFAULT, Params::CARDS] {
                assert!(range.contains(&(tunable.get)(&built_in)), "{tunable:?}");
            }
            assert!(tunable.step > 0.0 && tunable.step < f64::from(range.end() - range.start()));
            (tunable.set)(&mut params, tunable.max);
            assert_eq!((tunable.get)(&params), tunable.max);
            assert_eq!(
                Tunable::by_name(tunable.name).map(|found| found.name),
                Some(tunable.name)
            );
        }
        assert!(
            TUNABLE
                .iter()
                .all(|tunable| (tunable.get)(&params) == tunable.max)
        );
        assert!(Tunable::by_name("killer_value").is_none());
        assert!(
            BASE_ONLY
                .iter()
                .all(|name| Tunable::by_name(name).is_some())
        );
    }
}
