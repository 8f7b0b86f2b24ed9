//! Reading whole numbers.

use std::str::FromStr;

/// The number that a text of decimal digits stands for; `None` for other texts, such as `+1`,
/// and for numbers that are too large.
pub(crate) fn parse_digits<T: FromStr>(text: &str) -> Option<T> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_are_numbers() {
        assert_eq!(parse_digits("255"), Some(255_u8));
        for wrong in ["", "+1", "-0", " 1", "1 ", "0x1", "256", "١"] {
            assert_eq!(parse_digits::<u8>(wrong), None, "{wrong:?}");
        }
    }
}
