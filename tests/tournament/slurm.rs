//! The guide's examples for Slurm, on a cluster of one node: this machine.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::cluster::{changed, example, short};
use super::{Place, wait_for_lines};
use crate::installed::{skip, works};
use crate::program::{Signal, signal, stdout, success, wait_until};

/// The daemons of the cluster. They are killed when the value is dropped.
struct Cluster {
    folder: tempfile::TempDir,
    daemons: Vec<Child>,
}

impl Cluster {
    /// `None` if Slurm is not installed or cannot run here.
    fn start() -> Option<Self> {
        for program in ["munged", "slurmctld", "slurmd", "sbatch"] {
            if !works(&["which", program]) {
                return None;
            }
        }
        let mut cluster = Self {
            folder: tempfile::tempdir().unwrap(),
            daemons: Vec::new(),
        };
        let file = |name: &str| cluster.file(name).to_str().unwrap().to_string();
        let made = Command::new("sh")
            .args([
                "-c",
                "umask 077; head -c 1024 /dev/urandom >munge.key; mkdir state spool; chmod 755 .",
            ])
            .current_dir(cluster.folder.path())
            .status();
        assert!(made.unwrap().success());
        fs::write(cluster.file("slurm.conf"), settings(&file)).unwrap();
        let munge = [
            "-F".to_string(),
            format!("--key-file={}", file("munge.key")),
            format!("--socket={}", file("munge.socket")),
            format!("--pid-file={}", file("munge.pid")),
            format!("--log-file={}", file("munge.log")),
            format!("--seed-file={}", file("munge.seed")),
        ];
        cluster.run("munged", &munge);
        wait_until("munged", || {
            cluster.file("munge.socket").exists() || cluster.has_failed()
        });
        cluster.run("slurmctld", &["-D".into(), "-i".into()]);
        cluster.run("slurmd", &["-D".into()]);
        wait_until("the node", || {
            cluster.has_failed() || cluster.ask("sinfo", &["-h", "-o", "%T"]) == "idle"
        });
        if cluster.has_failed() {
            skip("the daemons of Slurm do not run here");
            return None;
        }
        Some(cluster)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command
            .env("SLURM_CONF", self.file("slurm.conf"))
            .stdin(Stdio::null());
        command
    }

    fn run(&mut self, daemon: &str, words: &[String]) {
        let log = File::create(self.file(&format!("{daemon}.out"))).unwrap();
        let started = self
            .command(daemon)
            .args(words)
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn();
        self.daemons.push(started.unwrap());
    }

    fn has_failed(&mut self) -> bool {
        let mut daemons = self.daemons.iter_mut();
        daemons.any(|daemon| daemon.try_wait().unwrap().is_some())
    }

    /// What a command of Slurm prints; nothing if it fails.
    fn ask(&self, name: &str, words: &[&str]) -> String {
        let output = self.command(name).args(words).output().unwrap();
        match output.status.success() {
            true => stdout(&output).trim().to_string(),
            false => String::new(),
        }
    }

    /// Submits a script in its folder. Returns the number of the job.
    fn submit(&self, place: &Place, script: &str) -> String {
        fs::write(place.path("job.sh"), script).unwrap();
        let mut command = self.command("sbatch");
        command.args(["--parsable", "job.sh"]);
        let output = command.current_dir(place.folder()).output().unwrap();
        success(&output).trim().to_string()
    }

    /// The states of a job's tasks.
    fn states(&self, job: &str) -> Vec<String> {
        let states = self.ask("squeue", &["-h", "-r", "-t", "all", "-o", "%T", "-j", job]);
        states.lines().map(String::from).collect()
    }

    fn wait_for(&self, job: &str) {
        wait_until("the job", || self.states(job) == ["COMPLETED"; 4]);
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.ask("scancel", &["--partition=all"]);
        }
        for daemon in self.daemons.iter_mut().rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// The settings of a cluster that trusts this user. Its node claims 16 cores, so that the tasks
/// of an example run at the same time.
fn settings(file: &dyn Fn(&str) -> String) -> String {
    let user = Command::new("id").arg("-un").output().unwrap().stdout;
    let user = String::from_utf8(user).unwrap();
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let host = host.trim().split('.').next().unwrap();
    // Free now, and unlikely to be taken before the daemons start.
    let ports = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let [controller, node] = ports.map(|port| port.local_addr().unwrap().port());
    let user = user.trim();
    let at = file("");
    // A requeued job waits until its old credential has expired, which takes at least 5 s.
    format!(
        "ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={at}munge.socket,cred_expire=5
StateSaveLocation={at}state
SlurmdSpoolDir={at}spool
SlurmctldPidFile={at}slurmctld.pid
SlurmdPidFile={at}slurmd.pid
SlurmctldLogFile={at}slurmctld.log
SlurmdLogFile={at}slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,bf_interval=1
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 CPUs=16
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE
"
    )
}

/// Four tasks suffice.
const FOUR: (&str, &str) = ("--array=1-16", "--array=1-4");

#[test]
fn slurm_plays_shares_and_requeues() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let place = Place::with_program();
    let script = short(&example("A script for Slurm:"));
    let job = cluster.submit(&place, &changed(&script, &[FOUR]));
    wait_for_lines(&place.path("part-2.jsonl"), 3);
    signal(place.process_of("part-2.jsonl").unwrap(), Signal::SIGKILL);
    let task = format!("{job}_2");
    wait_until("the end of the task", || {
        cluster.states(&task) == ["FAILED"]
    });
    assert!(place.games("part-2.jsonl").len() < 8);
    let mut requeue = cluster.command("scontrol");
    let requeued = requeue.args(["requeue", &task]).status().unwrap();
    assert!(requeued.success());
    cluster.wait_for(&job);
    place.assert_same_as_whole();
}

#[test]
fn slurm_plays_a_duel_in_shares() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let place = Place::with_program();
    let changes = [
        FOUR,
        ("--nodes 60000", "--nodes 200"),
        ("--pairs 16000", "--pairs 8"),
        ("--jobs 4", "--jobs 1"),
        ("--eval new.bin", "--eval tuned"),
    ];
    let script = changed(&example("Matches of two engines"), &changes);
    cluster.wait_for(&cluster.submit(&place, &script));
    let printed = |name: &str, options: &str, words: &[String]| {
        let output = place.command(name, options, words).output().unwrap();
        success(&output)
    };
    let parts = [1, 2, 3, 4].map(|share| format!("part-{share}.json"));
    let engines = ["new=--eval tuned", "old="].map(String::from);
    assert_eq!(
        printed("merge", "", &parts),
        printed("duel", "--random-turns 2 --nodes 200 --pairs 8", &engines)
    );
}
