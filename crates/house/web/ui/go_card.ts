// A mistake of Go that is asked again (`#card`): once it is answered, lines of the lesson are walked through on its board, as on that of a game. The page
// brings the position before the mistake and then the mistake: <script id="card-game" type="application/json">.
import "./htmx";
import { closestTo, elementOf, partOf } from "./dom";
import { leaveFocus, noteOpener } from "./focus";
import { tellStones, writeText } from "./go_beside";
import { drawRemarks, drawStone } from "./go_drawing";
import { walkOf } from "./go_walks";
import { playStone } from "./motion";
import { rooms } from "./rooms";
import { type CardGameJson, readJson } from "./server";
import { fillText } from "./texts";
import { PageGame } from "./tree";

let game: PageGame | null = null;
/** What the server has drawn on the position that was asked about. */
let drawnBefore: readonly Node[] = [];

const board = () => elementOf("card-board");
const layer = (name: string) => partOf<SVGGElement>(board(), `svg .${name}`);

function show(game: PageGame): void {
  const { current } = game, stones = [...game.board(current).cells].flatMap((color, cell) => color ? [drawStone(game, cell, color)] : []);
  layer("shadows").replaceChildren(...stones.map(({ shadow }) => shadow));
  layer("stones").replaceChildren(...stones.map(({ stone }) => stone));
  layer("remarks").replaceChildren(...(current === 0 ? drawnBefore : drawRemarks(game, false)));
  tellStones(board(), game);
  writeText("#card-board-says", game.sayMove());
}

function goTo(game: PageGame, index: number): void {
  if (index === game.current) return;
  const isForward = game.nodes[index].p === game.current;
  game.stand(index);
  if (isForward) playStone(game.board(index).captured);
  show(game);
}

const steps = () => partOf<HTMLElement>(document, ".card-steps");

function leaveLine(game: PageGame): void {
  game.leaveLine();
  goTo(game, 0);
  show(game);
  leaveFocus(steps());
  steps().hidden = true;
}

function walk(game: PageGame, node: number, moves: readonly string[]): void {
  game.leaveLine();
  game.stand(node);
  if (!game.showLine(moves)) return;
  noteOpener();
  steps().hidden = false;
  playStone(game.board(game.current).captured);
  show(game);
}

function adopt(): void {
  const text = document.getElementById("card-game");
  game = null;
  rooms.card = null;
  if (!text) return;
  const known = readJson<CardGameJson>(text), own = new PageGame(known, known.words);
  game = own;
  drawnBefore = [...layer("remarks").childNodes];
  rooms.card = {
    showLineFrom: (node, moves) => walk(own, node, moves),
    walkOfPlace: (line, node) => walkOf(own, line, node),
  };
}
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id === "card") adopt();
});

document.addEventListener("click", (event) => {
  const button = closestTo(event.target, "[data-card-step], [data-card-leave]");
  // Keys press steps that are not shown, too.
  if (!game || !button || steps().hidden) return;
  const { cardStep } = button.dataset;
  if (cardStep === undefined) leaveLine(game);
  else goTo(game, game.stepped(Number(cardStep)));
});

// An answer may be searched for some seconds, which is said at once. What could not be asked is asked again.
const unanswered = () => document.querySelector<HTMLElement>("#card .verdict[data-searching]");
let asked = "";

document.addEventListener("htmx:beforeRequest", (event) => {
  const verdict = unanswered(), { at } = event.detail.requestConfig.parameters;
  if (!verdict || typeof at !== "string") return;
  asked ||= verdict.textContent;
  verdict.textContent = fillText(verdict.dataset.searching ?? "", { point: at });
});
document.addEventListener("htmx:afterRequest", (event) => {
  // Other requests of the page say nothing of the answer.
  if (typeof event.detail.requestConfig.parameters.at !== "string") return;
  const verdict = unanswered();
  if (verdict && asked) verdict.textContent = asked;
  asked = "";
});
