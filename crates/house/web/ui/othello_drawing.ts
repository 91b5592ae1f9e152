// Discs and marks of a board of Othello. Lengths are units of its picture.
import { drawSvg } from "./dom";
import { cellOf, isDisc, pairs } from "./othello_rules";
import type { OthelloPlace, Sign } from "./server";

/** Where the centre of the first field lies, from left and top alike, and how far the next one is. */
export interface OthelloGrid {
  readonly margin: number;
  readonly field: number;
}

/** The centre of a cell. */
export function centreOf({ margin, field }: OthelloGrid, cell: number): [x: number, y: number] {
  return [margin + cell % 8 * field, margin + Math.floor(cell / 8) * field];
}

export function drawDisc(grid: OthelloGrid, cell: number, sign: Sign): [shadow: SVGElement, disc: SVGElement] {
  const [cx, cy] = centreOf(grid, cell);
  const shadow = drawSvg("circle", { cx: cx + 0.9, cy: cy + 1.6, r: 13.8, fill: "url(#stone-shadow)" });
  const disc = drawSvg("circle", { cx, cy, r: 12.5, fill: `url(#stone-${sign === "X" ? "black" : "white"})` });
  return [shadow, disc];
}

/** A place as it is drawn: discs, where one may play, the last move. Discs of other colours than before turn over. */
export function drawPlace(grid: OthelloGrid, [cells, , legal]: OthelloPlace, last: string | undefined, before: string | null): SVGElement[] {
  const parts: SVGElement[] = [];
  [...cells].forEach((sign, cell) => {
    if (!isDisc(sign)) return;
    const [shadow, disc] = drawDisc(grid, cell, sign), was = before?.[cell];
    if (isDisc(was) && was !== sign) disc.classList.add("flipped");
    parts.push(shadow, disc);
  });
  for (const square of pairs(legal)) {
    const [cx, cy] = centreOf(grid, cellOf(square));
    parts.push(drawSvg("circle", { cx, cy, r: 3.5, fill: "#f2f2ea", "fill-opacity": 0.75 }));
  }
  if (last) {
    const [cx, cy] = centreOf(grid, cellOf(last));
    parts.push(drawSvg("circle", { cx, cy, r: 4.5, fill: "none", stroke: "#e5533d", "stroke-width": 2.5 }));
  }
  return parts;
}

/** Rings around squares. */
export function drawRings(grid: OthelloGrid, squares: readonly string[]): SVGElement {
  const lit = drawSvg("g", { class: "lit", "pointer-events": "none" });
  for (const square of squares) {
    const [cx, cy] = centreOf(grid, cellOf(square));
    lit.append(drawSvg("circle", { cx, cy, r: 14.5, class: "point" }));
  }
  return lit;
}
