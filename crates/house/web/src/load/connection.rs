//! A server, a connection to it that stays open, and what it answers.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use thiserror::Error;

use crate::workbench::{AccessToken, CODE_PATH, entry_path};

/// A body larger than this is no answer of ours.
const LARGEST: usize = 256 << 20;

/// Bytes of a line of a head; what stands behind them is taken for the next line.
const LONGEST_LINE: u64 = 1 << 16;

/// Lines of a head; ours have some ten.
const MOST_LINES: usize = 200;

/// The longest wait for an answer.
const WAIT: Duration = Duration::from_secs(120);

/// Why there are no figures.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The address cannot be read.
    #[error("{0:?} is no address of a server: write it as http://127.0.0.1:8080")]
    Address(String),
    /// The server cannot be reached, or ends the connection.
    #[error("{address}: {error}")]
    Connection {
        /// The server's address.
        address: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// It answers something else than HTTP.
    #[error("{address} does not answer as a server of ours does: {line:?}")]
    Protocol {
        /// The server's address.
        address: String,
        /// What it said.
        line: String,
    },
    /// It refuses what is asked for.
    #[error("{address} answers {status}: {words}")]
    Refused {
        /// The server's address.
        address: String,
        /// The status of the answer.
        status: u16,
        /// What it said.
        words: String,
    },
}

/// Where a server is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadTarget {
    /// `127.0.0.1:8080`.
    pub(super) address: String,
    /// Sent with every request.
    token: Option<AccessToken>,
}

impl LoadTarget {
    /// From `http://127.0.0.1:8080`, with or without the scheme and a last slash.
    ///
    /// # Errors
    /// If it is something else.
    pub fn new(url: &str) -> Result<LoadTarget, LoadError> {
        let bad = || LoadError::Address(url.to_string());
        let rest = url.strip_prefix("http://").unwrap_or(url);
        let address = rest.strip_suffix('/').unwrap_or(rest);
        if address.is_empty() || address.contains(['/', ' ', '?']) {
            return Err(bad());
        }
        let (host, port) = address.rsplit_once(':').unwrap_or((address, "80"));
        let _: u16 = port.parse().map_err(|_| bad())?;
        Ok(LoadTarget { address: format!("{host}:{port}"), token: None })
    }

    /// The same server, which is shown this token with every request.
    #[must_use]
    pub fn with_token(self, token: Option<AccessToken>) -> LoadTarget {
        LoadTarget { token, ..self }
    }

    /// Asks a running workbench for an address that lets one visitor in, once.
    ///
    /// # Errors
    /// If the workbench cannot be reached, does not know the token, or asks for none.
    pub fn request_entry_address(&self) -> Result<String, LoadError> {
        // As scripts ask: errors are bare words.
        let answer =
            HttpConnection::open(self)?.send_request("POST", CODE_PATH, "HX-Request: true\r\n", b"")?;
        let words = String::from_utf8_lossy(&answer.body).trim().to_string();
        if answer.status != 200 {
            return Err(self.refusal_error(answer.status, &words));
        }
        Ok(format!("http://{}{}", self.address, entry_path(&words)))
    }

    /// What stands in the head of every request, with its ends of lines.
    pub(super) fn common_lines(&self) -> String {
        let token = self.token.as_ref();
        let shown = token.map(|token| format!("Authorization: Bearer {}\r\n", token.as_str()));
        format!("Host: {}\r\n{}", self.address, shown.unwrap_or_default())
    }

    pub(super) fn refusal_error(&self, status: u16, words: &str) -> LoadError {
        LoadError::Refused { address: self.address.clone(), status, words: words.to_string() }
    }

    /// One request over a connection of its own: status and body.
    ///
    /// # Errors
    /// If the server cannot be reached or does not speak HTTP.
    pub fn request_once(&self, method: &str, path: &str, body: &[u8]) -> Result<(u16, Vec<u8>), LoadError> {
        HttpConnection::open(self)?.send_json(method, path, body)
    }

    pub(super) fn protocol_error(&self, line: &str) -> LoadError {
        LoadError::Protocol { address: self.address.clone(), line: line.to_string() }
    }

    pub(super) fn connection_error(&self, error: std::io::Error) -> LoadError {
        LoadError::Connection { address: self.address.clone(), error }
    }
}

/// A connection that stays open.
pub(super) struct HttpConnection<'a> {
    pub(super) target: &'a LoadTarget,
    stream: BufReader<TcpStream>,
}

impl HttpConnection<'_> {
    pub(super) fn open(target: &LoadTarget) -> Result<HttpConnection<'_>, LoadError> {
        let fault = |error| target.connection_error(error);
        let none = || LoadError::Address(target.address.clone());
        let address = target.address.to_socket_addrs().map_err(fault)?.next().ok_or_else(none)?;
        let stream = TcpStream::connect_timeout(&address, Duration::from_secs(10)).map_err(fault)?;
        stream.set_nodelay(true).map_err(fault)?;
        stream.set_read_timeout(Some(WAIT)).map_err(fault)?;
        Ok(HttpConnection { target, stream: BufReader::new(stream) })
    }

    pub(super) fn send_json(
        &mut self,
        method: &str,
        path: &str,
        body: &[u8],
    ) -> Result<(u16, Vec<u8>), LoadError> {
        let answer = self.send_request(method, path, "Content-Type: application/json\r\n", body)?;
        Ok((answer.status, answer.body))
    }

    /// Sends a request with these further lines in its head, each with its end of line.
    pub(super) fn send_request(
        &mut self,
        method: &str,
        path: &str,
        lines: &str,
        body: &[u8],
    ) -> Result<HttpAnswer, LoadError> {
        let mut text = format!(
            "{method} {path} HTTP/1.1\r\n{}{lines}Content-Length: {}\r\n\r\n",
            self.target.common_lines(),
            body.len()
        )
        .into_bytes();
        text.extend_from_slice(body);
        let target = self.target;
        self.stream.get_mut().write_all(&text).map_err(|error| target.connection_error(error))?;
        read_http_answer(target, &mut self.stream)
    }
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HttpAnswer {
    /// Its status.
    pub status: u16,
    /// Where to go on.
    pub location: Option<String>,
    /// What it brings.
    pub body: Vec<u8>,
}

/// Reads the answer of a server from a connection to it.
///
/// # Errors
/// If the connection ends before, or it is no answer of ours: no HTTP/1.1, without a length, or too long.
pub fn read_http_answer(target: &LoadTarget, input: &mut impl BufRead) -> Result<HttpAnswer, LoadError> {
    AnswerReader { target, input }.read_answer()
}

/// An answer that is being read.
struct AnswerReader<'a, R> {
    target: &'a LoadTarget,
    input: &'a mut R,
}

impl<R: BufRead> AnswerReader<'_, R> {
    fn read_answer(&mut self) -> Result<HttpAnswer, LoadError> {
        let first = self.read_line()?;
        let status = first.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
        let status: u16 = status.ok_or_else(|| self.target.protocol_error(&first))?;
        let (mut length, mut is_chunked, mut location) = (0, false, None);
        for lines in 0.. {
            let line = self.read_line()?;
            if line.is_empty() {
                break;
            }
            if lines == MOST_LINES {
                return Err(self.target.protocol_error("a head that does not end"));
            }
            let Some((name, value)) = line.split_once(':') else { continue };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = self.parse_length(value.trim(), 10)?,
                "transfer-encoding" => is_chunked = value.trim().eq_ignore_ascii_case("chunked"),
                "location" => location = Some(value.trim().to_string()),
                _ => {}
            }
        }
        let body = if is_chunked { self.read_chunks()? } else { self.read_bytes(length)? };
        Ok(HttpAnswer { status, location, body })
    }

    fn parse_length(&self, text: &str, radix: u32) -> Result<usize, LoadError> {
        let length = usize::from_str_radix(text, radix).ok().filter(|&length| length <= LARGEST);
        length.ok_or_else(|| self.target.protocol_error(text))
    }

    /// Reads so many bytes. Memory is taken as they come, not as they are announced.
    fn read_bytes(&mut self, length: usize) -> Result<Vec<u8>, LoadError> {
        let mut bytes = Vec::new();
        let read = (&mut self.input).take(length as u64).read_to_end(&mut bytes);
        match read {
            Ok(read) if read == length => Ok(bytes),
            Ok(_) => Err(self.target.connection_error(ErrorKind::UnexpectedEof.into())),
            Err(error) => Err(self.target.connection_error(error)),
        }
    }

    /// A body whose length was not known when it began.
    fn read_chunks(&mut self) -> Result<Vec<u8>, LoadError> {
        let mut body = Vec::new();
        loop {
            let line = self.read_line()?;
            let length = self.parse_length(line.split(';').next().unwrap_or("").trim(), 16)?;
            if body.len() + length > LARGEST {
                return Err(self.target.protocol_error(&line));
            }
            body.extend(self.read_bytes(length)?);
            self.read_line()?;
            if length == 0 {
                return Ok(body);
            }
        }
    }

    fn read_line(&mut self) -> Result<String, LoadError> {
        let mut line = Vec::new();
        let target = self.target;
        let read = (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut line);
        if read.map_err(|error| target.connection_error(error))? == 0 {
            return Err(target.connection_error(ErrorKind::UnexpectedEof.into()));
        }
        Ok(String::from_utf8_lossy(&line).trim_end().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        for (text, address) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("localhost:80/", "localhost:80"),
            ("http://box", "box:80"),
            ("http://[::1]:9", "[::1]:9"),
        ] {
            assert_eq!(LoadTarget::new(text).unwrap().address, address);
        }
        for text in ["", "https://x:1/a", "http://a:b", "http://a:1/v1/deck"] {
            assert!(LoadTarget::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn answers_are_read_whole_or_refused() {
        let target = LoadTarget::new("http://box").unwrap();
        let read = |text: &str| read_http_answer(&target, &mut text.as_bytes());
        let plain = read("HTTP/1.1 303 See Other\r\nLocation: /go/a\r\ncontent-length: 2\r\n\r\nab and more");
        let (location, body) = (Some("/go/a".to_string()), b"ab".to_vec());
        assert_eq!(plain.unwrap(), HttpAnswer { status: 303, location, body });
        let chunked =
            read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n");
        assert_eq!(chunked.unwrap().body, b"abc");
        let endless = format!("HTTP/1.1 200 OK\r\n{}", "a: b\r\n".repeat(1000));
        for (wrong, words) in [
            ("HTTP/1.0 200 OK\r\n\r\n", "does not answer as a server of ours does"),
            ("HTTP/1.1 2\u{e9}0\r\n\r\n", "does not answer as a server of ours does"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 300000000\r\n\r\n", "\"300000000\""),
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab", "box:80: unexpected end of file"),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\nfffffff\r\n\r\n",
                "box:80: unexpected end of file",
            ),
            (endless.as_str(), "a head that does not end"),
        ] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.contains(words), "{wrong}: {error}");
        }
    }
}
