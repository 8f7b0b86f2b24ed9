//! How much room a chart has: as a file or on a wide page, and on a phone.

/// Sizes in pixels of the picture. The drawing library makes letters smaller by
/// 1.24 than the sizes it is given.
#[derive(Clone, Copy, Debug)]
pub struct Canvas {
    pub width: u32,
    /// The height of a chart whose rows are not counted, without title and legend.
    pub height: u32,
    pub margin: u32,
    pub title: u32,
    pub axis: u32,
    pub label: u32,
    /// About the width of a letter of a label.
    pub letter: i32,
    /// The room for numbers and words beside the y axis, below the x axis, and for
    /// the names of rows; those stand above their rows if there is none.
    pub y_area: u32,
    pub x_area: u32,
    pub names: Option<u32>,
    /// The most numbers along the x axis.
    pub ticks: usize,
    /// How much of the width the number behind a bar takes.
    pub number: f64,
}

/// A file of its own, and a page with room.
pub const WIDE: Canvas = Canvas {
    width: 720,
    height: 380,
    margin: 16,
    title: 24,
    axis: 18,
    label: 17,
    letter: 8,
    y_area: 78,
    x_area: 54,
    names: Some(240),
    ticks: 10,
    number: 0.12,
};

/// A phone, which shows the picture about as large as it is.
pub const NARROW: Canvas = Canvas {
    width: 360,
    height: 260,
    margin: 8,
    title: 17,
    axis: 15,
    label: 15,
    letter: 7,
    y_area: 66,
    x_area: 46,
    names: None,
    ticks: 5,
    number: 0.2,
};

impl Canvas {
    /// The room for a plot between the axis and the right edge.
    pub fn plot_width(&self) -> i32 {
        (self.width - self.y_area - 2 * self.margin) as i32
    }
}
