//! Addresses that people type or open: a host and a port.
//!
//! `localhost` needs no resolver. The system's resolver may not know it, and a statically
//! linked program can use the resolver of the C library only where its shared libraries are
//! installed.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};

/// The addresses of `localhost`, in the order in which they are tried.
const LOCALHOST: [IpAddr; 2] = [
    IpAddr::V4(Ipv4Addr::LOCALHOST),
    IpAddr::V6(Ipv6Addr::LOCALHOST),
];

/// The address to listen on: an IP address, or `localhost`, which is 127.0.0.1.
///
/// # Errors
/// If the text is something else; the message says what is expected.
pub(crate) fn listening_address(text: &str) -> Result<SocketAddr, String> {
    known_addresses(text)
        .and_then(|known| known.first().copied())
        .ok_or_else(|| {
            format!(
                "{text:?} is not an IP address and a port; use one such as 127.0.0.1:7878, \
                 [::1]:7878 or localhost:7878"
            )
        })
}

/// The addresses at which a server is reached. If it listens on all interfaces, as with
/// 0.0.0.0, the first is for this machine, and the second for others in its network.
pub(crate) fn addresses_to_open(listening: SocketAddr) -> Vec<SocketAddr> {
    if !listening.ip().is_unspecified() {
        return vec![listening];
    }
    let local = LOCALHOST[usize::from(listening.is_ipv6())];
    let ips = [Some(local), own_address().ok()];
    let with_port = |ip| SocketAddr::new(ip, listening.port());
    ips.into_iter().flatten().map(with_port).collect()
}

/// The address of this machine in its network. Nothing is sent: the socket only gets the
/// address that a packet to elsewhere would have.
fn own_address() -> io::Result<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    socket.connect("192.0.2.1:9")?;
    Ok(socket.local_addr()?.ip())
}

/// The addresses of a host and a port, such as `example.org:7878`.
///
/// # Errors
/// If the name cannot be resolved; the message says what to do.
pub(crate) fn resolve(text: &str) -> io::Result<Vec<SocketAddr>> {
    if let Some(known) = known_addresses(text) {
        return Ok(known);
    }
    let found = text.to_socket_addrs();
    Ok(found.map_err(|error| unresolved(&error))?.collect())
}

/// The socket addresses of an IP address or of `localhost`; `None` if a resolver is needed.
fn known_addresses(text: &str) -> Option<Vec<SocketAddr>> {
    if let Ok(number) = text.parse() {
        return Some(vec![number]);
    }
    let (host, port) = text.rsplit_once(':')?;
    let port = port.parse().ok()?;
    is_localhost(host).then(|| LOCALHOST.map(|ip| SocketAddr::new(ip, port)).to_vec())
}

/// Whether a name means this machine: `localhost` or a subdomain of it (RFC 6761, section
/// 6.3).
fn is_localhost(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    host == "localhost" || host.ends_with(".localhost")
}

/// The error for a name that was not resolved, with a hint.
fn unresolved(error: &io::Error) -> io::Error {
    let need = if cfg!(target_feature = "crt-static") {
        "; this program is linked statically and finds names only where the shared libraries of \
         the GNU C library are installed"
    } else {
        ""
    };
    let text = format!(
        "the name cannot be resolved: {error}{need}; use the host's IP address, such as \
         192.168.1.5"
    );
    io::Error::new(error.kind(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(texts: &[&str]) -> Vec<SocketAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn localhost_needs_no_resolver() {
        let both = addresses(&["127.0.0.1:7878", "[::1]:7878"]);
        for name in ["localhost:7878", "LocalHost.:7878", "page.localhost:7878"] {
            assert_eq!(known_addresses(name), Some(both.clone()), "{name}");
            assert_eq!(listening_address(name), Ok(both[0]), "{name}");
        }
    }

    #[test]
    fn a_server_on_all_interfaces_is_opened_at_one() {
        for all in addresses(&["0.0.0.0:80", "[::]:80"]) {
            let open = addresses_to_open(all);
            assert!(open[0].ip().is_loopback(), "{open:?}");
            let is_one = |it: &SocketAddr| !it.ip().is_unspecified() && it.port() == 80;
            assert!(open.iter().all(is_one), "{open:?}");
        }
        for one in addresses(&["127.0.0.1:80", "10.0.0.7:80", "[::1]:80"]) {
            assert_eq!(addresses_to_open(one), [one]);
        }
    }

    #[test]
    fn numbers_need_no_resolver() {
        for number in ["10.0.0.7:80", "[::1]:7878", "0.0.0.0:0"] {
            let expected = addresses(&[number]);
            assert_eq!(known_addresses(number), Some(expected), "{number}");
        }
    }

    #[test]
    fn other_names_need_a_resolver() {
        for name in [
            "example.org:80",
            "notlocalhost:80",
            "localhost.example.org:80",
        ] {
            assert_eq!(known_addresses(name), None, "{name}");
            let error = listening_address(name).unwrap_err();
            assert!(error.contains("localhost:7878"), "{error}");
        }
        for wrong in ["localhost", "localhost:", "localhost:70000", ":80", ""] {
            assert!(listening_address(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_name_that_does_not_resolve_says_to_use_an_address() {
        // No name has an empty part (RFC 1035), so no server is asked.
        let error = resolve("no..such..host:7878").unwrap_err().to_string();
        assert!(error.contains("use the host's IP address"), "{error}");
    }
}
