//! What a web page needs to draw boards in the look of the SVG pictures.

/// The text of a script for a page's `<script>`: it defines `santorini` with
/// the functions that the head of `board.js` explains, and is all a page
/// needs to draw a board or replay a game record.
///
/// ```html
/// <div id="game"></div>
/// <script>…BOARD_SCRIPT…
/// santorini.replay(document.getElementById("game"), record);</script>
/// ```
pub const BOARD_SCRIPT: &str = concat!(
    "const santoriniLook = String.raw`",
    include_str!("look.svg"),
    "`;\n",
    include_str!("board.js")
);

/// The style sheet of all pages: colours, text, buttons and tables. What is one
/// page's own stands in that page, behind it.
pub const STYLE_SHEET: &str = include_str!("style.css");

#[cfg(test)]
mod tests {
    use super::{BOARD_SCRIPT, STYLE_SHEET};

    #[test]
    fn script_and_style_can_stand_in_a_page() {
        assert!(!STYLE_SHEET.contains("</style"));
        assert!(!BOARD_SCRIPT.contains("</script"));
        let look = include_str!("look.svg");
        assert!(
            !look.contains('`') && !look.contains("${"),
            "it stands in a template literal"
        );
    }
}
