//! Every tunable number of the search, with what tuning needs to know of it.
//!
//! Scores and margins are in hundredths of a level of height, depths in plies.
//! A number is added by a line here, and by using it; `santorini tune` then
//! finds its value as well.

/// A number of the search that can be tuned.
#[derive(Debug)]
pub struct Tunable {
    /// The field of [`Params`].
    pub name: &'static str,
    /// By how much tuning moves it up and down to see which is better.
    pub step: f64,
    /// The least and the greatest value with which the search is sound.
    pub least: i32,
    pub greatest: i32,
    pub get: fn(&Params) -> i32,
    pub set: fn(&mut Params, i32),
}

impl Tunable {
    /// The number with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TUNABLE.iter().find(|tunable| tunable.name == name)
    }

    /// All names, for people.
    pub fn names() -> String {
        let names: Vec<&str> = TUNABLE.iter().map(|tunable| tunable.name).collect();
        names.join(", ")
    }
}

impl PartialEq for Tunable {
    /// Names are given once.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Makes of the lines `name = value, step s, least to greatest;` the fields of
/// [`Params`], their values and the table [`TUNABLE`].
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $value:literal, step $step:literal,
       $least:literal to $greatest:literal;)*) => {
        /// The tunable numbers of one search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// What the player plays the base game with.
            pub const DEFAULT: Self = Self { $($name: $value,)* };
        }

        /// All numbers that can be tuned.
        pub const TUNABLE: &[Tunable] = &[$(Tunable {
            name: stringify!($name),
            step: $step,
            least: $least,
            greatest: $greatest,
            get: |params| params.$name,
            set: |params, value| params.$name = value,
        },)*];
    };
}

params! {
    /// Half the width of the first aspiration window.
    aspiration_window = 40, step 12.0, 8 to 300;

    /// The greatest depth of reverse futility pruning.
    reverse_futility_depth = 6, step 1.5, 1 to 12;
    /// The margin of reverse futility pruning, a ply of depth.
    reverse_futility_margin = 80, step 12.0, 10 to 200;

    /// The greatest depth of late move pruning.
    late_move_pruning_depth = 6, step 1.2, 0 to 9;
    /// How many turns late move pruning lets be searched: this, and the factor
    /// times the depth squared.
    late_move_pruning_base = 4, step 1.5, 1 to 30;
    late_move_pruning_factor = 1, step 1.2, 1 to 15;

    /// Late move reduction takes off `base + ln(depth) * ln(turns tried) /
    /// divisor` plies: the base, in hundredths.
    reduction_base = 48, step 15.0, -50 to 200;
    /// The divisor of late move reduction, in hundredths.
    reduction_divisor = 171, step 20.0, 60 to 400;

    /// The least ordering value of a turn that is reduced by a ply less.
    reduction_history = 21700, step 3000.0, 2000 to 200000;

    /// The least depth at which a turn may be found singular.
    singular_depth = 5, step 1.0, 3 to 200;
    /// By how much it must be better than the others, a ply of depth, in
    /// sixteenths.
    singular_margin = 58, step 16.0, 0 to 800;
    /// How deep the others are searched, in sixteenths of the depth left.
    singular_share = 8, step 1.0, 2 to 15;

    /// Internal iterative reduction: the least depth at which a node without a
    /// turn from the table is searched a ply less deep.
    internal_reduction_depth = 3, step 1.0, 1 to 9;

    /// Turn ordering: the value of each level climbed.
    climb_value = 3200, step 500.0, 0 to 8000;
    /// What the histories by the features of steps and builds weigh, in sixteenths
    /// of those by squares.
    step_feature_weight = 32, step 8.0, 0 to 128;
    build_feature_weight = 32, step 8.0, 0 to 128;
    /// What a turn that cuts off gains in history, a ply of depth, and at most.
    history_bonus = 165, step 40.0, 10 to 800;
    history_bonus_max = 1740, step 300.0, 100 to 6000;
}

impl Params {
    /// What the player plays with where there are cards. There are many more
    /// turns, and what was tuned for the base game at last loses: 30 Elo at
    /// 40,000 nodes a turn.
    pub const CARDS: Self = Self {
        reverse_futility_margin: 68,
        late_move_pruning_base: 6,
        late_move_pruning_factor: 2,
        reduction_base: 64,
        reduction_divisor: 162,
        reduction_history: 20000,
        singular_depth: NEVER_SINGULAR,
        ..Self::DEFAULT
    };
}

/// The numbers for both kinds of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamSets {
    /// For the base game.
    pub base: Params,
    /// For games with cards.
    pub cards: Params,
}

impl ParamSets {
    /// What the player plays with.
    pub const BUILT_IN: Self = Self {
        base: Params::DEFAULT,
        cards: Params::CARDS,
    };

    /// The same numbers for both.
    pub const fn same(params: Params) -> Self {
        Self {
            base: params,
            cards: params,
        }
    }
}

/// A depth that no search reaches: no turn is asked whether it is singular.
const NEVER_SINGULAR: i32 = 200;

/// The first depth that is searched with an aspiration window.
pub const ASPIRATION_DEPTH: u32 = 4;

/// The least depth, and turns tried first, for a late move reduction.
pub const REDUCTION_DEPTH: i32 = 2;
pub const REDUCTION_TURNS: usize = 1;

/// Turn ordering: the bound of a history value. How turns are packed for sorting
/// depends on it.
pub const HISTORY_MAX: i32 = 16_384;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_its_bounds_and_can_be_set() {
        let mut params = Params::DEFAULT;
        for tunable in TUNABLE {
            let range = tunable.least..=tunable.greatest;
            for built_in in [Params::DEFAULT, Params::CARDS] {
                assert!(range.contains(&(tunable.get)(&built_in)), "{tunable:?}");
            }
            assert!(tunable.step > 0.0 && tunable.step < f64::from(range.end() - range.start()));
            (tunable.set)(&mut params, tunable.greatest);
            assert_eq!((tunable.get)(&params), tunable.greatest);
            assert_eq!(
                Tunable::named(tunable.name).map(|found| found.name),
                Some(tunable.name)
            );
        }
        assert!(
            TUNABLE
                .iter()
                .all(|tunable| (tunable.get)(&params) == tunable.greatest)
        );
        assert!(Tunable::named("killer_value").is_none());
    }
}
