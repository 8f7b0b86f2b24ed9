//! One value a row, on a horizontal scale.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{
    Area, CAP, ChartError, FONT, LABEL_SIZE, Measured, TITLE_SIZE, cannot, colour, label_at,
    picture, set_look,
};

/// A chart of one value a row, on a horizontal scale.
pub struct RowChart {
    pub title: String,
    pub x_title: String,
    /// From the top down.
    pub rows: Vec<(String, Measured)>,
}

impl RowChart {
    /// The chart as an SVG picture.
    ///
    /// # Errors
    /// If the drawing library refuses it.
    pub fn svg(&self) -> Result<String, ChartError> {
        picture(130 + 34 * self.rows.len() as u32, |area| self.draw(area))
    }

    /// From the least end of an error bar to the greatest, with some room.
    fn range(&self) -> [f64; 2] {
        let ends = || self.rows.iter().flat_map(|(_, row)| [row.low, row.high]);
        let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
        let room = (high - low).max(1.0);
        [low - 0.05 * room, high + 0.1 * room]
    }

    fn draw(&self, area: &Area) -> Result<(), ChartError> {
        let count = self.rows.len();
        let [low, high] = self.range();
        let mut names: Vec<String> = self.rows.iter().map(|(name, _)| name.clone()).collect();
        // The y axis goes up, the rows go down.
        names.reverse();
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, (FONT, TITLE_SIZE))
            .margin(16)
            .x_label_area_size(58)
            .y_label_area_size(240)
            .build_cartesian_2d(low..high, -0.5..count as f64 - 0.5)
            .map_err(cannot)?;
        let mut mesh = chart.configure_mesh();
        set_look(&mut mesh);
        mesh.x_desc(&self.x_title)
            .y_labels(count + 1)
            .y_label_formatter(&|&y| label_at(&names, y))
            .x_label_formatter(&|x| format!("{x:.0}"))
            .draw()
            .map_err(cannot)?;
        let colour = colour(0);
        let rows = || {
            let rows = self.rows.iter().enumerate();
            rows.map(|(index, (_, row))| ((count - 1 - index) as f64, *row))
        };
        let bars = rows().map(|(y, row)| {
            let Measured { value, low, high } = row;
            ErrorBar::new_horizontal(y, low, value, high, colour.filled(), 2 * CAP as u32)
        });
        chart.draw_series(bars).map_err(cannot)?;
        let texts = rows().map(|(y, row)| {
            let right = Pos::new(HPos::Left, VPos::Center);
            let style = (FONT, LABEL_SIZE).into_text_style(area).pos(right);
            let text = Text::new(format!("{:.0}", row.value), (9, 0), style);
            EmptyElement::at((row.high, y)) + text
        });
        chart.draw_series(texts).map_err(cannot)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{measured, shows};
    use super::*;

    #[test]
    fn row_charts_show_every_row() {
        let rows = [("best", 1000.0), ("worst", 200.0)];
        let chart = RowChart {
            title: "Title".into(),
            x_title: "Elo".into(),
            rows: rows
                .map(|(name, value)| (name.into(), measured(value)))
                .into(),
        };
        let svg = chart.svg().unwrap();
        shows(&svg, &["Title", "Elo", "best", "worst", "1000", "200"]);
        let [low, high] = chart.range();
        assert!(low < 0.0 && high > 1100.0);
    }
}
