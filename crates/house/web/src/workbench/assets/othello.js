// Othello: a variation drawn on the board while somebody points at it, and clocks that run.
// <tr data-line="f5d6" data-after="12"> is shown in #othello-preview; without data-after it follows the board.
{
  let shown = null;

  const show = async (element) => {
    const game = element.closest("[data-game]"), preview = document.getElementById("othello-preview");
    if (!game || !preview || shown === element.dataset.line) return;
    const line = shown = element.dataset.line;
    const after = element.dataset.after === undefined ? "" : `&after=${element.dataset.after}`;
    const answer = await fetch(`${game.dataset.game}/line?moves=${encodeURIComponent(line)}${after}`);
    // Who points elsewhere by now wants another line, or none.
    if (answer.ok && shown === line) preview.innerHTML = await answer.text();
  };
  const hide = () => {
    shown = null;
    document.getElementById("othello-preview")?.replaceChildren();
  };
  const follow = (event) => {
    const element = event.target.closest?.("[data-line]");
    if (element?.dataset.line) show(element);
    else if (shown !== null) hide();
  };
  document.addEventListener("mouseover", follow);
  document.addEventListener("focusin", follow);

  // <button data-at="f5"> plays that move, as a click on the board does.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-game] button[data-at]");
    const board = button && document.getElementById("othello-board");
    if (board) choose(board, button.dataset.at);
  });

  // <input type="file" data-base64-into="#field">: the file's bytes go into that field.
  document.addEventListener("change", async (event) => {
    const input = event.target.closest("input[type=file][data-base64-into]");
    if (!input || !input.files.length) return;
    const reader = new FileReader();
    reader.onload = () => {
      document.querySelector(input.dataset.base64Into).value = reader.result.slice(reader.result.indexOf(",") + 1);
    };
    reader.readAsDataURL(input.files[0]);
  });

  // Steps are drawn here at once, and the server is told where somebody stays: all boards of the game are in #othello-boards.
  const REST = 250;
  let at = null, told = 0;
  const known = () => JSON.parse(document.getElementById("othello-boards")?.textContent ?? "null");
  const draw = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const drawBoard = ({ boards, moves }) => {
    const { margin, field } = document.getElementById("othello-board").dataset, parts = [];
    const center = (index) => [index % 8, Math.floor(index / 8)].map((place) => Number(margin) + place * Number(field));
    [...boards[at]].forEach((sign, index) => {
      if (sign !== "X" && sign !== "O") return;
      const [cx, cy] = center(index), fill = `url(#stone-${sign === "X" ? "black" : "white"})`;
      parts.push(draw("circle", { cx: cx + 0.9, cy: cy + 1.6, r: 13.8, fill: "url(#stone-shadow)" }), draw("circle", { cx, cy, r: 12.5, fill }));
    });
    const last = moves[at - 1];
    if (last) {
      const [cx, cy] = center(last.charCodeAt(0) - 97 + 8 * (Number(last[1]) - 1));
      parts.push(draw("circle", { cx, cy, r: 4.5, fill: "none", stroke: "#e5533d", "stroke-width": 2.5 }));
    }
    document.querySelector("#othello-board .played").replaceChildren(...parts);
    const most = boards.length - 1;
    for (const [id, isOff] of [["first", at === 0], ["back", at === 0], ["forth", at === most], ["last", at === most]]) {
      document.getElementById(`othello-${id}`).disabled = isOff;
    }
    for (const button of document.querySelectorAll(".othello-moves button")) {
      if (button.id === `othello-move-${at}`) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
  };
  const stay = () => {
    const game = document.querySelector("[data-game]");
    told = 0;
    if (game) htmx.ajax("POST", `${game.dataset.game}/go`, { swap: "none", values: { to: at } });
  };
  document.addEventListener("htmx:confirm", (event) => {
    const { path, elt } = event.detail, game = known();
    if (!game || !/^\/othello\/\w+\/go$/.test(path) || !elt.hasAttribute("hx-vals")) return;
    event.preventDefault();
    const from = at ?? game.at, by = { "othello-back": from - 1, "othello-forth": from + 1 }[elt.id];
    at = Math.max(0, Math.min(by ?? JSON.parse(elt.getAttribute("hx-vals")).to, game.boards.length - 1));
    drawBoard(game);
    clearTimeout(told);
    told = setTimeout(stay, REST);
  });
  // What the server says of an earlier place is too late while somebody steps on.
  for (const name of ["board", "status"]) {
    document.addEventListener(`live:${name}`, (event) => {
      if (told && document.getElementById("othello-board")) event.preventDefault();
    });
  }
  document.addEventListener("live:after", (event) => {
    if (event.target.id === "othello-list" && !told) at = null;
  });

  const begun = new WeakMap();
  setInterval(() => {
    for (const clock of document.querySelectorAll("[data-clock]")) {
      if (!begun.has(clock)) begun.set(clock, performance.now());
      const left = Number(clock.dataset.clock) - (performance.now() - begun.get(clock));
      const seconds = Math.max(0, Math.ceil(left / 1000));
      clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      if (left < -200 && clock.dataset.ask) {
        htmx.ajax("POST", clock.dataset.ask, { swap: "none" });
        delete clock.dataset.ask;
      }
    }
  }, 250);
}
