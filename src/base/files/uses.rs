//! The rules for overwriting files. Every command lists here what it reads and writes,
//! before it opens anything.
//!
//! - A file that does not exist is created.
//! - An empty file counts as a file of every kind, and as new where a file of one kind is begun.
//! - A file is replaced only by one of the same [`Kind`].
//! - A file that took long to make, such as the records of a tournament, is never replaced;
//!   some commands can resume it.
//! - Pipes and devices are written to.
//! - With `--force` any file is replaced.
//! - A file that is also read, or written twice, is always refused; so is an input given
//!   twice where that would count its contents twice.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

use super::destination::{Destination, folder_of};
use super::identity::Identity;
use super::kind::Kind;
use super::unfinished::Unfinished;

/// The files that a command reads and writes.
#[derive(Debug, Clone, Default)]
pub struct Uses {
    force: bool,
    inputs: Vec<PathBuf>,
    /// The inputs that must be different files.
    once: Vec<PathBuf>,
    outputs: Vec<Output>,
}

#[derive(Debug, Clone)]
struct Output {
    path: PathBuf,
    how: How,
}

/// How a file is written if it exists.
#[derive(Debug, Clone, Copy)]
enum How {
    Replaced(Kind),
    AddedTo(Kind),
    /// Refused, with this advice if it is of this kind. With a kind, an empty file counts as
    /// new.
    New(Option<Kind>, &'static str),
    /// Resumed. The code that opens it checks its contents.
    Resumed,
}

/// Why a file may not be used.
#[derive(Debug, thiserror::Error)]
pub enum UseError {
    /// The system refused to look up or open the path.
    #[error("{path}: {cause}", path = .path.display())]
    Io {
        /// The path as given.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// One file is both input and output.
    #[error("{output} is read and would be overwritten{}; name another file to write", known_as(.output, .input))]
    IsInput {
        /// The name given as output.
        output: FileName,
        /// The name given as input.
        input: FileName,
    },
    /// One file is read twice.
    #[error("{second} is given twice{}; leave one out", known_as(.second, .first))]
    IsTwice {
        /// The name given first.
        first: FileName,
        /// The name given second.
        second: FileName,
    },
    /// Two outputs are the same file.
    #[error("{second} would be written twice{}; name two files", known_as(.second, .first))]
    IsOutput {
        /// The output named first.
        first: FileName,
        /// The output named second.
        second: FileName,
    },
    /// `-` names standard output where only a file will do.
    #[error("-: standard output is not possible here; name a file, or use ./- for a file called -")]
    Dash,
    /// The output exists, with contents that this command does not write.
    #[error("{path} exists and is not {kind}; name another file, or use --force to overwrite it", path = .path.display())]
    OtherKind {
        /// The path as given.
        path: PathBuf,
        /// What the file would have to be, with its article.
        kind: &'static str,
    },
    /// The output exists, and the command never overwrites.
    #[error("{path} exists; {advice}name another file, or use --force to overwrite it", path = .path.display())]
    Exists {
        /// The path as given.
        path: PathBuf,
        /// Other advice, ending in a separator; may be empty.
        advice: &'static str,
    },
}

/// The name of a file on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileName {
    Path(PathBuf),
    Standard(&'static str),
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(f),
            Self::Standard(name) => f.write_str(name),
        }
    }
}

/// A remark on the other name of a file, if it has one.
fn known_as(name: &FileName, other: &FileName) -> String {
    if name == other {
        String::new()
    } else {
        format!(" (it is also {other})")
    }
}

impl Uses {
    /// No files yet. With `force` any file may be overwritten.
    pub fn new(force: bool) -> Self {
        Self {
            force,
            ..Self::default()
        }
    }

    /// Adds input files; `-` is standard input.
    pub fn reads(mut self, paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        let paths = paths.into_iter().map(|path| path.as_ref().to_path_buf());
        self.inputs.extend(paths);
        self
    }

    /// Adds input files that must be different files.
    pub fn reads_once(mut self, paths: &[PathBuf]) -> Self {
        self.once.extend_from_slice(paths);
        self.reads(paths)
    }

    /// Adds a file that is replaced by one of this kind.
    pub fn replaces(self, path: Option<&Path>, kind: Kind) -> Self {
        self.writes(path, How::Replaced(kind))
    }

    /// Adds a file that is appended to if it is of this kind.
    pub fn adds_to(self, path: Option<&Path>, kind: Kind) -> Self {
        self.writes(path, How::AddedTo(kind))
    }

    /// Adds a file that must be new.
    pub fn creates(self, path: Option<&Path>) -> Self {
        self.writes(path, How::New(None, ""))
    }

    /// Adds a file that must be new or empty. If there is a file of this kind, the error has
    /// this `advice`, which is empty or ends in "or" and a space.
    pub fn begins(self, path: Option<&Path>, kind: Kind, advice: &'static str) -> Self {
        self.writes(path, How::New(Some(kind), advice))
    }

    /// The same files, but any file may be overwritten.
    pub fn forced(mut self) -> Self {
        self.force = true;
        self
    }

    /// Adds a file that is resumed or created. The code that opens it checks that it can
    /// be resumed.
    pub fn resumes(self, path: Option<&Path>) -> Self {
        self.writes(path, How::Resumed)
    }

    fn writes(mut self, path: Option<&Path>, how: How) -> Self {
        self.outputs.extend(path.map(|path| Output {
            path: path.to_path_buf(),
            how,
        }));
        self
    }

    /// Whether a path leads to one of the output files.
    pub fn is_output(&self, path: &Path) -> bool {
        let identity = |path: &Path| Identity::of(&Destination::of(path).ok()?);
        let wanted = identity(path);
        let mut outputs = self.outputs.iter();
        wanted.is_some() && outputs.any(|output| identity(&output.path) == wanted)
    }

    /// Checks that all files may be used, and that the output files can be written: before
    /// the work, not after an hour of it. No file is changed or created.
    ///
    /// # Errors
    /// For the first file that may not or cannot be used.
    pub fn check(&self) -> Result<(), UseError> {
        let mut outputs = self.outputs.iter();
        if outputs.any(|output| output.path == Path::new("-")) {
            return Err(UseError::Dash);
        }
        let places = self.outputs.iter().map(Output::place);
        let places: Vec<Destination> = places.collect::<Result<_, _>>()?;
        self.check_once()?;
        self.check_different(&places)?;
        for (output, place) in self.outputs.iter().zip(&places) {
            if !self.force {
                output.check_kind(place)?;
            }
            let writable = output.check_writable(place);
            writable.map_err(|cause| output.io_error(cause))?;
        }
        Ok(())
    }

    /// Checks that no file is given twice where each must be another one.
    fn check_once(&self) -> Result<(), UseError> {
        let mut inputs: Vec<(FileName, Identity)> = Vec::new();
        for (second, identity) in self.once.iter().filter_map(named_input) {
            if let Some((first, _)) = inputs.iter().find(|(_, other)| *other == identity) {
                let first = first.clone();
                return Err(UseError::IsTwice { first, second });
            }
            inputs.push((second, identity));
        }
        Ok(())
    }

    /// Checks that no output file is also an input, or written twice.
    fn check_different(&self, places: &[Destination]) -> Result<(), UseError> {
        let inputs: Vec<(FileName, Identity)> =
            self.inputs.iter().filter_map(named_input).collect();
        let mut outputs = standard_outputs();
        let mut streams = Vec::new();
        for (output, place) in self.outputs.iter().zip(places) {
            let second = FileName::Path(output.path.clone());
            if let Destination::Stream(stream) = place {
                streams.extend(Identity::behind(stream).map(|identity| (second, identity)));
                continue;
            }
            let Some(identity) = Identity::of(place) else {
                continue;
            };
            if let Some((first, _)) = outputs.iter().find(|(_, other)| *other == identity) {
                let first = first.clone();
                return Err(UseError::IsOutput { first, second });
            }
            outputs.push((second, identity));
        }
        for (output, identity) in outputs.into_iter().chain(streams) {
            if let Some((input, _)) = inputs.iter().find(|(_, other)| *other == identity) {
                let input = input.clone();
                return Err(UseError::IsInput { output, input });
            }
        }
        Ok(())
    }
}

impl Output {
    fn place(&self) -> Result<Destination, UseError> {
        Destination::of(&self.path).map_err(|cause| self.io_error(cause))
    }

    fn io_error(&self, cause: io::Error) -> UseError {
        UseError::Io {
            path: self.path.clone(),
            cause,
        }
    }

    /// Checks that an existing file may be written to.
    fn check_kind(&self, place: &Destination) -> Result<(), UseError> {
        let Destination::File(found) = place else {
            return Ok(());
        };
        match self.how {
            How::Resumed => Ok(()),
            How::Replaced(kind) | How::AddedTo(kind) => self.check_is(kind, found),
            How::New(kind, advice) => {
                if let Some(kind) = kind {
                    self.check_is(kind, found)?;
                    if is_empty(found) {
                        return Ok(());
                    }
                }
                let path = self.path.clone();
                Err(UseError::Exists { path, advice })
            }
        }
    }

    fn check_is(&self, kind: Kind, found: &Path) -> Result<(), UseError> {
        match kind.is_of(found) {
            Ok(true) => Ok(()),
            Ok(false) => Err(UseError::OtherKind {
                path: self.path.clone(),
                kind: kind.name,
            }),
            Err(cause) => Err(self.io_error(cause)),
        }
    }

    fn check_writable(&self, place: &Destination) -> io::Result<()> {
        match place {
            // Opening a pipe here would look like its end to the reader.
            Destination::Stream(_) => Ok(()),
            Destination::Free(path) => Unfinished::new(folder_of(path)).map(drop),
            Destination::File(path) => {
                access(path, AccessFlags::W_OK)?;
                match self.how {
                    How::Replaced(_) => {
                        let created = Unfinished::new(folder_of(path)).map(drop);
                        created.map_err(|cause| {
                            let text = format!("cannot create a file in its folder: {cause}");
                            io::Error::new(cause.kind(), text)
                        })
                    }
                    How::AddedTo(_) | How::New(..) | How::Resumed => Ok(()),
                }
            }
        }
    }
}

/// Whether a regular file is empty, so that nothing in it can be lost.
fn is_empty(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == 0)
}

/// The name and identity of an input, if it is a regular file.
fn named_input(path: &PathBuf) -> Option<(FileName, Identity)> {
    if path == Path::new("-") {
        let identity = Identity::of_open(&io::stdin())?;
        return Some((FileName::Standard("standard input"), identity));
    }
    Some((FileName::Path(path.clone()), Identity::of_input(path)?))
}

/// The regular files behind standard output and standard error.
fn standard_outputs() -> Vec<(FileName, Identity)> {
    let outputs = [
        ("standard output", Identity::of_open(&io::stdout())),
        ("standard error", Identity::of_open(&io::stderr())),
    ];
    let named = |(name, identity)| Some((FileName::Standard(name), identity?));
    outputs.into_iter().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    const KIND: Kind = Kind {
        name: "a letter",
        begins: |head| head.starts_with(b"Dear "),
    };

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new(files: &[(&str, &str)]) -> Self {
            let folder = tempfile::tempdir().unwrap();
            for (name, text) in files {
                fs::write(folder.path().join(name), text).unwrap();
            }
            Self(folder)
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }
    }

    #[test]
    fn only_the_same_kind_is_replaced_without_force() {
        let folder = Folder::new(&[("ours", "Dear A"), ("foreign", "x"), ("empty", "")]);
        let uses = |name: &str, how, force| {
            let path = folder.path(name);
            Uses::new(force).writes(Some(&path), how).check()
        };
        for (name, how, allowed) in [
            ("ours", How::Replaced(KIND), true),
            ("ours", How::AddedTo(KIND), true),
            ("ours", How::New(None, ""), false),
            ("foreign", How::Replaced(KIND), false),
            ("foreign", How::AddedTo(KIND), false),
            ("foreign", How::Resumed, true),
            ("empty", How::Replaced(KIND), true),
            ("empty", How::New(None, ""), false),
            ("empty", How::New(Some(KIND), ""), true),
            ("ours", How::New(Some(KIND), ""), false),
            ("new", How::Replaced(KIND), true),
            ("new", How::New(None, ""), true),
        ] {
            let found = uses(name, how, false);
            assert_eq!(found.is_ok(), allowed, "{name} {how:?}: {found:?}");
            assert!(uses(name, how, true).is_ok(), "{name} {how:?}");
        }
        let text = |name, how| uses(name, how, false).unwrap_err().to_string();
        let begun = How::New(Some(KIND), "wait; or ");
        for how in [How::Replaced(KIND), begun] {
            assert!(text("foreign", how).contains("is not a letter; name another"));
        }
        assert!(text("ours", begun).contains("exists; wait; or name another"));
        assert!(text("foreign", How::New(None, "")).contains("exists; name another"));
        assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 3);
    }

    #[test]
    fn standard_output_is_refused() {
        for how in [How::Resumed, How::Replaced(KIND), How::New(None, "")] {
            let uses = Uses::new(true).writes(Some(Path::new("-")), how);
            let refused = uses.check().unwrap_err().to_string();
            assert!(refused.contains("or use ./-"), "{refused}");
        }
    }

    #[test]
    fn a_file_is_not_read_and_written_or_written_twice() {
        let folder = Folder::new(&[("a", "Dear A"), ("b", "Dear B")]);
        symlink("a", folder.path("link")).unwrap();
        fs::hard_link(folder.path("a"), folder.path("hard")).unwrap();
        let [a, b, new] = ["a", "b", "new"].map(|name| folder.path(name));
        for other in ["a", "link", "hard", "./a"] {
            let other = folder.path(other);
            let inputs = [a.clone(), b.clone(), other.clone()];
            let refused = Uses::new(true).reads_once(&inputs).check().unwrap_err();
            assert!(matches!(refused, UseError::IsTwice { .. }), "{refused}");
            let uses = Uses::new(true).reads([&b, &a]);
            let refused = uses.replaces(Some(&other), KIND).check().unwrap_err();
            assert!(matches!(refused, UseError::IsInput { .. }), "{refused}");
            let uses = Uses::new(true).replaces(Some(&a), KIND);
            let refused = uses.adds_to(Some(&other), KIND).check().unwrap_err();
            assert!(matches!(refused, UseError::IsOutput { .. }), "{refused}");
        }
        let twice = Uses::new(true).creates(Some(&new)).resumes(Some(&new));
        assert!(twice.check().is_err());
        let read_later = Uses::new(true).reads([&new]).creates(Some(&new));
        assert!(read_later.check().is_err());
        let different = Uses::new(false)
            .reads_once(std::slice::from_ref(&a))
            .replaces(Some(&b), KIND);
        different.check().unwrap();
        let null = Path::new("/dev/null");
        let streams = Uses::new(false).reads([null]).replaces(Some(null), KIND);
        streams.creates(Some(null)).check().unwrap();
    }

    #[test]
    fn an_input_is_not_appended_to_through_a_descriptor() {
        use std::os::fd::AsRawFd;

        let folder = Folder::new(&[("a", "Dear A"), ("b", "Dear B")]);
        let [a, b] = ["a", "b"].map(|name| folder.path(name));
        let open = fs::OpenOptions::new().append(true).open(&a).unwrap();
        for folder in ["/proc/self/fd", "/dev/fd"] {
            let through = PathBuf::from(format!("{folder}/{}", open.as_raw_fd()));
            let uses = Uses::new(true).reads([&a]).replaces(Some(&through), KIND);
            let refused = uses.check().unwrap_err();
            assert!(matches!(refused, UseError::IsInput { .. }), "{refused}");
            let uses = Uses::new(true).reads([&b]).replaces(Some(&through), KIND);
            uses.check().unwrap();
            let uses = Uses::new(true).reads([&through]).replaces(Some(&a), KIND);
            assert!(uses.check().is_err());
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_is_refused() {
        let folder = Folder::new(&[]);
        for name in ["no/file", ".", "new/"] {
            let path = folder.path(name);
            let refused = Uses::new(true).replaces(Some(&path), KIND).check();
            assert!(matches!(refused, Err(UseError::Io { .. })), "{refused:?}");
        }
    }

    #[test]
    fn outputs_are_recognized_by_any_name() {
        let folder = Folder::new(&[]);
        let new = folder.path("new");
        let uses = Uses::new(false).replaces(Some(&new), KIND);
        assert!(uses.is_output(&folder.path("./new")));
        assert!(!uses.is_output(&folder.path("other")));
    }
}
