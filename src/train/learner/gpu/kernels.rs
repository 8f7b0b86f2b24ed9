//! The kernels of `kernels.wgsl`, ready to run, and the buffers they work on.

use bytemuck::{Pod, Zeroable};
use wgpu::{Buffer, BufferUsages, ComputePipeline};

use super::super::super::adam::{LEAST_ROOT, MEAN_DECAY, SQUARE_DECAY};
use super::super::super::model::{MAX_WEIGHT, Model};
use super::batch;
use super::card::Card;
use crate::eval::network::LANES;

/// The threads of a work group, as in `kernels.wgsl`.
pub const THREADS: u32 = 64;
/// The widest row of work groups, as there.
pub const GRID: u32 = 32_768;

/// What the kernels know of a step; `Step` in `kernels.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct Step {
    pub count: u32,
    pub hidden: u32,
    pub features: u32,
    pub rows: u32,
    pub squares: u32,
    pub learning: u32,
    pub rate: f32,
    pub square_correction: f32,
}

/// What is on the card.
pub struct Buffers {
    pub step: Buffer,
    /// What `batch.rs` makes of a batch.
    pub lessons: Buffer,
    pub index: Buffer,
    pub weights: Buffer,
    pub moments: Buffer,
    pub values: Buffer,
    pub gradients: Buffer,
    pub results: Buffer,
    pub biases: Buffer,
}

/// The kernels, and which buffers they work on.
pub struct Kernels {
    pub bindings: wgpu::BindGroup,
    pub predict: ComputePipeline,
    pub change_weights: ComputePipeline,
    pub change_biases: ComputePipeline,
}

/// The words of the largest buffer.
pub fn largest_buffer<const N: usize>(lessons: usize, rows: usize, hidden: usize) -> usize {
    let (values, moments) = (2 * lessons * hidden, 2 * rows * hidden);
    values
        .max(moments)
        .max(batch::index_words::<N>(lessons, rows))
}

impl Buffers {
    /// Buffers for a model and batches of at most so many lessons.
    pub fn new<const N: usize>(card: &Card, model: &Model<N>, lessons: usize) -> Self {
        let (rows, hidden) = (model.rows(), model.hidden());
        let mut weights = vec![0.0; rows * hidden];
        for (row, weights) in weights.chunks_exact_mut(hidden).enumerate() {
            let blocks = weights.as_chunks_mut::<LANES>().0;
            for (weights, block) in blocks.iter_mut().zip(&model.blocks) {
                *weights = block[row];
            }
        }
        let biases = model.bias.map(|bias| [bias, 0.0, 0.0, 0.0]);
        Self {
            step: card.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: size_of::<Step>() as u64,
                usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            lessons: card.empty(lessons * batch::words::<N>()),
            index: card.empty(batch::index_words::<N>(lessons, rows)),
            weights: card.filled(&weights),
            moments: card.empty(2 * weights.len()),
            values: card.empty(lessons * 2 * hidden),
            gradients: card.empty(lessons * 2 * hidden),
            results: card.empty(2 * lessons),
            biases: card.filled(biases.as_flattened()),
        }
    }

    /// In the order of their numbers in `kernels.wgsl`.
    fn in_order(&self) -> [&Buffer; 9] {
        [
            &self.step,
            &self.lessons,
            &self.index,
            &self.weights,
            &self.moments,
            &self.values,
            &self.gradients,
            &self.results,
            &self.biases,
        ]
    }
}

impl Kernels {
    pub fn new(device: &wgpu::Device, buffers: &Buffers) -> Self {
        let module = device.create_shader_module(wgpu::include_wgsl!("kernels.wgsl"));
        let buffers = buffers.in_order();
        let entries: Vec<_> = (0..buffers.len() as u32).map(layout_entry).collect();
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &entries,
        });
        let entries = buffers.iter().zip(0..).map(|(buffer, binding)| {
            let resource = buffer.as_entire_binding();
            wgpu::BindGroupEntry { binding, resource }
        });
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &entries.collect::<Vec<_>>(),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let constants = [
            ("mean_decay", f64::from(MEAN_DECAY)),
            ("square_decay", f64::from(SQUARE_DECAY)),
            ("least_root", f64::from(LEAST_ROOT)),
            ("max_weight", f64::from(MAX_WEIGHT)),
        ];
        let kernel = |name| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(name),
                layout: Some(&layout),
                module: &module,
                entry_point: Some(name),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &constants,
                    ..Default::default()
                },
                cache: None,
            })
        };
        Self {
            bindings,
            predict: kernel("predict"),
            change_weights: kernel("change_weights"),
            change_biases: kernel("change_biases"),
        }
    }
}

/// What the buffer with this number is to the kernels: the first tells of the
/// step, the lessons and their index are only read.
fn layout_entry(binding: u32) -> wgpu::BindGroupLayoutEntry {
    let ty = match binding {
        0 => wgpu::BufferBindingType::Uniform,
        1 | 2 => wgpu::BufferBindingType::Storage { read_only: true },
        _ => wgpu::BufferBindingType::Storage { read_only: false },
    };
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }
}
