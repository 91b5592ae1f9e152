// What stands around the board of a game of Go: bar, players, variations, remark, the review's words, what engines think.
import { showChartPlace } from "./value_chart";
import { fill, forAll, isHit, partOf } from "./dom";
import { disableSteps, leaveFocus } from "./focus";
import { areaText, showArea } from "./go_area";
import { Variations } from "./go_variations";
import type { GoTableJson } from "./server";
import { fillText, listAnew, percent, signed } from "./texts";
import { type GoBoard, nameOfPlace, PageGame } from "./tree";
import { walkOf } from "./go_walks";
import { VERTEX } from "./lines";
import { linkVertices } from "./vertices";

/** The game of the room. */
export class GoTable extends PageGame {
  readonly persons: readonly [boolean, boolean];
  readonly over: boolean;
  readonly counting: boolean;
  readonly analysing: boolean;
  private readonly terms: string;

  constructor(known: GoTableJson) {
    super(known, known.words);
    ({ persons: this.persons, over: this.over, counting: this.counting, analysing: this.analysing } = known);
    this.terms = known.terms.join("/");
  }

  /** The name by which what is thought of a place is kept: with another komi, other rules or another area it is another one. */
  spot(index: number): string {
    return nameOfPlace(`${this.terms} ${areaText()} ${this.place(index)}`);
  }

  isHere(): boolean {
    return this.current === this.node;
  }
}

/** What an engine thought of a place, as the server has drawn and written it. */
export interface Thought {
  readonly overlay?: string;
  readonly words?: string;
}

/** Writes a text where it does not stand already. */
export function writeText(selector: string, text: string): void {
  forAll(selector, (element) => { if (element.textContent !== text) element.textContent = text; });
}

/** Says what stands on a board, for screen readers. */
export function tellStones(board: HTMLElement, game: PageGame): void {
  const stones: Record<string, string> = {}, lists = game.listStones();
  lists.forEach((vertices, at) => {
    for (const vertex of vertices) stones[vertex] = at ? game.words.white : game.words.black;
  });
  board.dataset.stones = JSON.stringify(stones);
  forAll(`#${board.id}-text p`, (line, at) => { line.textContent = listAnew(line.textContent, lists[at]); });
}

const disableAll = (selector: string, isDisabled: boolean) => forAll<HTMLButtonElement>(selector, (button) => { button.disabled = isDisabled; });

export function showSteps(game: PageGame): void {
  disableSteps((by) => by < 0 ? game.current > 0 : game.next(game.current) !== undefined);
}

function showBar(game: GoTable, { moves, toMove }: GoBoard): void {
  const count = String(game.countMoves()), number = partOf<HTMLInputElement>(document, "#move-number");
  number.max = count;
  number.value = String(moves);
  writeText(".move-count", count);
  writeText(".turn", game.words.toMove[toMove - 1]);
  showSteps(game);
  for (const deed of ["undo", "cut", "promote"]) disableAll(`[hx-post$="/do/${deed}"]`, game.current === 0);
  disableAll(".why-played", !game.nodes[game.current].m);
  forAll(".engine-turn", (span) => { span.hidden = game.persons[toMove - 1]; });
}

function showPlayers(game: GoTable, { taken, toMove }: GoBoard): void {
  const isOpen = !game.over && !game.counting;
  forAll(".player[data-color]", (row) => {
    const color = row.dataset.color?.toUpperCase() === "B" ? 1 : 2, words = row.querySelector("em");
    row.classList.toggle("to-move", isOpen && color === toMove);
    partOf(row, ".prisoners").textContent = String(taken[color - 1]);
    if (words) words.hidden = color !== toMove;
  });
}

// Only a remark that was scrolled is scrolled back: browsers lay out the whole page for that, which a step has no time for.
document.addEventListener("scroll", ({ target }) => { if (isHit(target, ".remark")) (target as HTMLElement).dataset.scrolled = ""; }, { capture: true, passive: true });

function scrollBack(remark: HTMLElement): void {
  if (remark.dataset.scrolled === undefined) return;
  delete remark.dataset.scrolled;
  remark.scrollTop = 0;
}

function showComment(game: GoTable): void {
  const field = document.querySelector<HTMLTextAreaElement>("#comment"), remark = document.querySelector<HTMLElement>(".remark");
  const place = game.textPlace(), text = game.nodes[place].c ?? "";
  // The same words elsewhere name lines that begin elsewhere.
  if (remark && (remark.textContent !== text || text && remark.dataset.at !== String(place))) {
    remark.textContent = text;
    remark.hidden = !text;
    scrollBack(remark);
    remark.dataset.at = String(place);
    linkVertices(remark, VERTEX, (line) => walkOf(game, line, place), (number) => game.nameOfTold(number, false));
  }
  if (!field || field.defaultValue === text && field.value === text) return;
  field.defaultValue = text;
  field.value = text;
}

function showReview(game: GoTable): void {
  const { review } = game, words = document.querySelector(".after-move");
  if (!review) return;
  showChartPlace(game.board(game.current).moves);
  const row = review.find(([node]) => node === game.current);
  if (!words) return;
  const [, rate, lead, badge] = row ?? [];
  const text = rate === undefined || lead === undefined ? "" : fillText(game.words.after, { share: percent(rate), lead: signed(lead) });
  fill(words, <>{text}{badge && <strong class="bad"> {badge}</strong>}</>);
}

function showThoughts(game: GoTable, known: Thought | undefined): void {
  const layer = document.querySelector("#board [sse-swap=overlay]"), list = document.querySelector(".thought");
  if (layer && (layer.firstChild || known)) layer.innerHTML = known?.overlay ?? "";
  if (list && (list.firstChild || known || game.analysing)) list.innerHTML = known?.words ?? "";
  if (list && game.analysing && !known?.words) writeText(".thought", game.words.pondering);
}

/** That a line is shown, how far one is in it, and the way back. */
function showLineNote(game: GoTable): void {
  const state = document.querySelector<HTMLElement>(".bar .state");
  if (!state) return;
  state.classList.toggle("in-line", game.isInLine());
  let note = state.querySelector(".line-note");
  if (!game.isInLine()) {
    if (note) leaveFocus(note);
    note?.remove();
    return;
  }
  if (!note) {
    note = document.createElement("span");
    note.className = "line-note";
    state.append(note);
  }
  const words = fillText(game.words.line, { at: game.current - game.own + 1, count: game.nodes.length - game.own });
  fill(note, <>{words} <button type="button" data-leave="">{game.words.back}</button></>);
}

/** Shows the place everywhere around the board. */
export function showBeside(game: GoTable, thought: Thought | undefined, onGo: (node: number) => void): void {
  const now = game.board(game.current), variations = document.querySelector("#table .variations");
  forAll<HTMLInputElement>("[name=node]", (field) => { field.value = String(game.ownPlace()); });
  forAll<HTMLInputElement>("[name=spot]", (field) => { field.value = game.spot(game.current); });
  forAll(".here-only", (element) => { element.hidden = !game.isHere(); });
  showBar(game, now);
  showPlayers(game, now);
  if (variations) fill(variations, <Variations game={game} onGo={onGo} />);
  showComment(game);
  showReview(game);
  showArea();
  showThoughts(game, thought);
  showLineNote(game);
}
