//! A secret in the address of a page: only people who were given the address can open it.

use std::fmt;
use std::hint::black_box;

use rand::TryRng;
use rand::rngs::SysRng;

/// The environment variable with a token to use instead of a fresh one.
pub const TOKEN_VARIABLE: &str = "SANTORINI_TOKEN";

/// The minimum length of a token from outside. 16 letters, digits, `-` and `_` hold up to
/// 96 bits.
const SHORTEST: usize = 16;

/// A token: letters, digits, `-` and `_`, which need no escaping in an address.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// A new token of 128 random bits from the system.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn fresh() -> Result<Self, String> {
        let mut bytes = [0; 16];
        let filled = SysRng.try_fill_bytes(&mut bytes);
        filled.map_err(|error| format!("the system gives no random numbers: {error}"))?;
        Ok(Self(format!("{:032x}", u128::from_le_bytes(bytes))))
    }

    /// The token in [`TOKEN_VARIABLE`], if it is set.
    ///
    /// # Errors
    /// If it is not a valid token. The message does not repeat it.
    pub fn from_environment() -> Result<Option<Self>, String> {
        let Some(value) = std::env::var_os(TOKEN_VARIABLE) else {
            return Ok(None);
        };
        let token = value.to_str().and_then(Self::parse);
        token.map(Some).ok_or_else(|| {
            let empty = if value.is_empty() {
                "; it is set, but empty"
            } else {
                ""
            };
            format!("{TOKEN_VARIABLE} must have at least {SHORTEST} letters, digits, - or _{empty}")
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let is_good = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_token = text.len() >= SHORTEST && text.bytes().all(is_good);
        is_token.then(|| Self(text.to_string()))
    }

    /// The token as text for an address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a text is the token, compared in constant time.
    pub fn is(&self, text: &str) -> bool {
        let pairs = self.0.bytes().zip(text.bytes());
        let differences = pairs.fold(0, |all, (a, b)| black_box(all | (a ^ b)));
        self.0.len() == text.len() && differences == 0
    }
}

/// Hides the token, which must not get into logs.
impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_text_matches() {
        let token = AccessToken::fresh().unwrap();
        assert_eq!(token.as_str().len(), 32);
        assert!(token.is(token.as_str()));
        assert_ne!(token, AccessToken::fresh().unwrap());
        let mut other = token.as_str().to_string();
        let last = if other.pop() == Some('0') { '1' } else { '0' };
        for wrong in [
            "",
            &other,
            &format!("{other}{last}"),
            &format!("{}0", token.as_str()),
        ] {
            assert!(!token.is(wrong), "{wrong}");
        }
        assert_eq!(format!("{token:?}"), "AccessToken");
    }

    #[test]
    fn short_and_invalid_tokens_are_refused() {
        assert!(AccessToken::parse("abcDEF-0123_4567").is_some());
        for wrong in [
            "",
            "abcDEF-0123_456",
            "abcDEF-0123_4567&",
            "abcDEF 0123_4567",
        ] {
            assert_eq!(AccessToken::parse(wrong), None, "{wrong}");
        }
    }
}
