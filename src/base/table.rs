//! Tables, shown as aligned text or as HTML.

use crate::markup::escape;
use crate::printable::printable;

/// The maximum length of names in text tables, in characters.
const LONGEST_NAME: usize = 32;

/// A head and rows of cells. One column may hold names: it is left-aligned in text, and its
/// cells are `th` in HTML.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<Cell>>,
    names: Option<usize>,
}

/// A column: its head, and the function that gives its cell for a row.
pub type Column<T> = (&'static str, fn(&T) -> String);

/// One cell of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cell {
    text: String,
    /// Shown in HTML while the pointer is over the cell.
    hover: Option<String>,
    /// A share of points from 0 to 1 that colours the cell in HTML.
    score: Option<f64>,
    /// Whether the cell is faint in HTML because it has no value.
    faint: bool,
}

impl Cell {
    /// A faint cell, for "no value".
    pub fn none(text: &str) -> Self {
        Self {
            faint: true,
            ..Self::from(text.to_string())
        }
    }

    /// The cell coloured by a share of points from 0 to 1.
    pub fn coloured(self, score: f64) -> Self {
        Self {
            score: Some(score),
            ..self
        }
    }

    /// The cell with a tooltip.
    pub fn with_hover(self, hover: &str) -> Self {
        Self {
            hover: Some(hover.to_string()),
            ..self
        }
    }

    fn html(&self, tag: &str) -> String {
        let mut attributes = String::new();
        if let Some(hover) = &self.hover {
            attributes += &format!(" title=\"{}\"", escape(hover));
        }
        if self.faint {
            attributes += " class=\"none\"";
        }
        if let Some(score) = self.score {
            attributes += &format!(" style=\"{}\"", shade(score));
        }
        format!("<{tag}{attributes}>{}</{tag}>", escape(&self.text))
    }
}

impl From<String> for Cell {
    /// Escapes unprintable characters: the text may come from outside.
    fn from(text: String) -> Self {
        Self {
            text: printable(&text).into_owned(),
            ..Self::default()
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_string().into()
    }
}

impl Table {
    /// A table without rows.
    pub fn new<S: Into<String>>(head: impl IntoIterator<Item = S>) -> Self {
        Self {
            head: head
                .into_iter()
                .map(|text| Cell::from(text.into()).text)
                .collect(),
            ..Self::default()
        }
    }

    /// The table with these columns and a row for each item.
    pub fn of<'a, T: 'a>(columns: &[Column<T>], rows: impl IntoIterator<Item = &'a T>) -> Self {
        let mut table = Self::new(columns.iter().map(|(head, _)| *head));
        for row in rows {
            table.add(columns.iter().map(|(_, cell)| cell(row)));
        }
        table
    }

    /// The table with names in the column with this index.
    pub fn with_names_in(self, column: usize) -> Self {
        Self {
            names: Some(column),
            ..self
        }
    }

    /// Adds a row below the others.
    pub fn add<C: Into<Cell>>(&mut self, row: impl IntoIterator<Item = C>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    /// Whether the table has no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as aligned text, its columns two spaces apart: names to the left, all else
    /// to the right.
    pub fn text(&self) -> String {
        let mut lines = vec![self.head.clone()];
        lines.extend(self.rows.iter().map(|row| {
            let cells = row.iter().enumerate();
            let texts = cells.map(|(column, cell)| match self.names == Some(column) {
                true => shortened(&cell.text),
                false => cell.text.clone(),
            });
            texts.collect()
        }));
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for line in &lines {
            let cells = line.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (cell, &width))| {
                if self.names == Some(column) {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
            text += cells.collect::<Vec<_>>().join("  ").trim_end();
            text.push('\n');
        }
        text
    }

    /// The table in HTML, of the class "numbers".
    pub fn html(&self) -> String {
        let head = self.head.iter().map(|text| Cell::from(text.as_str()));
        let head: String = head.map(|cell| cell.html("th")).collect();
        let rows = self.rows.iter().map(|row| {
            let cells = row.iter().enumerate().map(|(column, cell)| {
                let tag = if self.names == Some(column) {
                    "th"
                } else {
                    "td"
                };
                cell.html(tag)
            });
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        });
        let rows: String = rows.collect();
        format!("<table class=\"numbers\">\n<tr>{head}</tr>\n{rows}</table>")
    }
}

/// The name as printable text, cut to the maximum length.
pub fn shortened(name: &str) -> String {
    shortened_to(LONGEST_NAME, name)
}

/// The name as printable text of at most `most` characters. A longer one loses its middle: names
/// in a series, such as group-01 and group-02, differ at the end.
pub fn shortened_to(most: usize, name: &str) -> String {
    const GAP: &str = "...";
    let name = printable(name);
    let length = name.chars().count();
    if length <= most {
        return name.into_owned();
    }
    let kept = most.saturating_sub(GAP.len());
    let start = name.chars().take(kept.div_ceil(2));
    let end = name.chars().skip(length - kept / 2);
    start.chain(GAP.chars()).chain(end).collect()
}

/// A share as a percentage with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// A share as a percentage without decimals.
pub(crate) fn whole_percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// The number as `show` writes it, or a dash if it is missing or not finite.
pub fn or_dash(value: Option<f64>, show: impl Fn(f64) -> String) -> String {
    match value {
        Some(value) if value.is_finite() => show(value),
        _ => "-".to_string(),
    }
}

/// The background colour of a score: red for 0, none for one half, green for 1. It is
/// translucent, so that it suits light and dark pages.
fn shade(score: f64) -> String {
    let strength = 0.6 * (score - 0.5).abs() * 2.0;
    let colour = if score < 0.5 {
        "210,70,60"
    } else {
        "50,150,80"
    };
    format!("background:rgba({colour},{strength:.2})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(["#", "name", "games"]).with_names_in(1);
        table.add(["1".into(), Cell::from("Ann <x>"), "12".into()]);
        table.add(["10".into(), Cell::from("B"), Cell::none("-")]);
        table
    }

    #[test]
    fn columns_make_a_table_of_rows() {
        let columns: [Column<u32>; 2] = [
            ("number", u32::to_string),
            ("square", |number| (number * number).to_string()),
        ];
        let mut expected = Table::new(["number", "square"]);
        expected.add(["2", "4"]);
        expected.add(["3", "9"]);
        assert_eq!(Table::of(&columns, &[2, 3]), expected);
    }

    #[test]
    fn text_is_aligned_by_columns() {
        let expected = [
            " #  name     games\n",
            " 1  Ann <x>     12\n",
            "10  B            -\n",
        ];
        assert_eq!(table().text(), expected.concat());
    }

    #[test]
    fn long_names_are_cut_in_text_only() {
        let mut table = Table::new(["name"]).with_names_in(0);
        let names = ["1", "2"].map(|number| format!("Software-Engineering-2026-Group-0{number}"));
        table.add([&*names[0]]);
        table.add([&*names[1]]);
        let lines = "Software-Engine...-2026-Group-01\nSoftware-Engine...-2026-Group-02";
        assert_eq!(table.text(), format!("name\n{lines}\n"));
        assert!(table.html().contains(&names[0]));
    }

    #[test]
    fn html_is_escaped_and_marks_names() {
        let html = table().html();
        assert!(html.starts_with("<table class=\"numbers\">\n<tr><th>#</th>"));
        assert!(html.contains("<td>1</td><th>Ann &lt;x&gt;</th><td>12</td>"));
        assert!(html.contains("<td class=\"none\">-</td>"));
    }

    #[test]
    fn cells_are_coloured_by_the_score() {
        let cell = |score| Cell::from("5-0").coloured(score).html("td");
        assert!(cell(0.5).contains("0.00)"));
        assert!(cell(1.0).contains("rgba(50,150,80,0.60)\">5-0<"));
        assert!(cell(0.0).contains("rgba(210,70,60,0.60)"));
        let hover = Cell::from("a").with_hover("\"b\"").html("th");
        assert_eq!(hover, "<th title=\"&quot;b&quot;\">a</th>");
    }

    #[test]
    fn missing_numbers_are_dashes() {
        assert_eq!(or_dash(Some(0.256), percent), "25.6%");
        assert_eq!(whole_percent(0.996), "100%");
        assert_eq!(or_dash(Some(f64::NAN), percent), "-");
        assert_eq!(or_dash(None, percent), "-");
    }
}
