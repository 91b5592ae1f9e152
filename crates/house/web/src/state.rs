//! What all requests share.

use std::sync::Arc;
use std::time::Duration;

use ishi_deck_documents::PoolFile;
use ishi_rng::Seed;

use crate::workers::Workers;

/// A pool under the name by which requests ask for it.
#[derive(Clone, Debug)]
pub struct ServedPool {
    /// Its name.
    pub name: String,
    /// The pool.
    pub file: Arc<PoolFile>,
}

/// What the server may use.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Where to listen, such as `127.0.0.1:8080`; port 0 is any that is free.
    pub listen: String,
    /// Threads that solve, at least 1.
    pub workers: usize,
    /// Requests that wait for a thread; more are refused.
    pub queue: usize,
    /// Connections that are open at a time; more wait.
    pub connections: usize,
    /// Bytes of a body.
    pub body: usize,
    /// The most work for a request, in steps (`SolveSettings::work_limit`); it may ask for less. Answers depend on this and not on how
    /// busy the machine is.
    pub work: u64,
    /// The longest time that a request is solved, where steps take long; it may ask for less.
    pub time: Duration,
    /// How long requests that run at the end may still go on.
    pub patience: Duration,
    /// The most bytes that the proof of a request may take, about. One that needs more is given up, and the best deck so far is the answer.
    pub memory: usize,
    /// The most slots (pieces, with their copies) that a request may choose from.
    pub slots: usize,
    /// Names under which it answers besides its own address and those of the loopback.
    pub hosts: Vec<String>,
    /// A page of this origin may ask, such as `https://example.org`, or of any with `*`.
    pub origin: Option<String>,
    /// The seed of searches where a request names none.
    pub seed: Seed,
}

impl ServerSettings {
    /// The usual limits.
    #[must_use]
    pub fn new(seed: Seed) -> ServerSettings {
        ServerSettings {
            listen: "127.0.0.1:8080".to_string(),
            workers: 1,
            queue: 64,
            connections: 512,
            body: 1 << 20,
            work: 200_000,
            time: Duration::from_secs(10),
            patience: Duration::from_secs(5),
            memory: 512 << 20,
            slots: 20_000,
            hosts: Vec::new(),
            origin: None,
            seed,
        }
    }
}

/// What all requests share.
pub(crate) struct ServerState {
    pub(crate) pools: Vec<ServedPool>,
    pub(crate) settings: ServerSettings,
    pub(crate) workers: Workers,
}
