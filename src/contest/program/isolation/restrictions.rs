//! The rights that a player gives up: capabilities in its namespaces, and by Landlock
//! what namespaces do not cover.

use std::io;

use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use nix::sys::prctl::set_no_new_privs;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::geteuid;
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, remove_capability_from_bounding_set,
    set_capabilities,
};

use super::namespaces::FileProtection;
use super::{Isolation, SCRATCH};

/// Devices that programs write to.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

/// The capabilities with which root reads the files of other users, and becomes one of them.
const OF_ROOT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID);

/// Processes of the launcher and the init, which the system's limit counts too.
const HELPERS: u64 = 2;

/// Restricts this process and all that it starts. `in_namespaces` is whether it is in
/// namespaces of its own, `files` how mounts there protect files. Returns whether Landlock
/// keeps it from signalling and tracing other processes. Adds to `missing` what the kernel does
/// not allow.
///
/// # Errors
/// If rights cannot be given up.
pub(super) fn restrict(
    isolation: Isolation,
    in_namespaces: bool,
    files: FileProtection,
    missing: &mut Vec<String>,
) -> io::Result<bool> {
    drop_capabilities()?;
    if let Isolation::Full(limits) = isolation {
        if in_namespaces {
            // The init watches the limits; this one holds even while it waits for a
            // processor. The system does not apply it to root.
            let (_, hard) = getrlimit(Resource::RLIMIT_NPROC)?;
            let most = limits.processes.saturating_add(HELPERS).min(hard);
            setrlimit(Resource::RLIMIT_NPROC, most, most)?;
        } else {
            missing.push("no limits".into());
        }
        let landlock = read_only(files.has_scratch).unwrap_or(ABI::Unsupported);
        if !in_namespaces {
            missing.push(open_network(landlock).into());
        }
        missing.extend(writable_files(files.are_read_only, landlock).map(String::from));
    }
    Ok(scoped().is_ok_and(|is_enforced| is_enforced))
}

/// Keeps this process from signalling and tracing processes outside, and from reaching
/// their abstract sockets. Returns whether the kernel does all of that.
fn scoped() -> Result<bool, RulesetError> {
    let rules = Ruleset::default().scope(Scope::from_all(ABI::V6))?;
    let status = rules.create()?.restrict_self()?;
    Ok(status.ruleset == RulesetStatus::FullyEnforced)
}

/// The part of the network that Landlock leaves open. It has rules for TCP since Linux 6.7,
/// which TCP fast open and multipath TCP bypass.
fn open_network(landlock: ABI) -> &'static str {
    match landlock < ABI::V4 {
        true => "they can use the network",
        false => "they can use the network, except for plain TCP",
    }
}

/// What players can do to files in spite of Landlock and of read-only mounts, if there are any.
fn writable_files(are_read_only: bool, landlock: ABI) -> Option<&'static str> {
    match (are_read_only, landlock) {
        (false, ABI::Unsupported) => Some("they can write files (no Landlock)"),
        (true, ABI::Unsupported) => Some("they can write to devices and named pipes (no Landlock)"),
        (false, ABI::V1 | ABI::V2) => Some(
            "they can cut files short and change their modes and times (Landlock before Linux 6.2)",
        ),
        (false, _) => Some("they can change the modes and times of files"),
        (true, _) => None,
    }
}

/// Makes all files read-only but the scratch folder and devices, and closes TCP and UNIX sockets
/// in the file system, as far as the version of Landlock that is returned can do it.
fn read_only(has_scratch: bool) -> Result<ABI, RulesetError> {
    let writing = AccessFs::from_write(ABI::V9);
    let folder = has_scratch.then_some(SCRATCH);
    let rules = Ruleset::default()
        .handle_access(writing)?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .create()?
        .add_rules(path_beneath_rules(DEVICES, writing))?
        .add_rules(path_beneath_rules(folder, writing))?;
    let enforced = rules.restrict_self()?;
    Ok(match enforced.landlock {
        LandlockStatus::Available { effective_abi, .. }
            if enforced.ruleset != RulesetStatus::NotEnforced =>
        {
            effective_abi
        }
        _ => ABI::Unsupported,
    })
}

/// Gives up all capabilities for good. Root keeps [`OF_ROOT`].
///
/// # Errors
/// If the kernel refuses.
pub(super) fn drop_capabilities() -> io::Result<()> {
    let kept = if geteuid().is_root() {
        OF_ROOT
    } else {
        CapabilitySet::empty()
    };
    // The flags also have names for bits that this kernel does not know.
    for bit in 0..u64::BITS {
        let capability = CapabilitySet::from_bits_retain(1 << bit);
        if !kept.contains(capability) {
            // Fails for unknown ones, and without the right to give it up; then a program
            // cannot gain it either, because of the flag below.
            let _ = remove_capability_from_bounding_set(capability);
        }
    }
    let left = capabilities(None)?.permitted & kept;
    set_capabilities(
        None,
        CapabilitySets {
            effective: left,
            permitted: left,
            inheritable: CapabilitySet::empty(),
        },
    )?;
    set_no_new_privs()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_enforced_rules_are_named() {
        for (landlock, network, files, files_on_read_only_mounts) in [
            (
                ABI::Unsupported,
                "they can use the network",
                Some("no Landlock"),
                Some("devices"),
            ),
            (
                ABI::V2,
                "they can use the network",
                Some("cut files short"),
                None,
            ),
            (ABI::V3, "they can use the network", Some("modes"), None),
            (ABI::V4, "except for plain TCP", Some("modes"), None),
        ] {
            assert!(open_network(landlock).ends_with(network), "{landlock:?}");
            for (are_read_only, files) in [(false, files), (true, files_on_read_only_mounts)] {
                let found = writable_files(are_read_only, landlock);
                assert_eq!(found.is_some(), files.is_some(), "{landlock:?}");
                assert!(files.is_none_or(|files| found.unwrap().contains(files)));
            }
        }
    }
}
