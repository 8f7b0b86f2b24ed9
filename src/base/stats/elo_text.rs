//! How all commands write Elo differences, ratings and other numbers of matches.

use super::elo::Estimate;
use crate::table::percent;

/// An Elo difference with its sign and this many decimals; zero has no sign.
pub fn elo_text(elo: f64, decimals: usize) -> String {
    zero_without_sign(format!("{elo:+.decimals$}"))
}

/// A number with this many decimals, a half rounded to the even digit, as in tables; zero has
/// no sign.
pub fn decimal_text(number: f64, decimals: usize) -> String {
    zero_without_sign(format!("{number:.decimals$}"))
}

fn zero_without_sign(text: String) -> String {
    match text.contains(|digit: char| digit.is_alphabetic() || ('1'..='9').contains(&digit)) {
        true => text,
        false => text.trim_start_matches(['+', '-']).to_string(),
    }
}

/// A rating rounded to a whole number.
pub fn rating_text(elo: f64) -> String {
    (elo.round() as i64).to_string()
}

/// The likelihood of superiority in percent. It is never rounded to certainty.
pub fn los_text(los: f64) -> String {
    match los {
        ..0.0005 => "under 0.1%".into(),
        0.9995.. => "over 99.9%".into(),
        _ => percent(los),
    }
}

impl Estimate {
    /// The difference with its 95% interval: `Elo +12.3 (95%: +1.0 to +23.6)`. If one player
    /// won every game, the other end is infinite, so the bound alone has 97.5% confidence.
    pub fn text(&self, decimals: usize) -> String {
        let short = self.short_text(decimals);
        match self.elo {
            f64::INFINITY => format!("{short} with 97.5% confidence (every game was won)"),
            f64::NEG_INFINITY => format!("{short} with 97.5% confidence (every game was lost)"),
            _ => short,
        }
    }

    /// Like [`Self::text`], without the explanation of a bound: `Elo above +140.2`.
    pub fn short_text(&self, decimals: usize) -> String {
        let [elo, low, high] = [self.elo, self.low, self.high].map(|it| elo_text(it, decimals));
        match self.elo {
            f64::INFINITY => format!("Elo above {low}"),
            f64::NEG_INFINITY => format!("Elo below {high}"),
            _ => format!("Elo {elo} (95%: {low} to {high})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Frequencies, estimate};
    use super::*;

    #[test]
    fn elo_has_a_sign_unless_it_is_zero() {
        let shown = [12.34, -0.01, 0.04, -7.0, -0.0].map(|elo| elo_text(elo, 1));
        assert_eq!(shown, ["+12.3", "0.0", "0.0", "-7.0", "0.0"]);
        let shown = [12.6, -0.3, 0.4, -10.0].map(|elo| elo_text(elo, 0));
        assert_eq!(shown, ["+13", "0", "0", "-10"]);
        assert_eq!([-0.4, 99.6, -3.0].map(rating_text), ["0", "100", "-3"]);
        let shown = [-0.001, -0.0, -1.5, 0.125].map(|number| decimal_text(number, 2));
        assert_eq!(shown, ["0.00", "0.00", "-1.50", "0.12"]);
    }

    #[test]
    fn no_interval_shows_an_infinite_number() {
        let text = |games: [u64; 3]| estimate(&Frequencies(games)).unwrap().text(1);
        assert_eq!(text([25, 0, 75]), "Elo +190.8 (95%: +114.3 to +271.7)");
        assert_eq!(
            text([0, 0, 10]),
            "Elo above +140.2 with 97.5% confidence (every game was won)"
        );
        assert_eq!(
            text([1, 0, 0]),
            "Elo below +636.4 with 97.5% confidence (every game was lost)"
        );
        assert_eq!(text([1, 0, 4]), "Elo +240.8 (95%: -92.3 to +656.3)");
        assert_eq!(text([1, 0, 1]), "Elo 0.0 (95%: -478.3 to +478.3)");
    }

    #[test]
    fn no_superiority_is_certain() {
        let shown = [0.0, 0.0004, 0.0006, 0.5, 0.9994, 0.9996, 1.0].map(los_text);
        let ends = ["under 0.1%", "over 99.9%"];
        assert_eq!(
            shown,
            [ends[0], ends[0], "0.1%", "50.0%", "99.9%", ends[1], ends[1]]
        );
    }
}
