//! A secret that is part of the address of a page: only those who were given the
//! address can open it.

use std::fmt;
use std::hint::black_box;

use rand::TryRng;
use rand::rngs::SysRng;

/// The environment variable that holds a token for every start of the program.
pub const TOKEN_VARIABLE: &str = "SANTORINI_TOKEN";

/// The shortest token that is accepted from outside. 16 letters, digits, `-` and `_`
/// are up to 96 bits.
const SHORTEST: usize = 16;

/// A token: letters, digits, `-` and `_`, which need no quotation in an address.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A token of 128 random bits of the system.
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
    /// If it is no good token. It is not repeated in the message.
    pub fn from_environment() -> Result<Option<Self>, String> {
        let Some(value) = std::env::var_os(TOKEN_VARIABLE).filter(|value| !value.is_empty()) else {
            return Ok(None);
        };
        let token = value.to_str().and_then(Self::parse);
        token.map(Some).ok_or_else(|| {
            format!("{TOKEN_VARIABLE} must have at least {SHORTEST} letters, digits, - or _")
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let is_good = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_token = text.len() >= SHORTEST && text.bytes().all(is_good);
        is_token.then(|| Self(text.to_string()))
    }

    /// The token as it stands in an address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a text is the token, in a time that does not tell where they differ.
    pub fn is(&self, text: &str) -> bool {
        let pairs = self.0.bytes().zip(text.bytes());
        let differences = pairs.fold(0, |all, (a, b)| black_box(all | (a ^ b)));
        self.0.len() == text.len() && differences == 0
    }
}

/// Without the token, which must not come into logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_text_is_the_token() {
        let token = Token::fresh().unwrap();
        assert_eq!(token.as_str().len(), 32);
        assert!(token.is(token.as_str()));
        assert_ne!(token, Token::fresh().unwrap());
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
        assert_eq!(format!("{token:?}"), "Token");
    }

    #[test]
    fn short_and_strange_tokens_are_refused() {
        assert!(Token::parse("abcDEF-0123_4567").is_some());
        for wrong in [
            "",
            "abcDEF-0123_456",
            "abcDEF-0123_4567&",
            "abcDEF 0123_4567",
        ] {
            assert_eq!(Token::parse(wrong), None, "{wrong}");
        }
    }
}
