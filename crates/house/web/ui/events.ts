// What the server tells a page. <body data-events="TOPIC" data-worker="/assets/…/events-worker.js"> hears of the events of that topic: an event
// `live:NAME` on the document comes first; unless it is prevented, elements with sse-swap="NAME" are filled, and those with hx-trigger="sse:NAME" ask.
// Nothing is kept for an element: those that stand on the page when an event comes are looked for then.
import "./htmx";
import { forAll } from "./dom";
import { EventHub, type TabMessage, type Told } from "./stream";

const ALIVE = 20_000;
const NAME = "ishi-events";

type Hear = (told: Told) => void;
type Send = (message: TabMessage) => void;
/** A tab that leads asks the others who they are. */
interface Question {
  readonly kind: "who";
}

// Each of these gives a function that sends to the hub.
function connectToWorker(address: string, hear: Hear): Send {
  const worker = new SharedWorker(address, NAME);
  worker.port.onmessage = ({ data }: MessageEvent<Told>) => hear(data);
  worker.onerror = () => {
    send = connectAlone(hear);
    introduce();
  };
  return (message) => worker.port.postMessage(message);
}

function connectToLeader(hear: Hear): Send {
  const channel = new BroadcastChannel(NAME);
  let hub: EventHub | null = null;
  channel.onmessage = ({ data }: MessageEvent<Told | TabMessage | Question>) => {
    if (!("kind" in data)) hear(data);
    else if (data.kind === "who") introduce();
    else hub?.receive(data);
  };
  void navigator.locks.request(NAME, () => {
    hub = new EventHub((told) => {
      channel.postMessage(told);
      hear(told);
    });
    channel.postMessage({ kind: "who" });
    introduce();
    // The lock is held as long as the tab lives.
    return new Promise<void>(() => {});
  });
  return (message) => hub ? hub.receive(message) : channel.postMessage(message);
}

function connectAlone(hear: Hear): Send {
  const hub = new EventHub(hear);
  return (message) => hub.receive(message);
}

function connect(worker: string, hear: Hear): Send {
  try {
    if ("SharedWorker" in window) return connectToWorker(worker, hear);
  } catch { /* a browser that forbids it */ }
  // Locks are there on pages of this machine and on encrypted ones only.
  if ("locks" in navigator && "BroadcastChannel" in window) return connectToLeader(hear);
  return connectAlone(hear);
}

const id = `${Date.now()}-${Math.random()}`;
let topic = "";
let send: Send = () => {};
const introduce = () => send({ kind: "join", id, topic });

function fillLive(element: Element, data: string): void {
  element.dispatchEvent(new CustomEvent("live:before", { bubbles: true }));
  htmx.swap(element, data, { swapStyle: "innerHTML", swapDelay: 0, settleDelay: 0 });
  element.dispatchEvent(new CustomEvent("live:after", { bubbles: true }));
}

function hear(told: Told): void {
  if (told.again) {
    document.dispatchEvent(new CustomEvent("live:again"));
    return;
  }
  const { name, data } = told;
  if (told.topic !== topic) return;
  if (!document.dispatchEvent(new CustomEvent(`live:${name}`, { cancelable: true, detail: data }))) return;
  forAll(`[sse-swap="${name}"]`, (element) => fillLive(element, data));
  forAll(`[hx-trigger*="sse:${name}"]`, (element) => htmx.trigger(element, `sse:${name}`, { data }));
}

/** Hears an event of the server by its name; the words it brings are the event's detail. */
export function onLive(name: string, work: (event: CustomEvent<string>) => void): void {
  document.addEventListener(`live:${name}`, (event) => work(event as CustomEvent<string>));
}

/** Hears that an element is filled by an event. */
export function onLiveFill({ before, after }: { before: () => void; after: () => void }): void {
  document.addEventListener("live:before", before);
  document.addEventListener("live:after", after);
}

addEventListener("DOMContentLoaded", () => {
  const { events, worker } = document.body.dataset;
  if (!events || !worker) return;
  topic = events;
  send = connect(worker, hear);
  introduce();
  setInterval(() => send({ kind: "alive", id, topic }), ALIVE);
  addEventListener("pagehide", () => send({ kind: "leave", id }));
  addEventListener("pageshow", (event) => { if (event.persisted) introduce(); });
});
