// Lessons of a review, of Go and of Othello: the place is lit on the board, an answer is played there and judged, lines are walked through. In Go the server is asked to search
// answers that the review does not know. And the points that a text names light up where the text is pointed at, by keys and by a finger, too.
import "./htmx";
import { boardOf, emptyLayer } from "./board";
import { closestTo, drawSvg, elementOf, fieldNamed, forAll, isHit, partOf } from "./dom";
import { onLive } from "./events";
import { tell, tellUnreachable } from "./messages";
import { choosePane, openSheet } from "./panes";
import { type LessonBoard, rooms, type WalkBoard } from "./rooms";
import { type FindWalk, SQUARE, VERTEX } from "./lines";
import type { WhyProgress } from "./server";
import { fillText } from "./texts";
import { linkVertices, namedVertex, vertexToLight } from "./vertices";

type Verdict = "ask" | "right" | "wrong" | "same";
let asked: HTMLElement | null = null;
const movesOf = (button: HTMLElement): string[] => (button.dataset.walk ?? "").split(",");

/**
 * Where lines go on from that a text names: a lesson is about its move, a warning about the last one, a fault in a list about the move after a place, and an
 * answer about a place, with lines of its own.
 */
function wayOf(text: Element): FindWalk | undefined {
  const room = page(), lesson = text.closest<HTMLElement>(".lesson[data-number]"), about = text.closest<HTMLElement>("[data-about]")?.dataset.about;
  const after = text.closest<HTMLElement>("tr[data-after]")?.dataset.after;
  const answer = closestTo(text, "#why")?.querySelector<HTMLElement>(".walks[data-node]");
  if (lesson) return (line) => room?.walkOfLesson(line, numberOf(lesson)) ?? null;
  if (about !== undefined) return (line) => walkBoard()?.walkOfPlace(line, Number(about)) ?? null;
  if (after !== undefined) return (line) => room?.walkOfLesson(line, Number(after) + 1) ?? null;
  if (!answer) return undefined;
  const place = Number(answer.dataset.node), known = [...answer.querySelectorAll<HTMLElement>("[data-walk]")].map(movesOf);
  return (line) => room?.walkOfAnswer?.(line, place, known) ?? null;
}
const TEXTS_OF_GO = ".go .told, .go .lesson :is(h4, p), .go .summary, main > .question, #card .told";
const TEXTS_OF_OTHELLO = ".warning .told, .lesson :is(h4, p:not(.verdict)), #othello-judged > p, #othello-judged td:last-child, #card .told";
function linkAll(): void {
  // Boards of Othello count their rows downwards.
  const isOthello = document.querySelector(".board[data-downwards]") !== null;
  const nameMove = (number: number) => page()?.nameMove(number) ?? null;
  forAll(isOthello ? TEXTS_OF_OTHELLO : TEXTS_OF_GO, (text) => linkVertices(text, isOthello ? SQUARE : VERTEX, wayOf(text), nameMove));
}
addEventListener("DOMContentLoaded", linkAll);
for (const name of ["htmx:afterSwap", "live:after"]) document.addEventListener(name, linkAll);

function sayVerdict(lesson: HTMLElement, text: string, tone: "good" | "bad" | ""): void {
  const verdict = partOf(lesson, ".verdict");
  verdict.textContent = text;
  verdict.classList.toggle("good", tone === "good");
  verdict.classList.toggle("bad", tone === "bad");
  // The sheet of a phone is closed while the board is used.
  if (!verdict.checkVisibility() || innerWidth <= 800) tell(text);
  else (searchPlace(lesson)?.firstElementChild ?? verdict).scrollIntoView({ block: "nearest" });
}
function say(lesson: HTMLElement, kind: Verdict, point: string): void {
  const text = fillText(partOf(lesson, ".verdict").dataset[kind] ?? "", { point });
  sayVerdict(lesson, text, kind === "right" ? "good" : kind === "ask" ? "" : "bad");
}

const placesOf = ({ dataset }: HTMLElement): string[] => [dataset.played, dataset.better].filter((place) => place !== undefined && place !== "") as string[];
const numberOf = ({ dataset }: HTMLElement): number => Number(dataset.number);
// Both games have the same ways to go to a place, to show a line and to light points.
const boardId = () => document.getElementById("othello-board") ? "othello-board" : "board";
const page = (): LessonBoard | null => boardId() === "board" ? rooms.go : rooms.othello;
const walkBoard = (): WalkBoard | null => rooms.card ?? page();

function answersOf(lesson: HTMLElement): string[] {
  const { answers, better } = lesson.dataset;
  if (answers) return answers.split(" ");
  const line = lesson.querySelector<HTMLElement>("[data-lesson=better]")?.dataset.line;
  return [better, line?.split(",")[0].split(" ")[1]].filter((answer) => answer !== undefined && answer !== "") as string[];
}

function openAnswer(lesson: HTMLElement, isOpen: boolean): void {
  partOf<HTMLDetailsElement>(lesson, "details").open = isOpen;
}

function ask(lesson: HTMLElement, page: LessonBoard): void {
  asked = lesson;
  endSearch();
  openAnswer(lesson, false);
  page.goBefore(numberOf(lesson));
  page.light(placesOf(lesson), true);
  openSheet(false);
  say(lesson, "ask", "");
  // The question is in the sheet.
  if (innerWidth <= 800) tell(`${partOf(lesson, ".question").textContent} ${partOf(lesson, ".verdict").textContent}`);
  elementOf(boardId()).focus({ preventScroll: innerWidth > 800 });
}

/** Shows a line of a lesson: the better one, the refutation, or one that was tried (`tried-0`), as its button is called. */
function showLine(lesson: HTMLElement, kind: string, page: LessonBoard): void {
  const button = lesson.querySelector<HTMLElement>(`[data-lesson=${kind}]`), { color, played } = lesson.dataset;
  if (!button) return;
  page.goBefore(numberOf(lesson));
  // The refutation follows the move of the game.
  const line = (button.dataset.line ?? button.dataset.moves ?? "").split(",");
  // Lines of Go name colours.
  const mistake = button.dataset.line === undefined ? String(played) : `${color} ${played}`;
  page.showLine(kind === "refuted" ? [mistake, ...line] : line);
  openSheet(false);
}

/** The right answer is found. */
function close(lesson: HTMLElement): void {
  asked = null;
  lesson.classList.add("found");
  openAnswer(lesson, true);
}

function judge(lesson: HTMLElement, vertex: string, page: LessonBoard): void {
  endSearch();
  const isRight = answersOf(lesson).includes(vertex), isSame = vertex === lesson.dataset.played;
  if (isRight) {
    close(lesson);
    showLine(lesson, "better", page);
    say(lesson, "right", vertex);
  } else if (!isSame && searchPlace(lesson)) {
    void searchAnswer(lesson, vertex, page);
  } else {
    say(lesson, isSame ? "same" : "wrong", vertex);
    page.light(placesOf(lesson), true);
  }
}

/** An answer that is being searched. Another one, or another lesson, ends that. */
interface AnswerSearch {
  readonly lesson: HTMLElement;
  readonly vertex: string;
  /** Under which the server tells whether it waits. */
  readonly asker: string;
  readonly ending: AbortController;
  /** Has the answer come? What is told of the search after that is late. */
  isOver: boolean;
}
let search: AnswerSearch | null = null;

/** Where a lesson shows what a search has found; nothing where the server searches no answers. */
const searchPlace = (lesson: HTMLElement): HTMLElement | null => lesson.querySelector<HTMLElement>(".searched");

function endSearch(): void {
  search?.ending.abort();
  if (search) searchPlace(search.lesson)?.replaceChildren();
  search = null;
}

/** What the server says of an answer: a row with the words, and a button for its line. Nothing if it does not search it, which is told then. */
async function fetchAnswer({ lesson, vertex, asker, ending }: AnswerSearch): Promise<string | null> {
  const body = new URLSearchParams({ number: lesson.dataset.number ?? "", at: vertex, asker });
  const headers = { "HX-Request": "true" }, path = searchPlace(lesson)?.dataset.path ?? "";
  try {
    const answer = await fetch(path, { method: "POST", headers, body, signal: ending.signal }), text = await answer.text();
    if (answer.ok && answer.headers.get("hx-retarget") !== "#message") return text;
    tell(text);
  } catch {
    if (!ending.signal.aborted) tellUnreachable();
  }
  return null;
}

async function searchAnswer(lesson: HTMLElement, vertex: string, page: LessonBoard): Promise<void> {
  const own: AnswerSearch = { lesson, vertex, asker: Math.random().toString(36).slice(2), ending: new AbortController(), isOver: false };
  search = own;
  const place = searchPlace(lesson) as HTMLElement, { searching, unsearched } = place.dataset;
  sayVerdict(lesson, fillText(searching ?? "", { point: vertex }), "");
  page.light([vertex], false);
  const found = await fetchAnswer(own);
  own.isOver = true;
  if (search !== own) return;
  if (found === null) partOf(lesson, ".verdict").textContent = fillText(unsearched ?? "", { point: vertex });
  else showFound(own, found, page);
}

/** Says what was found of an answer, with a button for its line. A good one is an answer, too. */
function showFound({ lesson, vertex }: AnswerSearch, found: string, page: LessonBoard): void {
  const place = searchPlace(lesson) as HTMLElement;
  htmx.swap(place, found, { swapStyle: "innerHTML", swapDelay: 0, settleDelay: 0 });
  const { said, good } = partOf(place, "[data-said]").dataset, line = place.querySelector<HTMLElement>("[data-walk]");
  const isGood = good !== undefined, isThere = page.isBefore(numberOf(lesson));
  if (isGood) close(lesson);
  // Who has gone elsewhere meanwhile stays there.
  if (isGood && isThere) page.showLine(line ? movesOf(line) : [`${lesson.dataset.color} ${vertex}`]);
  else if (isThere) page.light(placesOf(lesson), true);
  sayVerdict(lesson, said ?? "", isGood ? "good" : "bad");
}

onLive("why", (event) => {
  const { asker, progress } = JSON.parse(event.detail) as { asker: string; progress: WhyProgress };
  if (!search || search.isOver || asker !== search.asker) return;
  const { waits, searching } = (searchPlace(search.lesson) as HTMLElement).dataset;
  sayVerdict(search.lesson, fillText((progress.waits ? waits : searching) ?? "", { point: search.vertex }), "");
});

// A lesson that is being answered stays so where its part of the page comes anew.
function keepAsking(): void {
  const room = page();
  if (!asked || asked.isConnected || !room) return;
  const number = numberOf(asked), fresh = document.querySelector<HTMLElement>(`.lesson[data-number="${number}"]`);
  asked = room.isBefore(number) ? fresh : null;
  if (asked) say(asked, "ask", "");
}
for (const name of ["htmx:afterSwap", "live:after"]) document.addEventListener(name, keepAsking);

document.addEventListener("click", (event) => {
  const button = closestTo(event.target, "[data-lesson]"), lesson = button?.closest<HTMLElement>(".lesson"), room = page();
  if (!button || !lesson || !room) return;
  const wish = button.dataset.lesson;
  if (wish === "try") ask(lesson, room);
  else showLine(lesson, wish ?? "better", room);
});
// Lines of an answer to "why", and of texts.
document.addEventListener("click", (event) => {
  const button = closestTo(event.target, "[data-walk]"), node = button?.closest<HTMLElement>("[data-node]")?.dataset.node;
  if (!button || node === undefined) return;
  const { told } = button.dataset;
  walkBoard()?.showLineFrom(Number(node), movesOf(button), told === undefined ? undefined : Number(told));
  openSheet(false);
});
// An answer is no move of the game: the server is not asked.
document.addEventListener("board:point", (event) => {
  const room = page();
  if (!asked?.isConnected || !room || (event.target as Element).id !== boardId() || !room.isBefore(numberOf(asked))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  judge(asked, event.detail.vertex, room);
}, true);

// Whose lessons are shown.
let learner: string | null = null;
function showLearner(): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>("[name=learner]")];
  if (!boxes.length) return;
  if (learner !== null) for (const box of boxes) box.checked = box.value === learner;
  const color = boxes.find((box) => box.checked)?.value ?? "";
  forAll(".lesson[data-color]", (lesson) => { lesson.hidden = color !== "" && lesson.dataset.color !== color; });
}
document.addEventListener("change", (event) => {
  const box = fieldNamed(event, "learner");
  if (!box) return;
  learner = box.value;
  showLearner();
});
addEventListener("DOMContentLoaded", showLearner);
// Who comes from a problem that was made of a lesson (#lesson-12) is at its place.
addEventListener("DOMContentLoaded", () => {
  const number = /^#lesson-(\d+)$/.exec(location.hash)?.[1] ?? "", lesson = document.querySelector<HTMLElement>(`.lesson[data-number="${number}"]`), room = page();
  if (!lesson || !room) return;
  choosePane("learn");
  if (lesson.hidden) {
    learner = "";
    showLearner();
  }
  room.goBefore(numberOf(lesson));
  room.light(placesOf(lesson), true);
  lesson.scrollIntoView({ block: "nearest" });
});
document.addEventListener("htmx:afterSwap", showLearner);
document.addEventListener("live:after", showLearner);

// What a pointer, the keys or a finger come to is lit.
let isLit = false;
/** A ring on a board that has no game in the page, such as that of a problem. */
function ring(frame: HTMLElement, vertex: string): void {
  const { left, top, size, rows, letters, downwards } = boardOf(frame), column = letters.indexOf(vertex[0]), layer = frame.querySelector(".hover");
  if (column < 0 || !layer) return;
  const number = Number(vertex.slice(1)), row = downwards ? number - 1 : rows - number;
  const picture = emptyLayer(frame), cx = left + column * size, cy = top + row * size;
  picture.append(drawSvg("circle", { cx, cy, r: 0.58 * size, class: "point" }));
  layer.replaceChildren(picture);
}
function light(vertex: string): void {
  const frame = document.querySelector<HTMLElement>(".board[data-columns]");
  if (!frame) return;
  if (frame.id === "board") rooms.go?.light([vertex], false);
  else if (frame.id === "othello-board") rooms.othello?.light([vertex], false);
  else ring(frame, vertex);
}
function lightOrLeave(event: Event): void {
  const vertex = vertexToLight(event);
  if (vertex) light(vertex);
  else if (isLit) forAll(".board .lit", (lit) => lit.remove());
  isLit = vertex !== undefined;
}
for (const name of ["mouseover", "focusin"]) document.addEventListener(name, lightOrLeave);
/** The sheet of a phone gives way where it covers what is lit. */
function showLit(): void {
  const box = document.querySelector(".board .lit .point")?.getBoundingClientRect();
  if (box && isHit(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2), ".sheet")) openSheet(false);
}
document.addEventListener("click", (event) => {
  const vertex = namedVertex(event.target);
  if (!vertex) return;
  light(vertex);
  isLit = true;
  showLit();
});
