//! Namespaces, and the files that a player sees in them.

use std::path::Path;
use std::{fs, io};

use nix::NixPath;
use nix::errno::Errno;
use nix::libc::{
    AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY, SYS_mount_setattr, mount_attr, syscall,
};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::geteuid;

use super::message::{Channel, FromLauncher, MapsWritten, receive, send};
use super::{Isolation, SCRATCH, SCRATCH_SIZE};

/// Folders with sockets of services that would start a process outside for any process
/// of the same user, such as the service manager's. They are hidden.
const SERVICES: [&str; 5] = [
    "/run/user",
    "/run/dbus",
    "/run/podman",
    "/run/containerd",
    "/run/screen",
];
/// A socket of this kind that is in no folder of its own.
const SERVICE: &str = "/run/docker.sock";

/// What the kernel lets root write in any namespace. It can start programs outside.
const SETTINGS: [&str; 2] = ["/proc/sys", "/proc/sysrq-trigger"];

/// An argument that a call of `mount` does not need.
const NONE: Option<&str> = None;

/// The flags of what is mounted: it holds no programs with rights of their own, and no devices.
const QUIET: MsFlags = MsFlags::MS_NOSUID.union(MsFlags::MS_NODEV);

/// Moves this process into new user, IPC and mount namespaces, in full isolation also into a
/// new network namespace. Processes that it starts from now on get a new PID namespace. The
/// inner error is the kernel's refusal.
///
/// # Errors
/// If the referee fails to map the users.
pub(super) fn enter(isolation: Isolation, channel: &mut Channel) -> io::Result<Result<(), Errno>> {
    let mut kinds = CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWIPC | CloneFlags::CLONE_NEWNS;
    if isolation.is_full() {
        kinds |= CloneFlags::CLONE_NEWNET;
    }
    if let Err(refused) = unshare(kinds | CloneFlags::CLONE_NEWUSER) {
        // Root needs no user namespace for the others.
        return Ok(unshare(kinds).map_err(|_| refused));
    }
    send(channel.get_mut(), &FromLauncher::NeedsMaps)?;
    match receive(channel)? {
        MapsWritten(None) => Ok(Ok(())),
        MapsWritten(Some(error)) => Err(io::Error::from_raw_os_error(error)),
    }
}

/// How mounts protect the machine's files.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FileProtection {
    /// All files are read-only, with their modes, times and attributes. Devices, named pipes and
    /// sockets can still be written to.
    pub are_read_only: bool,
    /// The scratch folder is the player's own.
    pub has_scratch: bool,
}

/// Makes all files read-only that are mounted now, and mounts the scratch folder. Adds to
/// `missing` what the kernel does not allow.
pub(super) fn protect_files(missing: &mut Vec<String>) -> FileProtection {
    let read_only = make_read_only("/");
    if let Err(error) = read_only {
        missing.push(format!("files are not mounted read-only ({error})"));
    }
    let size = format!("size={SCRATCH_SIZE},mode=1777");
    let scratch = mount_apart()
        .and_then(|()| mount(Some("scratch"), SCRATCH, Some("tmpfs"), QUIET, Some(&*size)));
    if let Err(error) = scratch {
        missing.push(format!("no scratch folder ({error})"));
    }
    FileProtection {
        are_read_only: read_only.is_ok(),
        has_scratch: scratch.is_ok(),
    }
}

/// Mounts the player's list of processes, and hides services. Must run in the new PID
/// namespace. Adds to `missing` what the kernel does not allow.
pub(super) fn mount_processes(missing: &mut Vec<String>) {
    let flags = QUIET.union(MsFlags::MS_NOEXEC);
    let apart = mount_apart();
    if apart.is_ok() {
        hide_services();
    }
    let proc = apart.and_then(|()| mount(Some("proc"), "/proc", Some("proc"), flags, NONE));
    if let Err(error) = proc {
        missing.push(format!(
            "they see the machine's list of processes ({error})"
        ));
    }
}

/// Keeps what is mounted from now on from showing outside. Where this fails, as in a folder
/// that was entered by `chroot`, nothing may be mounted.
fn mount_apart() -> Result<(), Errno> {
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_SLAVE, NONE)
}

/// Sets the number of the next process of this PID namespace: the player. Programs name files
/// after their number, as Java does in `/tmp`, which the players share. Where the kernel does
/// not allow it, all players have the number 2.
pub(super) fn number_next(id: u32) {
    let _ = fs::write("/proc/sys/kernel/ns_last_pid", (id - 1).to_string());
}

/// Makes the settings of the kernel read-only for players of root. For other players most
/// are, and a read-only mount would keep them from mounting `/proc` in namespaces of their
/// own. Adds to `missing` what the kernel does not allow.
pub(super) fn protect_settings(missing: &mut Vec<String>) {
    let settings = SETTINGS.into_iter().filter(|path| Path::new(path).exists());
    for path in settings.filter(|_| geteuid().is_root()) {
        if let Err(error) = protect_setting(path) {
            missing.push(format!("they can write to {path} ({error})"));
        }
    }
}

fn protect_setting(path: &str) -> Result<(), Errno> {
    mount_apart()?;
    mount(Some(path), path, NONE, MsFlags::MS_BIND, NONE)?;
    make_read_only(path)
}

/// Makes a mount and all below it read-only.
fn make_read_only(path: &str) -> Result<(), Errno> {
    let attributes = mount_attr {
        attr_set: MOUNT_ATTR_RDONLY,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let result = path.with_nix_path(|path| {
        // SAFETY: the kernel only reads the path and the attributes, which outlive the call.
        unsafe {
            syscall(
                SYS_mount_setattr,
                AT_FDCWD,
                path.as_ptr(),
                AT_RECURSIVE,
                &raw const attributes,
                size_of_val(&attributes),
            )
        }
    })?;
    Errno::result(result).map(drop)
}

fn hide_services() {
    // Each is a second line of defence: the services ask for a password as a rule, or do
    // not exist here.
    for folder in SERVICES {
        if Path::new(folder).is_dir() {
            let size = Some("size=4k,mode=755");
            let flags = QUIET.union(MsFlags::MS_RDONLY);
            let _ = mount(Some("hidden"), folder, Some("tmpfs"), flags, size);
        }
    }
    if Path::new(SERVICE).exists() {
        let _ = mount(Some("/dev/null"), SERVICE, NONE, MsFlags::MS_BIND, NONE);
    }
}
