//! The graph of the chance over a game, as text.

/// Rows of the graph.
const HEIGHT: usize = 8;
const TOP: usize = HEIGHT - 1;
const MIDDLE: usize = HEIGHT / 2;
/// The default maximum of columns; longer games skip boards.
const WIDTH: usize = 72;
/// The number of characters to the left of the columns.
const LEFT: usize = 8;
/// Blocks filled from the bottom in eighths.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A graph of values from 0 to 1, one for each board: a filled area, with labels on the
/// left and the numbers of the boards, from `first`, below. Without `blocks` it is ASCII.
/// `width` is the width of the terminal, if any.
pub(super) fn graph(values: &[f64], first: u32, blocks: bool, width: Option<usize>) -> String {
    let most = width.map_or(WIDTH, |width| width.saturating_sub(LEFT).max(1));
    let step = values.len().div_ceil(most).max(1);
    let columns: Vec<f64> = values.iter().copied().step_by(step).collect();
    let mut text = String::new();
    for row in (0..HEIGHT).rev() {
        let label = match row {
            TOP => "100%",
            MIDDLE => " 50%",
            0 => "  0%",
            _ => "    ",
        };
        let cells: String = columns
            .iter()
            .map(|&value| cell(value * HEIGHT as f64 - row as f64, row, blocks))
            .collect();
        text += &format!(
            "  {label} {}{}\n",
            if blocks { '│' } else { '|' },
            cells.trim_end()
        );
    }
    let room = width.map_or(usize::MAX, |width| width.saturating_sub(LEFT));
    text + &axis(columns.len(), step, first, blocks, room)
}

/// The character of a column in a row; `filled` is the share of the row that is filled.
fn cell(filled: f64, row: usize, blocks: bool) -> char {
    // Empty cells show the middle line.
    let empty = if row == MIDDLE {
        if blocks { '·' } else { '.' }
    } else {
        ' '
    };
    if blocks {
        match (filled.clamp(0.0, 1.0) * 8.0).round() as usize {
            0 => empty,
            eighths => BLOCKS[eighths],
        }
    } else if filled >= 0.5 {
        '#'
    } else {
        empty
    }
}

fn axis(columns: usize, step: usize, first: u32, blocks: bool, room: usize) -> String {
    let (corner, line) = if blocks { ('└', '─') } else { ('+', '-') };
    let rule: String = std::iter::repeat_n(line, columns).collect();
    let mut numbers = String::new();
    for column in (0..columns).step_by(10) {
        let number = (first as usize + column * step).to_string();
        if column + number.len() <= room {
            numbers += &format!("{number:<10}");
        }
    }
    let numbers = numbers.trim_end();
    format!("{corner:>LEFT$}{rule}\n{:LEFT$}{numbers}\n", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_filled_from_below() {
        let text = graph(&[0.0, 0.5, 1.0, 0.25], 0, false, None);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), HEIGHT + 2);
        assert_eq!(lines[0], "  100% |  #");
        assert_eq!(lines[3], "   50% |..#.");
        assert_eq!(lines[4], "       | ##");
        assert_eq!(lines[7], "    0% | ###");
        assert_eq!(lines[8], "       +----");
        assert_eq!(lines[9], "        0");
        assert!(text.is_ascii());
    }

    #[test]
    fn blocks_show_eighths_and_long_games_fit() {
        let text = graph(&[0.0, 1.0 / 64.0, 1.0], 3, true, None);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[7], "    0% │ ▁█");
        assert_eq!(lines[9], "        3");
        let long = graph(&[0.5; 145], 0, true, None);
        assert!(
            long.lines()
                .all(|line| line.chars().count() <= WIDTH + LEFT)
        );
        assert!(long.contains("        0         30        60"));
        assert!(graph(&[], 0, true, None).contains('│'));
    }
}
