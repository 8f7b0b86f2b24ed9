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

#[cfg(test)]
mod tests {
    use super::BOARD_SCRIPT;

    #[test]
    fn the_script_can_stand_in_a_page() {
        assert!(!BOARD_SCRIPT.contains("</script"));
        let look = include_str!("look.svg");
        assert!(
            !look.contains('`') && !look.contains("${"),
            "it stands in a template literal"
        );
    }
}
