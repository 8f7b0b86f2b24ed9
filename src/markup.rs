//! Text inside XML and HTML.

use crate::printable::printable_lines;

/// Text as it must stand in XML and HTML, in attributes too. What does not show
/// is written out; XML 1.0 knows no control characters either.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in printable_lines(text).chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            other => escaped.push(other),
        }
    }
    escaped
}
