//! Lines and boxes in the colour of their tone. Where there are more tones than colours,
//! dashes and stripes tell those of one colour apart.

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::{AXIS, ChartError, Tone, cannot};

/// The dash and the gap of the lines of one colour, in pixels: the first is drawn through,
/// the others are dashed, and then they begin again.
const DASHES: [[u32; 2]; 3] = [[9, 5], [3, 4], [16, 4]];

/// The dash and the gap of a line; `None` of one that is drawn through.
pub fn dash_of(tone: Tone) -> Option<[u32; 2]> {
    let round = tone.round().checked_sub(1)?;
    Some(DASHES[round % DASHES.len()])
}

/// How far apart the stripes of a box are, in pixels.
const STRIPES: i32 = 5;

/// The stripes of a box of this width and height, in pixels from its upper left corner:
/// upright ones, then level ones, then both.
pub fn stripes_of(tone: Tone, [width, height]: [i32; 2]) -> Vec<[(i32, i32); 2]> {
    let [upright, level] = match tone.round() {
        0 => [false, false],
        round => [round % 3 != 2, round % 3 != 1],
    };
    let steps = |end: i32| (STRIPES..end).step_by(STRIPES as usize);
    let columns = steps(if upright { width } else { 0 }).map(|x| [(x, 0), (x, height)]);
    let rows = steps(if level { height } else { 0 }).map(|y| [(0, y), (width, y)]);
    columns.chain(rows).collect()
}

/// Draws a line through points.
pub fn draw_line(
    chart: &mut ChartContext<SVGBackend, Cartesian2d<RangedCoordf64, RangedCoordf64>>,
    points: Vec<(f64, f64)>,
    tone: Tone,
) -> Result<(), ChartError> {
    let style = tone.on_paper().stroke_width(2);
    match dash_of(tone) {
        None => chart.draw_series(LineSeries::new(points, style)).map(drop),
        Some([dash, gap]) => chart
            .draw_series(DashedLineSeries::new(points, dash, gap, style))
            .map(drop),
    }
    .map_err(cannot)
}

/// Draws a bar between two corners.
pub fn draw_bar<X: Ranged<ValueType = f64>, Y: Ranged<ValueType = f64>>(
    chart: &mut ChartContext<SVGBackend, Cartesian2d<X, Y>>,
    corners: [(f64, f64); 2],
    tone: Tone,
) -> Result<(), ChartError> {
    let bar = Rectangle::new(corners, tone.on_paper().filled());
    chart.draw_series([bar]).map_err(cannot)?;
    let [a, b] = corners.each_ref().map(|corner| chart.backend_coord(corner));
    let size = [(b.0 - a.0).abs(), (b.1 - a.1).abs()];
    let upper = corners[usize::from(b.1 < a.1)].1;
    let upper_left = (corners[0].0, upper);
    let ink = Tone::Ink.on_paper().mix(AXIS);
    let stripes = stripes_of(tone, size).into_iter();
    let stripes = stripes.map(|ends| EmptyElement::at(upper_left) + PathElement::new(ends, ink));
    chart.draw_series(stripes).map_err(cannot)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones_of_one_colour_differ_in_dashes_and_stripes() {
        let mut seen = Vec::new();
        for index in 0..40 {
            let tone = Tone::Series(index);
            let cue = (tone.on_paper(), dash_of(tone));
            assert!(!seen.contains(&cue), "{index}");
            seen.push(cue);
        }
        for tone in [Tone::Won as fn(usize) -> Tone, Tone::Lost] {
            let mut seen = Vec::new();
            for index in 0..14 {
                let cue = (tone(index).on_paper(), stripes_of(tone(index), [30, 20]));
                assert!(!seen.contains(&cue), "{index}");
                seen.push(cue);
            }
        }
        assert!(stripes_of(Tone::Won(0), [30, 20]).is_empty());
    }
}
