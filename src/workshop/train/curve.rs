//! Draws the learning curve.

use super::trainer::Epoch;
use crate::chart::{Chart, Measured, Series};
use crate::files::{Kind, begins_and_holds};

/// The maximum number of labels along the epoch axis.
const MOST_LABELS: usize = 25;

/// The title of the chart.
const TITLE: &str = "Learning curve";

/// The file of a chart.
pub const CURVE_FILE: Kind = Kind {
    name: "a learning curve of `santorini train`",
    begins: |head| begins_and_holds(head, "<svg ", TITLE),
};

/// The losses by epoch as an SVG chart.
pub fn svg(epochs: &[Epoch]) -> String {
    let line = |name: &str, loss: fn(&Epoch) -> f64| Series {
        name: name.into(),
        values: epochs
            .iter()
            .map(|epoch| Measured::exactly(loss(epoch)))
            .collect(),
    };
    let every = epochs.len().div_ceil(MOST_LABELS).max(1);
    let label = |(index, epoch): (usize, &Epoch)| match (index + 1) % every {
        0 => epoch.epoch.to_string(),
        _ => String::new(),
    };
    let chart = Chart::lines(
        [TITLE, "epoch", "mean cross entropy"],
        epochs.iter().enumerate().map(label).collect(),
        range(epochs),
        |loss| format!("{loss:.4}"),
        &[
            line("training", |epoch| epoch.training),
            line("validation", |epoch| epoch.validation),
        ],
    );
    chart.picture().svg
}

/// The range of the loss axis: all losses plus a margin.
fn range(epochs: &[Epoch]) -> [f64; 2] {
    let losses = epochs
        .iter()
        .flat_map(|epoch| [epoch.training, epoch.validation]);
    let (low, high) = losses.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), loss| {
        (low.min(loss), high.max(loss))
    });
    let more = (0.1 * (high - low)).max(1e-3);
    [low - more, high + more]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_shows_both_losses_and_the_epochs() {
        let epoch = |epoch| Epoch {
            epoch,
            training: 0.5 + 0.1 / f64::from(epoch),
            validation: 0.52 + 0.1 / f64::from(epoch),
        };
        let few: Vec<Epoch> = (1..=3).map(epoch).collect();
        let picture = svg(&few);
        for text in ["training", "validation", "epoch", "1", "2", "3"] {
            assert!(picture.contains(&format!(">{text}</text>")), "no {text}");
        }
        assert!((CURVE_FILE.begins)(picture.as_bytes()));
        let many: Vec<Epoch> = (1..=60).map(epoch).collect();
        let picture = svg(&many);
        let has = |text: &str| picture.contains(&format!(">{text}</text>"));
        assert!(has("60") && has("3") && !has("59"));
        assert!((CURVE_FILE.begins)(&picture.as_bytes()[..4096]));
        assert!(svg(&few[..1]).contains(TITLE));
    }
}
