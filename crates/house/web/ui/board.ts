// Boards to click on. <div class="board" tabindex="0" data-columns="9" data-rows="9" data-margin="26" data-field="24"
// data-action="/go/x/point" data-target="#table"> around an SVG picture whose fields are that many units wide, the centre of the first one
// so far from the left and from `data-top` (or the margin). A click, or Enter at the cursor that the arrow keys move, sends `at=D4` by POST and puts
// the answer into the target. Without an action it only points: an event `board:point` says where, and who prevents it keeps the server out of it. On a board with data-steps
// the arrow keys move the cursor only while it was reached by keys: after a click they step through the game. With data-confirm a touch on points too
// small for a finger shows where it fell, and another one there sends it.
import "./htmx";
import { closestTo, drawSvg, forAll, isHit, partOf } from "./dom";
import { tell } from "./messages";
import { LETTERS } from "./tree";

const BOARD = "[data-columns]";

/** A board as its attributes describe it; lengths in units of its picture. */
export interface BoardFrame {
  readonly columns: number;
  readonly rows: number;
  readonly left: number;
  readonly top: number;
  readonly size: number;
  readonly letters: string;
  readonly downwards: boolean;
}

export function boardOf(element: HTMLElement): BoardFrame {
  const { columns, rows, margin, top, field, letters, downwards } = element.dataset;
  return { columns: Number(columns), rows: Number(rows), left: Number(margin), top: Number(top ?? margin), size: Number(field),
    letters: letters ?? LETTERS, downwards: downwards !== undefined };
}

/** The name of a field; `row` counts from the top. In Go numbers go up the board, in Othello down. */
export function vertexOf(board: BoardFrame, column: number, row: number): string {
  return board.letters[column] + (board.downwards ? row + 1 : board.rows - row);
}

/** Pixels of a unit, and where the picture's corner lies: in its frame (x, y) and in the window. A picture may be smaller than its box. */
function scaleOf(element: HTMLElement) {
  const outer = element.getBoundingClientRect(), matrix = partOf<SVGSVGElement>(element, "svg").getScreenCTM();
  const { a: unit, e: left, f: top } = matrix ?? new DOMMatrix();
  return { unit, x: left - outer.left, y: top - outer.top, left, top };
}

/** An empty picture to be laid over that of a board, for what is lit there. */
export function emptyLayer(element: HTMLElement): SVGSVGElement {
  const { width, height } = partOf<SVGSVGElement>(element, "svg").viewBox.baseVal;
  return drawSvg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: "lit" });
}

export interface BoardField {
  readonly column: number;
  readonly row: number;
  readonly vertex: string;
}

/** The field that an event hits. */
export function fieldAt(element: HTMLElement, event: MouseEvent): BoardField | null {
  const board = boardOf(element), scale = scaleOf(element);
  const column = Math.round(((event.clientX - scale.left) / scale.unit - board.left) / board.size);
  const row = Math.round(((event.clientY - scale.top) / scale.unit - board.top) / board.size);
  const inside = column >= 0 && row >= 0 && column < board.columns && row < board.rows;
  return inside ? { column, row, vertex: vertexOf(board, column, row) } : null;
}

/** Chooses a field, as a click does. */
export function choose(element: HTMLElement, vertex: string): void {
  const heard = new CustomEvent("board:point", { bubbles: true, cancelable: true, detail: { vertex } });
  if (!element.dispatchEvent(heard) || !element.dataset.action) return;
  const values: Record<string, string> = { at: vertex };
  for (const name of (element.dataset.with ?? "").split(" ").filter(Boolean)) {
    const input = document.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${name}"]:checked, select[name="${name}"], input[type=hidden][name="${name}"]`);
    if (input) values[name] = input.value;
  }
  void htmx.ajax("POST", element.dataset.action, { target: element.dataset.target, swap: element.dataset.swap ?? "innerHTML", values });
}

function addCursor(element: HTMLElement): HTMLElement {
  const cursor = document.createElement("span");
  cursor.className = "cursor";
  element.append(cursor);
  return cursor;
}

function showCursor(element: HTMLElement): void {
  const board = boardOf(element), scale = scaleOf(element);
  const cursor = element.querySelector<HTMLElement>(".cursor") ?? addCursor(element);
  const [column, row] = cursorOf(element, board);
  const side = board.size * scale.unit;
  cursor.style.width = cursor.style.height = `${side}px`;
  cursor.style.left = `${scale.x + (board.left + column * board.size) * scale.unit - side / 2}px`;
  cursor.style.top = `${scale.y + (board.top + row * board.size) * scale.unit - side / 2}px`;
}

/** Where the cursor is; at first in the middle. */
export function cursorOf(element: HTMLElement, board: BoardFrame): [column: number, row: number] {
  const [column, row] = (element.dataset.cursor ?? "").split(",").map(Number);
  return row !== undefined ? [column, row] : [Math.floor(board.columns / 2), Math.floor(board.rows / 2)];
}

// A board that was put in anew keeps cursor and focus.
const cursors = new Map<string, string>();
let boardInUse: string | null = null;

function setCursor(element: HTMLElement, column: number, row: number): void {
  const place = `${column},${row}`;
  element.dataset.cursor = place;
  cursors.set(element.id, place);
}

// Pixels that a finger hits.
const FINGER = 30;
let pointer = "mouse";
let armed: string | null = null;
// Boards that were reached by a pointer, by their ids: they are so still where a move has put them in anew.
const byPointer = new Set<string>();

/** From now on the arrow keys move the cursor of this board, as after Tab. */
export function giveArrowsToCursor(element: HTMLElement): void {
  byPointer.delete(element.id);
}

document.addEventListener("pointerdown", (event) => {
  pointer = event.pointerType;
  const element = closestTo(event.target, BOARD);
  forAll(`${BOARD}.pointed`, (other) => { if (other !== element) disarm(other); });
  if (element) byPointer.add(element.id);
}, true);
addEventListener("keydown", (event) => {
  if (event.key === "Tab") byPointer.clear();
}, true);

function disarm(element: Element): void {
  armed = null;
  element.classList.remove("pointed");
}

/** A touch that may have missed its point is shown first. */
function needsConfirmation(element: HTMLElement, vertex: string): boolean {
  const isSmall = scaleOf(element).unit * boardOf(element).size < FINGER, { confirm } = element.dataset;
  if (pointer !== "touch" || !isSmall || !confirm || armed === vertex) return false;
  armed = vertex;
  showCursor(element);
  element.classList.add("pointed");
  tell(confirm.replace("{point}", vertex));
  return true;
}

document.addEventListener("click", (event) => {
  const element = closestTo(event.target, BOARD);
  const place = element && fieldAt(element, event);
  if (!place) return;
  setCursor(element, place.column, place.row);
  if (needsConfirmation(element, place.vertex)) return;
  if (armed) tell("");
  disarm(element);
  choose(element, place.vertex);
});

const STEPS: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function moveCursor(element: HTMLElement, [dx, dy]: readonly [number, number]): void {
  const board = boardOf(element), [column, row] = cursorOf(element, board);
  const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most - 1);
  const [x, y] = [clamp(column + dx, board.columns), clamp(row + dy, board.rows)];
  setCursor(element, x, y);
  showCursor(element);
  sayPlace(element, vertexOf(board, x, y));
}

document.addEventListener("keydown", (event) => {
  const element = closestTo(event.target, BOARD);
  if (!element || event.ctrlKey || event.metaKey || event.altKey) return;
  if (element.dataset.steps !== undefined && byPointer.has(element.id)) return;
  const board = boardOf(element), step = STEPS[event.key];
  if (step) moveCursor(element, step);
  else if (event.key === "Enter" || event.key === " ") choose(element, vertexOf(board, ...cursorOf(element, board)));
  else return;
  event.preventDefault();
});

/** What stands on which field, by their names. */
export type NamedStones = Record<string, string>;

export function stonesOf(element: HTMLElement): NamedStones {
  return JSON.parse(element.dataset.stones ?? "{}") as NamedStones;
}

// What stands at the cursor, for screen readers: the picture's description lists the stones as `D4 black`.
function sayPlace(element: HTMLElement, vertex: string): void {
  const place = document.getElementById(element.dataset.says ?? "");
  if (place) place.textContent = `${vertex} ${stonesOf(element)[vertex] ?? ""}`;
}

document.addEventListener("focusin", (event) => {
  const element = closestTo(event.target, BOARD);
  if (element) showCursor(element);
});
// Who answers a warning about a move is on the board when it has gone.
const isAnswering = (): boolean => isHit(document.activeElement, ".warning");
const focusedBoard = () => isAnswering() ? document.querySelector(BOARD) : closestTo(document.activeElement, BOARD);
document.addEventListener("htmx:beforeSwap", ({ detail: { shouldSwap } }) => {
  // Between a swap and its end nobody has the focus: another one may come then.
  if (shouldSwap && document.activeElement !== document.body) boardInUse = focusedBoard()?.id ?? null;
});
document.addEventListener("htmx:afterSettle", () => {
  forAll(BOARD, (element) => {
    const kept = cursors.get(element.id);
    if (kept && !element.dataset.cursor) element.dataset.cursor = kept;
  });
  const element = boardInUse ? document.getElementById(boardInUse) : null;
  if (element && document.activeElement === document.body) element.focus();
  if (element && document.activeElement === element) showCursor(element);
  boardInUse = null;
});
let wasAnswering = false;
document.addEventListener("live:before", ({ target }) => { wasAnswering = isAnswering() && target instanceof Element && target.contains(document.activeElement); });
document.addEventListener("live:after", () => {
  if (wasAnswering && document.activeElement === document.body) document.querySelector<HTMLElement>(BOARD)?.focus({ preventScroll: true });
  wasAnswering = false;
});
