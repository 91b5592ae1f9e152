//! Standard output that is watched. The service goes on after an answer that it could not send, and tells nobody: here it is noticed.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;
use tokio::sync::Notify;

/// How writing failed, once it has.
#[derive(Debug, Default)]
pub(crate) struct OutputFailure {
    why: Mutex<Option<String>>,
    told: Notify,
}

impl OutputFailure {
    /// Waits until writing has failed, and says why. A reader that is gone is no failure: its input ends, too.
    pub(crate) async fn wait(&self) -> String {
        loop {
            let told = self.told.notified();
            if let Some(why) = self.why.lock().unwrap_or_else(PoisonError::into_inner).clone() {
                return why;
            }
            told.await;
        }
    }

    fn note_error(&self, error: &io::Error) {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return;
        }
        self.why.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| error.to_string());
        self.told.notify_one();
    }
}

/// A writer whose failures are noted.
#[derive(Debug)]
pub(crate) struct WatchedOutput<W> {
    output: W,
    failure: Arc<OutputFailure>,
}

impl<W> WatchedOutput<W> {
    /// Whoever waits for the failure hears how writing failed.
    pub(crate) fn new(output: W, failure: &Arc<OutputFailure>) -> WatchedOutput<W> {
        WatchedOutput { output, failure: Arc::clone(failure) }
    }

    fn note<T>(&self, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if let Poll::Ready(Err(error)) = &done {
            self.failure.note_error(error);
        }
        done
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for WatchedOutput<W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.output).poll_write(context, bytes);
        self.note(written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.output).poll_flush(context);
        self.note(flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.output).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    /// Room for so many bytes, and then this error.
    struct SmallDisk(usize, io::ErrorKind);

    impl AsyncWrite for SmallDisk {
        fn poll_write(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            let room = self.0.min(bytes.len());
            self.0 -= room;
            Poll::Ready(if room == 0 { Err(self.1.into()) } else { Ok(room) })
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    /// Writes one answer that there is room for, and one that there is not. Is a failure noted by then?
    fn is_noted(kind: io::ErrorKind) -> [bool; 2] {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let failure = Arc::new(OutputFailure::default());
        let mut output = WatchedOutput::new(SmallDisk(10, kind), &failure);
        let has_failed = || failure.why.lock().unwrap().is_some();
        runtime.block_on(async {
            output.write_all(b"hello").await.unwrap();
            let first = has_failed();
            output.write_all(b"good morning").await.unwrap_err();
            [first, has_failed()]
        })
    }

    #[test]
    fn an_answer_that_is_not_written_is_noted_whenever_it_comes() {
        assert_eq!(is_noted(io::ErrorKind::StorageFull), [false, true]);
        assert_eq!(is_noted(io::ErrorKind::BrokenPipe), [false, false], "who is gone needs no answer");
    }

    /// Whoever waits hears it, also if it was there before.
    #[test]
    fn a_failure_is_heard_before_and_after() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let failure = OutputFailure::default();
        let error = io::Error::from(io::ErrorKind::StorageFull);
        let later = async {
            tokio::task::yield_now().await;
            failure.note_error(&error);
        };
        let (heard, ()) = runtime.block_on(async { tokio::join!(failure.wait(), later) });
        assert_eq!(heard, error.to_string());
        assert_eq!(runtime.block_on(failure.wait()), heard);
    }
}
