// The game of the Go room lives in the page: <script id="go-game" type="application/json"> brings tree, review and words, and steps are made here, without
// the server. It is asked to play, to think and to keep; what it answers brings the game anew. Places are numbers of nodes.
import "./htmx";
import { emptyLayer } from "./board";
import { onChartGo } from "./value_chart";
import { chosenValue, closestTo, fieldNamed, isHit, partOf } from "./dom";
import { onLive } from "./events";
import { noteOpener } from "./focus";
import { onGhost } from "./ghost";
import { areaText, isChoosingArea, onArea } from "./go_area";
import { type DrawnStone, drawLit, drawRemarks, drawStone } from "./go_drawing";
import { walkAfter, walkOf, walkWithin } from "./go_walks";
import { GoTable, showBeside, tellStones, type Thought, writeText } from "./go_beside";
import { onTreeGo, showTree } from "./go_tree";
import type { RequestConfig } from "./htmx";
import { keepOverReload } from "./kept_thoughts";
import { tell } from "./messages";
import { fadeAway, isCalm, playStone } from "./motion";
import { choosePane, isPaneChosen } from "./panes";
import { rooms } from "./rooms";
import { type GoTableJson, readJson } from "./server";
import { fetchTable } from "./table";
import { keep, readKept } from "./texts";
import { onTurns } from "./turns";

// Thoughts that are remembered.
const THOUGHTS = 200;
// Who steps on within this time is not asked about, and nothing is asked for.
const REST = 250;

let game: GoTable | null = null;
let waiting: ReturnType<typeof setTimeout> | undefined;
let drawing = 0;
let asked: string | null = null;
let areNumbersShown = false;
// What engines thought of places, by the names of these spots.
const thoughts = new Map<string, Thought>();
keepOverReload("thoughts", thoughts);

const findBoard = () => document.getElementById("board");
const board = (): HTMLElement => partOf(document, "#board");
const layer = (name: string) => partOf<SVGGElement>(board(), `svg .${name}`);

// --- drawing ---

// Stones that stand on a board.
const drawn = new WeakMap<Element, Map<number, DrawnStone & { readonly color: number }>>();
let lastShown = -1;

function stonesDrawn(frame: Element) {
  const known = drawn.get(frame) ?? new Map<number, DrawnStone & { readonly color: number }>();
  if (drawn.has(frame)) return known;
  drawn.set(frame, known);
  for (const name of ["shadows", "stones"]) layer(name).replaceChildren();
  return known;
}

/** Only what is not there already is drawn. Stones that are taken by the move that was stepped to fade away. */
function drawStones(game: GoTable): void {
  const { cells, captured } = game.board(game.current), known = stonesDrawn(board()), taken: SVGElement[] = [];
  const isStep = isCalm() && captured > 0 && game.nodes[game.current].p === lastShown;
  lastShown = game.current;
  for (const [cell, { color, shadow, stone }] of known) {
    if (cells[cell] === color) continue;
    taken.push(shadow, stone);
    known.delete(cell);
  }
  if (isStep) fadeAway(taken);
  else for (const element of taken) element.remove();
  cells.forEach((color, cell) => {
    if (!color || known.has(cell)) return;
    const parts = drawStone(game, cell, color);
    layer("shadows").append(parts.shadow);
    layer("stones").append(parts.stone);
    known.set(cell, { color, ...parts });
  });
}

const areNumbersWanted = () => document.querySelector<HTMLInputElement>("[name=numbers]")?.checked ?? false;

function show(): void {
  drawing = 0;
  if (!game || !findBoard()) return;
  // What is counted is drawn by the server, which is asked again by who comes back to it.
  if (!(game.counting && game.isHere())) {
    drawStones(game);
    layer("remarks").replaceChildren(...drawRemarks(game, areNumbersWanted()));
  } else if (drawn.has(board())) {
    fetchTable();
    return;
  }
  showBeside(game, game.analysing ? thoughts.get(game.spot(game.current)) : undefined, goTo);
  showTree(game);
}

const emptyHover = () => board().querySelector(".hover")?.replaceChildren();

// --- steps ---

function goTo(index: number | undefined): boolean {
  if (!game || index === undefined || index === game.current) return false;
  keepComment(game);
  const isForward = game.nodes[index].p === game.current;
  game.stand(index);
  if (!game.isInLine(index) && index !== game.lineBase()) game.leaveLine();
  if (isForward && game.nodes[index].m) playStone(game.board(index).captured);
  document.getElementById("level-layer")?.replaceChildren();
  emptyHover();
  drawing ||= requestAnimationFrame(show);
  clearTimeout(waiting);
  waiting = setTimeout(rest, REST);
  return true;
}
const stepBy = (steps: number) => goTo(game?.stepped(steps));
const goToMove = (number: number) => goTo(game?.nodeOfMove(number));

/** Goes to the move of this number, as a text or a button tells it. A line that is shown has no part in that. */
function goToTold(number: number, isOfReview: boolean): void {
  leaveLine();
  goTo(game?.nodeOfTold(number, isOfReview));
}

function step(by: string): void {
  if (by === "first") goTo(0);
  else if (by === "last") goTo(game?.lineEnd());
  else stepBy(Number(by));
}

/** Goes to the next move of whoever learns that lost something, or to the one before (-1). If there is none, that is said. */
function goToMistake(by: number, none: string): void {
  const found = game?.mistake(by, chosenValue("learner") ?? "");
  tell(found === undefined ? none : "");
  goTo(found);
}

// What was written about the place that is left is kept.
function keepComment(game: GoTable): void {
  const field = document.querySelector<HTMLTextAreaElement>("#comment");
  if (!field || field.value === field.defaultValue) return;
  const comment = field.value, node = game.textPlace();
  field.defaultValue = comment;
  game.nodes[node].c = comment;
  void send("text", { comment, node: String(node), revision: revision() });
}
const revision = () => partOf<HTMLInputElement>(document, "[name=revision]").value;

async function send(what: string, values: Record<string, string>): Promise<void> {
  const body = new URLSearchParams(values);
  const answer = await fetch(`${location.pathname}/${what}`, { method: "POST", headers: { "HX-Request": "true" }, body });
  if (answer.headers.get("hx-retarget") === "#message" || !answer.ok) tell(await answer.text());
}

function announce(game: GoTable): void {
  const said = game.sayMove();
  if (said) writeText("#said", said);
}

// Somebody looks at a place for longer.
function rest(): void {
  if (!game || !findBoard()) return;
  announce(game);
  tellStones(board(), game);
  remember(game);
  // The server does not know a line that is only shown.
  if (game.isInLine()) return;
  const spot = game.spot(game.current), level = document.querySelector<HTMLSelectElement>("#level");
  if (level?.value) htmx.trigger(level, "change");
  if (!game.analysing || asked === spot) return;
  asked = spot;
  void send("analysis", { on: "follow", spot, area: areaText(), node: String(game.current), revision: revision() });
}
// Who chooses an area wants it to be analysed.
onArea(() => {
  if (!game || !findBoard()) return;
  show();
  if (game.analysing) rest();
  else if (areaText()) document.querySelector<HTMLButtonElement>("[hx-post$='/analysis']")?.click();
});

// --- the game comes, or comes anew ---

function findPlace(game: GoTable, place: string | null): number {
  const found = game.nodes.findIndex((_, index) => game.place(index) === place);
  return found < 0 ? game.node : found;
}
const keptName = () => `ishi${location.pathname}`;
const remember = (game: GoTable) => keep("session", keptName(), game.place(game.current));

// Who opens a record comes to learn from it.
function choosePaneAtFirst(game: GoTable): void {
  const isRecord = game.persons.every(Boolean) && game.node === 0 && game.nodes.length > 2;
  if (!isPaneChosen() && isRecord) choosePane("learn");
}

// Who looks at the place of the game follows it; who looks elsewhere stays there.
function findStand(game: GoTable, old: GoTable | null, request: RequestConfig | null): void {
  // A reload stays at the place, unless an engine may be about to move.
  if (!old && (game.over || game.persons.every(Boolean))) game.stand(findPlace(game, readKept("session", keptName())));
  const stays = request?.verb === "get" || /\/(text|analysis|review)$/.test(request?.path ?? "");
  if (old && stays && !old.isHere()) game.stand(findPlace(game, old.place(old.current)));
}

// An engine or another person has moved.
function hearMove(game: GoTable, request: RequestConfig | null): void {
  if (request?.verb === "get") announce(game);
  if (game.nodes[game.current].m && game.current > 0) playStone(game.board(game.current).captured);
}

function adopt(request: RequestConfig | null): void {
  const text = document.querySelector("script#go-game");
  if (!text) return;
  const old = game, fresh = new GoTable(readJson<GoTableJson>(text));
  game = fresh;
  text.remove();
  findStand(fresh, old, request);
  if (/\/analysis$/.test(request?.path ?? "")) asked = fresh.spot(fresh.current);
  const numbers = document.querySelector<HTMLInputElement>("[name=numbers]");
  if (numbers) numbers.checked = areNumbersShown;
  onTurns(board(), (by) => game !== null && game.stepped(by) !== game.current && stepBy(by));
  if (!old) choosePaneAtFirst(fresh);
  show();
  tellStones(board(), fresh);
  remember(fresh);
  if (old && fresh.place(fresh.current) !== old.place(old.current)) hearMove(fresh, request);
  // Another move, komi or other rules: what is thought of them is asked for.
  if (old && fresh.analysing && fresh.spot(fresh.current) !== old.spot(old.current)) waiting = setTimeout(rest, REST);
}
addEventListener("DOMContentLoaded", () => adopt(null));
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id === "table") adopt(event.detail.requestConfig ?? null);
});

const keepThought = (kind: keyof Thought) => (event: CustomEvent<string>) => {
  const spot = /^<div data-place="(\w*)">/.exec(event.detail)?.[1];
  if (!game || spot === undefined) return;
  const known = thoughts.get(spot) ?? {};
  thoughts.delete(spot);
  thoughts.set(spot, { ...known, [kind]: event.detail });
  const [oldest] = thoughts.keys();
  if (thoughts.size > THOUGHTS) thoughts.delete(oldest);
  if (!game.analysing || spot !== game.spot(game.current)) event.preventDefault();
};
onLive("overlay", keepThought("overlay"));
onLive(`thought-${document.documentElement.lang}`, keepThought("words"));

// --- hands ---

document.addEventListener("click", (event) => {
  if (!game) return;
  const target = closestTo(event.target, "[data-step], [data-move], [data-mistake], [data-leave]");
  if (!target) return;
  const { step: by, move, mistake } = target.dataset;
  if (by) step(by);
  else if (mistake) goToMistake(Number(mistake), target.dataset.none ?? "");
  else if ("leave" in target.dataset) leaveLine();
  else goToTold(Number(move), target.closest(".remark") === null);
});
// A review that grows: the moves that are known so far are those of the line that is reviewed.
onChartGo((number) => {
  const reviewed = game?.review?.[number - 1];
  if (reviewed) goTo(reviewed[0]);
  else goToMove(number);
});
onTreeGo((node) => { goTo(node); });
document.addEventListener("change", (event) => {
  if (!game) return;
  const number = closestTo<HTMLInputElement>(event.target, "#move-number"), numbers = fieldNamed(event, "numbers");
  if (number) goToMove(Number(number.value));
  if (numbers) {
    areNumbersShown = numbers.checked;
    show();
  }
});
addEventListener("keydown", (event) => {
  if (!game || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const by = { PageUp: -10, PageDown: 10 }[event.key];
  if (!by || isHit(event.target, "input, textarea, select, .scroll")) return;
  event.preventDefault();
  stepBy(by);
});

/** The node of a move to this point that is there. */
function knownMove(game: GoTable, vertex: string): number | undefined {
  const name = game.board(game.current).toMove === 1 ? "B" : "W";
  return game.nodes[game.current].children.find((index) => {
    const cell = game.cellOfMove(index);
    return game.nodes[index].m?.[0] === name && cell >= 0 && game.vertex(cell) === vertex;
  });
}

// A move that is there is gone to; the server is asked to play others.
document.addEventListener("board:point", (event) => {
  if (!game || (event.target as Element).id !== "board" || game.counting && game.isHere()) return;
  if ((chosenValue("tool") ?? "play") !== "play") return;
  const known = knownMove(game, event.detail.vertex);
  if (known === undefined && !game.isInLine()) return;
  event.preventDefault();
  if (known === undefined) tell(game.words.leaveFirst);
  else goTo(known);
});
// Undoing in the middle of a record is a step. (A blunder that is told has a deed of its own: it is taken back for good, wherever one looks.)
document.addEventListener("htmx:confirm", (event) => {
  if (!game || !findBoard()) return;
  const isUndo = /\/do\/undo$/.test(event.detail.path ?? ""), isLine = game.isInLine();
  if (isUndo && (isLine || game.nodes[game.current].children.length)) {
    event.preventDefault();
    stepBy(-1);
  } else if (isLine) {
    // What is asked for is asked at the place that the server knows.
    leaveLine();
  }
});
function leaveLine(): void {
  const back = game?.lineReturn();
  if (!game || back === undefined) return;
  goTo(back);
  game.leaveLine();
  show();
}

const reviewedNode = (number: number): number | undefined => game?.review?.[number - 1]?.[0];

/** The place before the reviewed move of this number. */
function placeBefore(number: number): number | undefined {
  const node = reviewedNode(number);
  return node === undefined ? undefined : game?.nodes[node].p;
}

/** Walks through these moves from here. */
function walkThrough(moves: readonly string[], told?: number): void {
  if (!game?.showLine(moves, told)) return;
  noteOpener();
  playStone(game.board(game.current).captured);
  emptyHover();
  show();
  // Who does not see hears of its first stone.
  clearTimeout(waiting);
  waiting = setTimeout(rest, REST);
}

rooms.go = {
  goBefore(number) {
    leaveLine();
    goTo(placeBefore(number));
  },
  isBefore: (number) => game !== null && game.current === placeBefore(number),
  showLine(moves) {
    leaveLine();
    walkThrough(moves);
  },
  showLineFrom(node, moves, told) {
    leaveLine();
    goTo(node);
    walkThrough(moves, told);
  },
  walkOfLesson(line, number) {
    const node = reviewedNode(number), walk = game && node !== undefined ? walkOf(game, line, node) : null;
    // Who leaves a line of a lesson is at the place from which it goes on, as with its buttons.
    return walk && { node: walk.node, moves: walk.moves, label: walk.label };
  },
  walkOfPlace: (line, place) => game && walkOf(game, line, place),
  walkOfAnswer: (line, place, known) => game && (walkWithin(game, line, place, known) ?? walkAfter(game, line, [place])),
  nameMove: (number) => game && game.nameOfTold(number, true),
  light(vertices, isWide) {
    const hover = game && findBoard()?.querySelector(".hover");
    if (!game || !hover) return;
    const cells = vertices.map((vertex) => game?.cellOf(vertex) ?? -1).filter((cell) => cell >= 0), picture = emptyLayer(board());
    picture.append(...drawLit(game, cells, isWide));
    hover.replaceChildren(picture);
  },
};

onGhost("board", (vertex) => {
  if (!game) return null;
  const isOpen = !game.over && !isChoosingArea() && !(game.counting && game.isHere()) && chosenValue("tool") === "play", { cells, toMove } = game.board(game.current);
  return isOpen && !cells[game.cellOf(vertex)] ? toMove === 1 ? "black" : "white" : null;
});
