//! Access to a web page that a command serves.

use super::CliError;
use crate::http::Token;

/// The token of a page: from the environment, or a new one.
pub fn page_token() -> Result<Token, CliError> {
    match given_token()? {
        Some(token) => Ok(token),
        None => Token::fresh().map_err(CliError::Failed),
    }
}

/// The token from the environment, if there is one.
pub fn given_token() -> Result<Option<Token>, CliError> {
    Token::from_environment().map_err(CliError::Usage)
}
