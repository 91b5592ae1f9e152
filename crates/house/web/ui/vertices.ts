// Points in texts: <span class="vertex" data-vertex="D4">.

const VERTEX = /(?<![A-Za-z0-9])([A-HJ-T](?:1\d|2[0-5]|[1-9]))(?![A-Za-z0-9])/;

function linkVertex(vertex: string): HTMLElement {
  const span = document.createElement("span");
  span.className = "vertex";
  span.dataset.vertex = vertex;
  span.textContent = vertex;
  return span;
}

/** Makes the points that a text names ones that light up. */
export function linkVertices(root: Element): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.parentElement?.closest(".vertex, button, textarea, svg, title")) continue;
    const parts = text.data.split(VERTEX);
    if (parts.length > 1) text.replaceWith(...parts.map((part, index) => index % 2 ? linkVertex(part) : part));
  }
}
