//! Namespaces, and the files that a player sees in them.

use std::path::Path;
use std::{fs, io};

use nix::errno::Errno;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::geteuid;

use super::message::{Channel, FromLauncher, MapsWritten};
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
    channel.send(&FromLauncher::NeedsMaps)?;
    match channel.receive()? {
        MapsWritten(None) => Ok(Ok(())),
        MapsWritten(Some(error)) => Err(io::Error::from_raw_os_error(error)),
    }
}

/// Mounts what the player sees in place of the machine's files. Must run in the new PID
/// namespace. Adds to `missing` what the kernel does not allow.
pub(super) fn mount_all(isolation: Isolation, missing: &mut Vec<String>) {
    let none = None::<&str>;
    let quiet = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    // What is mounted here must not show outside.
    let apart = mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_SLAVE, none);
    let proc = MsFlags::MS_NOEXEC | quiet;
    let proc = apart.and_then(|()| mount(Some("proc"), "/proc", Some("proc"), proc, none));
    if let Err(error) = proc {
        missing.push(format!(
            "they see the machine's list of processes ({error})"
        ));
    }
    hide_services(quiet);
    if isolation.is_full() {
        let size = format!("size={SCRATCH_SIZE},mode=1777");
        let scratch = mount(Some("scratch"), SCRATCH, Some("tmpfs"), quiet, Some(&*size));
        if let Err(error) = scratch {
            missing.push(format!("no scratch folder ({error})"));
        }
    }
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
        if let Err(error) = make_read_only(path) {
            missing.push(format!("they can write to {path} ({error})"));
        }
    }
}

fn make_read_only(path: &str) -> Result<(), Errno> {
    let none = None::<&str>;
    mount(Some(path), path, none, MsFlags::MS_BIND, none)?;
    let same = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    let flags = MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY | same;
    mount(none, path, none, flags, none)
}

fn hide_services(flags: MsFlags) {
    let none = None::<&str>;
    // Each is a second line of defence: the services ask for a password as a rule, or do
    // not exist here.
    for folder in SERVICES {
        if Path::new(folder).is_dir() {
            let size = Some("size=4k,mode=755");
            let flags = flags | MsFlags::MS_RDONLY;
            let _ = mount(Some("hidden"), folder, Some("tmpfs"), flags, size);
        }
    }
    if Path::new(SERVICE).exists() {
        let _ = mount(Some("/dev/null"), SERVICE, none, MsFlags::MS_BIND, none);
    }
}
