// What a person has in hand stays when a part of the page with data-stays comes anew: the focus, what was opened (a <details> with an id), and how far
// tables were scrolled. What stands in its [data-heard] is said to screen readers once, when it has changed: by #heard, which stays on the page.
import "./htmx";
import { forAll } from "./dom";

interface Held {
  /** What the focused element is known by; nothing if the focus was elsewhere. */
  readonly focus: string | null;
  readonly opened: ReadonlyMap<string, boolean>;
  readonly scrolled: ReadonlyMap<string, number>;
}

const NAMES = ["name", "href", "hx-post", "hx-get", "hx-vals", "aria-label", "aria-labelledby"];
/** Of several with one name each has a value of its own. What is typed into others comes anew with another one. */
const CHOICES = "button, [type=radio], [type=checkbox]";
const held = new WeakMap<Element, Held>();
const said = new WeakMap<Element, string>();

/** What an element is known by, here and when it comes anew. */
function signOf(element: Element): string {
  if (element.id) return `#${element.id}`;
  const attributes = element.matches(CHOICES) ? [...NAMES, "value"] : NAMES;
  const names = attributes.map((name) => element.getAttribute(name) ?? "").join("|"), around = element.closest("details")?.id ?? "";
  const region = element.closest("[aria-labelledby]")?.getAttribute("aria-labelledby");
  const isNamed = /[^|]/.test(names) || (element.tagName === "SUMMARY" && around);
  return [element.tagName, names, around, region, isNamed ? "" : element.textContent.trim()].join("|");
}

function hold(part: Element): Held {
  const { activeElement } = document, opened = new Map<string, boolean>(), scrolled = new Map<string, number>();
  // A chart sees to its own.
  const isOurs = activeElement && activeElement !== part && part.contains(activeElement) && !activeElement.closest("value-chart");
  part.querySelectorAll<HTMLDetailsElement>("details[id]").forEach(({ id, open }) => opened.set(id, open));
  part.querySelectorAll(".scroll").forEach((table) => scrolled.set(signOf(table), table.scrollLeft));
  return { focus: isOurs ? signOf(activeElement) : null, opened, scrolled };
}

const FOCUSED = "a[href], button, summary, input, select, textarea, [tabindex='0']";

function giveBack(part: HTMLElement, { focus, opened, scrolled }: Held): void {
  part.querySelectorAll<HTMLDetailsElement>("details[id]").forEach((details) => { details.open = opened.get(details.id) ?? details.open; });
  part.querySelectorAll(".scroll").forEach((table) => { table.scrollLeft = scrolled.get(signOf(table)) ?? 0; });
  if (focus === null || part.contains(document.activeElement)) return;
  const found = [...part.querySelectorAll<HTMLElement>(FOCUSED)].find((element) => signOf(element) === focus);
  // Who has pressed Start finds Stop beside it: what cannot be pressed any more has no focus.
  const next = (found?.matches(":disabled") ? found.parentElement?.querySelector<HTMLElement>("button:not(:disabled)") : found) ?? part;
  if (next === part) part.tabIndex = -1;
  next.focus({ preventScroll: true });
}

function sayChange(part: Element): void {
  const text = part.querySelector("[data-heard]")?.textContent.trim() ?? "", place = document.getElementById("heard");
  if (place && text && said.get(part) !== text && said.has(part)) place.textContent = text;
  said.set(part, text);
}

addEventListener("DOMContentLoaded", () => forAll("[data-stays]", sayChange));
function beginChange(part: EventTarget | null | undefined): void {
  if (part instanceof HTMLElement && part.matches("[data-stays]")) held.set(part, hold(part));
}
function endChange(part: EventTarget | null | undefined): void {
  const known = part instanceof HTMLElement && held.get(part);
  if (!known) return;
  held.delete(part);
  giveBack(part, known);
  sayChange(part);
}
document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => beginChange(target));
document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => endChange(target));
// What the server sends by itself.
document.addEventListener("live:before", ({ target }) => beginChange(target));
document.addEventListener("live:after", ({ target }) => endChange(target));
