//! A line to a server that a test cuts, or lets fall silent, and mends: a relay on loopback.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Between two looks at what became of the line.
const LOOK: Duration = Duration::from_millis(10);

const WHOLE: u8 = 0;
const SILENT: u8 = 1;
const CUT: u8 = 2;
const GONE: u8 = 3;

/// The line. It is cut for good when this is dropped.
pub(crate) struct CutLine {
    port: u16,
    state: Arc<AtomicU8>,
    relay: Option<JoinHandle<()>>,
}

impl CutLine {
    /// A line to this port of this machine.
    pub(crate) fn to_port(server: u16) -> CutLine {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        listener.set_nonblocking(true).unwrap();
        let state = Arc::new(AtomicU8::new(WHOLE));
        let seen = Arc::clone(&state);
        let relay = Some(std::thread::spawn(move || relay_connections(&listener, server, &seen)));
        CutLine { port, state, relay }
    }

    /// The address of a database, through this line.
    pub(crate) fn lead(&self, address: &str, server: u16) -> String {
        let through = address.replace(&format!("127.0.0.1:{server}/"), &format!("127.0.0.1:{}/", self.port));
        assert_ne!(through, address);
        through
    }

    /// All connections end, and no new one comes about.
    pub(crate) fn cut(&self) {
        self.state.store(CUT, Ordering::SeqCst);
    }

    /// Nothing more arrives, and nobody is told.
    pub(crate) fn silence(&self) {
        self.state.store(SILENT, Ordering::SeqCst);
    }

    /// What was held up arrives, and new connections come about.
    pub(crate) fn mend(&self) {
        self.state.store(WHOLE, Ordering::SeqCst);
    }
}

impl Drop for CutLine {
    fn drop(&mut self) {
        self.state.store(GONE, Ordering::SeqCst);
        if let Some(relay) = self.relay.take() {
            let _ = relay.join();
        }
    }
}

fn relay_connections(listener: &TcpListener, server: u16, state: &Arc<AtomicU8>) {
    let mut relays = Vec::new();
    while state.load(Ordering::SeqCst) != GONE {
        match listener.accept() {
            Ok((client, _)) if state.load(Ordering::SeqCst) != CUT => {
                relays.extend(relay_connection(client, server, state));
            }
            // One that comes while the line is cut is closed at once.
            Ok(_) => {}
            Err(_) => std::thread::sleep(LOOK),
        }
    }
    for relay in relays {
        let _ = relay.join();
    }
}

/// Both directions, each by a thread of its own; none if the server is not there.
fn relay_connection(client: TcpStream, server: u16, state: &Arc<AtomicU8>) -> Vec<JoinHandle<()>> {
    let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { return Vec::new() };
    // What listens without waiting may give connections that do not wait, either.
    client.set_nonblocking(false).unwrap();
    let directions = [(client.try_clone().unwrap(), server.try_clone().unwrap()), (server, client)];
    let relay = |(from, to): (TcpStream, TcpStream)| {
        let state = Arc::clone(state);
        std::thread::spawn(move || relay_bytes(from, to, &state))
    };
    directions.map(relay).into()
}

/// Until one end closes, or the line is cut: then both ends hear of it.
fn relay_bytes(mut from: TcpStream, mut to: TcpStream, state: &AtomicU8) {
    from.set_read_timeout(Some(LOOK)).unwrap();
    let mut buffer = [0; 8192];
    loop {
        match state.load(Ordering::SeqCst) {
            SILENT => {
                std::thread::sleep(LOOK);
                continue;
            }
            WHOLE => {}
            _ => break,
        }
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                if to.write_all(&buffer[..count]).is_err() {
                    break;
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => break,
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}

#[test]
fn a_line_can_be_cut_fall_silent_and_be_mended() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let line = CutLine::to_port(port);
    let address = line.lead(&format!("http://127.0.0.1:{port}/x"), port);
    let place = address.strip_prefix("http://").unwrap().strip_suffix("/x").unwrap().to_string();
    let mut client = TcpStream::connect(&place).unwrap();
    let (mut end, _) = server.accept().unwrap();
    let mut heard = [0; 4];
    client.write_all(b"ping").unwrap();
    end.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"ping");

    line.silence();
    // Whoever reads already hears what comes before its next look.
    std::thread::sleep(10 * LOOK);
    end.write_all(b"pong").unwrap();
    client.set_read_timeout(Some(10 * LOOK)).unwrap();
    assert!(client.read(&mut heard).is_err(), "nothing arrives");
    line.mend();
    client.set_read_timeout(None).unwrap();
    client.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"pong", "and nothing is lost");

    line.cut();
    assert_eq!(client.read(&mut heard).unwrap_or(0), 0, "the connection has ended");
    let refused = TcpStream::connect(&place).and_then(|mut other| other.read(&mut heard));
    assert_eq!(refused.unwrap_or(0), 0);
    line.mend();
    let mut again = TcpStream::connect(&place).unwrap();
    again.write_all(b"ping").unwrap();
    server.accept().unwrap().0.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"ping");
}
