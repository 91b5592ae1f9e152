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
export function tieWalks<Part extends object>(
  parts: readonly (string | Part)[], isWalk: (part: Part) => boolean, tie: (together: readonly (string | Part)[], walk: Part) => Part,
): (string | Part)[] {
  const tied: (string | Part)[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at], next = parts[at + 1], before = tied.at(-1);
    if (typeof part === "string" || !isWalk(part)) {
      tied.push(part);
      continue;
    }
    const point = before === undefined || typeof before === "string" ? [] : [before];
    const closing = typeof next === "string" ? CLOSING.exec(next)?.[0] ?? "" : "";
    tied.splice(tied.length - point.length, point.length, tie([...point, part, closing], part));
    if (typeof next === "string") {
      tied.push(next.slice(closing.length));
      at += 1;
    }
  }
  return tied;
}

/** What stands together in one line of the page. */
function tieElements(together: readonly (string | HTMLElement)[]): HTMLElement {
  const span = document.createElement("span");
  span.className = "tied";
  span.append(...together);
  return span;
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
    const parts = pieces.map((piece) => linkPiece(piece, named, findWalk, nameMove));
    if (pieces.length > 1) text.replaceWith(...tieWalks(parts, ({ className }) => className === "walk-line", tieElements));
  }
}

/** The point that a text names there. */
export const namedVertex = (target: EventTarget | null): string | undefined => closestTo<HTMLElement>(target, ".vertex")?.dataset.vertex;

/** The point at which a pointer is, else that which has the focus: a page that scrolls to the focus moves below the pointer. */
export const vertexToLight = (event: Event): string | undefined => namedVertex(event.target) ?? namedVertex(document.activeElement);
