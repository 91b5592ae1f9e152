//! TLS by rustls for the crate `postgres`, which leaves it to others.

use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use ::postgres::Socket;
use ::postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::client::TlsStream as RustlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Where systems keep the certificates that they trust.
const SYSTEM_ROOTS: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// The system's file of trusted certificates: the one that was named, or the first that is there.
pub(super) fn default_roots(named: Option<String>, is_there: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let usual = SYSTEM_ROOTS.iter().map(PathBuf::from);
    named.map(PathBuf::from).into_iter().chain(usual).find(|path| is_there(path))
}

/// Begins TLS with a server whose certificate one of the trusted ones has signed for its name.
#[derive(Clone)]
pub(super) struct TlsConnector {
    config: Arc<ClientConfig>,
}

impl TlsConnector {
    /// Trusts the certificates of this file (PEM), and no others.
    pub(super) fn with_roots(file: &Path) -> Result<TlsConnector, String> {
        let wrong = |cause: String| format!("the certificates in {} cannot be used: {cause}", file.display());
        let mut roots = RootCertStore::empty();
        let certificates = CertificateDer::pem_file_iter(file).map_err(|error| wrong(error.to_string()))?;
        for certificate in certificates {
            let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
            // A system's list of certificates may have some that rustls does not take. The others are enough.
            let _ = roots.add(certificate);
        }
        if roots.is_empty() {
            return Err(wrong("it must have at least one, as PEM".to_string()));
        }
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder =
            builder.with_safe_default_protocol_versions().map_err(|error| wrong(error.to_string()))?;
        let config = builder.with_root_certificates(roots).with_no_client_auth();
        Ok(TlsConnector { config: Arc::new(config) })
    }
}

impl MakeTlsConnect<Socket> for TlsConnector {
    type Stream = ServerStream;
    type TlsConnect = NamedConnector;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<NamedConnector> {
        let name = ServerName::try_from(host.to_string()).map_err(io::Error::other)?;
        Ok(NamedConnector { config: Arc::clone(&self.config), name })
    }
}

/// What begins TLS for one connection to the server of this name.
pub(super) struct NamedConnector {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
}

impl TlsConnect<Socket> for NamedConnector {
    type Stream = ServerStream;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<ServerStream>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        let connecting = tokio_rustls::TlsConnector::from(self.config).connect(self.name, socket);
        Box::pin(async move { connecting.await.map(|stream| ServerStream(Box::new(stream))) })
    }
}

/// A stream to a server, by TLS.
pub(super) struct ServerStream(Box<RustlsStream<Socket>>);

impl TlsStream for ServerStream {
    /// The certificate is checked; binding the password to it would need to take it apart.
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for ServerStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl AsyncWrite for ServerStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}
