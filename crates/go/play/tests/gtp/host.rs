//! What a session gets from outside, in memory: the tests of both games have it.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ishi_engine::Clock;
use ishi_engine::session::Host;

/// A host whose clock goes on by a millisecond with every look, and whose files are in memory.
#[derive(Clone, Default)]
pub(crate) struct TestHost {
    pub(crate) now: Arc<AtomicU64>,
    pub(crate) files: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
    pub(crate) spectators: Arc<Mutex<Vec<String>>>,
}

impl Clock for TestHost {
    fn now(&self) -> Duration {
        Duration::from_millis(self.now.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

impl Host for TestHost {
    fn read_file(&self, path: &str) -> io::Result<Vec<u8>> {
        self.files.lock().unwrap().get(path).cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn write_file(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        if path.starts_with('/') {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
        }
        self.files.lock().unwrap().insert(path.to_string(), bytes.to_vec());
        Ok(())
    }

    fn cpu_time(&self) -> Option<Duration> {
        Some(Duration::from_millis(self.now.load(Ordering::Relaxed)))
    }

    fn tell_spectators(&self, line: &str) {
        self.spectators.lock().unwrap().push(line.to_string());
    }
}
