//! How numbers are written in charts and tables.

/// A number without decimals.
pub(crate) fn whole(value: f64) -> String {
    match format!("{value:.0}") {
        zero if zero == "-0" => "0".into(),
        text => text,
    }
}

/// A number with no more decimals than it needs, three at most.
pub(super) fn number(value: f64) -> String {
    // The sum with 0 has no sign if it is 0.
    ((value * 1e3).round() / 1e3 + 0.0).to_string()
}

/// A time with a unit that suits it, to three digits.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        s if s < 0.9995e-3 => format!("{} µs", three_digits(s * 1e6)),
        s if s < 0.9995 => format!("{} ms", three_digits(s * 1e3)),
        s => format!("{} s", three_digits(s)),
    }
}

fn three_digits(number: f64) -> String {
    let text = match number {
        n if n < 9.995 => format!("{n:.2}"),
        n if n < 99.95 => format!("{n:.1}"),
        n => return format!("{n:.0}"),
    };
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_that_suits() {
        let times = [
            1.234e-6, 0.9996e-3, 10.01e-3, 0.012_34, 0.5, 0.9996, 1.0, 49.0, 319.0,
        ];
        let expected = [
            "1.23 µs", "1 ms", "10 ms", "12.3 ms", "500 ms", "1 s", "1 s", "49 s", "319 s",
        ];
        assert_eq!(times.map(time), expected);
        assert_eq!(
            [2.0, 0.30000000000000004, -1.5].map(number),
            ["2", "0.3", "-1.5"]
        );
        assert_eq!([-0.0, -0.3, -0.5].map(whole), ["0"; 3]);
        assert_eq!(number(-0.0001), "0");
    }
}
