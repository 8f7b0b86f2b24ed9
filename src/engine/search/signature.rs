//! The signature of the search and its network.

/// The signatures of all benches. `.ci/run` compares them with those of the program.
const SIGNATURES: &str = include_str!("../../../tests/bench_signatures.txt");

/// The signature of the engine in the base game: the nodes that `santorini bench`
/// searches. It changes when the search or its network does.
pub fn bench_signature() -> u64 {
    let line = SIGNATURES.lines().next();
    let number = line.and_then(|line| line.strip_prefix("bench: signature "));
    let number = number.and_then(|number| number.parse().ok());
    number.expect("the first line of tests/bench_signatures.txt is that of `bench`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_signature_is_read() {
        assert!(bench_signature() > 100_000);
    }
}
