// Lessons of a review, of Go and of Othello: the place is lit on the board, an answer is played there and judged, lines are walked through. And the points that a text names
// light up where the text is pointed at.
"use strict";

// Points in texts: <span class="vertex" data-vertex="D4">.
function linkVertices(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.parentElement?.closest(".vertex, button, textarea, svg, title")) continue;
    const parts = text.data.split(/(?<![A-Za-z0-9])([A-HJ-T](?:1\d|2[0-5]|[1-9]))(?![A-Za-z0-9])/);
    if (parts.length < 2) continue;
    text.replaceWith(...parts.map((part, index) => {
      if (index % 2 === 0) return part;
      const span = document.createElement("span");
      span.className = "vertex";
      span.dataset.vertex = part;
      span.textContent = part;
      return span;
    }));
  }
}
{
  let asked = null;
  const linkAll = () => document.querySelectorAll(".go .told, .go .lesson p").forEach(linkVertices);
  addEventListener("DOMContentLoaded", linkAll);
  document.addEventListener("htmx:afterSwap", linkAll);

  const say = (lesson, kind, point) => {
    const verdict = lesson.querySelector(".verdict"), text = verdict.dataset[kind].replace("{point}", point);
    verdict.textContent = text;
    verdict.classList.toggle("good", kind === "right");
    verdict.classList.toggle("bad", kind === "wrong" || kind === "same");
    // The sheet of a phone is closed while the board is used.
    if (!verdict.checkVisibility() || innerWidth <= 800) tell(text);
  };
  const placesOf = ({ dataset }) => [dataset.played, dataset.better].filter(Boolean);
  // Both games have the same ways to go to a place, to show a line and to light points.
  const boardId = () => document.getElementById("othello-board") ? "othello-board" : "board";
  const page = () => boardId() === "board" ? goPage : othelloPage;
  const answersOf = (lesson) => {
    if (lesson.dataset.answers) return lesson.dataset.answers.split(" ");
    const line = lesson.querySelector("[data-lesson=better]")?.dataset.line;
    return [lesson.dataset.better, line?.split(",")[0].split(" ")[1]].filter(Boolean);
  };
  const ask = (lesson) => {
    asked = lesson;
    lesson.querySelector("details").open = false;
    page().goBefore(Number(lesson.dataset.number));
    page().light(placesOf(lesson), true);
    openSheet(false);
    say(lesson, "ask", "");
    document.getElementById(boardId()).focus({ preventScroll: innerWidth > 800 });
  };
  const showLine = (lesson, kind) => {
    const button = lesson.querySelector(`[data-lesson=${kind}]`), number = Number(lesson.dataset.number);
    if (!button) return;
    page().goBefore(number);
    // The refutation follows the move of the game.
    const played = `${lesson.dataset.color} ${lesson.dataset.played}`, line = (button.dataset.line ?? button.dataset.moves).split(",");
    page().showLine(kind === "better" ? line : [played, ...line]);
    openSheet(false);
  };
  const judge = (lesson, vertex) => {
    if (answersOf(lesson).includes(vertex)) {
      asked = null;
      lesson.classList.add("found");
      lesson.querySelector("details").open = true;
      showLine(lesson, "better");
      say(lesson, "right", vertex);
      return;
    }
    say(lesson, vertex === lesson.dataset.played ? "same" : "wrong", vertex);
    page().light(placesOf(lesson), true);
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-lesson]"), lesson = button?.closest(".lesson");
    if (!lesson || !page()) return;
    if (button.dataset.lesson === "try") ask(lesson);
    else showLine(lesson, button.dataset.lesson);
  });
  // An answer is no move of the game: the server is not asked.
  document.addEventListener("board:point", (event) => {
    if (!asked?.isConnected || event.target.id !== boardId() || !page()?.isBefore(Number(asked.dataset.number))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    judge(asked, event.detail.vertex);
  }, true);

  // Whose lessons are shown.
  let learner = null;
  const showLearner = () => {
    const boxes = [...document.querySelectorAll("[name=learner]")];
    if (!boxes.length) return;
    if (learner !== null) for (const box of boxes) box.checked = box.value === learner;
    const color = boxes.find((box) => box.checked)?.value ?? "";
    for (const lesson of document.querySelectorAll(".lesson[data-color]")) lesson.hidden = color !== "" && lesson.dataset.color !== color;
  };
  document.addEventListener("change", (event) => {
    if (event.target.name !== "learner") return;
    learner = event.target.value;
    showLearner();
  });
  addEventListener("DOMContentLoaded", showLearner);
  document.addEventListener("htmx:afterSwap", showLearner);
  document.addEventListener("live:after", showLearner);

  // What is pointed at is lit.
  let isLit = false;
  document.addEventListener("mouseover", (event) => {
    const vertex = event.target.closest?.(".vertex");
    if (vertex) goPage?.light([vertex.dataset.vertex], false);
    else if (isLit) document.querySelector("#board .hover .lit")?.remove();
    isLit = Boolean(vertex);
  });
  document.addEventListener("click", (event) => {
    const vertex = event.target.closest(".vertex");
    if (vertex) goPage?.light([vertex.dataset.vertex], false);
  });
}
