//! XML and HTML: text inside it, and what all pages share: a frame and their look.
//!
//! | to see or change | look at |
//! |---|---|
//! | colours of web pages, light and dark, and what pages have in common | `look.css` |

use std::fmt::Display;

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

/// JSON for a script element: no tag in it can end the element.
pub fn in_script(json: &impl Display) -> String {
    json.to_string().replace('<', "\\u003c")
}

/// A web page that needs no other file.
pub struct Page<'a> {
    /// An element of its head that names the command, by which the file is known.
    pub generator: &'a str,
    /// Plain text.
    pub title: &'a str,
    /// Styles behind [`LOOK_STYLE`].
    pub styles: &'a [&'a str],
    /// The HTML of its `main` element.
    pub main: String,
    /// JSON that the scripts read from the element `data`.
    pub data: Option<String>,
    /// Each is a script element of its own.
    pub scripts: &'a [&'a str],
}

impl Page<'_> {
    /// The text of the file.
    pub fn html(&self) -> String {
        let (generator, title) = (self.generator, escape(self.title));
        let styles = self.styles.concat();
        let data = self.data.as_ref().map(|data| {
            let data = in_script(data);
            format!("<script type=\"application/json\" id=\"data\">{data}</script>\n")
        });
        let scripts = self.scripts.iter();
        let scripts = scripts.map(|script| format!("<script>\n{script}</script>\n"));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">{generator}\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{LOOK_STYLE}{styles}</style>\n</head>\n<body>\n\
             <main>\n{}\n</main>\n{}{}</body>\n</html>\n",
            self.main,
            data.unwrap_or_default(),
            scripts.collect::<String>()
        )
    }
}
