//! The settings of a process that others of the same user can change: how much of the
//! processors it gets, its limits, and whether it is killed first when memory runs out.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;

use super::process_list::{after_name, stat};

/// The columns of a name in `/proc/PID/limits`, and of the value after it.
const LIMIT_COLUMNS: (usize, usize) = (26, 47);

/// The values of a process's settings under their names; empty on systems without `/proc`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ProcessSettings(BTreeMap<String, String>);

/// A setting that has changed.
#[derive(Debug, PartialEq, Eq)]
pub struct ChangedSetting {
    what: String,
    before: String,
    now: String,
}

impl ProcessSettings {
    /// The current settings of a process; empty if it has ended.
    pub(super) fn of(process: u32) -> Self {
        let mut settings = BTreeMap::new();
        let mut set = |name: &str, value: &str| settings.insert(name.into(), value.trim().into());
        let file = |name: &str| fs::read_to_string(format!("/proc/{process}/{name}"));
        if let Some(stat) = stat(process)
            && let Some(fields) = after_name(&stat)
        {
            // Fields 19 and 41; the first one here is field 3.
            let fields: Vec<&str> = fields.collect();
            for (name, place) in [("nice value", 16), ("scheduling policy", 38)] {
                fields.get(place).map(|value| set(name, value));
            }
        }
        let status = file("status").unwrap_or_default();
        if let Some(cores) = status
            .lines()
            .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
        {
            set("list of cores", cores);
        }
        if let Ok(score) = file("oom_score_adj") {
            set("out-of-memory score", &score);
        }
        for line in file("limits").unwrap_or_default().lines().skip(1) {
            let (name, value) = LIMIT_COLUMNS;
            if let (Some(name), Some(value)) = (line.get(..name), line.get(name..value)) {
                set(name.to_lowercase().trim(), value);
            }
        }
        Self(settings)
    }

    /// What has another value in `now`. A process that has ended has not changed.
    pub(super) fn changes(&self, now: &Self) -> Vec<ChangedSetting> {
        let before = self.0.iter();
        let changed = before.filter_map(|(what, before)| {
            let now = now.0.get(what)?;
            (now != before).then(|| ChangedSetting {
                what: what.clone(),
                before: before.clone(),
                now: now.clone(),
            })
        });
        changed.collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for ChangedSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, before, now } = self;
        write!(f, "{what} was changed from {before} to {now}")
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn changed_settings_are_found() {
        let mut sleep = Command::new("sleep").arg("1000").spawn().unwrap();
        let id = sleep.id();
        let before = ProcessSettings::of(id);
        assert_eq!(before.changes(&ProcessSettings::of(id)), []);
        let change = |words: &str| {
            let mut words = words.split(' ');
            let mut command = Command::new(words.next().unwrap());
            let status = command.args(words).arg(id.to_string()).output().unwrap();
            assert!(status.status.success(), "{status:?}");
        };
        change("renice 19 -p");
        change("prlimit --cpu=1000:2000 --pid");
        let found = before.changes(&ProcessSettings::of(id));
        sleep.kill().unwrap();
        sleep.wait().unwrap();
        let found: Vec<String> = found.iter().map(ChangedSetting::to_string).collect();
        let niceness = &before.0["nice value"];
        assert_eq!(
            found,
            [
                "max cpu time was changed from unlimited to 1000".to_string(),
                format!("nice value was changed from {niceness} to 19"),
            ]
        );
        assert_eq!(before.changes(&ProcessSettings::of(id)), [], "it has ended");
    }
}
