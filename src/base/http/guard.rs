//! Checks which requests a page's server answers. Any web page open in a browser can send
//! requests to this machine, a foreign host name can be made to resolve to it (DNS
//! rebinding), and other users of the machine can reach its ports. So the `Host` of a
//! request must be an IP address, localhost or an allowed name, its `Origin` must be this
//! server, and its address must hold the token, if there is one.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use super::proxy::ProxyAddress;
use super::token::AccessToken;
use crate::address::addresses_to_open;

/// The access rules of a page: its token and its proxies.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The token that the address must hold, as `?token=...`; `None` if everyone who
    /// reaches the page may open it.
    pub token: Option<AccessToken>,
    /// The addresses by which browsers reach the page through proxies.
    pub proxies: Vec<ProxyAddress>,
}

impl Access {
    /// The addresses to open: on this machine first, then from others, then through each proxy.
    pub fn pages(&self, address: SocketAddr) -> Vec<String> {
        let proxies = self.proxies.iter().map(ProxyAddress::page);
        let own = addresses_to_open(address).into_iter();
        let all = own.map(|it| format!("http://{it}/")).chain(proxies);
        all.map(|page| format!("{page}{}", self.query())).collect()
    }

    /// The query of an address: `?token=...`, or nothing.
    pub fn query(&self) -> String {
        let token = self.token.as_ref();
        token
            .map(|token| format!("?token={}", token.as_str()))
            .unwrap_or_default()
    }
}

/// Checks the headers of requests.
#[derive(Debug)]
pub struct Guard {
    address: SocketAddr,
    access: Access,
}

impl Guard {
    /// A guard for a server at this address.
    pub const fn new(address: SocketAddr, access: Access) -> Self {
        Self { address, access }
    }

    /// The WebSocket origins of the proxies, for the page's content security policy.
    pub fn sockets(&self) -> impl Iterator<Item = String> {
        self.access.proxies.iter().map(ProxyAddress::socket_origin)
    }

    /// Checks the `Host` and `Origin` of a request.
    ///
    /// # Errors
    /// If one of them is not allowed; the message says what is.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), String> {
        let host = text(headers, &header::HOST)?;
        let host = host.ok_or("the Host header of the request is missing; HTTP/1.1 needs it")?;
        if !self.is_here(host) {
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
            Some(origin) if !is_allowed(origin) => Err(format!(
                "requests from the page {origin:?} are not allowed; allowed are http://{host}/ and the \
                 addresses given with --origin"
            )),
            // Only browsers send an origin.
            _ => Ok(()),
        }
    }

    /// Whether the query of the requested address holds the token.
    pub fn admits(&self, query: Option<&str>) -> bool {
        let Some(token) = &self.access.token else {
            return true;
        };
        let mut parts = query.unwrap_or_default().split('&');
        let given = parts.find_map(|part| part.strip_prefix("token="));
        given.is_some_and(|given| token.is(given))
    }

    /// The address to open, for error messages.
    fn here(&self) -> String {
        let port = self.address.port();
        if self.address.ip().is_unspecified() {
            format!("the page by this machine's IP address, such as http://192.168.1.5:{port}/")
        } else {
            format!("http://{}/", self.address)
        }
    }

    /// Whether a host name is localhost, the name of a proxy, or an IP address. A server that
    /// only this machine reaches accepts only loopback addresses.
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

/// Adds the checks to the routes. The `open` routes need no token.
pub fn guarded(guard: Arc<Guard>, routes: Router, open: Router) -> Router {
    let with_token = middleware::from_fn_with_state(guard.clone(), check_token);
    let with_origin = middleware::from_fn_with_state(guard, check_origin);
    let routes = routes.layer(with_token).merge(open);
    let routes = routes.fallback(async || (StatusCode::NOT_FOUND, "there is no such page\n"));
    let wrong_method = (StatusCode::METHOD_NOT_ALLOWED, "use GET for this page\n");
    routes
        .method_not_allowed_fallback(async move || wrong_method)
        .layer(with_origin)
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
        refused(NO_TOKEN)
    }
}

/// Why a request without the token is refused.
pub const NO_TOKEN: &str =
    "the token is missing or wrong; open the whole address that the program printed";

/// The response to a refused request.
pub fn refused(why: &str) -> Response {
    (StatusCode::FORBIDDEN, format!("{why}\n")).into_response()
}

/// The value of a header that may appear once.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, String> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err(format!("more than one header {name}"));
    }
    let text = value.map(HeaderValue::to_str).transpose();
    text.map_err(|_| format!("the header {name} is not text"))
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
    fn only_own_host_and_origin_are_allowed() {
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
    fn requests_need_exactly_one_host_header() {
        let mut headers = HeaderMap::new();
        let missing = guard("127.0.0.1:1", &[]).check(&headers).unwrap_err();
        assert!(
            missing.contains("Host header of the request is missing"),
            "{missing}"
        );
        headers.append(header::HOST, "localhost".parse().unwrap());
        headers.append(header::HOST, "evil.example".parse().unwrap());
        let guard = guard("127.0.0.1:1", &[]);
        assert!(guard.check(&headers).unwrap_err().contains("more than one"));
    }

    #[test]
    fn a_proxy_is_allowed_by_name_and_origin() {
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
    fn the_query_must_hold_the_token() {
        let token = AccessToken::fresh().unwrap();
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
