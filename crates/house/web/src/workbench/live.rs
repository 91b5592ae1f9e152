//! Events for open pages: each topic (a game, an experiment) has its listeners, and remembers the last event of each name, so that
//! who comes later, or comes back, sees the state at once.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt, stream};
use tokio::sync::broadcast;

/// Events that wait for a slow listener; older ones are lost to it, and the next of their name says the same.
const BACKLOG: usize = 64;

/// Topics that nobody has heard for so long are forgotten. Work that ends when nobody has watched it for some minutes asks for how long that is.
const FORGOTTEN: Duration = Duration::from_secs(600);

/// They are looked for so often at most.
const SWEEP: Duration = Duration::from_secs(1);

#[derive(Clone, Debug)]
struct LiveEvent {
    name: Cow<'static, str>,
    data: Arc<str>,
}

impl LiveEvent {
    fn to_event(&self, topic: &str) -> Event {
        let told = serde_json::json!({ "topic": topic, "name": self.name, "data": &*self.data });
        Event::default().data(told.to_string())
    }
}

struct LiveTopic {
    sender: broadcast::Sender<LiveEvent>,
    last: BTreeMap<Cow<'static, str>, Arc<str>>,
    listeners: usize,
    left: Instant,
}

impl LiveTopic {
    fn new(now: Instant) -> LiveTopic {
        LiveTopic { sender: broadcast::channel(BACKLOG).0, last: BTreeMap::new(), listeners: 0, left: now }
    }

    fn is_heard(&self, now: Instant) -> bool {
        self.listeners > 0 || now.saturating_duration_since(self.left) < FORGOTTEN
    }
}

/// Topics by their names.
#[derive(Default)]
struct TopicTable {
    known: HashMap<String, LiveTopic>,
    swept: Option<Instant>,
}

impl TopicTable {
    /// The topic of this name. A new one takes the place of those that nobody hears, as every game is one: they must not become more for ever.
    fn find_or_add(&mut self, name: &str, now: Instant) -> &mut LiveTopic {
        if !self.known.contains_key(name) {
            self.forget_unheard(now);
        }
        self.known.entry(name.to_string()).or_insert_with(|| LiveTopic::new(now))
    }

    fn forget_unheard(&mut self, now: Instant) {
        let is_early = self.swept.is_some_and(|swept| now.saturating_duration_since(swept) < SWEEP);
        if !is_early {
            self.swept = Some(now);
            self.known.retain(|_, topic| topic.is_heard(now));
        }
    }
}

/// All topics.
#[derive(Default)]
pub(crate) struct LiveTopics {
    topics: Mutex<TopicTable>,
}

impl LiveTopics {
    fn lock_topics(&self) -> MutexGuard<'_, TopicTable> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all pages of a topic; `html` replaces what is in their elements with `sse-swap="NAME"`.
    pub(crate) fn publish(&self, topic: &str, name: impl Into<Cow<'static, str>>, html: impl Into<String>) {
        let (name, data): (Cow<'static, str>, Arc<str>) = (name.into(), html.into().into());
        let mut topics = self.lock_topics();
        let topic = topics.find_or_add(topic, Instant::now());
        topic.last.insert(name.clone(), Arc::clone(&data));
        // Sending fails where no page is open, which is no fault.
        let _ = topic.sender.send(LiveEvent { name, data });
    }

    /// What the last event of this name brought, for a part of a page that is made anew.
    pub(crate) fn last_event(&self, topic: &str, name: &str) -> Option<Arc<str>> {
        self.lock_topics().known.get(topic)?.last.get(name).cloned()
    }

    /// Forgets the last event of this name: who comes later does not hear of it.
    pub(crate) fn forget_event(&self, topic: &str, name: &str) {
        if let Some(topic) = self.lock_topics().known.get_mut(topic) {
            topic.last.remove(name);
        }
    }

    /// For how long has nobody looked? Zero while somebody does.
    pub(crate) fn unseen_for(&self, topic: &str) -> Duration {
        match self.lock_topics().known.get(topic) {
            Some(topic) if topic.listeners > 0 => Duration::ZERO,
            Some(topic) => topic.left.elapsed(),
            None => Duration::MAX,
        }
    }

    /// Streams that are open.
    pub(crate) fn listener_count(&self) -> usize {
        self.lock_topics().known.values().map(|topic| topic.listeners).sum()
    }

    /// Somebody is about to look: the page is on its way.
    pub(crate) fn mark_expected(&self, topic: &str) {
        let now = Instant::now();
        self.lock_topics().find_or_add(topic, now).left = now;
    }

    /// Ends all streams.
    pub(crate) fn close(&self) {
        // The senders go with their topics, and a stream ends without its sender.
        self.lock_topics().known.clear();
    }

    /// The events of these topics as JSON with `topic`, `name` and `data`, the last of each name first.
    pub(crate) fn event_stream(
        self: &Arc<LiveTopics>,
        topics: &[&str],
    ) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let streams: Vec<_> = topics.iter().map(|topic| self.topic_stream(topic).boxed()).collect();
        Sse::new(stream::select_all(streams)).keep_alive(KeepAlive::default())
    }

    fn topic_stream(
        self: &Arc<LiveTopics>,
        topic: &str,
    ) -> impl Stream<Item = Result<Event, Infallible>> + Send + use<> {
        let (receiver, last) = self.subscribe(topic);
        let listener = ListenerGuard { live: Arc::clone(self), topic: topic.to_string() };
        let known = stream::iter(last.into_iter().map(|(name, data)| LiveEvent { name, data }));
        let coming = stream::unfold((receiver, listener), |(mut receiver, listener)| async move {
            loop {
                match receiver.recv().await {
                    Ok(told) => return Some((told, (receiver, listener))),
                    // Nothing is lost for good: the next event of a name says all that the missed ones said.
                    Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => return None,
                }
            }
        });
        let topic = topic.to_string();
        known.chain(coming).map(move |told| Ok(told.to_event(&topic)))
    }

    fn subscribe(
        &self,
        topic: &str,
    ) -> (broadcast::Receiver<LiveEvent>, BTreeMap<Cow<'static, str>, Arc<str>>) {
        let mut topics = self.lock_topics();
        let topic = topics.find_or_add(topic, Instant::now());
        topic.listeners += 1;
        // Both under one lock, so that no event falls between what is known and what is to come.
        (topic.sender.subscribe(), topic.last.clone())
    }
}

/// Counts as long as its stream lives.
struct ListenerGuard {
    live: Arc<LiveTopics>,
    topic: String,
}

impl Drop for ListenerGuard {
    fn drop(&mut self) {
        if let Some(topic) = self.live.lock_topics().known.get_mut(&self.topic) {
            topic.listeners = topic.listeners.saturating_sub(1);
            topic.left = Instant::now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_later_hears_the_last_of_each_name() {
        let live = LiveTopics::default();
        live.publish("go/a", "board", "1");
        live.publish("go/a", "board", "2");
        live.publish("go/a", "thought", "3");
        live.forget_event("go/a", "thought");
        let (_receiver, last) = live.subscribe("go/a");
        assert_eq!(
            last.into_iter().map(|(name, data)| (name.to_string(), data.to_string())).collect::<Vec<_>>(),
            [("board".to_string(), "2".to_string())]
        );
        assert_eq!(live.unseen_for("go/a"), Duration::ZERO);
        assert_eq!(live.unseen_for("go/b"), Duration::MAX);
    }

    /// Games are made by requests alone, whether anybody hears of them or not.
    #[test]
    fn topics_that_nobody_hears_do_not_become_more_for_ever() {
        let live = LiveTopics::default();
        let _hears = live.subscribe("go/heard");
        for number in 0..100 {
            live.publish(&format!("go/{number}"), "changed", "1");
            live.mark_expected(&format!("othello/{number}"));
        }
        let names = |later: Duration| {
            let mut topics = live.lock_topics();
            topics.find_or_add("go/new", Instant::now() + later);
            let mut names: Vec<String> = topics.known.keys().cloned().collect();
            names.sort();
            names
        };
        assert_eq!(names(Duration::ZERO).len(), 202, "somebody may come back");
        live.lock_topics().known.remove("go/new");
        assert_eq!(names(FORGOTTEN + SWEEP), ["go/heard", "go/new"]);
    }

    #[tokio::test]
    async fn one_stream_tells_of_all_its_topics() {
        let live = Arc::new(LiveTopics::default());
        live.publish("go/a", "board", "<b>\r\n\"1\"</b>");
        let streams = ["go/a", "go/b"].map(|topic| live.topic_stream(topic).boxed());
        live.publish("go/b", "board", "2");
        let events: Vec<String> =
            stream::select_all(streams).take(2).map(|event| format!("{:?}", event.unwrap())).collect().await;
        assert!(
            events.iter().any(|told| told.contains("go/a"))
                && events.iter().any(|told| told.contains("go/b"))
        );
        assert!(events.iter().all(|told| told.matches("data: ").count() == 1), "{events:?}");
    }

    #[tokio::test]
    async fn a_listener_that_is_gone_is_not_counted() {
        let live = Arc::new(LiveTopics::default());
        let stream = live.event_stream(&["x", "z"]);
        assert_eq!((live.unseen_for("x"), live.listener_count()), (Duration::ZERO, 2));
        drop(stream);
        assert!(live.unseen_for("x") > Duration::ZERO);
        live.mark_expected("y");
        assert!(live.unseen_for("y") < Duration::from_secs(60));
    }
}
