//! Under which names a server answers, and from whose pages: what the workbench and the service for decks have in common.
//!
//! A page elsewhere whose name suddenly means this machine (DNS rebinding) asks under that name, so no names are answered to but those
//! of this machine. Addresses in numbers cannot be turned round like that.

use std::net::{IpAddr, SocketAddr};

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

/// The address of ours that a connection has reached.
#[derive(Clone, Copy)]
pub(crate) struct ReachedAddress(pub(crate) SocketAddr);

impl ReachedAddress {
    /// The host name that a browser's address has, without the port.
    pub(crate) fn host_name(self) -> String {
        match self.0.ip().to_canonical() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        }
    }
}

/// The host that a request is for, with its port; empty if it names none.
pub(crate) fn requested_host(headers: &HeaderMap) -> &str {
    header_text(headers, HOST.as_str()).unwrap_or("")
}

/// Where the page stands that sends a request, if a browser says so.
pub(crate) fn requesting_origin(headers: &HeaderMap) -> Option<&str> {
    header_text(headers, ORIGIN.as_str())
}

fn header_text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The name without the port.
fn strip_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        // What stands behind the last colon of `[::1]` is no number, and so no port.
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Is it a name of the loopback, or one of these?
pub(crate) fn is_known_host(host: &str, others: &[String]) -> bool {
    let name = strip_port(host);
    let is_name = |other: &str| other.eq_ignore_ascii_case(name);
    ["127.0.0.1", "localhost", "[::1]"].into_iter().any(is_name) || others.iter().any(|other| is_name(other))
}

/// Browsers say where a request comes from; programs that are no browsers say nothing, and have no cookies to steal.
pub(crate) fn is_same_origin(headers: &HeaderMap, host: &str) -> bool {
    // A browser that knows this header says by itself what no page can change.
    if let Some(site) = header_text(headers, "sec-fetch-site") {
        return site == "same-origin" || site == "none";
    }
    match requesting_origin(headers) {
        Some(origin) => origin.split_once("://").is_some_and(|(_, rest)| rest == host),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_answered_to() {
        for host in ["127.0.0.1:8642", "localhost", "LocalHost:1", "[::1]:80", "ishi.example.org:1"] {
            assert!(is_known_host(host, &["ishi.example.org".to_string()]), "{host}");
        }
        for host in ["evil.example:8642", "127.0.0.1.evil.example", "", "localhost:evil"] {
            assert!(!is_known_host(host, &[]), "{host}");
        }
    }

    #[test]
    fn the_address_that_was_reached_is_a_name() {
        for (address, name) in [
            ("192.0.2.7:80", "192.0.2.7"),
            ("[2001:db8::1]:80", "[2001:db8::1]"),
            ("[::ffff:192.0.2.7]:1", "192.0.2.7"),
        ] {
            assert_eq!(ReachedAddress(address.parse().unwrap()).host_name(), name);
        }
    }

    #[test]
    fn changes_come_from_pages_of_ours() {
        let from = |pairs: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.insert(*name, value.parse().unwrap());
            }
            is_same_origin(&headers, "127.0.0.1:8642")
        };
        assert!(from(&[]));
        assert!(from(&[("origin", "http://127.0.0.1:8642")]));
        assert!(from(&[("sec-fetch-site", "same-origin")]));
        assert!(!from(&[("origin", "http://evil.example")]));
        assert!(!from(&[("origin", "null")]));
        assert!(!from(&[("sec-fetch-site", "cross-site"), ("origin", "http://127.0.0.1:8642")]));
        assert!(!from(&[("sec-fetch-site", "same-site")]));
    }
}
