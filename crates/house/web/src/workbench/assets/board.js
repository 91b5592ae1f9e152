// Boards to click on. <div class="board" tabindex="0" data-columns="9" data-rows="9" data-margin="26" data-field="24"
// data-action="/go/x/point" data-target="#table"> around an SVG picture whose fields are that many units wide, the centre of the first one
// so far from the left and from `data-top` (or the margin). A click, or Enter at the cursor that the arrow keys move, sends `at=D4` by POST and puts
// the answer into the target. Without an action it only points: an event `board:point` says where, and who prevents it keeps the server out of it. On a board with data-steps
// the arrow keys move the cursor only while it was reached by keys: after a click they step through the game. With data-confirm a touch on points too
// small for a finger shows where it fell, and another one there sends it.
"use strict";

function boardOf(element) {
  const { columns, rows, margin, top, field } = element.dataset;
  const left = Number(margin), size = Number(field);
  return { columns: Number(columns), rows: Number(rows), left, top: Number(top ?? margin), size,
    letters: element.dataset.letters ?? LETTERS, downwards: element.dataset.downwards !== undefined };
}

function vertexOf(board, column, row) {
  // `row` counts from the top. In Go numbers go up the board, in Othello down.
  return board.letters[column] + (board.downwards ? row + 1 : board.rows - row);
}

// Pixels of a unit, and where the picture's corner lies: in its frame (x, y) and in the window. A picture may be smaller than its box.
function scaleOf(element) {
  const outer = element.getBoundingClientRect();
  const { a: unit, e: left, f: top } = element.querySelector("svg").getScreenCTM();
  return { unit, x: left - outer.left, y: top - outer.top, left, top };
}

function fieldAt(element, event) {
  const board = boardOf(element), scale = scaleOf(element);
  const column = Math.round(((event.clientX - scale.left) / scale.unit - board.left) / board.size);
  const row = Math.round(((event.clientY - scale.top) / scale.unit - board.top) / board.size);
  const inside = column >= 0 && row >= 0 && column < board.columns && row < board.rows;
  return inside ? { column, row, vertex: vertexOf(board, column, row) } : null;
}

function choose(element, vertex) {
  const heard = new CustomEvent("board:point", { bubbles: true, cancelable: true, detail: { vertex } });
  if (!element.dispatchEvent(heard) || !element.dataset.action) return;
  const values = { at: vertex };
  for (const name of (element.dataset.with ?? "").split(" ").filter(Boolean)) {
    const input = document.querySelector(`[name="${name}"]:checked, select[name="${name}"], input[type=hidden][name="${name}"]`);
    if (input) values[name] = input.value;
  }
  htmx.ajax("POST", element.dataset.action, { target: element.dataset.target, swap: element.dataset.swap ?? "innerHTML", values });
}

function showCursor(element) {
  const board = boardOf(element), scale = scaleOf(element);
  let cursor = element.querySelector(".cursor");
  if (!cursor) {
    cursor = document.createElement("span");
    cursor.className = "cursor";
    element.append(cursor);
  }
  const [column, row] = cursorOf(element, board);
  const side = board.size * scale.unit;
  cursor.style.width = cursor.style.height = `${side}px`;
  cursor.style.left = `${scale.x + (board.left + column * board.size) * scale.unit - side / 2}px`;
  cursor.style.top = `${scale.y + (board.top + row * board.size) * scale.unit - side / 2}px`;
}

function cursorOf(element, board) {
  const kept = (element.dataset.cursor ?? "").split(",").map(Number);
  return kept.length === 2 ? kept : [Math.floor(board.columns / 2), Math.floor(board.rows / 2)];
}

// Pixels that a finger hits.
const FINGER = 30;
let pointer = "mouse", armed = null;
document.addEventListener("pointerdown", (event) => {
  pointer = event.pointerType;
  const element = event.target.closest("[data-columns]");
  for (const other of document.querySelectorAll("[data-columns].pointed")) if (other !== element) disarm(other);
  if (element) element.dataset.byPointer = "";
}, true);
addEventListener("keydown", (event) => {
  if (event.key === "Tab") for (const element of document.querySelectorAll("[data-by-pointer]")) delete element.dataset.byPointer;
}, true);

function disarm(element) {
  armed = null;
  element.classList.remove("pointed");
}

// A touch that may have missed its point is shown first.
function needsConfirmation(element, place) {
  const isSmall = scaleOf(element).unit * boardOf(element).size < FINGER;
  if (pointer !== "touch" || !isSmall || !element.dataset.confirm || armed === place.vertex) return false;
  armed = place.vertex;
  showCursor(element);
  element.classList.add("pointed");
  tell(element.dataset.confirm.replace("{point}", place.vertex));
  return true;
}

document.addEventListener("click", (event) => {
  const element = event.target.closest("[data-columns]");
  const place = element && fieldAt(element, event);
  if (!place) return;
  element.dataset.cursor = `${place.column},${place.row}`;
  boardCursors.set(element.id, element.dataset.cursor);
  if (needsConfirmation(element, place)) return;
  if (armed) tell("");
  disarm(element);
  choose(element, place.vertex);
});

document.addEventListener("keydown", (event) => {
  const element = event.target.closest("[data-columns]");
  if (!element || event.ctrlKey || event.metaKey || event.altKey) return;
  if (element.dataset.steps !== undefined && element.dataset.byPointer !== undefined) return;
  const board = boardOf(element);
  const [column, row] = cursorOf(element, board);
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (step) {
    const clamp = (value, most) => Math.min(Math.max(value, 0), most - 1);
    const next = [clamp(column + step[0], board.columns), clamp(row + step[1], board.rows)];
    element.dataset.cursor = next.join(",");
    boardCursors.set(element.id, element.dataset.cursor);
    showCursor(element);
    sayPlace(element, vertexOf(board, ...next));
  } else if (event.key === "Enter" || event.key === " ") {
    choose(element, vertexOf(board, column, row));
  } else {
    return;
  }
  event.preventDefault();
});

// What stands at the cursor, for screen readers: the picture's description lists the stones as `D4 black`.
function sayPlace(element, vertex) {
  const place = document.getElementById(element.dataset.says ?? "");
  if (!place) return;
  const stones = JSON.parse(element.dataset.stones ?? "{}");
  place.textContent = `${vertex} ${stones[vertex] ?? ""}`;
}

// A board that was put in anew keeps cursor and focus.
const boardCursors = new Map();
let boardInUse = null;
document.addEventListener("focusin", (event) => {
  const element = event.target.closest("[data-columns]");
  if (element) showCursor(element);
});
document.addEventListener("htmx:beforeSwap", () => { boardInUse = document.activeElement?.closest("[data-columns]")?.id ?? null; });
document.addEventListener("htmx:afterSettle", () => {
  for (const element of document.querySelectorAll("[data-columns]")) {
    const kept = boardCursors.get(element.id);
    if (kept && !element.dataset.cursor) element.dataset.cursor = kept;
  }
  const element = boardInUse && document.getElementById(boardInUse);
  if (element && document.activeElement === document.body) element.focus();
  if (element && document.activeElement === element) showCursor(element);
});

// Steps by the wheel and by swipes over an element. `step(by)` is true if there was something to step to; at the ends the page scrolls.
function onTurns(element, step) {
  // A notch is a step, and so is a stroke over a touch pad.
  let turned = 0, begun = null;
  element.addEventListener("wheel", (event) => {
    if (event.ctrlKey) return;
    const by = Math.sign(event.deltaY), isLines = event.deltaMode !== 0;
    turned = Math.sign(turned) === by ? turned + event.deltaY : event.deltaY;
    if (!isLines && Math.abs(turned) < 40) return event.preventDefault();
    turned = 0;
    if (step(by)) event.preventDefault();
  }, { passive: false });
  element.addEventListener("pointerdown", (event) => {
    begun = event.pointerType === "touch" && event.isPrimary ? event : null;
  });
  element.addEventListener("pointerup", (event) => {
    if (!begun || event.pointerId !== begun.pointerId) return;
    const [x, y] = [event.clientX - begun.clientX, event.clientY - begun.clientY];
    begun = null;
    if (Math.abs(x) <= 40 || Math.abs(x) <= 2 * Math.abs(y)) return;
    // The click that follows is no move.
    const swallow = (click) => {
      click.stopPropagation();
      click.preventDefault();
    };
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 300);
    step(x < 0 ? 1 : -1);
  });
}
