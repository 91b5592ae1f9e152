//! What clients send: received whole before anything is done with it.

use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use futures_util::StreamExt;

/// A client has so long to send a body.
const BODY_TIME: Duration = Duration::from_secs(30);

/// Bytes that are received and thrown away at most.
const MOST_DISCARDED: usize = 64 << 20;

/// What came of a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReceivedBody {
    Whole(Bytes),
    /// It has more bytes than it may have.
    TooLong,
    /// It took longer than it may take.
    TooSlow,
    /// Its connection ended before it did.
    Broken,
}

/// A body of `most` bytes at most, which must be there within [`BODY_TIME`].
pub(crate) async fn receive_body(body: Body, most: usize) -> ReceivedBody {
    receive_within(BODY_TIME, body, most).await
}

async fn receive_within(limit: Duration, body: Body, most: usize) -> ReceivedBody {
    tokio::time::timeout(limit, gather_chunks(body, most)).await.unwrap_or(ReceivedBody::TooSlow)
}

async fn gather_chunks(body: Body, most: usize) -> ReceivedBody {
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

#[cfg(test)]
mod tests {
    use std::io;

    use futures_util::stream;

    use super::*;

    const MOST: usize = 4;

    /// What comes of a body of these chunks, and of another that goes on for ever behind them.
    async fn receive_twice(chunks: &[Result<&'static str, ()>]) -> [ReceivedBody; 2] {
        let chunk = |chunk: &Result<&'static str, ()>| {
            chunk.map(|text| Bytes::from_static(text.as_bytes())).map_err(|()| io::Error::other("it broke"))
        };
        let chunks = || stream::iter(chunks.iter().map(chunk).collect::<Vec<_>>());
        let (ended, endless) = (chunks(), chunks().chain(stream::pending()));
        let limit = Duration::from_millis(50);
        [
            receive_within(limit, Body::from_stream(ended), MOST).await,
            receive_within(limit, Body::from_stream(endless), MOST).await,
        ]
    }

    #[tokio::test]
    async fn a_body_is_whole_or_it_is_said_why_not() {
        let whole = |text: &'static str| ReceivedBody::Whole(Bytes::from_static(text.as_bytes()));
        assert_eq!(receive_twice(&[Ok("ab"), Ok("cd")]).await, [whole("abcd"), ReceivedBody::TooSlow]);
        assert_eq!(receive_twice(&[]).await, [whole(""), ReceivedBody::TooSlow]);
        // What is known already needs no wait.
        let too_long = receive_twice(&[Ok("abc"), Ok("de")]).await;
        assert_eq!(too_long, [ReceivedBody::TooLong, ReceivedBody::TooLong]);
        let broken = receive_twice(&[Ok("abc"), Err(())]).await;
        assert_eq!(broken, [ReceivedBody::Broken, ReceivedBody::Broken]);
    }
}
