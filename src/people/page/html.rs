//! Assembles the page: one self-contained file.

use crate::draw::BOARD_SCRIPT;
use crate::markup::LOOK_STYLE;

/// The scripts of the page, in order of their dependencies.
const SCRIPTS: [&str; 44] = [
    include_str!("web/dom.js"),
    include_str!("web/random.js"),
    include_str!("web/dialogs.js"),
    include_str!("web/storage.js"),
    include_str!("web/client.js"),
    include_str!("web/steps.js"),
    include_str!("web/tree.js"),
    include_str!("web/chances.js"),
    include_str!("web/preview.js"),
    include_str!("web/overlay.js"),
    include_str!("web/sounds.js"),
    include_str!("web/looks.js"),
    include_str!("web/changes.js"),
    include_str!("web/motion.js"),
    include_str!("web/board.js"),
    include_str!("web/state.js"),
    include_str!("web/moves.js"),
    include_str!("web/play.js"),
    include_str!("web/rematch.js"),
    include_str!("web/analysis.js"),
    include_str!("web/losses.js"),
    include_str!("web/threat.js"),
    include_str!("web/opening.js"),
    include_str!("web/games.js"),
    include_str!("web/gamelist.js"),
    include_str!("web/files.js"),
    include_str!("web/library.js"),
    include_str!("web/gif.js"),
    include_str!("web/pictures.js"),
    include_str!("web/saving.js"),
    include_str!("web/links.js"),
    include_str!("web/friend.js"),
    include_str!("web/live.js"),
    include_str!("web/invite.js"),
    include_str!("web/session.js"),
    include_str!("web/undo.js"),
    include_str!("web/setup.js"),
    include_str!("web/graph.js"),
    include_str!("web/lesson.js"),
    include_str!("web/review.js"),
    include_str!("web/puzzles.js"),
    include_str!("web/exercises.js"),
    include_str!("web/guide.js"),
    include_str!("web/main.js"),
];

/// The text of the page. `link` is a script that defines `openLink`, the connection to
/// the program that answers.
pub fn page(link: &str) -> String {
    include_str!("web/page.html")
        .replace("/* LOOK_STYLE */", LOOK_STYLE)
        .replace("/* STYLE */", include_str!("web/page.css"))
        .replace("/* BOARD_SCRIPT */", BOARD_SCRIPT)
        .replace("/* LINK */", link)
        .replace("/* SCRIPTS */", &SCRIPTS.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::Judgement;

    #[test]
    fn the_page_judges_turns_like_reviews() {
        let script = include_str!("web/chances.js");
        let (_, judging) = script.split_once("const judgementOf = loss => ").unwrap();
        let mut expected: Vec<String> = Judgement::ALL
            .iter()
            .zip(Judgement::LIMITS)
            .map(|(judgement, limit)| format!("loss < {limit} ? \"{judgement}\""))
            .collect();
        expected.push("\"blunder\";".into());
        let parts: Vec<&str> = judging.split(" : ").map(str::trim).collect();
        assert_eq!(parts, expected);
        let least = format!("const LEAST_LOSS = {};", Judgement::LIMITS[0]);
        assert!(include_str!("web/losses.js").contains(&least));
    }

    #[test]
    fn the_page_loads_nothing_else() {
        let page = page("// the link");
        for outside in [
            "src=\"",
            "@import",
            "url(",
            "href=\"http",
            "http://",
            "https://",
        ] {
            let inside = page
                .replace("http://www.w3.org/2000/svg", "")
                .replace("url(#", "");
            assert!(!inside.contains(outside), "{outside}");
        }
        for missing in [
            "/* LOOK_STYLE */",
            "/* STYLE */",
            "/* SCRIPTS */",
            "/* LINK */",
            "/* BOARD_SCRIPT */",
        ] {
            assert!(!page.contains(missing), "{missing}");
        }
        for script in SCRIPTS {
            assert!(!script.contains("</script"));
        }
    }
}
