// One stream of events for a whole browser: whoever holds it (a shared worker, or a tab that leads) hears for all tabs. A server answers
// few connections of a browser at a time, so that a stream for each tab would leave none for pages.

// A tab that says nothing for so long is gone: background tabs may speak once a minute only.
const LOST = 180_000;
// Between a closed stream and the next try.
const RETRY = 3_000;
// Tabs that come at once share a new stream.
const GATHER = 30;

/** What a tab says of itself. */
export interface TabMessage {
  readonly kind: "join" | "alive" | "leave";
  readonly id: string;
  readonly topic?: string;
}

/** An event of the server (`GET /events`). */
export interface ServerEvent {
  readonly topic: string;
  readonly name: string;
  readonly data: string;
}

/** An event, or that the stream came back after a break. */
export type Told = (ServerEvent & { readonly again?: undefined }) | { readonly again: true };

interface Member {
  readonly topic: string;
  readonly seen: number;
}

export class EventHub {
  readonly members = new Map<string, Member>();
  private source: EventSource | null = null;
  private isBroken = false;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  /** `tell` hears every event, and that the stream came back after a break. */
  constructor(private readonly tell: (told: Told) => void) {}

  /** A tab says something of itself. */
  receive({ kind, id, topic }: TabMessage): void {
    const isKnown = this.members.has(id);
    if (kind === "leave") this.members.delete(id);
    else this.members.set(id, { topic: topic ?? "", seen: Date.now() });
    const had = this.members.size;
    for (const [other, { seen }] of this.members) if (Date.now() - seen > LOST) this.members.delete(other);
    // Who comes is told the last events of its topic, and so all are: a new stream begins with them.
    if (kind !== "alive" || !isKnown || had !== this.members.size) this.renew(GATHER);
  }

  private renew(pause: number): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.open(), pause);
  }

  private open(): void {
    this.source?.close();
    this.source = null;
    const topics = [...new Set([...this.members.values()].map((member) => member.topic))].sort();
    if (!topics.length) return;
    const source = this.source = new EventSource(`/events?topics=${encodeURIComponent(topics.join(" "))}`);
    source.onmessage = (event: MessageEvent<string>) => this.tell(JSON.parse(event.data) as ServerEvent);
    source.onopen = () => {
      if (this.isBroken) this.tell({ again: true });
      this.isBroken = false;
    };
    source.onerror = () => {
      if (source !== this.source) return;
      this.isBroken = true;
      if (source.readyState === EventSource.CLOSED) this.renew(RETRY);
    };
  }
}
