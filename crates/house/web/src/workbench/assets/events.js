// What the server tells a page. <body data-events="TOPIC" data-worker="/assets/…/events-worker.js"> hears of the events of that topic: an event
// `live:NAME` on the document comes first; unless it is prevented, elements with sse-swap="NAME" are filled, and those with hx-trigger="sse:NAME" ask.
// Nothing is kept for an element: those that stand on the page when an event comes are looked for then.
{
  const ALIVE = 20_000;

  // Each of these gives a function that sends to the hub.
  const connectToWorker = (address, hear) => {
    const worker = new SharedWorker(address, "ishi-events");
    worker.port.onmessage = ({ data }) => hear(data);
    worker.onerror = () => {
      send = connectAlone(hear);
      introduce();
    };
    return (message) => worker.port.postMessage(message);
  };
  const connectToLeader = (hear) => {
    const channel = new BroadcastChannel("ishi-events");
    let hub = null;
    channel.onmessage = ({ data }) => {
      if (data.kind === "who") introduce();
      else if (data.kind) hub?.receive(data);
      else hear(data);
    };
    navigator.locks.request("ishi-events", () => {
      hub = new EventHub((told) => {
        channel.postMessage(told);
        hear(told);
      });
      channel.postMessage({ kind: "who" });
      introduce();
      // The lock is held as long as the tab lives.
      return new Promise(() => {});
    });
    return (message) => hub ? hub.receive(message) : channel.postMessage(message);
  };
  const connectAlone = (hear) => {
    const hub = new EventHub(hear);
    return (message) => hub.receive(message);
  };
  const connect = ({ worker }, hear) => {
    try {
      if (window.SharedWorker) return connectToWorker(worker, hear);
    } catch { /* a browser that forbids it */ }
    // Locks are there on pages of this machine and on encrypted ones only.
    if (navigator.locks && window.BroadcastChannel) return connectToLeader(hear);
    return connectAlone(hear);
  };

  const id = `${Date.now()}-${Math.random()}`;
  let topic = null, send = () => {};
  const introduce = () => send({ kind: "join", id, topic });

  const fill = (element, data) => {
    element.dispatchEvent(new CustomEvent("live:before", { bubbles: true }));
    htmx.swap(element, data, { swapStyle: "innerHTML", swapDelay: 0, settleDelay: 0 });
    element.dispatchEvent(new CustomEvent("live:after", { bubbles: true }));
  };
  const hear = (told) => {
    if (told.again) return document.dispatchEvent(new CustomEvent("live:again"));
    if (told.topic !== topic) return;
    const { name, data } = told;
    if (!document.dispatchEvent(new CustomEvent(`live:${name}`, { cancelable: true, detail: data }))) return;
    for (const element of document.querySelectorAll(`[sse-swap="${name}"]`)) fill(element, data);
    for (const element of document.querySelectorAll(`[hx-trigger*="sse:${name}"]`)) htmx.trigger(element, `sse:${name}`, { data });
  };

  addEventListener("DOMContentLoaded", () => {
    topic = document.body.dataset.events;
    if (!topic) return;
    send = connect(document.body.dataset, hear);
    introduce();
    setInterval(() => send({ kind: "alive", id, topic }), ALIVE);
    addEventListener("pagehide", () => send({ kind: "leave", id }));
    addEventListener("pageshow", (event) => event.persisted && introduce());
  });
}
