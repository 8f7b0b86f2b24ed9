//! The bytes of a part, in memory or in a memory-mapped file.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::MmapMut;

/// Spare bytes behind the last one, so that rows can be read in whole vectors.
const PADDING: usize = 256;

/// A buffer of fixed length, filled from front to back.
pub struct Bytes {
    store: Store,
    length: usize,
    filled: usize,
}

enum Store {
    Memory(Vec<u8>),
    /// The file has no name; the system removes it with the mapping.
    Mapped(MmapMut),
}

impl Bytes {
    /// Allocates `length` bytes in memory.
    ///
    /// # Errors
    /// If there is too little memory.
    pub fn in_memory(length: usize) -> io::Result<Self> {
        let mut bytes = Vec::new();
        let whole = length + PADDING;
        let reserved = bytes.try_reserve_exact(whole);
        reserved.map_err(|_| {
            let cause = format!("no memory for {length} bytes of a layer");
            io::Error::new(io::ErrorKind::OutOfMemory, cause)
        })?;
        bytes.resize(whole, 0);
        Ok(Self {
            store: Store::Memory(bytes),
            length,
            filled: 0,
        })
    }

    /// Allocates `length` bytes in a temporary file in a folder. The system caches as much
    /// of it in memory as it can spare.
    ///
    /// # Errors
    /// If the disk has too little space.
    pub fn on_disk(length: usize, folder: &Path) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        let whole = length + PADDING;
        allocate(&file, whole)?;
        // SAFETY: the file has no name, so no other program can truncate or change it.
        let map = unsafe { MmapMut::map_mut(&file) }?;
        Ok(Self {
            store: Store::Mapped(map),
            length,
            filled: 0,
        })
    }

    /// The bytes, with [`PADDING`] behind them.
    pub fn all(&self) -> &[u8] {
        match &self.store {
            Store::Memory(bytes) => bytes,
            Store::Mapped(map) => map,
        }
    }

    /// The bytes that were filled.
    pub fn filled(&self) -> &[u8] {
        &self.all()[..self.filled]
    }

    /// Whether all bytes are filled.
    pub const fn is_full(&self) -> bool {
        self.filled == self.length
    }

    /// Fills the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let end = self.filled + bytes.len();
        debug_assert!(end <= self.length);
        let storage = match &mut self.store {
            Store::Memory(storage) => &mut storage[self.filled..end],
            Store::Mapped(map) => &mut map[self.filled..end],
        };
        storage.copy_from_slice(bytes);
        self.filled = end;
    }
}

/// Allocates the whole file in advance: if the disk were full when a mapped page is
/// written, the program would be killed.
fn allocate(file: &File, length: usize) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use nix::fcntl::posix_fallocate;
        posix_fallocate(file, 0, length as i64).map_err(io::Error::from)
    }
    #[cfg(not(target_os = "linux"))]
    {
        use std::io::Write as _;
        let (mut file, empty) = (file, [0; 1 << 16]);
        for start in (0..length).step_by(empty.len()) {
            file.write_all(&empty[..empty.len().min(length - start)])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_storage_fill_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for mut bytes in [
            Bytes::in_memory(5).unwrap(),
            Bytes::on_disk(5, folder.path()).unwrap(),
        ] {
            bytes.add(&[1, 2]);
            assert!(!bytes.is_full());
            bytes.add(&[3, 4, 5]);
            assert!(bytes.is_full());
            assert_eq!(bytes.filled(), [1, 2, 3, 4, 5]);
            assert_eq!(bytes.all().len(), 5 + PADDING);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn too_many_bytes_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Bytes::in_memory(1 << 60).is_err());
        assert!(Bytes::on_disk(1 << 60, folder.path()).is_err());
    }
}
