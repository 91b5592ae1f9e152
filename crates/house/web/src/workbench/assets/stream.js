"use strict";
// One stream of events for a whole browser: whoever holds it (a shared worker, or a tab that leads) hears for all tabs. A server answers
// few connections of a browser at a time, so that a stream for each tab would leave none for pages.

// A tab that says nothing for so long is gone: background tabs may speak once a minute only.
const LOST = 180_000;
// Between a closed stream and the next try.
const RETRY = 3_000;
// Tabs that come at once share a new stream.
const GATHER = 30;

class EventHub {
  // `tell({ topic, name, data })` hears every event, and `tell({ again: true })` that the stream came back after a break.
  constructor(tell) {
    this.tell = tell;
    this.members = new Map();
    this.source = null;
    this.broken = false;
    this.waiting = 0;
  }

  // A tab says `join`, `alive` or `leave`, with its id and topic.
  receive({ kind, id, topic }) {
    const isKnown = this.members.has(id);
    if (kind === "leave") this.members.delete(id);
    else this.members.set(id, { topic, seen: Date.now() });
    const had = this.members.size;
    for (const [other, { seen }] of this.members) if (Date.now() - seen > LOST) this.members.delete(other);
    // Who comes is told the last events of its topic, and so all are: a new stream begins with them.
    if (kind !== "alive" || !isKnown || had !== this.members.size) this.renew(GATHER);
  }

  renew(pause) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.open(), pause);
  }

  open() {
    this.source?.close();
    this.source = null;
    const topics = [...new Set([...this.members.values()].map((member) => member.topic))].sort();
    if (!topics.length) return;
    const source = this.source = new EventSource(`/events?topics=${encodeURIComponent(topics.join(" "))}`);
    source.onmessage = (event) => this.tell(JSON.parse(event.data));
    source.onopen = () => {
      if (this.broken) this.tell({ again: true });
      this.broken = false;
    };
    source.onerror = () => {
      if (source !== this.source) return;
      this.broken = true;
      if (source.readyState === EventSource.CLOSED) this.renew(RETRY);
    };
  }
}
