//! The signature of the search and its network.

/// The signatures of all benches. `.ci/run` compares them with those of the program.
const SIGNATURES: &str = include_str!("../../../tests/bench_signatures.txt");

/// The signature of the engine in the base game: the nodes that `santorini bench`
/// searches. It changes when the search or its network does.
pub fn bench_signature() -> u64 {
    signature("bench")
}

/// The signature of the engine in games with cards, as `santorini bench cards` prints it.
pub fn card_signature() -> u64 {
    signature("bench cards")
}

fn signature(bench: &str) -> u64 {
    let of_bench = |line: &'static str| line.strip_prefix(bench)?.strip_prefix(": signature ");
    let number = SIGNATURES.lines().find_map(of_bench);
    let number = number.and_then(|number| number.parse().ok());
    number.expect("tests/bench_signatures.txt has the signature of each bench")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_signatures_are_read() {
        assert!(bench_signature() > 100_000 && card_signature() > 100_000);
        assert_ne!(bench_signature(), card_signature());
    }
}
