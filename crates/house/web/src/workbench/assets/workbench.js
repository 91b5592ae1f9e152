"use strict";
// What every page needs: messages of what went wrong, files put into text fields, keys that press buttons.

document.addEventListener("htmx:responseError", (event) => {
  const xhr = event.detail.xhr;
  tell(xhr.responseText || `${xhr.status} ${xhr.statusText}`);
});
document.addEventListener("htmx:sendError", () => tell(document.documentElement.lang === "ja"
  ? "サーバーに届きません。終了していませんか。" : "The server cannot be reached: has it ended?"));
document.addEventListener("htmx:beforeRequest", () => tell(""));

function tell(text) {
  const place = document.getElementById("message");
  if (place) place.textContent = text;
}

// What goes wrong is said beside what was clicked, or what has the focus.
let lastSpot = null;
addEventListener("pointerdown", (event) => { lastSpot = [event.clientX, event.clientY]; }, true);
addEventListener("keydown", (event) => {
  const box = event.target.getBoundingClientRect?.();
  if (box) lastSpot = [(box.left + box.right) / 2, Math.min(box.bottom, innerHeight / 2)];
}, true);
addEventListener("DOMContentLoaded", () => {
  const message = document.getElementById("message");
  if (!message) return;
  new MutationObserver(() => {
    if (!message.textContent) return;
    const { width, height } = message.getBoundingClientRect(), [x, y] = lastSpot ?? [innerWidth / 2, 0];
    const below = y + 18, left = Math.max(8, Math.min(x - width / 2, innerWidth - width - 8));
    message.style.left = `${left}px`;
    message.style.top = `${Math.max(8, below + height + 8 > innerHeight ? y - height - 18 : below)}px`;
  }).observe(message, { childList: true, characterData: true, subtree: true });
});

// Events that come again after a break (the server was started anew, the tab slept): what was missed is fetched.
document.addEventListener("live:again", () => {
  if (location.pathname.startsWith("/go/")) fetchTable();
  else if (!document.activeElement?.matches("input, textarea, select")) location.reload();
});

// Tabs beside a board: what was chosen stays chosen when they are put in anew, and on the next visit of the page in this tab of the browser.
// On a phone they are a sheet over the lower half, which opens and closes by them.
let chosenPane = null;
const paneKey = () => `ishi-pane${location.pathname}`;
function choosePane(id) {
  chosenPane = id;
  try {
    sessionStorage.setItem(paneKey(), id);
  } catch { /* a browser that keeps nothing */ }
  showPanes();
}
function showPanes() {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const pane = document.getElementById(tab.getAttribute("aria-controls")), isChosen = tab.id === `tab-${chosenPane}`;
    if (!chosenPane || !pane || !document.getElementById(`tab-${chosenPane}`)) continue;
    tab.setAttribute("aria-selected", isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    pane.hidden = !isChosen;
  }
}
let isSheetOpen = false;
function openSheet(isOpen) {
  isSheetOpen = isOpen;
  for (const sheet of document.querySelectorAll(".sheet")) sheet.classList.toggle("open", isOpen);
}
// Shows the pane in which an element stands.
function revealPane(element) {
  const pane = element.closest(".pane");
  if (!pane) return;
  if (pane.hidden) choosePane(pane.id.slice(5));
  openSheet(true);
}
addEventListener("DOMContentLoaded", () => {
  try {
    chosenPane = sessionStorage.getItem(paneKey());
  } catch { /* a browser that keeps nothing */ }
  showPanes();
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (!event.detail.target?.querySelector?.("[role=tab]")) return;
  showPanes();
  openSheet(isSheetOpen);
});
document.addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (!tab) return;
  const wasShown = tab.getAttribute("aria-selected") === "true";
  choosePane(tab.id.slice(4));
  openSheet(!(wasShown && isSheetOpen));
});
document.addEventListener("keydown", (event) => {
  const tab = event.target.closest?.("[role=tab]"), by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!tab || !by) return;
  event.preventDefault();
  const tabs = [...tab.parentElement.querySelectorAll("[role=tab]")], next = tabs.at((tabs.indexOf(tab) + by) % tabs.length);
  choosePane(next.id.slice(4));
  next.focus();
});

// <button data-key="ArrowLeft"> is pressed by that key, unless somebody writes, or moves the cursor of a board.
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, [data-columns]:not([data-steps])")) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!button || button.disabled) return;
  event.preventDefault();
  revealPane(button);
  button.click();
});

// <input type="file" data-into="#text">: the file's text goes into that field; of several files one behind the other. So does what is dropped on a
// page with <textarea data-drops>.
const textOfFiles = async (files) => (await Promise.all([...files].map((file) => file.text()))).join("\n\n---\n\n");
const dropField = (event) => event.dataTransfer?.types.includes("Files") ? event.target.closest?.("textarea") ?? document.querySelector("textarea[data-drops]") : null;
document.addEventListener("dragover", (event) => { if (document.querySelector("textarea[data-drops]") && dropField(event)) event.preventDefault(); });
document.addEventListener("drop", async (event) => {
  const field = document.querySelector("textarea[data-drops]") && dropField(event);
  if (!field) return;
  event.preventDefault();
  field.value = await textOfFiles(event.dataTransfer.files);
});
document.addEventListener("change", async (event) => {
  const target = event.target.closest("input[type=file][data-into]");
  if (!target || !target.files.length) return;
  document.querySelector(target.dataset.into).value = await textOfFiles(target.files);
});

// <button data-copy="#text">: its text goes into the clipboard.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  await navigator.clipboard.writeText(source.value ?? source.textContent);
});
