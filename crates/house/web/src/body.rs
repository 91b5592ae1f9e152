//! What clients send: received whole before anything is done with it.

use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use futures_util::StreamExt;

/// A client has so long to send a body.
pub(crate) const BODY_TIME: Duration = Duration::from_secs(30);

/// Bytes that are received and thrown away at most.
const MOST_DISCARDED: usize = 64 << 20;

/// What came of a body.
pub(crate) enum ReceivedBody {
    Whole(Bytes),
    /// It has more bytes than it may have.
    TooLong,
    /// Its connection ended before it did.
    Broken,
}

/// A body of `most` bytes at most.
pub(crate) async fn receive_body(body: Body, most: usize) -> ReceivedBody {
    let mut chunks = body.into_data_stream();
    let mut received = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let Ok(chunk) = chunk else { return ReceivedBody::Broken };
        if received.len() + chunk.len() > most {
            discard_rest(chunks);
            return ReceivedBody::TooLong;
        }
        received.extend_from_slice(&chunk);
    }
    ReceivedBody::Whole(received.into())
}

/// Takes in what still comes while the answer is on its way. Most clients read no answer before they have sent everything, and a connection that is
/// closed meanwhile is an error without words for them.
pub(crate) fn discard_rest(mut chunks: BodyDataStream) {
    tokio::spawn(tokio::time::timeout(BODY_TIME, async move {
        let mut discarded = 0;
        while let Some(Ok(chunk)) = chunks.next().await {
            discarded += chunk.len();
            if discarded > MOST_DISCARDED {
                return;
            }
        }
    }));
}
