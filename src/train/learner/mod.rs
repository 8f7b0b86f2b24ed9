//! A model that learns: its predictions for a batch of lessons, and the step
//! of the optimiser that their errors lead to.
//!
//! | to see or change | look at |
//! |---|---|
//! | what the training asks of a learner, on which device it learns | `mod.rs` (here) |
//! | the arithmetic on processor cores | `cpu.rs` |
//! | the same on a graphics card, in programs built with the feature `gpu` | `gpu/` |

mod cpu;
#[cfg(feature = "gpu")]
mod gpu;

pub use cpu::FEW_LESSONS;

use super::model::Model;
use super::samples::Lesson;
use crate::eval::network::features::Features;
use cpu::CpuLearner;

/// A model with the state of its optimiser.
pub trait Learner<const N: usize>: Send {
    /// What it computes on, for people.
    fn device(&self) -> &str;

    /// What the model sees of a position.
    fn features(&self) -> Features;

    /// Takes a step towards the lessons' targets and counts their loss before
    /// it.
    fn learn(&mut self, lessons: &[Lesson<N>], rate: f32);

    /// Counts the lessons' loss.
    fn judge(&mut self, lessons: &[Lesson<N>]);

    /// The sum of all losses counted since it was last asked for: cross
    /// entropies of the predictions with the targets.
    ///
    /// # Errors
    /// If the device has failed.
    fn take_loss(&mut self) -> Result<f64, DeviceError>;

    /// The model as it is now.
    ///
    /// # Errors
    /// If the device has failed.
    fn into_model(self: Box<Self>) -> Result<Model<N>, DeviceError>;
}

/// What to learn on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Device {
    /// A graphics card if there is one, else the processor
    #[default]
    Auto,
    /// The processor, the same network to the bit on every machine
    Cpu,
    /// A graphics card
    Gpu,
}

/// Why a device cannot learn.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    #[error(
        "this program is built without support for graphics cards; \
         with it: cargo build --release --features gpu"
    )]
    NotBuilt,
    #[error("no graphics card is found: {0}")]
    NotFound(String),
    #[error(
        "batches of {lessons} positions with {hidden} hidden values do not fit the graphics card {name}: \
         choose a smaller --batch or --device cpu"
    )]
    TooLarge {
        lessons: usize,
        hidden: usize,
        name: String,
    },
    #[error("the graphics card {name} has failed: {cause}")]
    Failed { name: String, cause: String },
}

/// Begins to teach a model in batches of at most so many lessons.
///
/// # Errors
/// If the device that is asked for is not there or too small.
pub fn begin<const N: usize>(
    model: Model<N>,
    device: Device,
    batch: usize,
) -> Result<Box<dyn Learner<N>>, DeviceError> {
    match device {
        Device::Cpu => Ok(Box::new(CpuLearner::new(model))),
        Device::Gpu => on_gpu(model, batch),
        Device::Auto if has_gpu() => on_gpu(model, batch),
        Device::Auto => begin(model, Device::Cpu, batch),
    }
}

#[cfg(feature = "gpu")]
use gpu::{has_gpu, on_gpu};

#[cfg(not(feature = "gpu"))]
const fn has_gpu() -> bool {
    false
}

#[cfg(not(feature = "gpu"))]
fn on_gpu<const N: usize>(_: Model<N>, _: usize) -> Result<Box<dyn Learner<N>>, DeviceError> {
    Err(DeviceError::NotBuilt)
}
