//! Sockets: who may connect, how long they may take to ask, and a clean end.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use ishi_lab::store::{DamagedDocument, StoreError};
use ishi_work::StopFlag;
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};

use crate::door::{ConnectionPass, Doorkeeper};
use crate::hosts::ReachedAddress;
use crate::log::{PeerAddress, RequestLog};
use crate::routes;
use crate::state::{ServedPool, ServerSettings, ServerState};
use crate::workbench::router::build_router;
use crate::workbench::{self, WorkbenchSettings, WorkbenchState};
use crate::workers::Workers;

/// A client has so long to send the head of a request, and so long may a connection lie idle.
const HEAD_TIME: Duration = Duration::from_secs(30);

/// How often the server looks whether it should end.
const LOOK: Duration = Duration::from_millis(50);

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServerError {
    /// It cannot listen there.
    #[error("cannot listen on {listen}: {}", describe_listen_fault(error))]
    Listen {
        /// Where.
        listen: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// Something of the system is not to be had.
    #[error("the server cannot run: {0}")]
    System(#[from] std::io::Error),
    /// The database of the workbench cannot be used.
    #[error(transparent)]
    Store(#[from] ishi_lab::store::StoreError),
    /// No pool was given, so that there is nothing to serve.
    #[error("there is no pool to serve")]
    NoPool,
    /// Two pools have one name.
    #[error("two pools are called {0:?}: give them names of their own")]
    Name(String),
}

impl ServerError {
    /// Is what was named at fault, rather than something outside?
    #[must_use]
    pub fn is_input(&self) -> bool {
        match self {
            ServerError::Listen { error, .. } => error.kind() == std::io::ErrorKind::InvalidInput,
            ServerError::Store(error) => error.is_input(),
            ServerError::Name(_) => true,
            ServerError::System(_) | ServerError::NoPool => false,
        }
    }
}

/// Why it cannot listen, and what would be right.
fn describe_listen_fault(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::InvalidInput => {
            "it must be an address and a port, such as 127.0.0.1:8642".to_string()
        }
        std::io::ErrorKind::AddrInUse => {
            "another program listens there, perhaps another ishi: --listen names another port".to_string()
        }
        _ => error.to_string(),
    }
}

/// A server that listens and does not answer yet.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    pools: Vec<ServedPool>,
    settings: ServerSettings,
}

impl Server {
    /// Begins to listen.
    ///
    /// # Errors
    /// If the address is not free or not ours, or the pools cannot be told apart.
    pub fn bind(pools: Vec<ServedPool>, settings: ServerSettings) -> Result<Server, ServerError> {
        if pools.is_empty() {
            return Err(ServerError::NoPool);
        }
        for (at, pool) in pools.iter().enumerate() {
            if pools[..at].iter().any(|other| other.name == pool.name) {
                return Err(ServerError::Name(pool.name.clone()));
            }
        }
        let (listener, address) = open_listener(&settings.listen)?;
        Ok(Server { listener, address, pools, settings })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` is raised; then requests that run may end, those that wait are refused, and all threads are gone on return.
    ///
    /// # Errors
    /// If the system gives it no sockets.
    pub fn run(self, stop: &StopFlag, log: Option<RequestLog>) -> Result<(), ServerError> {
        let Server { listener, pools, settings, .. } = self;
        let workers = Workers::start(settings.workers.max(1), settings.queue);
        let connections = settings.connections;
        let state = Arc::new(ServerState { pools, settings, workers });
        let router = routes::build_router(Arc::clone(&state), log);
        let ended = block_on_runtime(async {
            let graceful =
                serve_connections(listener, router, connections, Admission::AtRequest, stop).await?;
            shut_down_gracefully(&state, graceful).await;
            Ok(())
        });
        // In this order: no more work is taken, what runs is told to end, and only then its threads are waited for.
        state.workers.close();
        state.workers.request_end();
        state.workers.join();
        ended
    }
}

/// Sockets are little work beside what is computed for them: one thread has the time.
fn block_on_runtime(work: impl Future<Output = std::io::Result<()>>) -> Result<(), ServerError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(work).map_err(ServerError::from)
}

/// A listening socket that a runtime can take over.
fn open_listener(listen: &str) -> Result<(std::net::TcpListener, SocketAddr), ServerError> {
    let fault = |error| ServerError::Listen { listen: listen.to_string(), error };
    let listener = std::net::TcpListener::bind(listen).map_err(fault)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// When a connection holds a place: at once when it has asked for anything, or when it was let in by what answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Admission {
    AtRequest,
    ByGuard,
}

/// Accepts connections until `stop` is raised. What is returned waits for those that are open.
async fn serve_connections(
    listener: std::net::TcpListener,
    router: Router,
    connections: usize,
    admission: Admission,
    stop: &StopFlag,
) -> std::io::Result<GracefulShutdown> {
    let listener = TcpListener::from_std(listener)?;
    let keeper = Arc::new(Doorkeeper::new(connections));
    let graceful = GracefulShutdown::new();
    let raised = wait_for_stop(stop);
    tokio::pin!(raised);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut raised => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let pass = Arc::new(keeper.receive_newcomer(peer.ip()));
                serve_connection(stream, peer, &router, &graceful, pass, admission);
                // One at a time: who has asked already is heard before so many others come that they would be sent away.
                tokio::task::yield_now().await;
            }
            // No files left, or a client that was gone at once: others may have better luck.
            Err(_) => tokio::time::sleep(LOOK).await,
        }
    }
    Ok(graceful)
}

/// Answers the requests of one connection, in the background.
fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: &Router,
    graceful: &GracefulShutdown,
    pass: Arc<ConnectionPass>,
    admission: Admission,
) {
    // Answers are short: they should not wait for more.
    let _ = stream.set_nodelay(true);
    let reached = stream.local_addr().ok().map(ReachedAddress);
    let inner = TowerToHyperService::new(router.clone());
    let watched = Arc::clone(&pass);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(PeerAddress(peer));
        request.extensions_mut().insert(Arc::clone(&pass));
        if admission == Admission::AtRequest {
            // All places taken: it stays a newcomer, which makes room for the next.
            pass.admit_connection();
        }
        if let Some(reached) = reached {
            request.extensions_mut().insert(reached);
        }
        inner.call(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
    tokio::spawn(async move {
        tokio::select! {
            // What it has asked for may let it in.
            biased;
            // What goes wrong on a connection is the client's affair, and the end of it.
            _ = connection => {}
            () = watched.wait_for_dismissal() => {}
        }
    });
}

/// Waits for the flag. It is raised by a signal handler, which can wake nobody.
async fn wait_for_stop(stop: &StopFlag) {
    while !stop.is_requested() {
        tokio::time::sleep(LOOK).await;
    }
}

/// What waits is refused, what runs has some time to end, and is then asked to.
async fn shut_down_gracefully(state: &ServerState, graceful: GracefulShutdown) {
    state.workers.close();
    let closed = graceful.shutdown();
    tokio::pin!(closed);
    if tokio::time::timeout(state.settings.patience, &mut closed).await.is_ok() {
        return;
    }
    state.workers.request_end();
    // Answers that say so; a client that does not read them is not waited for.
    let _ = tokio::time::timeout(Duration::from_secs(1), &mut closed).await;
}

/// Open pages hear events without end: at the end of the server they are told that there are no more, and not waited for long.
const FAREWELL: Duration = Duration::from_secs(2);

/// Connections to the workbench: every open page holds one for its events.
const PAGES: usize = 512;

/// How many documents of each kind are checked at the start: those that lists show.
const DAMAGE_LOOKED_FOR: usize = 50;

/// The workbench, listening but not answering yet.
pub struct Workbench {
    listener: std::net::TcpListener,
    address: SocketAddr,
    desk: WorkbenchState,
}

impl Workbench {
    /// Opens the store and begins to listen.
    ///
    /// # Errors
    /// If the database cannot be used, or the address is not free or not ours.
    pub fn bind(mut settings: WorkbenchSettings) -> Result<Workbench, ServerError> {
        let (listener, address) = open_listener(&settings.listen)?;
        settings.hosts.push(address.ip().to_string());
        Ok(Workbench { listener, address, desk: WorkbenchState::open(settings)? })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where a browser of this machine reaches it, such as `http://127.0.0.1:8642`.
    #[must_use]
    pub fn local_url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            let loopback =
                if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
            address.set_ip(loopback);
        }
        format!("http://{address}")
    }

    /// An address that lets one visitor in, once, within an hour; none where no token is asked for.
    #[must_use]
    pub fn make_entry_address(&self) -> Option<String> {
        self.desk.settings.token.as_ref()?;
        let code = self.desk.codes.make_code(Instant::now());
        Some(self.local_url() + &workbench::entry_path(&code))
    }

    /// What people made here and is damaged, among what was changed last. It is not opened, and a page (`/damaged`) says what can be done.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn latest_damage(&self) -> Result<Vec<DamagedDocument>, StoreError> {
        self.desk.ask_store_blocking(|store| store.latest_damage(DAMAGE_LOOKED_FOR))
    }

    /// Answers until `stop` is raised; all searches and threads are gone on return.
    ///
    /// # Errors
    /// If the system gives it no sockets.
    pub fn run(self, stop: &StopFlag, log: Option<RequestLog>) -> Result<(), ServerError> {
        let Workbench { listener, desk, .. } = self;
        let desk = Arc::new(desk);
        let router = build_router(&desk, &Arc::new(log));
        let ended = block_on_runtime(async {
            tokio::spawn(workbench::unpack_soon());
            let graceful = serve_connections(listener, router, PAGES, Admission::ByGuard, stop).await?;
            desk.end_work();
            let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
            Ok(())
        });
        desk.end_work();
        desk.join_threads();
        ended
    }
}
