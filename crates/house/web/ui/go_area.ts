// An area of interest in the room of Go: a rectangle of the board in which alone an analysis looks for moves. It is dragged over the board, by a pointer or
// a finger, or two opposite corners are chosen, by clicks, taps, or Enter at the cursor. Escape leaves the choice. The area stays as long as the tab, also
// over a reload, and the server is told of it with each question.
import { boardOf, emptyLayer, fieldAt, giveArrowsToCursor } from "./board";
import { closestTo, drawSvg, forAll } from "./dom";
import { tell } from "./messages";
import { openSheet } from "./panes";
import { fillText, keep, readKept } from "./texts";
import { swallowClick } from "./turns";

/** Two opposite corners. */
type Area = readonly [from: string, to: string];

let area: Area | null = null;
let isChoosing = false;
/** The first corner of a choice, and where the pointer has been pressed. */
let first: string | null = null, pressed: { readonly vertex: string; readonly pointer: number } | null = null;
let hearChange: () => void = () => {};

const keptName = () => `ishi-area${location.pathname}`;
const findBoard = () => document.getElementById("board");
const findChoice = () => document.querySelector<HTMLButtonElement>("[data-area=choose]");

/** The area as the server reads it; nothing for the whole board. */
export const areaText = (): string => area?.join(" ") ?? "";

/** Is an area being chosen? Then a click on the board plays nothing. */
export const isChoosingArea = (): boolean => isChoosing;

/** Hears that there is another area, or none any more. */
export function onArea(hear: () => void): void {
  hearChange = hear;
}

// --- what is shown ---

/** The rectangle between two points, in fields. */
function fieldsOf(board: HTMLElement, corners: Area) {
  const { rows, letters } = boardOf(board);
  const [columns, lines] = [corners.map((vertex) => letters.indexOf(vertex[0])), corners.map((vertex) => rows - Number(vertex.slice(1)))];
  const [left, top] = [Math.min(...columns), Math.min(...lines)];
  return { left, top, width: Math.max(...columns) - left + 1, height: Math.max(...lines) - top + 1 };
}

/** What is outside the area is dimmed, and a line is drawn around it. */
function drawArea(board: HTMLElement, corners: Area): SVGElement {
  const picture = emptyLayer(board), { size, left, top } = boardOf(board), fields = fieldsOf(board, corners);
  const [x, y] = [left + (fields.left - 0.5) * size, top + (fields.top - 0.5) * size], [width, height] = [fields.width * size, fields.height * size];
  const inner = `M${x} ${y}h${width}v${height}h${-width}Z`, { width: w, height: h } = picture.viewBox.baseVal;
  picture.setAttribute("class", "area");
  picture.append(drawSvg("path", { d: `M0 0H${w}V${h}H0Z${inner}`, class: "outside", "fill-rule": "evenodd" }), drawSvg("path", { d: inner, class: "edge" }));
  return picture;
}

function layerOf(board: HTMLElement): HTMLElement {
  const known = board.querySelector<HTMLElement>(".area-layer");
  if (known) return known;
  const layer = document.createElement("div");
  layer.className = "layer area-layer";
  board.append(layer);
  return layer;
}

function draw(corners: Area | null): void {
  const board = findBoard();
  if (!board) return;
  const layer = layerOf(board), name = corners?.join(" ") ?? "";
  if ((layer.dataset.shown ?? "") === name) return;
  layer.dataset.shown = name;
  layer.replaceChildren(...corners ? [drawArea(board, corners)] : []);
}

const words = (name: "ask" | "askSecond" | "chosen" | "whole", values: Readonly<Record<string, string>> = {}) => fillText(findChoice()?.dataset[name] ?? "", values);

/** Shows the area on the board and beside it, also where these come anew. */
export function showArea(): void {
  draw(first === null ? area : [first, first]);
  findBoard()?.classList.toggle("choosing", isChoosing);
  forAll<HTMLInputElement>("[name=area]", (field) => { field.value = areaText(); });
  forAll("[data-area=choose]", (button) => button.setAttribute("aria-pressed", String(isChoosing || area !== null)));
  forAll("[data-area=whole]", (button) => { button.hidden = area === null; });
  forAll(".area-words", (place) => {
    place.hidden = area === null;
    place.textContent = area ? words("chosen", { area: area.join("–") }) : "";
  });
}

// --- the choice ---

function setChoosing(isOn: boolean): void {
  [isChoosing, first, pressed] = [isOn, null, null];
  showArea();
}

function begin(): void {
  const board = findBoard();
  if (!board) return;
  setChoosing(true);
  openSheet(false);
  tell(words("ask"));
  // The arrow keys move the cursor, also after a click on the board.
  giveArrowsToCursor(board);
  board.focus({ preventScroll: innerWidth > 800 });
}

function end(chosen: Area | null): void {
  area = chosen;
  keep("session", keptName(), areaText());
  setChoosing(false);
  tell(area ? words("chosen", { area: area.join("–") }) : words("whole"));
  hearChange();
}

function cancel(): void {
  setChoosing(false);
  tell("");
}

/** A point is chosen: it is the first corner, or the opposite one. */
function choose(vertex: string): void {
  if (first !== null) {
    end([first, vertex]);
    return;
  }
  first = vertex;
  showArea();
  tell(words("askSecond", { point: vertex }));
}

document.addEventListener("click", (event) => {
  const wish = closestTo(event.target, "[data-area]")?.dataset.area;
  if (wish === "whole") {
    end(null);
    // Its button has gone.
    findChoice()?.focus({ preventScroll: true });
  } else if (wish && isChoosing) cancel();
  else if (wish) begin();
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isChoosing) cancel();
});

/** The point of the board that an event is at, while an area is chosen. */
function pointAt(event: PointerEvent): string | null {
  const board = isChoosing ? findBoard() : null;
  return board ? fieldAt(board, event)?.vertex ?? null : null;
}
const isOnBoard = (event: Event) => isChoosing && closestTo(event.target, "#board") !== null;

// These come before all others that hear of the board: while an area is chosen nothing is played there, and no swipe steps.
document.addEventListener("pointerdown", (event) => {
  if (!isOnBoard(event) || !event.isPrimary) return;
  event.stopPropagation();
  const vertex = pointAt(event);
  pressed = vertex === null ? null : { vertex, pointer: event.pointerId };
  if (pressed) findBoard()?.setPointerCapture(event.pointerId);
}, true);
document.addEventListener("pointermove", (event) => {
  if (!isChoosing) return;
  const from = pressed?.pointer === event.pointerId ? pressed.vertex : first, to = pointAt(event);
  if (from !== null && to !== null) draw([from, to]);
});
document.addEventListener("pointerup", (event) => {
  if (!pressed || event.pointerId !== pressed.pointer) return;
  event.stopPropagation();
  swallowClick();
  const { vertex } = pressed, to = pointAt(event);
  pressed = null;
  if (to !== null && to !== vertex) end([vertex, to]);
  else choose(vertex);
}, true);
document.addEventListener("pointercancel", () => { pressed = null; });
// Enter at the cursor.
document.addEventListener("board:point", (event) => {
  if (!isOnBoard(event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  choose(event.detail.vertex);
}, true);

const isVertex = (text: string) => /^[A-Z]\d+$/.test(text);
addEventListener("DOMContentLoaded", () => {
  const [from = "", to = ""] = (readKept("session", keptName()) ?? "").split(" ");
  if (findBoard() && isVertex(from) && isVertex(to)) area = [from, to];
});
