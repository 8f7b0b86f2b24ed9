//! Access to a web page that a command serves.

use super::CliError;
use crate::http::AccessToken;

/// The token of a page: from the environment, or a new one.
pub(super) fn page_token() -> Result<AccessToken, CliError> {
    match given_token()? {
        Some(token) => Ok(token),
        None => AccessToken::fresh().map_err(CliError::Failed),
    }
}

/// The token from the environment, if there is one.
pub(super) fn given_token() -> Result<Option<AccessToken>, CliError> {
    AccessToken::from_environment().map_err(CliError::Usage)
}
