//! The frame of a web page.

use super::{LOOK_STYLE, escape, in_script};

/// A web page that needs no other file.
pub(crate) struct HtmlPage<'a> {
    /// The `meta` element that names the command. Files of this kind are recognized by it.
    pub generator: &'a str,
    /// Plain text.
    pub title: &'a str,
    /// Styles after [`LOOK_STYLE`].
    pub styles: &'a [&'a str],
    /// The HTML of its `main` element.
    pub main: String,
    /// JSON for the element `data`, which the scripts read.
    pub data: Option<String>,
    /// The script elements.
    pub scripts: &'a [&'a str],
}

impl HtmlPage<'_> {
    /// The content of the file.
    pub(crate) fn html(&self) -> String {
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
