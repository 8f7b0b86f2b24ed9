//! XML and HTML: escaped text, and the frame and look that all pages share.
//!
//! | to see or change | look at |
//! |---|---|
//! | escaping text and JSON | `mod.rs` (here) |
//! | the frame of a page that needs no other file | `page.rs` |
//! | colours and common styles of all pages, light and dark | `look.css` |

mod page;

use std::fmt::Display;

use crate::printable::printable_lines;
pub(crate) use page::HtmlPage;

/// The style sheet of all pages.
pub(crate) const LOOK_STYLE: &str = include_str!("look.css");

/// Escapes text for XML and HTML, attributes too. Unprintable characters are written as
/// escape sequences, since XML 1.0 has no control characters.
pub(crate) fn escape(text: &str) -> String {
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

/// JSON for a script element, with `<` escaped so that no tag can end the element.
pub(crate) fn in_script(json: &impl Display) -> String {
    json.to_string().replace('<', "\\u003c")
}
