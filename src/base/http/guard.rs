//! Who may ask the server of a page. Any page that somebody looks at can send requests
//! to this machine, a name on the network can be made to lead here (DNS rebinding), and
//! other users of this machine reach its ports. So a request must name this server by
//! its number, as localhost or by a name that was allowed, a page that asks must have
//! come from here, and the address must hold the token, if there is one.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use super::proxy::ProxyAddress;
use super::token::Token;

/// Who is let in besides those whom the address of a page itself lets in.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// What the address must hold, as `?token=...`; `None` if everybody who reaches it
    /// may open the page.
    pub token: Option<Token>,
    /// Where browsers reach the page through proxies.
    pub proxies: Vec<ProxyAddress>,
}

impl Access {
    /// The addresses to open: at this machine first, then through each proxy.
    pub fn pages(&self, address: SocketAddr) -> Vec<String> {
        let proxies = self.proxies.iter().map(ProxyAddress::page);
        let all = std::iter::once(format!("http://{address}/")).chain(proxies);
        all.map(|page| format!("{page}{}", self.query())).collect()
    }

    /// What stands behind an address: `?token=...`, or nothing.
    pub fn query(&self) -> String {
        let token = self.token.as_ref();
        token
            .map(|token| format!("?token={}", token.as_str()))
            .unwrap_or_default()
    }
}

/// What is compared with the heads of requests.
#[derive(Debug)]
pub struct Guard {
    address: SocketAddr,
    access: Access,
}

impl Guard {
    /// For a server at this address.
    pub const fn new(address: SocketAddr, access: Access) -> Self {
        Self { address, access }
    }

    /// Where pages that may ask can connect to, for their policy.
    pub fn sockets(&self) -> impl Iterator<Item = String> {
        self.access.proxies.iter().map(ProxyAddress::socket_origin)
    }

    /// Whether a request comes from where it may come from.
    ///
    /// # Errors
    /// Why it does not, and what would be right.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), String> {
        let host = text(headers, &header::HOST)?.unwrap_or_default();
        if !self.is_here(&host) {
            let here = self.here();
            return Err(format!(
                "this is not {host:?}; open {here}, or allow that name with --origin"
            ));
        }
        let is_allowed = |origin: &str| {
            let mut proxies = self.access.proxies.iter();
            origin == format!("http://{host}") || proxies.any(|proxy| proxy.origin() == origin)
        };
        match text(headers, &header::ORIGIN)? {
            Some(origin) if !is_allowed(&origin) => Err(format!(
                "the page {origin:?} may not ask this server; only http://{host}/ may, and what \
                 --origin names"
            )),
            // Programs that are no browsers need not say where they come from.
            _ => Ok(()),
        }
    }

    /// Whether the address that was asked for, with this query, holds the token.
    pub fn admits(&self, query: Option<&str>) -> bool {
        let Some(token) = &self.access.token else {
            return true;
        };
        let mut parts = query.unwrap_or_default().split('&');
        let given = parts.find_map(|part| part.strip_prefix("token="));
        given.is_some_and(|given| token.is(given))
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

    /// Whether a host is one that nobody but this machine can stand for, or is allowed.
    fn is_here(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else {
            return false;
        };
        let name = authority.host();
        let mut proxies = self.access.proxies.iter();
        if name.eq_ignore_ascii_case("localhost")
            || proxies.any(|proxy| name.eq_ignore_ascii_case(proxy.host()))
        {
            return true;
        }
        let number = name.trim_start_matches('[').trim_end_matches(']');
        match number.parse::<IpAddr>() {
            Ok(number) => !self.address.ip().is_loopback() || number.is_loopback(),
            Err(_) => false,
        }
    }
}

/// The routes, for those who may ask. `open` are answered without the token too.
pub fn guarded(guard: Arc<Guard>, routes: Router, open: Router) -> Router {
    let with_token = middleware::from_fn_with_state(guard.clone(), check_token);
    let with_origin = middleware::from_fn_with_state(guard, check_origin);
    routes.layer(with_token).merge(open).layer(with_origin)
}

/// Refuses requests for another host.
async fn check_origin(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    match guard.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(why) => refused(&why),
    }
}

/// Refuses requests without the token.
async fn check_token(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    if guard.admits(request.uri().query()) {
        next.run(request).await
    } else {
        refused("the token is missing or wrong; open the whole address that the program printed")
    }
}

/// The answer to a request that may not be made.
pub fn refused(why: &str) -> Response {
    (StatusCode::FORBIDDEN, format!("{why}\n")).into_response()
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

    fn guard(address: &str, proxies: &[&str]) -> Guard {
        let proxies = proxies.iter().map(|text| text.parse().unwrap());
        let access = Access {
            token: None,
            proxies: proxies.collect(),
        };
        Guard::new(address.parse().unwrap(), access)
    }

    fn allows(guard: &Guard, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        guard.check(&headers).is_ok()
    }

    fn allowed(address: &str, host: &str, origin: Option<&str>) -> bool {
        allows(&guard(address, &[]), host, origin)
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
        let guard = guard("127.0.0.1:1", &[]);
        assert!(guard.check(&headers).unwrap_err().contains("more than one"));
    }

    #[test]
    fn a_proxy_is_allowed_by_its_name_and_its_pages() {
        let guard = guard("127.0.0.1:8000", &["https://hub.example/user/me"]);
        for host in [
            "127.0.0.1:8000",
            "localhost:8000",
            "hub.example",
            "HUB.example:443",
        ] {
            for origin in [None, Some("https://hub.example")] {
                assert!(allows(&guard, host, origin), "{host} {origin:?}");
            }
            for origin in ["http://evil.example", "https://hub.example:9", "null"] {
                assert!(!allows(&guard, host, Some(origin)), "{host} {origin}");
            }
        }
        assert!(!allows(&guard, "evil.example", Some("https://hub.example")));
        assert_eq!(guard.sockets().collect::<Vec<_>>(), ["wss://hub.example"]);
        let address = "127.0.0.1:8000".parse().unwrap();
        assert_eq!(
            guard.access.pages(address),
            ["http://127.0.0.1:8000/", "https://hub.example/user/me/"]
        );
    }

    #[test]
    fn an_address_must_hold_the_token() {
        let token = Token::fresh().unwrap();
        let access = Access {
            token: Some(token.clone()),
            proxies: Vec::new(),
        };
        let right = access.query();
        let guard = Guard::new("127.0.0.1:8000".parse().unwrap(), access);
        let right = right.trim_start_matches('?');
        assert!(guard.admits(Some(right)));
        assert!(guard.admits(Some(&format!("bot=a&{right}"))));
        for wrong in [
            "",
            "token=",
            "token",
            token.as_str(),
            &right[..right.len() - 1],
        ] {
            assert!(!guard.admits(Some(wrong)), "{wrong}");
        }
        assert!(!guard.admits(None));
    }
}
