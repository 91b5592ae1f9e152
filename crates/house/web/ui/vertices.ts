// Points in texts: <button class="vertex" data-vertex="D4">. They are buttons, so that keys and fingers reach them as a pointer does. Behind a line of
// moves stands <button class="walk-line" data-walk="B D4,W Q16" data-node="12">, which shows it on the board (lesson.ts). The number of a move is
// <button class="move-link" data-move="34">, which leads there (go_game.ts, othello_game.ts).
import { closestTo } from "./dom";
import { cutText, type FindWalk, type NameMove, type TextPiece, VERTEX, type Walk } from "./lines";

/** What was named before, and whether Tab stops at points. */
interface Named {
  readonly vertices: Set<string>;
  readonly areStops: boolean;
}

function linkVertex(vertex: string, { vertices, areStops }: Named): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "vertex";
  button.dataset.vertex = vertex;
  button.textContent = vertex;
  // A point that a text names again is no second stop of Tab.
  if (!areStops || vertices.has(vertex)) button.tabIndex = -1;
  vertices.add(vertex);
  return button;
}

// Its sign is drawn by the style sheet: the text stays as it was written.
function linkWalk({ node, moves, label, told }: Walk): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "walk-line";
  button.title = label;
  button.setAttribute("aria-label", label);
  button.dataset.walk = moves.join(",");
  button.dataset.node = String(node);
  if (told !== undefined) button.dataset.told = String(told);
  return button;
}

function linkNumber(number: number, name: string): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "move-link";
  button.title = name;
  button.dataset.move = String(number);
  button.textContent = String(number);
  return button;
}

/** What no line begins with: it closes a bracket or a sentence. */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}]+/u;

/**
 * Ties the button of a line of moves to the point before it and to what closes a bracket behind it, where browsers would break the line. The text stays the
 * same.
 */
function tieWalks(parts: readonly (string | HTMLElement)[]): (string | HTMLElement)[] {
  const tied: (string | HTMLElement)[] = [];
  let pair: HTMLElement | null = null;
  for (const part of parts) {
    if (typeof part !== "string" && part.className === "walk-line") {
      const point = tied.at(-1);
      pair = document.createElement("span");
      pair.className = "tied";
      if (point !== undefined && typeof point !== "string") pair.append(point);
      pair.append(part);
      tied.splice(pair.children.length > 1 ? -1 : tied.length, 1, pair);
      continue;
    }
    const closing: string = pair && typeof part === "string" ? CLOSING.exec(part)?.[0] ?? "" : "";
    pair?.append(closing);
    tied.push(typeof part === "string" ? part.slice(closing.length) : part);
    pair = null;
  }
  return tied;
}

/** What stands in the page for a piece of a text. */
function linkPiece(piece: TextPiece, named: Named, findWalk: FindWalk, nameMove: NameMove): string | HTMLElement {
  if (typeof piece === "string") return piece;
  if ("vertex" in piece) return linkVertex(piece.vertex, named);
  if ("number" in piece) {
    const name = nameMove(piece.number);
    return name === null ? String(piece.number) : linkNumber(piece.number, name);
  }
  const walk = findWalk(piece);
  return walk ? linkWalk(walk) : "";
}

/**
 * Makes the points that a text names ones that light up, its lines ones that can be walked through, and the numbers of its moves ones that lead there. In a
 * table, whose rows name many, Tab stops at lines only.
 */
export function linkVertices(root: Element, pattern = VERTEX, findWalk: FindWalk = () => null, nameMove: NameMove = () => null): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), texts: Text[] = [];
  const named = { vertices: new Set<string>(), areStops: root.closest("table") === null };
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.parentElement?.closest(".vertex, button, textarea, svg, title")) continue;
    const pieces = cutText(text.data, pattern);
    if (pieces.length > 1) text.replaceWith(...tieWalks(pieces.map((piece) => linkPiece(piece, named, findWalk, nameMove))));
  }
}

/** The point that a text names there. */
export const namedVertex = (target: EventTarget | null): string | undefined => closestTo<HTMLElement>(target, ".vertex")?.dataset.vertex;

/** The point at which a pointer is, else that which has the focus: a page that scrolls to the focus moves below the pointer. */
export const vertexToLight = (event: Event): string | undefined => namedVertex(event.target) ?? namedVertex(document.activeElement);
