//! The client of HTTP that all tests of servers use: requests as text, and answers that came whole.

#![allow(dead_code, missing_docs, unreachable_pub)]

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The longest silence of a server that is believed to answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// An answer.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    /// Names in small letters.
    pub head: Vec<(String, String)>,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// A connection, for one request or for several.
pub struct Client {
    pub stream: BufReader<TcpStream>,
    /// The last request was for a head: its answer tells the length of a body that does not come.
    asked_for_head: bool,
}

/// A request as it goes over the wire.
pub fn request_text(method: &str, path: &str, head: &[(&str, &str)], body: &str) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\n");
    for (name, value) in head {
        text += &format!("{name}: {value}\r\n");
    }
    if method == "POST" || !body.is_empty() {
        text += &format!("Content-Length: {}\r\n", body.len());
    }
    text + "\r\n" + body
}

impl Client {
    pub fn connect(address: &str) -> Result<Client> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Client { stream: BufReader::new(stream), asked_for_head: false })
    }

    /// To a server that must be there.
    pub fn to(address: &str) -> Client {
        Client::connect(address).unwrap()
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.asked_for_head = bytes.starts_with(b"HEAD ");
        self.stream.get_mut().write_all(bytes)
    }

    /// The next answer, if it comes and is whole.
    pub fn read_reply(&mut self) -> Result<Reply> {
        let first = self.read_line()?;
        let status = first.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
        let mut reply =
            Reply { status: status.ok_or_else(|| broken(&first))?, head: vec![], body: String::new() };
        loop {
            let line = self.read_line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            reply.head.push((name.to_ascii_lowercase(), value.trim().to_string()));
        }
        let bytes = self.read_body(&reply)?;
        reply.body = String::from_utf8(bytes).map_err(|error| broken(&error.to_string()))?;
        Ok(reply)
    }

    /// The answer, which must come.
    pub fn receive(&mut self) -> Reply {
        self.read_reply().unwrap()
    }

    fn read_body(&mut self, reply: &Reply) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        if self.asked_for_head {
            return Ok(body);
        }
        if reply.header("transfer-encoding") == Some("chunked") {
            self.read_chunks(&mut body)?;
        } else if let Some(length) = reply.header("content-length") {
            body = vec![0; length.parse().map_err(|_| broken(length))?];
            self.stream.read_exact(&mut body)?;
        } else if reply.header("connection") == Some("close") {
            self.stream.read_to_end(&mut body)?;
        }
        Ok(body)
    }

    fn read_chunks(&mut self, body: &mut Vec<u8>) -> Result<()> {
        loop {
            let line = self.read_line()?;
            let size = usize::from_str_radix(line.trim(), 16).map_err(|_| broken(&line))?;
            let begun = body.len();
            body.resize(begun + size, 0);
            self.stream.read_exact(&mut body[begun..])?;
            self.read_line()?;
            if size == 0 {
                return Ok(());
            }
        }
    }

    /// A line without its end; the connection may not end before it.
    fn read_line(&mut self) -> Result<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line)? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end().to_string()),
        }
    }

    /// Has the other side hung up, without a word?
    pub fn is_closed(&mut self) -> bool {
        matches!(self.stream.read(&mut [0]), Ok(0) | Err(_))
    }
}

fn broken(text: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("no HTTP: {text:?}"))
}
