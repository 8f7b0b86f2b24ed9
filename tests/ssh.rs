//! An ssh server on this machine, with its own keys.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::unistd::geteuid;

use crate::installed::{skip, works};
use crate::program::wait_until;

/// It must be started by its full path.
const SSHD: &str = "/usr/sbin/sshd";

/// The running server. It is killed when the value is dropped.
pub struct Sshd {
    folder: tempfile::TempDir,
    server: Child,
}

impl Sshd {
    /// `None` if ssh or its server is not installed, or the server refuses to log in.
    pub fn start() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| text(&folder.path().join(name));
        if !Path::new(SSHD).exists() || !works(&["ssh", "-V"]) {
            skip("ssh or its server is not installed");
            return None;
        }
        for key in ["host", "client"] {
            let key = path(key);
            if !works(&["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", &key]) {
                return None;
            }
        }
        // Free now, and unlikely to be taken before the server starts.
        let port = {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap().port()
        };
        let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
        write(
            "server.conf",
            server_settings(port, &path("host"), &path("client.pub")),
        );
        let host = fs::read_to_string(path("host.pub")).unwrap();
        write("known", format!("[127.0.0.1]:{port} {host}"));
        write(
            "client.conf",
            client_settings(port, &path("client"), &path("known")),
        );
        if geteuid().is_root() {
            // sshd needs this folder, which the system usually creates when it boots.
            let _ = fs::create_dir_all("/run/sshd");
        }
        let server = Command::new(SSHD)
            .args(["-D", "-e", "-f", &path("server.conf")])
            .stdin(Stdio::null())
            .stderr(fs::File::create(path("log")).unwrap())
            .spawn()
            .unwrap();
        let mut sshd = Self { folder, server };
        wait_until("the server", || {
            sshd.server.try_wait().unwrap().is_some()
                || TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        let client = sshd.client();
        let words: Vec<&str> = client.split(' ').chain(["true"]).collect();
        works(&words).then_some(sshd)
    }

    /// The command that runs another on the server's machine.
    pub fn client(&self) -> String {
        let settings = text(&self.folder.path().join("client.conf"));
        format!("ssh -F {settings} 127.0.0.1")
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_string()
}

fn server_settings(port: u16, host_key: &str, client_key: &str) -> String {
    format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {host_key}\n\
         AuthorizedKeysFile {client_key}\nPidFile none\nStrictModes no\nUsePAM no\n\
         PasswordAuthentication no\nKbdInteractiveAuthentication no\nMaxStartups 100\n"
    )
}

fn client_settings(port: u16, key: &str, known: &str) -> String {
    format!(
        "Port {port}\nIdentityFile {key}\nIdentitiesOnly yes\nIdentityAgent none\n\
         UserKnownHostsFile {known}\nStrictHostKeyChecking yes\nBatchMode yes\nConnectTimeout 30\n"
    )
}
