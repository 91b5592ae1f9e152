// The stone that a click would put down, half seen where a mouse points at a board. A room says where its game takes one. Boards without a game in the
// page have its colour as data-ghost, and take it on every empty point, or on those that data-ghost-at names. Where the page lets choose who plays, data-ghost-by is the name of the choice (`B`, `W`).
import { boardOf, fieldAt, stonesOf } from "./board";
import { closestTo, drawSvg, partOf, setAttributes } from "./dom";

export type GhostColor = "black" | "white";
/** The colour of the stone that a click there would put down; nothing where it would put none. */
export type FindGhost = (vertex: string) => GhostColor | null;

// A stone is so wide, in fields.
const RADIUS = 0.47;
const finders = new Map<string, FindGhost>();

/** Says what a click on the board of this id would put down. */
export function onGhost(id: string, find: FindGhost): void {
  finders.set(id, find);
}

/** The colour that a choice of the page gives to the next stone, where it is not the one of the side whose turn it is. */
function chosenColor(name: string | undefined): GhostColor | undefined {
  const chosen = name && document.querySelector<HTMLInputElement>(`[name="${name}"]:checked`)?.value;
  return chosen === "B" ? "black" : chosen === "W" ? "white" : undefined;
}

function ownColor(frame: HTMLElement, vertex: string): GhostColor | null {
  const { action, ghostAt, ghostBy } = frame.dataset, ghost = chosenColor(ghostBy) ?? frame.dataset.ghost;
  const isFree = ghostAt === undefined ? !(vertex in stonesOf(frame)) : ghostAt.split(" ").includes(vertex);
  return (ghost === "black" || ghost === "white") && action && isFree ? ghost : null;
}

let shown: SVGCircleElement | null = null;
function hideGhost(): void {
  shown?.remove();
  shown = null;
}

document.addEventListener("pointermove", (event) => {
  const frame = event.pointerType === "mouse" ? closestTo<HTMLElement>(event.target, ".board[data-columns]") : null, place = frame && fieldAt(frame, event);
  const color = frame && place ? finders.get(frame.id)?.(place.vertex) ?? ownColor(frame, place.vertex) : null;
  if (!frame || !place || !color) {
    hideGhost();
    return;
  }
  const { left, top, size } = boardOf(frame);
  if (!shown?.isConnected || !frame.contains(shown)) {
    hideGhost();
    shown = drawSvg("circle", { class: "ghost", opacity: 0.5, "pointer-events": "none" });
    partOf(frame, "svg").append(shown);
  }
  setAttributes(shown, { cx: left + place.column * size, cy: top + place.row * size, r: RADIUS * size, fill: `url(#stone-${color})` });
});
// What is put down is no ghost any more.
document.addEventListener("click", hideGhost);
