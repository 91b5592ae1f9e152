// <tr data-variation="D4 Q16 pass" data-first="B">: its stones are drawn over the board, numbered, while somebody points at the row.
import { type BoardFrame, boardOf, stonesOf } from "./board";
import { closestTo, drawSvg, forAll, partOf } from "./dom";
import { onLiveFill } from "./events";

const ROW = "tr[data-variation]";

function drawNumbered(board: BoardFrame, vertex: string, number: number, isBlack: boolean): SVGElement[] {
  const column = board.letters.indexOf(vertex[0]), row = Number(vertex.slice(1));
  if (column < 0 || !(row > 0)) return [];
  const x = board.left + column * board.size, y = board.top + (board.rows - row) * board.size;
  return [
    drawSvg("circle", { cx: x, cy: y, r: 11, fill: isBlack ? "#161616" : "#fbfaf5", stroke: "#444", "fill-opacity": 0.85 }),
    drawSvg("text", { x, y: y + 4.5, "font-size": 12, "text-anchor": "middle", fill: isBlack ? "#fff" : "#111" }, String(number)),
  ];
}

function drawVariation(row: HTMLElement | null): void {
  const frame = document.getElementById("board"), layer = frame?.querySelector(".hover");
  if (!frame || !layer) return;
  layer.replaceChildren();
  if (!row) return;
  const { width, height } = partOf<SVGSVGElement>(frame, "svg").viewBox.baseVal, board = boardOf(frame), stones = stonesOf(frame);
  const picture = drawSvg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }), isBlackFirst = /^b$/i.test(row.dataset.first ?? "");
  (row.dataset.variation ?? "").split(" ").forEach((vertex, index) => {
    if (!(vertex in stones)) picture.append(...drawNumbered(board, vertex, index + 1, isBlackFirst === (index % 2 === 0)));
  });
  layer.append(picture);
}
for (const name of ["mouseover", "focusin"]) {
  document.addEventListener(name, (event) => {
    const row = closestTo(event.target, ROW);
    if (row) drawVariation(row);
  });
}
for (const name of ["mouseout", "focusout"]) {
  document.addEventListener(name, (event) => { if (closestTo(event.target, ROW)) drawVariation(null); });
}

// New thoughts replace the table: who has a row under the focus keeps its place.
let rowInUse = -1;
onLiveFill({
  before: () => { rowInUse = document.activeElement?.closest<HTMLTableRowElement>(ROW)?.rowIndex ?? -1; },
  after: () => forAll(".thought tr", (row, index) => { if (rowInUse > 0 && index === rowInUse) row.focus(); }),
});
