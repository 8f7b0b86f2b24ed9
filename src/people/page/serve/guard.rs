//! Who may ask. Any page that somebody looks at can send requests to this
//! machine, and a name on the network can be made to lead here (DNS
//! rebinding). So a request must name this server by its number or as
//! localhost, and a page that asks must have come from here.

use std::net::{IpAddr, SocketAddr};

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, header};

/// What is compared with the heads of requests.
#[derive(Debug, Clone, Copy)]
pub struct Guard {
    address: SocketAddr,
}

impl Guard {
    /// For a server at this address.
    pub const fn new(address: SocketAddr) -> Self {
        Self { address }
    }

    /// Whether a request may be answered.
    ///
    /// # Errors
    /// Why it may not, and what would be right.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), String> {
        let host = text(headers, &header::HOST)?.unwrap_or_default();
        if !self.is_here(&host) {
            return Err(format!("this is not {host:?}; open {}", self.here()));
        }
        match text(headers, &header::ORIGIN)? {
            Some(origin) if origin != format!("http://{host}") => Err(format!(
                "the page {origin:?} may not ask this server; only http://{host}/ may"
            )),
            // Programs that are no browsers need not say where they come from.
            _ => Ok(()),
        }
    }

    /// The address to open, in words.
    fn here(&self) -> String {
        let port = self.address.port();
        if self.address.ip().is_unspecified() {
            format!("the page by the number of this machine, as http://192.168.1.5:{port}/")
        } else {
            format!("http://{}/", self.address)
        }
    }

    /// Whether a host is one that nobody but this machine can stand for.
    fn is_here(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else {
            return false;
        };
        let name = authority.host();
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let number = name.trim_start_matches('[').trim_end_matches(']');
        match number.parse::<IpAddr>() {
            Ok(number) => !self.address.ip().is_loopback() || number.is_loopback(),
            Err(_) => false,
        }
    }
}

/// The only value of a header.
fn text(headers: &HeaderMap, name: &HeaderName) -> Result<Option<String>, String> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err(format!("more than one header {name}"));
    }
    let text = value.map(|value| value.to_str().map(str::to_string));
    text.transpose()
        .map_err(|_| format!("the header {name} is not text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(address: &str, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        Guard::new(address.parse().unwrap()).check(&headers).is_ok()
    }

    #[test]
    fn only_this_server_is_asked_and_only_by_its_own_page() {
        let local = "127.0.0.1:8000";
        for host in [
            "127.0.0.1:8000",
            "localhost:8000",
            "LOCALHOST",
            "[::1]:8000",
        ] {
            assert!(allowed(local, host, None), "{host}");
            assert!(
                allowed(local, host, Some(&format!("http://{host}"))),
                "{host}"
            );
            assert!(!allowed(local, host, Some("http://evil.example")), "{host}");
            assert!(!allowed(local, host, Some("null")), "{host}");
            assert!(!allowed(local, host, Some("http://127.0.0.1:9")), "{host}");
        }
        for host in [
            "evil.example:8000",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "192.168.1.5:8000",
            "",
            "a b",
        ] {
            assert!(!allowed(local, host, None), "{host}");
        }
        let open = "0.0.0.0:8000";
        assert!(allowed(open, "192.168.1.5:8000", None));
        assert!(!allowed(open, "evil.example:8000", None));
    }

    #[test]
    fn two_hosts_are_none() {
        let mut headers = HeaderMap::new();
        headers.append(header::HOST, "localhost".parse().unwrap());
        headers.append(header::HOST, "evil.example".parse().unwrap());
        let guard = Guard::new("127.0.0.1:1".parse().unwrap());
        assert!(guard.check(&headers).unwrap_err().contains("more than one"));
    }
}
