//! A graphics card: finding and opening one, its memory.

use bytemuck::cast_slice;
use pollster::block_on;
use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu::{Adapter, Buffer, BufferUsages, DeviceType, PollType};

use super::super::DeviceError;

/// Whether there is a card that is more than a program of the processor.
pub fn has_gpu() -> bool {
    find().is_ok_and(|adapter| adapter.get_info().device_type != DeviceType::Cpu)
}

/// The fastest card there is.
///
/// # Errors
/// If there is none.
pub fn find() -> Result<Adapter, DeviceError> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let fastest = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..Default::default()
    };
    let found = block_on(instance.request_adapter(&fastest));
    found.map_err(|error| DeviceError::NotFound(error.to_string()))
}

/// An open graphics card.
pub struct Card {
    pub name: String,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

impl Card {
    /// Opens a card with all that it offers.
    ///
    /// # Errors
    /// If the driver refuses.
    pub fn open(
        adapter: &Adapter,
        name: String,
        limits: wgpu::Limits,
    ) -> Result<Self, DeviceError> {
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: limits,
            ..Default::default()
        };
        match block_on(adapter.request_device(&descriptor)) {
            Ok((device, queue)) => Ok(Self {
                name,
                device,
                queue,
            }),
            Err(error) => Err(DeviceError::Failed {
                name,
                cause: error.to_string(),
            }),
        }
    }

    /// The error of this card.
    pub fn failed(&self, cause: &dyn std::fmt::Display) -> DeviceError {
        DeviceError::Failed {
            name: self.name.clone(),
            cause: cause.to_string(),
        }
    }

    /// A buffer of so many words, all nothing.
    pub fn empty(&self, words: usize) -> Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: (words * size_of::<u32>()) as u64,
            usage: BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    }

    /// A buffer of these numbers.
    pub fn filled(&self, words: &[f32]) -> Buffer {
        self.device.create_buffer_init(&BufferInitDescriptor {
            label: None,
            contents: cast_slice(words),
            usage: BufferUsages::STORAGE | BufferUsages::COPY_SRC,
        })
    }

    /// Waits for the card and copies what is in a buffer.
    ///
    /// # Errors
    /// If the card has failed.
    pub fn read(&self, buffer: &Buffer) -> Result<Vec<f32>, DeviceError> {
        let copy = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: buffer.size(),
            usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut commands = self.device.create_command_encoder(&Default::default());
        commands.copy_buffer_to_buffer(buffer, 0, &copy, 0, buffer.size());
        self.queue.submit([commands.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        copy.map_async(wgpu::MapMode::Read, .., move |mapped| {
            // The receiver waits below.
            let _ = sender.send(mapped);
        });
        self.wait(PollType::wait_indefinitely())?;
        let mapped = receiver.recv().map_err(|error| self.failed(&error))?;
        mapped.map_err(|error| self.failed(&error))?;
        let view = copy.get_mapped_range(..);
        let view = view.map_err(|error| self.failed(&error))?;
        Ok(cast_slice(&view).to_vec())
    }

    /// Waits for work of the card to be done.
    ///
    /// # Errors
    /// If the card has failed.
    pub fn wait(&self, what: PollType) -> Result<(), DeviceError> {
        let waited = self.device.poll(what);
        waited.map(|_| ()).map_err(|error| self.failed(&error))
    }
}
