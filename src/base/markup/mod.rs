//! XML and HTML: text inside it, and the look that all pages share.
//!
//! | to see or change | look at |
//! |---|---|
//! | colours of web pages, light and dark, and what pages have in common | `look.css` |

use crate::printable::printable_lines;

/// The style sheet of all pages.
pub const LOOK_STYLE: &str = include_str!("look.css");

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
