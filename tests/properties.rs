//! The settings of property tests.

use proptest::prelude::ProptestConfig;

/// This many cases. Failures go to the terminal; no file is written into the source tree.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
