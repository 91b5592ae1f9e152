// The tree of a game of Go, drawn beside the board: a stone for each move, a row for each variation. It is drawn when the game comes; a step moves its
// ring alone. A click on a stone goes there, and the keys lead from one to the next. Screen readers have it as a tree whose items are the moves.
import { closestTo, drawSvg, isHit } from "./dom";
import type { GoWords } from "./server";
import type { PageGame } from "./tree";

// Pixels between two moves, and of a stone.
const STEP = 24, RADIUS = 8.5;
// Nodes of the largest tree that is drawn: collections of joseki have many more.
const MOST = 2000;

/** Where a node stands in the drawing. */
interface TreePlace {
  readonly column: number;
  readonly row: number;
}

/**
 * Places of all nodes: each move is a column, and a variation has a row of its own as far as it goes. Parents come before their children, and what follows
 * a first child before its siblings.
 */
export function placeNodes(game: PageGame): TreePlace[] {
  const places: TreePlace[] = [], lowest: number[] = [];
  game.nodes.slice(0, game.own).forEach(({ p }, index) => {
    if (p < 0) {
      places.push({ column: 0, row: 0 });
      return;
    }
    const { column, row } = places[p];
    if (game.nodes[p].children[0] === index) {
      places.push({ column: column + 1, row });
      return;
    }
    // The line that begins here, with the place where it leaves its parent.
    let end = column + 1, at: number | undefined = index;
    while ((at = game.nodes[at].children[0]) !== undefined && at < game.own) end += 1;
    const passes = Array.from({ length: end - column + 1 }, (_, beside) => lowest[column + beside] ?? 0);
    const free = 1 + Math.max(row, ...passes);
    for (let passed = column; passed <= end; passed += 1) lowest[passed] = free;
    places.push({ column: column + 1, row: free });
  });
  return places;
}

const centre = ({ column, row }: TreePlace): [x: number, y: number] => [(column + 0.5) * STEP, (row + 0.5) * STEP];

/** The line from a node to its parent: straight in its row, or down from the parent's. */
function drawBranch(from: TreePlace, to: TreePlace): SVGElement {
  const [[x1, y1], [x2, y2]] = [centre(from), centre(to)];
  return drawSvg("path", { d: from.row === to.row ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}V${y2 - STEP / 2}L${x2} ${y2}` });
}

const idOf = (index: number) => `tree-${index}`;

/** A node in words: `34. White D4, ?!, with a remark`. */
function nameNode(game: PageGame, index: number, move: number, sign: string | undefined): string {
  const { m, c } = game.nodes[index], name = game.nameOfNode(index);
  return [m ? `${move}. ${name}` : name, sign, c && game.words.remark].filter(Boolean).join(", ");
}

/** `sign`: that of what the move has lost. */
function drawNode(game: PageGame, index: number, place: TreePlace, move: number, sign: string | undefined): SVGElement {
  const { m, c } = game.nodes[index], [cx, cy] = centre(place), kind = m ? m[0] === "B" ? "black" : "white" : "setup";
  const node = drawSvg("g", { id: idOf(index), role: "treeitem", "aria-label": nameNode(game, index, move, sign), "data-node": index });
  node.setAttribute("class", [kind, sign && "bad", c && "told"].filter(Boolean).join(" "));
  node.append(drawSvg("circle", { cx, cy, r: m ? RADIUS : RADIUS / 2 }));
  if (m) node.append(drawSvg("text", { x: cx, y: cy + 3, "text-anchor": "middle" }, String(move)));
  return node;
}

let shown: PageGame | null = null;
// In which words its nodes are named.
let spoken: GoWords | null = null;
let places: TreePlace[] = [];
// The node that is ringed.
let ringed = -1;
const ring = drawSvg("circle", { r: RADIUS + 1.5, class: "here" });
const frameOf = () => document.querySelector<HTMLElement>(".game-tree .scroll");

/** The place that is shown is in sight. */
function scrollThere(): void {
  const frame = frameOf(), place = shown && places[shown.ownPlace()];
  // In a pane that is not chosen it has no size: to ask for that would lay out the page at each step.
  if (!place || frame?.closest("[hidden]") !== null || !frame.clientWidth) return;
  const [x, y] = centre(place);
  frame.scrollLeft = x - frame.clientWidth / 2;
  frame.scrollTop = y - frame.clientHeight / 2;
}
// A tree that was out of sight has no size.
const sizes = new ResizeObserver(scrollThere);

function drawTree(game: PageGame, frame: HTMLElement): void {
  const signs = new Map(game.review?.map(([node, , , badge]) => [node, badge ?? undefined])), moves: number[] = [];
  places = placeNodes(game);
  const columns = Math.max(...places.map(({ column }) => column)) + 1, rows = Math.max(...places.map(({ row }) => row)) + 1;
  const picture = drawSvg("svg", { width: columns * STEP, height: rows * STEP, role: "none" }), branches = drawSvg("g", { class: "branches", "aria-hidden": "true" });
  picture.append(branches);
  places.forEach((place, index) => {
    const { p, m } = game.nodes[index];
    moves.push((moves[p] ?? 0) + (m ? 1 : 0));
    if (p >= 0) branches.append(drawBranch(places[p], place));
    picture.append(drawNode(game, index, place, moves[index], signs.get(index)));
  });
  picture.append(ring);
  frame.replaceChildren(picture);
  sizes.disconnect();
  sizes.observe(frame);
}

/** Draws the tree of this game, if it is not there already, and shows its place. */
export function showTree(game: PageGame): void {
  const frame = frameOf(), section = frame?.closest<HTMLElement>(".game-tree");
  if (!frame || !section) return;
  section.hidden = game.own < 2 || game.own > MOST;
  if (section.hidden) return;
  if (shown !== game || spoken !== game.words || !frame.contains(ring)) {
    [shown, spoken] = [game, game.words];
    drawTree(game, frame);
    ringed = -1;
  }
  const at = game.ownPlace();
  // Who has scrolled elsewhere stays there until the place is another one.
  if (at === ringed) return;
  for (const before of frame.querySelectorAll("[aria-selected]")) before.removeAttribute("aria-selected");
  ringed = at;
  document.getElementById(idOf(at))?.setAttribute("aria-selected", "true");
  frame.setAttribute("aria-activedescendant", idOf(at));
  const [cx, cy] = centre(places[at]);
  ring.setAttribute("cx", String(cx));
  ring.setAttribute("cy", String(cy));
  scrollThere();
}

/** The nearest node of the next row that has one, below (1) or above (-1) the place that is shown. */
function nodeBeside(by: number): number | undefined {
  const here = places[ringed], distance = ({ row }: TreePlace) => by * (row - here.row);
  let best: number | undefined;
  places.forEach((place, index) => {
    const rows = distance(place);
    if (rows <= 0) return;
    const than = best === undefined ? undefined : places[best];
    const isBetter = !than || rows < distance(than) || rows === distance(than) && Math.abs(place.column - here.column) < Math.abs(than.column - here.column);
    if (isBetter) best = index;
  });
  return best;
}

/** Hears to which node a click on the tree leads, or a key that goes to another row. Other keys step there as everywhere. */
export function onTreeGo(go: (node: number) => void): void {
  document.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey || !isHit(event.target, ".game-tree .scroll")) return;
    event.preventDefault();
    const node = nodeBeside(by);
    if (node !== undefined) go(node);
  });
  document.addEventListener("click", (event) => {
    const node = closestTo<SVGElement>(event.target, ".game-tree [data-node]")?.dataset.node;
    if (node !== undefined) go(Number(node));
  });
}
