// A game of Go drawn into the layers of its board: stones, marks, numbers, arrows.
import { drawSvg, setAttributes } from "./dom";
import type { DrawnName } from "./server";
import type { PageGame, Stone } from "./tree";

/** Units of the picture: between two lines, around them, and of a stone. */
export const FIELD = 24, MARGIN = 26, RADIUS = 11.3;
const NOTE = "#7b3fa0";

/** The centre of a point. */
export function placeOf(game: PageGame, cell: number): [x: number, y: number] {
  return [MARGIN + cell % game.columns * FIELD, MARGIN + Math.floor(cell / game.columns) * FIELD];
}

export const stoneFill = (color: number): string => `url(#stone-${color === 1 ? "black" : "white"})`;

export interface DrawnStone {
  readonly shadow: SVGElement;
  readonly stone: SVGElement;
}

export function drawStone(game: PageGame, cell: number, color: number): DrawnStone {
  const [cx, cy] = placeOf(game, cell);
  return {
    shadow: drawSvg("circle", { cx: cx + 0.9, cy: cy + 1.6, r: 12.6, fill: "url(#stone-shadow)" }),
    stone: drawSvg("circle", { cx, cy, r: RADIUS, fill: stoneFill(color) }),
  };
}

const MARKS = {
  TR: (x: number, y: number) => drawSvg("path", { d: `M${x} ${y - 7}L${x + 6.2} ${y + 4.2}H${x - 6.2}Z` }),
  SQ: (x: number, y: number) => drawSvg("rect", { x: x - 5.5, y: y - 5.5, width: 11, height: 11 }),
  CR: (x: number, y: number) => drawSvg("circle", { cx: x, cy: y, r: 7 }),
  MA: (x: number, y: number) => drawSvg("path", { d: `M${x - 5.2} ${y - 5.2}L${x + 5.2} ${y + 5.2}M${x - 5.2} ${y + 5.2}L${x + 5.2} ${y - 5.2}`, "stroke-linecap": "round" }),
} satisfies Partial<Record<DrawnName, (x: number, y: number) => SVGElement>>;

function drawMark(game: PageGame, name: keyof typeof MARKS, cell: number): SVGElement {
  const shape = MARKS[name](...placeOf(game, cell));
  setAttributes(shape, { fill: "none", stroke: NOTE, "stroke-width": 2.4, "stroke-linejoin": "round" });
  return shape;
}

function drawDot(game: PageGame, cell: number, fill: string): SVGElement {
  const [cx, cy] = placeOf(game, cell);
  return drawSvg("circle", { cx, cy, r: 5, fill, stroke: "#fff", "stroke-width": 1 });
}

function drawText(game: PageGame, cell: number, text: string, stone: Stone): SVGElement {
  const [x, y] = placeOf(game, cell), size = [13, 13, 11.5, 9.5][text.length] ?? 8, part = drawSvg("g", {});
  if (!stone) part.append(drawSvg("circle", { cx: x, cy: y, r: 9, fill: "#f3d898" }));
  const fill = stone === 1 ? "#fff" : "#111";
  part.append(drawSvg("text", { x, y: y + size * 0.36, "font-size": size, "font-weight": 600, "text-anchor": "middle", fill }, text));
  return part;
}

function drawArrow(game: PageGame, from: number, to: number, isArrow: boolean): SVGElement {
  const [[x1, y1], [x2, y2]] = [placeOf(game, from), placeOf(game, to)], length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 1) return drawSvg("g", {});
  if (!isArrow) return drawSvg("line", { x1, y1, x2, y2, stroke: NOTE, "stroke-width": 3.4, "stroke-linecap": "round", "stroke-opacity": 0.9 });
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length], [nx, ny] = [x2 - 9 * dx, y2 - 9 * dy], part = drawSvg("g", {});
  part.append(drawSvg("path", { d: `M${x1} ${y1}L${nx} ${ny}`, stroke: NOTE, "stroke-width": 3, fill: "none" }),
    drawSvg("path", { d: `M${x2} ${y2}L${nx - 5 * dy} ${ny + 5 * dx}L${nx + 5 * dy} ${ny - 5 * dx}Z`, fill: NOTE }));
  return part;
}

function drawArea(game: PageGame, cell: number, fill: string): SVGElement {
  const [x, y] = placeOf(game, cell);
  return drawSvg("rect", { x: x - 4.2, y: y - 4.2, width: 8.4, height: 8.4, fill, "fill-opacity": 0.9 });
}

/** Numbers of the moves on their stones, but where a letter stands. Of a line that is shown the moves are counted from one. */
function drawNumbers(game: PageGame, cells: Int8Array): SVGElement[] {
  const base = game.isInLine() ? game.lineBase() : undefined, before = base === undefined ? 0 : game.board(base).moves;
  const numbers = new Map<number, number>(), labels = labelsOf(game).map(([cell]) => cell);
  for (const at of game.path()) {
    const { last, moves } = game.board(at);
    if (last >= 0 && game.isInLine(at) === game.isInLine()) numbers.set(last, moves - before);
  }
  return [...numbers].filter(([cell]) => cells[cell] && !labels.includes(cell))
    .map(([cell, number]) => drawText(game, cell, String(number), cells[cell] as Stone));
}

function labelsOf(game: PageGame): [cell: number, text: string][] {
  const labels = (game.nodes[game.current].d.LB ?? []).filter((value) => value[2] === ":");
  return labels.map((value): [number, string] => [game.cell(value.slice(0, 2)), value.slice(3)]).filter(([cell]) => cell >= 0);
}

/** What is drawn over the stones of the place: marks, arrows, letters, the last move, and numbers where they are wanted or a line is shown. */
export function drawRemarks(game: PageGame, areNumbersWanted: boolean): SVGElement[] {
  const { cells, last } = game.board(game.current), { d } = game.nodes[game.current], parts: SVGElement[] = [];
  const areas = { TB: "#111", TW: "#fff" } as const, arrows = ["LN", "AR"] as const, marks = ["TR", "SQ", "CR", "MA"] as const;
  const isNumbered = areNumbersWanted || game.isInLine();
  for (const name of ["TB", "TW"] as const) parts.push(...game.cells(d[name]).map((cell) => drawArea(game, cell, areas[name])));
  for (const name of arrows) {
    for (const value of d[name] ?? []) {
      const ends = value.split(":").map((point) => game.cell(point));
      if (ends.length === 2 && ends.every((cell) => cell >= 0)) parts.push(drawArrow(game, ends[0], ends[1], name === "AR"));
    }
  }
  for (const name of marks) parts.push(...game.cells(d[name]).map((cell) => drawMark(game, name, cell)));
  parts.push(...game.cells(d.SL).map((cell) => drawDot(game, cell, NOTE)));
  if (isNumbered) parts.push(...drawNumbers(game, cells));
  for (const [cell, text] of labelsOf(game)) parts.push(drawText(game, cell, text, cells[cell] as Stone));
  if (last >= 0 && !isNumbered) parts.push(drawDot(game, last, "#c62828"));
  return parts;
}

/** Points that are lit: each by a ring, or all by one wide circle around them. */
export function drawLit(game: PageGame, cells: readonly number[], isWide: boolean): SVGElement[] {
  const places = cells.map((cell) => placeOf(game, cell));
  if (!isWide || !places.length) return places.map(([cx, cy]) => drawSvg("circle", { cx, cy, r: RADIUS + 2.5, class: "point" }));
  const [cx, cy] = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
  const reach = Math.max(...places.map(([x, y]) => Math.hypot(x - cx, y - cy)));
  return [drawSvg("circle", { cx, cy, r: reach + 1.8 * FIELD, class: "area" })];
}
