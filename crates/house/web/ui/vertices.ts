// Points of Go and squares of Othello in texts: <button class="vertex" data-vertex="D4">. They are buttons, so that keys and fingers reach them as a pointer does.
import { closestTo } from "./dom";

/** Points of Go. */
export const VERTEX = /(?<![A-Za-z0-9])([A-HJ-T](?:1\d|2[0-5]|[1-9]))(?![A-Za-z0-9])/;

/** Squares of Othello. */
export const SQUARE = /(?<![A-Za-z0-9])([a-h][1-8])(?![A-Za-z0-9])/;

function linkVertex(vertex: string, named: Set<string>): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "vertex";
  button.dataset.vertex = vertex;
  button.textContent = vertex;
  // A point that a text names again is no second stop of Tab.
  if (named.has(vertex)) button.tabIndex = -1;
  named.add(vertex);
  return button;
}

/** A text in pieces: every second one is a point. */
export const splitAtVertices = (text: string, pattern: RegExp): readonly string[] => text.split(pattern);

/** Makes the points that a text names ones that light up. */
export function linkVertices(root: Element, pattern = VERTEX): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), texts: Text[] = [], named = new Set<string>();
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.parentElement?.closest(".vertex, button, textarea, svg, title")) continue;
    const parts = splitAtVertices(text.data, pattern);
    if (parts.length > 1) text.replaceWith(...parts.map((part, index) => index % 2 ? linkVertex(part, named) : part));
  }
}

/** The point that a text names there. */
export const namedVertex = (target: EventTarget | null): string | undefined => closestTo<HTMLElement>(target, ".vertex")?.dataset.vertex;

/** The point at which a pointer is, else that which has the focus: a page that scrolls to the focus moves below the pointer. */
export const vertexToLight = (event: Event): string | undefined => namedVertex(event.target) ?? namedVertex(document.activeElement);
