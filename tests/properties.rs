//! The settings of property tests.

use proptest::prelude::*;
use proptest::string::string_regex;

/// This many cases. Failures go to the terminal; no file is written into the source tree.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Texts of a pattern. A pattern that is itself the strategy would be parsed again for each text,
/// which takes longer than most tests of the text.
pub fn texts(pattern: &str) -> impl Strategy<Value = String> {
    string_regex(pattern).unwrap()
}
