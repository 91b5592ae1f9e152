// The game of Othello lives in the page: <script id="othello-boards" type="application/json"> brings all its places and the words it needs, and steps
// are made here, without the server. It is asked to play, to think and to keep: where somebody stays while it thinks, and where something is done.
import "./htmx";
import { choose } from "./board";
import { onChartGo, showChartPlace } from "./value_chart";
import { chosenValue, closestTo, forAll, isHit, partOf } from "./dom";
import { onLive } from "./events";
import { disableSteps, leaveFocus, noteOpener } from "./focus";
import { onGhost } from "./ghost";
import { keepOverReload } from "./kept_thoughts";
import { tell } from "./messages";
import { isCalm, playStone } from "./motion";
import { drawPlace, drawRings, type OthelloGrid } from "./othello_drawing";
import { countDiscs, type Course, courseWithLine, isDisc, listDiscs, nextFault, otherOf, pairs, sayMove, squareOf } from "./othello_rules";
import { walkOfMove } from "./othello_walks";
import { SQUARE } from "./lines";
import { rooms } from "./rooms";
import { type OthelloGameJson, type OthelloPlace, readJson } from "./server";
import { fillText, listAnew } from "./texts";
import { onTurns } from "./turns";
import { linkVertices } from "./vertices";

const REST = 250;
// What was thought of places is kept for so many of them.
const KEPT = 200;
const USUAL = `${"-".repeat(27)}OX${"-".repeat(6)}XO${"-".repeat(27)}`;

/** The game; while a line is shown, places and moves are those of the line. */
interface RoomGame extends Omit<OthelloGameJson, "at" | "places" | "moves"> {
  /** The place that the server knows. */
  at: number;
  places: readonly OthelloPlace[];
  moves: readonly string[];
  isStudied: boolean;
  readonly isUsual: boolean;
}

let game: RoomGame | null = null;
let at = 0;
let resting: ReturnType<typeof setTimeout> | undefined;
// By the moves that lead there and what is shown: what the server has drawn on the squares, and its table.
const boards = new Map<string, string>(), studies = new Map<string, string>();
keepOverReload("boards", boards);
keepOverReload("studies", studies);

const frame = () => document.getElementById("othello-board");
const room = () => partOf(document, "[data-game]").dataset.game;
const placeName = (game: RoomGame) => `${game.overlay} ${game.moves.slice(0, at).join("")}`;
const parse = (html: string) => new DOMParser().parseFromString(html, "text/html");

function keepPlace(map: Map<string, string>, name: string, value: string): void {
  map.delete(name);
  map.set(name, value);
  const [oldest] = map.keys();
  if (map.size > KEPT) map.delete(oldest);
}

// --- the board ---

const gridOf = ({ dataset }: HTMLElement): OthelloGrid => ({ margin: Number(dataset.margin), field: Number(dataset.field) });

// What was there a step ago, for discs that turn over.
let shown: { readonly at: number; readonly cells: string } | null = null;

function drawBoard(game: RoomGame, frame: HTMLElement): void {
  const place = game.places[at], isStep = shown !== null && Math.abs(shown.at - at) === 1 && isCalm();
  const parts = drawPlace(gridOf(frame), place, game.moves[at - 1], isStep ? shown?.cells ?? null : null);
  partOf(frame, ".played").replaceChildren(...parts);
  shown = { at, cells: place[0] };
}

// What the server has drawn of this place, with values on the squares.
function drawKept(game: RoomGame, frame: HTMLElement, html: string): void {
  const own = parse(html).querySelector(".played"), legend = parse(html).querySelector(".legend");
  if (!own) return;
  partOf(frame, ".played").replaceChildren(...document.importNode(own, true).childNodes);
  document.querySelector("#othello-place-board .legend")?.remove();
  if (legend) frame.after(document.importNode(legend, true));
  shown = { at, cells: game.places[at][0] };
}

// For screen readers.
function tellSquares(): void {
  const board = frame();
  if (!game || !board) return;
  const [cells, , legal] = game.places[at], { words } = game, stones: Record<string, string> = {}, signs = [...cells];
  signs.forEach((sign, cell) => { if (isDisc(sign)) stones[squareOf(cell)] = words[sign].toLowerCase(); });
  for (const square of pairs(legal)) stones[square] = words.may;
  board.dataset.stones = JSON.stringify(stones);
  const lists = [listDiscs(cells, "X"), listDiscs(cells, "O"), pairs(legal)];
  forAll("#othello-told li", (line, index) => { if (index < 3) line.textContent = listAnew(line.textContent, lists[index]); });
}

// --- what stands around it ---

function stateWords(game: RoomGame): string {
  const [, mover, , passed] = game.places[at], { words } = game, most = game.moves.length;
  if (line) return fillText(words.line, { at: at - line.from, count: most - line.from });
  if (at === most || !mover) return words.last;
  return (passed ? fillText(words.passed, { color: words[otherOf(mover)] }) : "") + fillText(words.toMove, { color: words[mover] })
    + fillText(words.looking, { at, count: most });
}

function leaveButton(words: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.leave = "";
  button.textContent = words;
  return button;
}

function markCurrent(element: Element, isCurrent: boolean, kind: "true" | "step"): void {
  if (isCurrent) element.setAttribute("aria-current", kind);
  else element.removeAttribute("aria-current");
}

/** The way back stays the same button from step to step. */
function showLineState(state: HTMLElement, words: string, back: string): void {
  const { firstChild } = state;
  if (firstChild && state.querySelector("[data-leave]")) firstChild.textContent = `${words} `;
  else state.replaceChildren(`${words} `, leaveButton(back));
}

function showState(game: RoomGame): void {
  const words = stateWords(game);
  forAll(".othello-state", (state) => {
    if (line) {
      showLineState(state, words, game.words.back);
    } else if (state.textContent !== words) {
      leaveFocus(state);
      state.textContent = words;
    }
  });
}

function showBar(game: RoomGame): void {
  const [cells, mover] = game.places[at], most = game.moves.length, number = document.querySelector<HTMLInputElement>("#move-number");
  showState(game);
  disableSteps((by) => by < 0 ? at > 0 : at < most);
  forAll<HTMLButtonElement>("#othello-undo", (button) => { button.disabled = at === 0; });
  if (number && number !== document.activeElement) number.value = String(at);
  forAll(".move-count", (count) => { count.textContent = String(most); });
  forAll(".othello-sides tr[data-color]", (row) => {
    const { color = "" } = row.dataset;
    partOf(row, ".discs").textContent = String(countDiscs(cells, color));
    markCurrent(row, color === mover, "true");
  });
  forAll(".othello-moves button", (button) => markCurrent(button, !line && Number(button.dataset.to) === at, "step"));
  forAll<HTMLInputElement>("[name=seen]", (field) => { field.value = `${at}/${most}`; });
  if (game.isUsual) forAll<HTMLAnchorElement>(".play-on", (link) => { link.href = `/othello?from=${game.moves.slice(0, at).join("")}`; });
}

// What stands in the analysis. It comes anew with each level, and what has the focus in it keeps it.
let filled = "";
function fillStudy(game: RoomGame, place: HTMLElement, html: string): void {
  if (filled === html && place.querySelector("[data-place]")) return;
  const focused = place.contains(document.activeElement) ? document.activeElement as HTMLElement : null;
  // A line of a reason has no name but its moves, and may be another one now: then its row has the focus.
  const { id = "", dataset: { walk } = {} } = focused ?? {}, row = focused?.closest("tr")?.querySelector("th button")?.id;
  filled = html;
  place.innerHTML = html;
  place.querySelectorAll("td:last-child").forEach((why) => linkVertices(why, SQUARE, (named) => walkOfMove(game, named, at + 1, game.words.walk, at)));
  const lines = [...place.querySelectorAll<HTMLElement>("[data-walk]")];
  const again = document.getElementById(id) ?? lines.find((line) => line.dataset.walk === walk) ?? document.getElementById(row ?? "");
  if (focused) again?.focus({ preventScroll: true });
}

function showStudy(game: RoomGame): void {
  const place = document.getElementById("othello-analysis"), name = placeName(game), kept = studies.get(name);
  if (!place) return;
  if (kept) {
    fillStudy(game, place, kept);
  } else if (place.querySelector<HTMLElement>("[data-place]")?.dataset.place !== name) {
    const words = document.createElement("p");
    words.className = "quiet";
    words.textContent = line ? stateWords(game) : game.isStudied ? game.words.study : game.words.off;
    place.replaceChildren(words);
  }
}

function show(): void {
  const board = frame();
  if (!game || !board) return;
  const kept = boards.get(placeName(game));
  if (kept) drawKept(game, board, kept);
  else drawBoard(game, board);
  showBar(game);
  showChartPlace(line?.from ?? at);
  showStudy(game);
}

// --- a line that is only shown: places and moves of the game are those of the line until it is left ---

interface ShownLine extends Course {
  readonly from: number;
  /** The place whose text names the line: who leaves it is there again. Otherwise that is the place from which it goes on. */
  readonly told: number | undefined;
}
let line: ShownLine | null = null;

/** True if there is something to walk through. */
function layLine(game: RoomGame, squares: readonly string[], told?: number): boolean {
  const walked = courseWithLine(game, at, squares);
  if (walked.moves.length === at) return false;
  line = { from: at, told, places: game.places, moves: game.moves };
  Object.assign(game, walked);
  return true;
}

// The game is the game again; the place stays, as far as the game has it.
function dropLine(): void {
  if (!line || !game) return;
  const { from, places, moves } = line;
  line = null;
  Object.assign(game, { places, moves });
  at = Math.min(at, from);
}

function leaveLine(): void {
  if (!line || !game) return;
  const { told } = line;
  dropLine();
  if (told !== undefined) at = Math.min(told, game.moves.length);
  unlight();
  show();
  tellSquares();
}
document.addEventListener("click", (event) => { if (game && isHit(event.target, "[data-game] [data-leave]")) leaveLine(); });

/** Walks through these moves from here. */
function walkThrough(squares: readonly string[], told?: number): void {
  if (!game || !layLine(game, squares, told)) return;
  noteOpener();
  goTo(at + 1);
}

// --- lessons ---

const unlight = () => forAll("#othello-board .lit", (lit) => lit.remove());
rooms.othello = {
  goBefore(number) {
    leaveLine();
    goTo(number - 1);
    show();
  },
  isBefore: (number) => game !== null && !line && at === number - 1,
  showLine(squares) {
    leaveLine();
    walkThrough(squares);
  },
  showLineFrom(place, squares, told) {
    leaveLine();
    goTo(place);
    walkThrough(squares, told);
  },
  walkOfLesson: (named, number) => game && walkOfMove(line ?? game, named, number, game.words.walk),
  walkOfPlace: (named, place) => game && walkOfMove(line ?? game, named, place, game.words.walk, place),
  nameMove: (number) => game && number > 0 && number <= (line ?? game).moves.length ? fillText(game.words.moveNumber, { number }) : null,
  light(squares) {
    const board = frame();
    unlight();
    if (board) partOf(board, "svg").append(drawRings(gridOf(board), squares));
  },
};

// --- steps ---

function announce(game: RoomGame): void {
  const said = sayMove(game, at, game.words);
  if (said) forAll("#said", (place) => { place.textContent = said; });
}

/** Goes to a place. False if it is the one that is shown. */
function goTo(to: number): boolean {
  const next = Math.max(0, Math.min(to, game?.moves.length ?? 0));
  if (!game || next === at) return false;
  if (next === at + 1) playStone(0);
  at = next;
  // Who steps back beyond the beginning of a line is in the game again.
  if (line && at < line.from) dropLine();
  hidePreview();
  unlight();
  show();
  clearTimeout(resting);
  resting = setTimeout(rest, REST);
  return true;
}

// Somebody looks at a place for longer.
function rest(): void {
  resting = undefined;
  if (!game) return;
  announce(game);
  tellSquares();
  // The server does not know a line that is only shown.
  if (!line && game.thinks && at !== game.at && !isKnown(game)) void goThere(game);
}

function isKnown(game: RoomGame): boolean {
  const name = placeName(game);
  return (!game.isStudied || /data-done/.test(studies.get(name) ?? "")) && (game.overlay === "hints" || boards.has(name));
}

// The server's own place follows when it has something to do there.
async function goThere(game: RoomGame): Promise<void> {
  const answer = await fetch(`${room()}/go`, { method: "POST", headers: { "HX-Request": "true" }, body: new URLSearchParams({ to: String(at) }) });
  if (!answer.ok || answer.headers.get("hx-retarget") === "#message") tell(await answer.text());
  else game.at = at;
}

function step(by: string): void {
  goTo(by === "first" ? 0 : by === "last" ? game?.moves.length ?? 0 : at + Number(by));
}

/** Goes to the next of the listed faults (1), or to the last one before (-1), of whoever learns. If there is none, that is said. */
function goToFault(by: number, none: string): void {
  const color = chosenValue("learner") ?? "", rows = [...document.querySelectorAll<HTMLElement>("#othello-judged tr[data-after]")];
  const faults = rows.filter((row) => color === "" || row.dataset.color === color).map((row) => Number(row.dataset.after) + 1);
  const found = nextFault(faults, by, at, line && at > line.from ? line.from : null);
  tell(found === undefined ? none : "");
  if (found === undefined) return;
  leaveLine();
  goTo(found);
}
document.addEventListener("click", (event) => {
  const target = game && closestTo(event.target, "[data-step], [data-game] :is([data-to], .move-link), [data-mistake]");
  if (!target) return;
  const { mistake, none = "" } = target.dataset;
  if (mistake) {
    goToFault(Number(mistake), none);
    return;
  }
  if (target.dataset.step) {
    step(target.dataset.step);
    return;
  }
  leaveLine();
  goTo(Number(target.dataset.to ?? target.dataset.move));
});
onChartGo((number) => {
  if (!game) return;
  leaveLine();
  goTo(number);
});
document.addEventListener("change", (event) => {
  const number = closestTo<HTMLInputElement>(event.target, "#move-number");
  if (number) goTo(Number(number.value));
});
addEventListener("keydown", (event) => {
  const by = { PageUp: -10, PageDown: 10 }[event.key];
  if (!game || !by || event.defaultPrevented || isHit(event.target, "input, textarea, select, .scroll")) return;
  event.preventDefault();
  goTo(at + by);
});
onGhost("othello-board", (square) => {
  const [, mover, legal] = game?.places[at] ?? ["", "", ""];
  return mover && pairs(legal).includes(square) ? mover === "X" ? "black" : "white" : null;
});
// A move that comes next in the game is gone to.
document.addEventListener("board:point", (event) => {
  if (!game || (event.target as Element).id !== "othello-board") return;
  const isNext = game.moves[at] === event.detail.vertex;
  if (!isNext && !line) return;
  event.preventDefault();
  if (isNext) goTo(at + 1);
  else tell(game.words.leaveFirst);
});
// What is done is done at the place that is shown.
document.addEventListener("htmx:confirm", (event) => {
  const { path = "", verb, elt, question } = event.detail;
  if (!game || !frame() || !/^\/othello\/\w+\//.test(path)) return;
  // What is asked for is asked at a place that the server knows.
  leaveLine();
  if (game.at === at || /^\/othello\/\w+\/go$/.test(path) || elt.closest("[data-free]")) return;
  event.preventDefault();
  if (question && !confirm(question)) return;
  clearTimeout(resting);
  void goThere(game).then(() => {
    // The bar may have come anew meanwhile, and htmx asks nothing for a button that is gone. Those of the bar send no values.
    if (elt.isConnected) event.detail.issueRequest(true);
    else void htmx.ajax(verb, path, { swap: "none" });
  });
});

// --- the game comes, or comes anew ---

const isStudyOn = () => document.getElementById("othello-study")?.getAttribute("aria-pressed") === "true";

function readGame(text: Element): RoomGame {
  const known = readJson<OthelloGameJson>(text);
  return { ...known, isStudied: isStudyOn(), isUsual: known.places[0][0] === USUAL };
}

function adopt(): void {
  const text = document.getElementById("othello-boards"), board = frame();
  if (!text || !board) return;
  // A line that somebody walks through stays.
  const walked = line && game ? { squares: game.moves.slice(line.from), told: line.told, at } : null;
  dropLine();
  const old = game, before = old?.moves.slice(0, at).join(""), fresh = readGame(text);
  const isSame = fresh.moves.slice(0, at).join("") === before;
  const stays = old !== null && (resting !== undefined || old.at !== at) && isSame;
  game = fresh;
  if (!stays) at = fresh.at;
  if (walked && fresh.moves.slice(0, at).join("") === before && layLine(fresh, walked.squares, walked.told)) at = walked.at;
  if (!old) adoptFirst(fresh, board);
  show();
  tellSquares();
  if (old && !line && !stays && at === fresh.moves.length && fresh.moves.length > old.moves.length) {
    playStone(0);
    announce(fresh);
  }
}

function adoptFirst(game: RoomGame, board: HTMLElement): void {
  // Values that came with the page.
  if (game.overlay !== "hints") keepPlace(boards, placeName(game), board.parentElement?.innerHTML ?? "");
  onTurns(board, (by) => goTo(at + by));
}

// What is drawn and thought of a place is kept under its name, and shown if it is the one that is shown. The plain board is drawn here.
function hear(name: string, map: Map<string, string>): void {
  onLive(name, (event) => {
    if (!game || !frame()) return;
    event.preventDefault();
    const place = /data-place="([^"]*)"/.exec(event.detail)?.[1];
    if (place === undefined || name === "board" && place.startsWith("hints ")) return;
    keepPlace(map, place, event.detail);
    if (place === placeName(game)) show();
  });
}
hear("board", boards);
hear("study", studies);
// Another level looks anew at places that were seen before.
document.addEventListener("change", (event) => {
  if (isHit(event.target, "#othello-level")) studies.clear();
});
addEventListener("DOMContentLoaded", adopt);
document.addEventListener("live:after", (event) => {
  const { id } = event.target as Element;
  if (id === "othello-list") adopt();
  else if (/^othello-(status|players|judged)$/.test(id)) show();
  else if (id === "othello-switch" && game) game.isStudied = isStudyOn();
});

// --- a variation drawn on the board while somebody points at it ---
// <tr data-line="f5d6" data-after="12"> is shown in #othello-preview; without data-after it follows the board.

/** The line that is shown and the ply that it follows. The same line may follow several of them. */
let pointed: string | null = null;

async function preview(place: HTMLElement, line: string, after: string): Promise<void> {
  const wanted = whatIsPointedAt(line, after);
  pointed = wanted;
  const answer = await fetch(`${room()}/line?moves=${encodeURIComponent(line)}&after=${after}`);
  // Who points elsewhere by now wants another line, or none.
  if (answer.ok && pointed === wanted) place.innerHTML = await answer.text();
}
function whatIsPointedAt(line: string, after: string): string {
  return `${line}@${after}`;
}
function hidePreview(): void {
  pointed = null;
  document.getElementById("othello-preview")?.replaceChildren();
}
function follow(event: Event): void {
  const element = closestTo(event.target, "[data-game] [data-line]"), place = document.getElementById("othello-preview");
  const { line, after = String(at) } = element?.dataset ?? {};
  if (!line) {
    if (pointed !== null) hidePreview();
  } else if (place && pointed !== whatIsPointedAt(line, after)) {
    void preview(place, line, after);
  }
}
document.addEventListener("mouseover", follow);
document.addEventListener("focusin", follow);

// <button data-at="f5"> plays that move, as a click on the board does. With data-after="5" it is a move after so many of the game.
document.addEventListener("click", (event) => {
  const { at: square, after } = closestTo(event.target, "[data-game] button[data-at]")?.dataset ?? {}, board = frame();
  if (!square || !board) return;
  if (after !== undefined && (line || Number(after) !== at)) {
    leaveLine();
    goTo(Number(after));
  }
  choose(board, square);
});
