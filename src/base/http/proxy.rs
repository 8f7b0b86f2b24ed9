//! The address by which browsers reach a page through a proxy.

use std::str::FromStr;

use axum::http::Uri;

/// An address such as `https://name.example/path/`. Requests may name its host and come
/// from its pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxyAddress {
    /// The origin as browsers write it: `https://name.example`.
    origin: String,
    /// The name or IP address, without the port.
    host: String,
    /// The path of the page, with `/` at both ends.
    path: String,
}

impl ProxyAddress {
    /// The origin of the pages, as in the header `Origin`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The origin of the page's WebSocket connections: `wss://name.example`.
    pub fn socket_origin(&self) -> String {
        self.origin.replacen("http", "ws", 1)
    }

    /// The name or IP address, without the port, in lower case.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The whole address of the page.
    pub fn page(&self) -> String {
        format!("{}{}", self.origin, self.path)
    }
}

impl FromStr for ProxyAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not an address such as https://name.example");
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let (scheme, authority) = (uri.scheme_str(), uri.authority());
        let (Some(scheme), Some(authority)) = (scheme, authority) else {
            return Err(wrong());
        };
        let usual = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(wrong()),
        };
        let host = authority.host().to_ascii_lowercase();
        if host.is_empty() || authority.as_str().contains('@') || uri.query().is_some() {
            return Err(wrong());
        }
        let port = authority.port_u16().filter(|&port| port != usual);
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        let path = uri.path().trim_end_matches('/');
        Ok(Self {
            origin: format!("{scheme}://{host}{port}"),
            host,
            path: format!("{path}/"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_as_browsers_write_it() {
        for (text, origin, socket, page) in [
            (
                "https://Name.example",
                "https://name.example",
                "wss://name.example",
                "https://name.example/",
            ),
            (
                "https://name.example:443/",
                "https://name.example",
                "wss://name.example",
                "https://name.example/",
            ),
            (
                "http://[::1]:81/user/Me/proxy/8080",
                "http://[::1]:81",
                "ws://[::1]:81",
                "http://[::1]:81/user/Me/proxy/8080/",
            ),
        ] {
            let address: ProxyAddress = text.parse().unwrap();
            assert_eq!(address.origin(), origin);
            assert_eq!(address.socket_origin(), socket);
            assert_eq!(address.page(), page);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "name.example",
            "ftp://name.example",
            "https://",
            "https://me@name.example",
            "https://name.example?a=b",
            "null",
        ] {
            let refused = text.parse::<ProxyAddress>();
            assert!(refused.is_err(), "{text}: {refused:?}");
        }
    }
}
