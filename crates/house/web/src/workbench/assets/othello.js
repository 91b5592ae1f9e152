// The game of Othello lives in the page: <script id="othello-boards" type="application/json"> brings all its places and the words it needs, and steps
// are made here, without the server. It is asked to play, to think and to keep: where somebody stays while it thinks, and where something is done.
"use strict";
// What lessons do with the game: goBefore(number), isBefore(number), showLine(["d3", …]), light([square, …]).
let othelloPage = null;
{
  const REST = 250;
  // What was thought of places is kept for so many of them.
  const KEPT = 200;
  let game = null, at = 0, told = 0;
  // By the moves that lead there and what is shown: what the server has drawn on the squares, and its table.
  const boards = new Map(), studies = new Map();
  const frame = () => document.getElementById("othello-board");
  const all = (selector, work) => document.querySelectorAll(selector).forEach(work);
  const seen = () => `${at}/${game.moves.length}`;
  const placeName = () => `${game.overlay} ${game.moves.slice(0, at).join("")}`;
  const keep = (map, name, value) => {
    map.delete(name);
    map.set(name, value);
    if (map.size > KEPT) map.delete(map.keys().next().value);
  };
  const parse = (html) => new DOMParser().parseFromString(html, "text/html");
  const cellOf = (square) => square.charCodeAt(0) - 97 + 8 * (Number(square[1]) - 1);
  const squareOf = (cell) => String.fromCharCode(97 + cell % 8) + (Math.floor(cell / 8) + 1);
  const pairs = (text) => text.match(/../g) ?? [];

  // --- the board ---

  const draw = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const center = (cell) => {
    const { margin, field } = frame().dataset;
    return [cell % 8, Math.floor(cell / 8)].map((place) => Number(margin) + place * Number(field));
  };
  const drawDisc = (cell, sign) => {
    const [cx, cy] = center(cell);
    const shadow = draw("circle", { cx: cx + 0.9, cy: cy + 1.6, r: 13.8, fill: "url(#stone-shadow)" });
    const disc = draw("circle", { cx, cy, r: 12.5, fill: `url(#stone-${sign === "X" ? "black" : "white"})` });
    return [shadow, disc];
  };
  // What was there a step ago, for discs that turn over.
  let shown = null;
  const drawBoard = () => {
    const [cells, , legal] = game.places[at], parts = [], last = game.moves[at - 1];
    const isStep = shown !== null && Math.abs(shown.at - at) === 1 && isCalm();
    [...cells].forEach((sign, cell) => {
      if (sign !== "X" && sign !== "O") return;
      const [shadow, disc] = drawDisc(cell, sign), before = shown?.cells[cell];
      if (isStep && (before === "X" || before === "O") && before !== sign) disc.classList.add("flipped");
      parts.push(shadow, disc);
    });
    for (const square of pairs(legal)) {
      const [cx, cy] = center(cellOf(square));
      parts.push(draw("circle", { cx, cy, r: 3.5, fill: "#f2f2ea", "fill-opacity": 0.75 }));
    }
    if (last) {
      const [cx, cy] = center(cellOf(last));
      parts.push(draw("circle", { cx, cy, r: 4.5, fill: "none", stroke: "#e5533d", "stroke-width": 2.5 }));
    }
    frame().querySelector(".played").replaceChildren(...parts);
    shown = { at, cells };
  };
  // What the server has drawn of this place, with values on the squares.
  const drawKept = (html) => {
    const own = parse(html).querySelector(".played"), legend = parse(html).querySelector(".legend");
    if (!own) return;
    frame().querySelector(".played").replaceChildren(...document.importNode(own, true).childNodes);
    document.querySelector("#othello-place-board .legend")?.remove();
    if (legend) frame().after(document.importNode(legend, true));
    shown = { at, cells: game.places[at][0] };
  };
  const tellSquares = () => {
    const [cells, , legal] = game.places[at], { words } = game, stones = {};
    [...cells].forEach((sign, cell) => { if (words[sign]) stones[squareOf(cell)] = words[sign].toLowerCase(); });
    for (const square of pairs(legal)) stones[square] = words.may;
    frame().dataset.stones = JSON.stringify(stones);
    const list = (sign) => [...cells].flatMap((each, cell) => each === sign ? [squareOf(cell)] : []).join(" ");
    const lists = [list("X"), list("O"), pairs(legal).join(" ")];
    all("#othello-told li", (line, index) => { if (index < 3) line.textContent = `${line.textContent.split(":")[0]}: ${lists[index]}`; });
  };

  // --- what stands around it ---

  const stateWords = () => {
    const [, mover, , passed] = game.places[at], { words } = game, most = game.moves.length;
    if (line) return words.line.replace("{at}", at - line.from).replace("{count}", most - line.from);
    if (at === most) return words.last;
    const other = words[mover === "X" ? "O" : "X"];
    return (passed ? words.passed.replace("{color}", other) : "") + words.toMove.replace("{color}", words[mover])
      + words.looking.replace("{at}", at).replace("{count}", most);
  };
  const showBar = () => {
    const [cells, mover] = game.places[at], most = game.moves.length;
    all(".othello-state", (state) => {
      if (line) state.replaceChildren(`${stateWords()} `, leaveButton());
      else if (state.textContent !== stateWords()) state.textContent = stateWords();
    });
    all("[data-step]", (button) => { button.disabled = /^(first|-1)$/.test(button.dataset.step) ? at === 0 : at === most; });
    all("#othello-undo", (button) => { button.disabled = at === 0; });
    const number = document.getElementById("move-number");
    if (number && number !== document.activeElement) number.value = at;
    all(".move-count", (count) => { count.textContent = most; });
    all(".othello-sides tr[data-color]", (row) => {
      row.querySelector(".discs").textContent = cells.split(row.dataset.color).length - 1;
      if (row.dataset.color === mover) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
    all(".othello-moves button", (button) => {
      if (!line && Number(button.dataset.to) === at) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    all("[name=seen]", (field) => { field.value = seen(); });
    all(".play-on", (link) => { if (game.usual) link.href = `/othello?from=${game.moves.slice(0, at).join("")}`; });
  };
  const showGraph = () => {
    const now = document.querySelector(".othello-graph .now"), strips = document.querySelectorAll(".othello-graph .strip");
    if (!now || !strips.length) return;
    const [first] = strips, width = Number(first.getAttribute("width")), start = Number(first.getAttribute("x")) + width / 2 - width * Number(first.dataset.to);
    for (const end of ["x1", "x2"]) now.setAttribute(end, start + width * (line?.from ?? at));
  };
  const showStudy = () => {
    const place = document.getElementById("othello-analysis"), kept = studies.get(placeName());
    if (!place) return;
    if (kept) place.innerHTML = kept;
    else if (place.querySelector("[data-place]")?.dataset.place !== placeName()) {
      const words = document.createElement("p");
      words.className = "quiet";
      words.textContent = line ? stateWords() : game.isStudied ? game.words.study : game.words.off;
      place.replaceChildren(words);
    }
  };
  const show = () => {
    if (!game || !frame()) return;
    const kept = boards.get(placeName());
    if (kept) drawKept(kept);
    else drawBoard();
    showBar();
    showGraph();
    showStudy();
  };

  // --- a line that is only shown: places and moves of the game are those of the line until it is left ---

  let line = null;
  const flipsOf = (cells, cell, mover) => {
    const found = [];
    if (/[XO]/.test(cells[cell])) return found;
    for (const dx of [-1, 0, 1]) {
      for (const dy of [-1, 0, 1]) {
        const run = [];
        let x = cell % 8 + dx, y = Math.floor(cell / 8) + dy;
        for (; (dx || dy) && x >= 0 && x < 8 && y >= 0 && y < 8; x += dx, y += dy) {
          const sign = cells[x + 8 * y];
          if (sign === mover) found.push(...run);
          if (sign === mover || !/[XO]/.test(sign)) break;
          run.push(x + 8 * y);
        }
      }
    }
    return found;
  };
  const legalOf = (cells, mover) => [...cells].flatMap((_, cell) => flipsOf(cells, cell, mover).length ? [squareOf(cell)] : []).join("");
  // The place after a move; nothing if it is not legal. Who cannot move passes.
  const placeAfter = ([before, mover], square) => {
    const cell = cellOf(square), flipped = mover ? flipsOf(before, cell, mover) : [];
    if (!flipped.length) return null;
    const signs = [...before], other = mover === "X" ? "O" : "X";
    for (const each of [cell, ...flipped]) signs[each] = mover;
    const cells = signs.join(""), [answers, again] = [other, mover].map((side) => legalOf(cells, side));
    if (answers) return [cells, other, answers, false];
    return again ? [cells, mover, again, true] : [cells, "", "", false];
  };
  // True if there is something to walk through.
  const layLine = (squares) => {
    const places = game.places.slice(0, at + 1), moves = game.moves.slice(0, at);
    for (const square of squares) {
      const place = placeAfter(places.at(-1), square);
      if (!place) break;
      places.push(place);
      moves.push(square);
    }
    if (moves.length === at) return false;
    line = { from: at, places: game.places, moves: game.moves };
    Object.assign(game, { places, moves });
    return true;
  };
  const showLine = (squares) => {
    leaveLine();
    if (layLine(squares)) goTo(at + 1);
  };
  // The game is the game again; the place stays, as far as the game has it.
  const dropLine = () => {
    if (!line) return;
    const { from, places, moves } = line;
    line = null;
    Object.assign(game, { places, moves });
    at = Math.min(at, from);
  };
  const leaveLine = () => {
    if (!line) return;
    dropLine();
    unlight();
    show();
    tellSquares();
  };
  const leaveButton = () => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.leave = "";
    button.textContent = game.words.back;
    return button;
  };
  document.addEventListener("click", (event) => { if (game && event.target.closest("[data-game] [data-leave]")) leaveLine(); });

  // --- lessons ---

  const unlight = () => all("#othello-board .lit", (lit) => lit.remove());
  othelloPage = {
    goBefore(number) {
      leaveLine();
      goTo(number - 1);
      show();
    },
    isBefore: (number) => game !== null && !line && at === number - 1,
    showLine,
    light(squares) {
      unlight();
      if (!frame()) return;
      const lit = draw("g", { class: "lit", "pointer-events": "none" });
      for (const square of squares) {
        const [cx, cy] = center(cellOf(square));
        lit.append(draw("circle", { cx, cy, r: 14.5, class: "point" }));
      }
      frame().querySelector("svg").append(lit);
    },
  };

  // --- steps ---

  const announce = () => {
    const square = game.moves[at - 1];
    if (!square) return;
    const [before, color] = game.places[at - 1], [after] = game.places[at];
    const flipped = [...after].filter((sign, cell) => before[cell] !== sign && /[XO]/.test(before[cell])).length;
    const said = game.words.plays.replace("{color}", game.words[color]).replace("{square}", square).replace("{count}", flipped);
    all("#said", (place) => { place.textContent = `${at}. ${said}`; });
  };
  const goTo = (to) => {
    const next = Math.max(0, Math.min(to, game.moves.length));
    if (next === at) return;
    if (next === at + 1) playStone(0);
    at = next;
    // Who steps back beyond the beginning of a line is in the game again.
    if (line && at < line.from) dropLine();
    hide();
    unlight();
    show();
    clearTimeout(told);
    told = setTimeout(rest, REST);
  };
  // Somebody looks at a place for longer.
  const rest = () => {
    told = 0;
    announce();
    tellSquares();
    // The server does not know a line that is only shown.
    if (!line && game.thinks && at !== game.at && !isKnown()) goThere();
  };
  const isKnown = () => (!game.isStudied || /data-done/.test(studies.get(placeName()))) && (game.overlay === "hints" || boards.has(placeName()));
  // The server's own place follows when it has something to do there.
  const goThere = async () => {
    const { dataset } = document.querySelector("[data-game]");
    const answer = await fetch(`${dataset.game}/go`, { method: "POST", headers: { "HX-Request": "true" }, body: new URLSearchParams({ to: at }) });
    if (!answer.ok || answer.headers.get("hx-retarget") === "#message") return tell(await answer.text());
    game.at = at;
  };
  const step = (by) => goTo(by === "first" ? 0 : by === "last" ? game.moves.length : at + Number(by));
  document.addEventListener("click", (event) => {
    const target = game && event.target.closest("[data-step], [data-game] [data-to]");
    if (!target) return;
    if (target.dataset.step) return step(target.dataset.step);
    leaveLine();
    goTo(Number(target.dataset.to));
  });
  document.addEventListener("change", (event) => { if (game && event.target.id === "move-number") goTo(Number(event.target.value)); });
  addEventListener("keydown", (event) => {
    const by = { PageUp: -10, PageDown: 10 }[event.key];
    if (!game || !by || event.defaultPrevented || event.target.closest("input, textarea, select, .scroll")) return;
    event.preventDefault();
    goTo(at + by);
  });
  // A move that comes next in the game is gone to.
  document.addEventListener("board:point", (event) => {
    if (!game || event.target.id !== "othello-board") return;
    const isNext = game.moves[at] === event.detail.vertex;
    if (!isNext && !line) return;
    event.preventDefault();
    if (isNext) goTo(at + 1);
    else tell(game.words.leaveFirst);
  });
  // What is done is done at the place that is shown.
  document.addEventListener("htmx:confirm", (event) => {
    const { path, elt, issueRequest, question } = event.detail;
    // What is asked for is asked at a place that the server knows.
    if (game && frame() && /^\/othello\/\w+\//.test(path ?? "")) leaveLine();
    if (!game || !frame() || game.at === at || !/^\/othello\/\w+\/(?!go$)/.test(path ?? "") || elt.closest("[data-free]")) return;
    event.preventDefault();
    if (question && !confirm(question)) return;
    clearTimeout(told);
    goThere().then(() => issueRequest(true));
  });
  // --- the game comes, or comes anew ---

  const adopt = () => {
    const text = document.getElementById("othello-boards");
    if (!text || !frame()) return;
    // A line that somebody walks through stays.
    const walked = line && { squares: game.moves.slice(line.from), at };
    dropLine();
    const old = game, before = old?.moves.slice(0, at).join("");
    game = JSON.parse(text.textContent);
    game.isStudied = document.getElementById("othello-study")?.getAttribute("aria-pressed") === "true";
    game.usual = game.places[0][0] === `${"-".repeat(27)}OX${"-".repeat(6)}XO${"-".repeat(27)}`;
    const stays = old && (told || old.at !== at) && game.moves.slice(0, at).join("") === before;
    if (!stays) at = game.at;
    if (walked && game.moves.slice(0, at).join("") === before && layLine(walked.squares)) at = walked.at;
    // Values that came with the page.
    if (!old && game.overlay !== "hints") keep(boards, placeName(), frame().parentElement.innerHTML);
    if (!old) onTurns(frame(), (by) => at + by >= 0 && at + by <= game.moves.length && (goTo(at + by), true));
    show();
    tellSquares();
    if (old && !line && !stays && at === game.moves.length && game.moves.length > old.moves.length) {
      playStone(0);
      announce();
    }
  };
  // What is drawn and thought of a place is kept under its name, and shown if it is the one that is shown. The plain board is drawn here.
  const hear = (name, map) => document.addEventListener(`live:${name}`, (event) => {
    if (!game || !frame()) return;
    event.preventDefault();
    const place = /data-place="([^"]*)"/.exec(event.detail)?.[1];
    if (place === undefined || name === "board" && place.startsWith("hints ")) return;
    keep(map, place, event.detail);
    if (place === placeName()) show();
  });
  hear("board", boards);
  hear("study", studies);
  addEventListener("DOMContentLoaded", adopt);
  document.addEventListener("live:after", (event) => {
    if (event.target.id === "othello-list") adopt();
    else if (/^othello-(status|players|judged)$/.test(event.target.id)) show();
    else if (event.target.id === "othello-switch" && game) game.isStudied = document.getElementById("othello-study")?.getAttribute("aria-pressed") === "true";
  });

  // --- a variation drawn on the board while somebody points at it ---
  // <tr data-line="f5d6" data-after="12"> is shown in #othello-preview; without data-after it follows the board.

  let pointed = null;
  const preview = async (element) => {
    const place = document.getElementById("othello-preview"), { line, after } = element.dataset;
    if (!place || pointed === line) return;
    pointed = line;
    const { dataset } = document.querySelector("[data-game]");
    const answer = await fetch(`${dataset.game}/line?moves=${encodeURIComponent(line)}&after=${after ?? at}`);
    // Who points elsewhere by now wants another line, or none.
    if (answer.ok && pointed === line) place.innerHTML = await answer.text();
  };
  const hide = () => {
    pointed = null;
    document.getElementById("othello-preview")?.replaceChildren();
  };
  const follow = (event) => {
    const element = event.target.closest?.("[data-game] [data-line]");
    if (element?.dataset.line) preview(element);
    else if (pointed !== null) hide();
  };
  document.addEventListener("mouseover", follow);
  document.addEventListener("focusin", follow);

  // <button data-at="f5"> plays that move, as a click on the board does.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-game] button[data-at]");
    if (button && frame()) choose(frame(), button.dataset.at);
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
