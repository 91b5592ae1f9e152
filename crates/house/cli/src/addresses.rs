//! Names of servers and pages as options: a mistyped one would answer nobody, without a word.

/// A name under which browsers ask for a server, without the port.
pub fn parse_host_name(text: &str) -> Result<String, String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
    // An address of IPv6 stands in brackets, as in a browser.
    let is_name = match text.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        Some(inner) => inner.parse::<std::net::Ipv6Addr>().is_ok(),
        None => text.starts_with(|letter: char| letter.is_ascii_alphanumeric()) && text.chars().all(is_part),
    };
    if is_name {
        Ok(text.to_string())
    } else {
        Err("it must be a name such as ishi.example.org, without http://, port and path".to_string())
    }
}

/// Where a page comes from, as browsers say it; `*` is everywhere.
pub fn parse_origin(text: &str) -> Result<String, String> {
    let is_place = |rest: &str| {
        !rest.is_empty() && !rest.contains(|letter: char| letter == '/' || letter.is_whitespace())
    };
    let is_origin = text.split_once("://").is_some_and(|(scheme, rest)| {
        scheme.starts_with(|letter: char| letter.is_ascii_alphabetic()) && is_place(rest)
    });
    if is_origin || text == "*" {
        Ok(text.to_string())
    } else {
        Err("it must be an origin such as https://example.org, without a path, or * for all".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_servers_have_neither_port_nor_path() {
        for name in ["ishi.example.org", "my-host", "192.0.2.7", "[2001:db8::1]"] {
            assert_eq!(parse_host_name(name).as_deref(), Ok(name));
        }
        for text in
            ["", "-1", "../folder", "http://ishi.example.org", "ishi.example.org:80", "a b", "[]", "[x]"]
        {
            assert!(parse_host_name(text).is_err(), "{text}");
        }
    }

    #[test]
    fn origins_are_those_that_browsers_send() {
        for origin in ["https://a.example", "http://127.0.0.1:8080", "*"] {
            assert_eq!(parse_origin(origin).as_deref(), Ok(origin));
        }
        for text in ["", "a.example", "https://", "https://a.example/", "://a", "https://a b"] {
            assert!(parse_origin(text).is_err(), "{text}");
        }
    }
}
