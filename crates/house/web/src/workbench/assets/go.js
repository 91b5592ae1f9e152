// The room of Go: variations drawn where a row is pointed at, clocks that run, tools that stay chosen.
"use strict";

// <tr data-variation="D4 Q16 pass" data-first="B">: its stones are drawn over the board, numbered.
function drawVariation(row) {
  const frame = document.getElementById("board");
  const layer = frame?.querySelector(".hover");
  if (!layer) return;
  layer.replaceChildren();
  if (!row) return;
  const board = boardOf(frame);
  const picture = frame.querySelector("svg").viewBox.baseVal;
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", `0 0 ${picture.width} ${picture.height}`);
  svg.setAttribute("aria-hidden", "true");
  const stones = JSON.parse(frame.dataset.stones ?? "{}");
  let black = row.dataset.first === "B" || row.dataset.first === "b";
  row.dataset.variation.split(" ").forEach((vertex, index) => {
    const column = board.letters.indexOf(vertex[0]), number = Number(vertex.slice(1));
    if (column >= 0 && number > 0 && !(vertex in stones)) {
      const x = board.left + column * board.size, y = board.top + (board.rows - number) * board.size;
      const circle = document.createElementNS(space, "circle");
      for (const [name, value] of Object.entries({ cx: x, cy: y, r: 11, fill: black ? "#161616" : "#fbfaf5", stroke: "#444", "fill-opacity": 0.85 })) {
        circle.setAttribute(name, value);
      }
      const text = document.createElementNS(space, "text");
      for (const [name, value] of Object.entries({ x, y: y + 4.5, "font-size": 12, "text-anchor": "middle", fill: black ? "#fff" : "#111" })) {
        text.setAttribute(name, value);
      }
      text.textContent = index + 1;
      svg.append(circle, text);
    }
    black = !black;
  });
  layer.append(svg);
}
for (const name of ["mouseover", "focusin"]) {
  document.addEventListener(name, (event) => {
    const row = event.target.closest?.("tr[data-variation]");
    if (row) drawVariation(row);
  });
}
for (const name of ["mouseout", "focusout"]) {
  document.addEventListener(name, (event) => {
    if (event.target.closest?.("tr[data-variation]")) drawVariation(null);
  });
}

// New thoughts replace the table: who has a row under the focus keeps its place.
let rowInUse = -1;
document.addEventListener("live:before", () => {
  const row = document.activeElement?.closest?.("tr[data-variation]");
  rowInUse = row ? row.rowIndex : -1;
});
document.addEventListener("live:after", () => {
  if (rowInUse > 0) document.querySelectorAll(".thought tr")[rowInUse]?.focus();
});

// "Why" says at once that it works, for how long by now, and how long it usually takes here.
const WHY = "ishi-seconds-of-why", FIRST_GUESS = 6;
let whyBegun = 0, whyTimer = 0;
function usualSeconds() {
  try {
    return Number(localStorage.getItem(WHY)) || FIRST_GUESS;
  } catch {
    return FIRST_GUESS;
  }
}
function showWaiting() {
  const place = document.getElementById("why");
  if (!place) return clearInterval(whyTimer);
  const seconds = (performance.now() - whyBegun) / 1000, usual = usualSeconds();
  if (!place.querySelector(".waiting")) {
    const [known, words, now, found] = ["div", "p", "p", "ul"].map((name) => document.createElement(name)), bar = document.createElement("progress");
    known.className = "known";
    words.className = "waiting";
    now.className = "now quiet";
    found.className = "found";
    place.replaceChildren(known, words, bar, now, found);
  }
  place.querySelector(".waiting").textContent = place.dataset.waiting.replace("{seconds}", seconds.toFixed(0)).replace("{usual}", usual.toFixed(0));
  const bar = place.querySelector("progress");
  bar.max = usual;
  if (seconds < usual) bar.value = seconds;
  else bar.removeAttribute("value");
}
// How the move looks at first sight, what is proved, what it searches, and what it has found so far.
let whyAsker = "";
function showFindings({ known, found, now }) {
  const place = document.getElementById("why"), list = place?.querySelector(".found"), sentences = place?.querySelector(".known");
  if (!list) return;
  for (const sentence of known.slice(sentences.childElementCount)) {
    const line = document.createElement("p");
    line.textContent = sentence;
    sentences.append(line);
  }
  const { dataset } = place, name = (line) => line.length ? dataset.after.replace("{line}", line.join(" ")) : dataset.here;
  place.querySelector(".now").textContent = now ? dataset.now.replace("{line}", name(now)) : dataset.reading;
  for (const { line, win_rate, lead } of found.slice(list.childElementCount)) {
    const row = document.createElement("li");
    row.textContent = dataset.found.replace("{line}", name(line)).replace("{share}", (100 * win_rate).toFixed(0)).replace("{lead}", `${lead < 0 ? "" : "+"}${lead.toFixed(1)}`);
    list.append(row);
  }
}
document.addEventListener("live:why", (event) => {
  const { asker, progress } = JSON.parse(event.detail);
  event.preventDefault();
  if (asker && asker === whyAsker) showFindings(progress);
});
document.addEventListener("htmx:configRequest", (event) => {
  if (!isWhy({ requestConfig: event.detail })) return;
  whyAsker = Math.random().toString(36).slice(2);
  event.detail.parameters.asker = whyAsker;
});
function isWhy({ requestConfig }) {
  // Rooms of other games ask "why" elsewhere.
  return /^\/go\/.*\/why$/.test(requestConfig?.path ?? "") || /\/point$/.test(requestConfig?.path ?? "") && requestConfig.parameters.tool === "ask";
}
document.addEventListener("htmx:beforeRequest", (event) => {
  if (!isWhy(event.detail)) return;
  const place = document.getElementById("why");
  revealPane(place);
  place.setAttribute("aria-busy", "true");
  whyBegun = performance.now();
  clearInterval(whyTimer);
  whyTimer = setInterval(showWaiting, 500);
  showWaiting();
  place.scrollIntoView({ block: "nearest" });
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (!isWhy(event.detail)) return;
  clearInterval(whyTimer);
  whyAsker = "";
  const place = document.getElementById("why");
  place?.removeAttribute("aria-busy");
  // An error stands beside what was clicked.
  if (place?.querySelector(".waiting")) return place.replaceChildren();
  try {
    localStorage.setItem(WHY, ((usualSeconds() + (performance.now() - whyBegun) / 1000) / 2).toFixed(2));
  } catch { /* a browser that keeps nothing */ }
});

// The tool that was chosen stays chosen when the table is put in anew; so does what ishi is asked to show.
let chosenTool = "play", chosenLevel = "";
document.addEventListener("change", (event) => {
  if (event.target.name === "tool") chosenTool = event.target.value;
  if (event.target.name === "level") chosenLevel = event.target.value;
});
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target?.id !== "table") return;
  const tool = document.querySelector(`[name=tool][value="${chosenTool}"]`);
  if (tool) tool.checked = true;
  const level = document.getElementById("level");
  if (level && chosenLevel && level.value !== chosenLevel) {
    level.value = chosenLevel;
    htmx.trigger(level, "change");
  }
});

// The table is fetched after a change elsewhere, unless it is what stands here already. Who is writing is not disturbed: then it is fetched
// when the field is left.
let isTableOld = false;
function isWriting() {
  const field = document.activeElement;
  return Boolean(field?.closest("#table")) && field.matches("textarea, input:not([type=radio]):not([type=checkbox])")
    && field.value !== field.defaultValue;
}
document.addEventListener("htmx:confirm", (event) => {
  if (!event.target.matches?.("[data-unless-revision]")) return;
  const told = event.detail.triggeringEvent?.detail?.data;
  const known = document.querySelector("[name=revision]")?.value;
  if (told !== undefined && told === known) return event.preventDefault();
  if (isWriting()) {
    isTableOld = true;
    event.preventDefault();
  }
});
document.addEventListener("focusout", (event) => {
  if (!isTableOld || !event.target.closest("#table") || event.relatedTarget?.closest("form") === event.target.closest("form")) return;
  isTableOld = false;
  fetchTable();
});
function fetchTable() {
  htmx.ajax("GET", `${location.pathname}/table`, { target: "#table" });
}

// Clocks run on between two looks at the table; one that runs out asks for the result.
setInterval(() => {
  for (const clock of document.querySelectorAll(".clock[data-running]")) {
    const seconds = Math.max(0, Number(clock.dataset.seconds) - 0.5);
    clock.dataset.seconds = seconds;
    clock.textContent = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
    if (seconds === 0) {
      delete clock.dataset.running;
      setTimeout(fetchTable, 700);
    }
  }
}, 500);
