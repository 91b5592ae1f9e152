// Tabs beside a board: what was chosen stays chosen when they are put in anew, and on the next visit of the page in this tab of the browser.
// On a phone they are a sheet over the lower half, which opens and closes by them.
import "./htmx";
import { closestTo, forAll } from "./dom";
import { tell } from "./messages";
import { keep, readKept } from "./texts";

let chosen: string | null = null;
let isSheetOpen = false;
const keptName = () => `ishi-pane${location.pathname}`;

/** Has somebody chosen a pane, here or before? */
export const isPaneChosen = (): boolean => chosen !== null;

export function choosePane(id: string): void {
  chosen = id;
  keep("session", keptName(), id);
  showPanes();
}

function showPanes(): void {
  if (!chosen || !document.getElementById(`tab-${chosen}`)) return;
  forAll<HTMLElement>("[role=tab]", (tab) => {
    const pane = document.getElementById(tab.getAttribute("aria-controls") ?? ""), isChosen = tab.id === `tab-${chosen}`;
    if (!pane) return;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    pane.hidden = !isChosen;
  });
}

export function openSheet(isOpen: boolean): void {
  isSheetOpen = isOpen;
  forAll(".sheet", (sheet) => sheet.classList.toggle("open", isOpen));
}

/** Shows the pane in which an element stands. */
export function revealPane(element: Element): void {
  const pane = element.closest<HTMLElement>(".pane");
  if (!pane) return;
  if (pane.hidden) choosePane(pane.id.slice("pane-".length));
  openSheet(true);
}

const idOf = (tab: HTMLElement) => tab.id.slice("tab-".length);

addEventListener("DOMContentLoaded", () => {
  chosen = readKept("session", keptName());
  showPanes();
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (!event.detail.target?.querySelector("[role=tab]")) return;
  showPanes();
  openSheet(isSheetOpen);
});
document.addEventListener("click", (event) => {
  const tab = closestTo(event.target, "[role=tab]");
  if (!tab) return;
  const wasShown = tab.getAttribute("aria-selected") === "true";
  // What was said beside the board would lie over what is opened now.
  tell("");
  choosePane(idOf(tab));
  openSheet(!(wasShown && isSheetOpen));
});
document.addEventListener("keydown", (event) => {
  const tab = closestTo(event.target, "[role=tab]"), by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!tab?.parentElement || !by) return;
  event.preventDefault();
  const tabs = [...tab.parentElement.querySelectorAll<HTMLElement>("[role=tab]")];
  const next = tabs.at((tabs.indexOf(tab) + by) % tabs.length);
  if (!next) return;
  choosePane(idOf(next));
  next.focus();
});
