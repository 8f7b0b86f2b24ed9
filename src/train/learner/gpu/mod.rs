//! Learning on a graphics card, any that Vulkan or Metal reach (the library
//! wgpu).
//!
//! | to see or change | look at |
//! |---|---|
//! | the steps of the training | `mod.rs` (here) |
//! | the card and its memory | `card.rs` |
//! | what is computed | `kernels.wgsl`, started by `kernels.rs` |
//! | a batch as the kernels read it | `batch.rs` |
//!
//! The weights and the state of the optimiser stay on the card; a step sends a
//! batch of lessons and starts the kernels of `kernels.wgsl`. Nothing is read
//! back before an epoch's loss is asked for, so that the next batch is prepared
//! while the card computes. The arithmetic is that of `../cpu.rs`, in another
//! order: the networks are not the same to the bit.

mod batch;
mod card;
mod kernels;
#[cfg(test)]
mod tests;

pub use card::has_gpu;

use std::collections::VecDeque;

use bytemuck::cast_slice;
use pollster::block_on;
use wgpu::PollType;

use super::super::adam::corrected;
use super::super::model::{Model, Units};
use super::super::samples::Lesson;
use super::{DeviceError, Learner};
use crate::eval::network::LANES;
use crate::eval::network::features::{Features, STAGES};
use batch::Batch;
use card::Card;
use kernels::{Buffers, GRID, Kernels, Step, THREADS};

/// The batches that may wait for the card: their memory is bounded so.
const WAITING: usize = 4;

/// A model on a card.
pub struct GpuLearner {
    features: Features,
    /// The rows of the features, and all rows.
    feature_rows: usize,
    rows: usize,
    hidden: usize,
    steps: i32,
    batch: Batch,
    card: Card,
    buffers: Buffers,
    kernels: Kernels,
    waiting: VecDeque<wgpu::SubmissionIndex>,
}

/// Begins to teach a model on the fastest card there is, in batches of at most
/// so many lessons.
pub fn on_gpu<const N: usize>(
    model: Model<N>,
    batch: usize,
) -> Result<Box<dyn Learner<N>>, DeviceError> {
    let adapter = card::find()?;
    let name = adapter.get_info().name;
    let limits = adapter.limits();
    let (lessons, hidden) = (batch.max(1), model.hidden());
    let words = kernels::largest_buffer::<N>(lessons, model.rows(), hidden);
    if (words * size_of::<u32>()) as u64 > limits.max_storage_buffer_binding_size {
        return Err(DeviceError::TooLarge {
            lessons,
            hidden,
            name,
        });
    }
    let card = Card::open(&adapter, name, limits)?;
    Ok(Box::new(GpuLearner::new(model, lessons, card)?))
}

impl GpuLearner {
    fn new<const N: usize>(
        model: Model<N>,
        lessons: usize,
        card: Card,
    ) -> Result<Self, DeviceError> {
        let guard = card.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let buffers = Buffers::new(&card, &model, lessons);
        if let Some(error) = block_on(guard.pop()) {
            return Err(card.failed(&error));
        }
        let kernels = Kernels::new(&card.device, &buffers);
        Ok(Self {
            features: model.features(),
            feature_rows: model.features().count::<N>(),
            rows: model.rows(),
            hidden: model.hidden(),
            steps: 0,
            batch: Batch::default(),
            card,
            buffers,
            kernels,
            waiting: VecDeque::new(),
        })
    }

    /// Sends a batch to the card and starts the kernels: to learn at a rate, or
    /// to count the loss only.
    fn start<const N: usize>(&mut self, lessons: &[Lesson<N>], rate: Option<f32>) {
        self.batch.fill(lessons, self.feature_rows, self.rows);
        let (corrected_rate, square_correction) = corrected(rate.unwrap_or(0.0), self.steps.max(1));
        let step = Step {
            count: lessons.len() as u32,
            hidden: self.hidden as u32,
            features: self.feature_rows as u32,
            rows: self.rows as u32,
            squares: (N * N) as u32,
            learning: u32::from(rate.is_some()),
            rate: corrected_rate,
            square_correction,
        };
        let queue = &self.card.queue;
        queue.write_buffer(&self.buffers.step, 0, bytemuck::bytes_of(&step));
        queue.write_buffer(&self.buffers.lessons, 0, cast_slice(&self.batch.lessons));
        queue.write_buffer(&self.buffers.index, 0, cast_slice(&self.batch.index));
        let mut commands = self.card.device.create_command_encoder(&Default::default());
        {
            let mut pass = commands.begin_compute_pass(&Default::default());
            pass.set_bind_group(0, &self.kernels.bindings, &[]);
            pass.set_pipeline(&self.kernels.predict);
            pass.dispatch_workgroups(step.count.min(GRID), step.count.div_ceil(GRID), 1);
            if rate.is_some() {
                pass.set_pipeline(&self.kernels.change_weights);
                pass.dispatch_workgroups(step.rows, step.hidden.div_ceil(THREADS), 1);
                pass.set_pipeline(&self.kernels.change_biases);
                pass.dispatch_workgroups(1, 1, 1);
            }
        }
        self.waiting.push_back(queue.submit([commands.finish()]));
        if self.waiting.len() > WAITING {
            let submission_index = self.waiting.pop_front();
            // A card that has failed says so when its results are asked for.
            let _ = self.card.wait(PollType::Wait {
                submission_index,
                timeout: None,
            });
        }
    }
}

impl<const N: usize> Learner<N> for GpuLearner {
    fn device(&self) -> &str {
        &self.card.name
    }

    fn features(&self) -> Features {
        self.features
    }

    fn learn(&mut self, lessons: &[Lesson<N>], rate: f32) {
        self.steps += 1;
        self.start(lessons, Some(rate));
    }

    fn judge(&mut self, lessons: &[Lesson<N>]) {
        self.start(lessons, None);
    }

    fn take_loss(&mut self) -> Result<f64, DeviceError> {
        let results = self.card.read(&self.buffers.results)?;
        let losses = results.as_chunks::<2>().0.iter();
        let loss = losses.map(|[_, loss]| f64::from(*loss)).sum();
        let mut commands = self.card.device.create_command_encoder(&Default::default());
        commands.clear_buffer(&self.buffers.results, 0, None);
        self.card.queue.submit([commands.finish()]);
        Ok(loss)
    }

    fn into_model(self: Box<Self>) -> Result<Model<N>, DeviceError> {
        let weights = self.card.read(&self.buffers.weights)?;
        let rows = weights.chunks_exact(self.hidden);
        let blocks = (0..self.hidden / LANES).map(|block| {
            let units = rows.clone().map(|row| row.as_chunks::<LANES>().0[block]);
            units.collect::<Vec<Units>>()
        });
        let mut bias = [0.0; STAGES];
        let biases = self.card.read(&self.buffers.biases)?;
        for (bias, [known, ..]) in bias.iter_mut().zip(biases.as_chunks::<4>().0) {
            *bias = *known;
        }
        Ok(Model::new(self.features, blocks.collect(), bias))
    }
}
