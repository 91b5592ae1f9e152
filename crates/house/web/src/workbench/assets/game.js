// The game of the Go room lives in the page: <script id="go-game" type="application/json"> brings tree, review and words, and steps are made here, without
// the server. It is asked to play, to think and to keep; what it answers brings the game anew. Places are numbers of nodes.
"use strict";
// What lessons do with the game: goBefore(number), isBefore(number), showLine(["B D4", …]), light([vertex, …]).
let goPage = null;
{
  const SPACE = "http://www.w3.org/2000/svg";
  const FIELD = 24, MARGIN = 26, RADIUS = 11.3;
  // Thoughts that are remembered.
  const THOUGHTS = 200;
  // Who steps on within this time is not asked about, and nothing is asked for.
  const REST = 250;
  let game = null, waiting = 0, drawing = 0, asked = null;
  // What engines thought of places, by their names.
  const thoughts = new Map();

  // --- drawing ---

  const draw = (name, attributes, text) => {
    const element = document.createElementNS(SPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const xy = (cell) => [MARGIN + cell % game.columns * FIELD, MARGIN + Math.floor(cell / game.columns) * FIELD];
  const board = () => document.getElementById("board");
  const group = (name) => board().querySelector(`svg .${name}`);

  let lastShown = -1;
  // Only what is not there already is drawn.
  const drawStones = (cells) => {
    const frame = board(), [shadows, stones] = [group("shadows"), group("stones")];
    if (!frame.drawn) {
      shadows.replaceChildren();
      stones.replaceChildren();
      frame.drawn = new Map();
    }
    // Stones that are taken by the move that was stepped to fade away.
    const taken = [], isStep = isCalm() && game.board(game.current).captured > 0 && game.nodes[game.current].p === lastShown;
    lastShown = game.current;
    for (const [cell, known] of frame.drawn) {
      if (cells[cell] === known.color) continue;
      taken.push(known.shadow, known.stone);
      frame.drawn.delete(cell);
    }
    if (isStep) fadeAway(taken);
    else for (const element of taken) element.remove();
    cells.forEach((color, cell) => {
      if (!color || frame.drawn.has(cell)) return;
      const [x, y] = xy(cell);
      const shadow = draw("circle", { cx: x + 0.9, cy: y + 1.6, r: 12.6, fill: "url(#stone-shadow)" });
      const stone = draw("circle", { cx: x, cy: y, r: RADIUS, fill: `url(#stone-${color === 1 ? "black" : "white"})` });
      shadows.append(shadow);
      stones.append(stone);
      frame.drawn.set(cell, { color, shadow, stone });
    });
  };

  const NOTE = "#7b3fa0";
  const shapeOf = {
    TR: (x, y) => draw("path", { d: `M${x} ${y - 7}L${x + 6.2} ${y + 4.2}H${x - 6.2}Z` }),
    SQ: (x, y) => draw("rect", { x: x - 5.5, y: y - 5.5, width: 11, height: 11 }),
    CR: (x, y) => draw("circle", { cx: x, cy: y, r: 7 }),
    MA: (x, y) => draw("path", { d: `M${x - 5.2} ${y - 5.2}L${x + 5.2} ${y + 5.2}M${x - 5.2} ${y + 5.2}L${x + 5.2} ${y - 5.2}`, "stroke-linecap": "round" }),
  };
  const drawMark = (name, cell) => {
    const shape = shapeOf[name](...xy(cell));
    for (const [key, value] of Object.entries({ fill: "none", stroke: NOTE, "stroke-width": 2.4, "stroke-linejoin": "round" })) shape.setAttribute(key, value);
    return shape;
  };
  const drawDot = (cell, color) => {
    const [cx, cy] = xy(cell);
    return draw("circle", { cx, cy, r: 5, fill: color, stroke: "#fff", "stroke-width": 1 });
  };
  const drawText = (cell, text, stone) => {
    const [x, y] = xy(cell), size = [13, 13, 11.5, 9.5][text.length] ?? 8, part = draw("g", {});
    if (!stone) part.append(draw("circle", { cx: x, cy: y, r: 9, fill: "#f3d898" }));
    const fill = stone === 1 ? "#fff" : "#111";
    part.append(draw("text", { x, y: y + size * 0.36, "font-size": size, "font-weight": 600, "text-anchor": "middle", fill }, text));
    return part;
  };
  const drawArrow = ([from, to], isArrow) => {
    const [[x1, y1], [x2, y2]] = [xy(from), xy(to)], length = Math.hypot(x2 - x1, y2 - y1);
    if (length < 1) return draw("g", {});
    if (!isArrow) return draw("line", { x1, y1, x2, y2, stroke: NOTE, "stroke-width": 3.4, "stroke-linecap": "round", "stroke-opacity": 0.9 });
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length], [nx, ny] = [x2 - 9 * dx, y2 - 9 * dy], part = draw("g", {});
    part.append(draw("path", { d: `M${x1} ${y1}L${nx} ${ny}`, stroke: NOTE, "stroke-width": 3, fill: "none" }),
      draw("path", { d: `M${x2} ${y2}L${nx - 5 * dy} ${ny + 5 * dx}L${nx + 5 * dy} ${ny - 5 * dx}Z`, fill: NOTE }));
    return part;
  };
  const numbersWanted = () => document.querySelector("[name=numbers]")?.checked;
  const drawNumbers = (parts, cells) => {
    // Of a line that is shown the moves are counted from one.
    const isLine = game.isInLine(), before = isLine ? game.board(game.lineBase()).moves : 0;
    const numbers = new Map(), labels = (game.nodes[game.current].d.LB ?? []).map((value) => game.cell(value.slice(0, 2)));
    for (const at of game.path()) {
      const { last, moves } = game.board(at);
      if (last >= 0 && game.isInLine(at) === isLine) numbers.set(last, moves - before);
    }
    for (const [cell, number] of numbers) if (cells[cell] && !labels.includes(cell)) parts.push(drawText(cell, String(number), cells[cell]));
  };
  const drawRemarks = ({ cells, last }) => {
    const { d } = game.nodes[game.current], parts = [];
    for (const [name, fill] of [["TB", "#111"], ["TW", "#fff"]]) {
      for (const cell of game.cells(d[name])) {
        const [x, y] = xy(cell);
        parts.push(draw("rect", { x: x - 4.2, y: y - 4.2, width: 8.4, height: 8.4, fill, "fill-opacity": 0.9 }));
      }
    }
    for (const name of ["LN", "AR"]) {
      for (const value of d[name] ?? []) {
        const ends = value.split(":").map((point) => game.cell(point));
        if (ends.length === 2 && ends.every((cell) => cell >= 0)) parts.push(drawArrow(ends, name === "AR"));
      }
    }
    for (const name of ["TR", "SQ", "CR", "MA"]) for (const cell of game.cells(d[name])) parts.push(drawMark(name, cell));
    for (const cell of game.cells(d.SL)) parts.push(drawDot(cell, NOTE));
    if (numbersWanted() || game.isInLine()) drawNumbers(parts, cells);
    for (const value of d.LB ?? []) {
      const cell = game.cell(value.slice(0, 2));
      if (cell >= 0 && value[2] === ":") parts.push(drawText(cell, value.slice(3), cells[cell]));
    }
    if (last >= 0 && !numbersWanted() && !game.isInLine()) parts.push(drawDot(last, "#c62828"));
    group("remarks").replaceChildren(...parts);
  };

  // --- the page around the board ---

  const all = (selector, work) => document.querySelectorAll(selector).forEach(work);
  const fill = (selector, text) => all(selector, (element) => { if (element.textContent !== text) element.textContent = text; });
  const say = (text) => fill("#said", text);

  const showBar = ({ moves, toMove }, line) => {
    const count = line.reduce((sum, at) => sum + (game.nodes[at].m ? 1 : 0), 0);
    const number = document.getElementById("move-number");
    number.max = count;
    number.value = moves;
    fill(".move-count", String(count));
    fill(".turn", game.words.toMove[toMove - 1]);
    all("[data-step]", (button) => {
      const isBack = button.dataset.step === "first" || Number(button.dataset.step) < 0;
      button.disabled = isBack ? game.current === 0 : game.next(game.current) === undefined;
    });
    for (const deed of ["undo", "cut", "promote"]) all(`[hx-post$="/do/${deed}"]`, (button) => { button.disabled = game.current === 0; });
    all(".why-played", (button) => { button.disabled = !game.nodes[game.current].m; });
    all(".engine-turn", (span) => { span.hidden = game.persons[toMove - 1]; });
  };

  const showPlayers = ({ taken, toMove }) => all(".player[data-color]", (row) => {
    const color = row.dataset.color.toUpperCase() === "B" ? 1 : 2, isOpen = !game.over && !game.counting;
    row.classList.toggle("to-move", isOpen && color === toMove);
    row.querySelector(".prisoners").textContent = taken[color - 1];
    const words = row.querySelector("em");
    if (words) words.hidden = color !== toMove;
  });

  const variationRow = (title, nodes) => {
    const row = document.createElement("div"), name = document.createElement("span");
    row.className = "row";
    name.className = "quiet";
    name.textContent = title;
    row.append(name, ...nodes.map((index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.node = index;
      button.textContent = game.nameOfNode(index);
      button.setAttribute("aria-pressed", index === game.current);
      return button;
    }));
    return row;
  };
  const showVariations = () => {
    const { p, children } = game.nodes[game.current], siblings = p >= 0 ? game.nodes[p].children : [], rows = [];
    if (siblings.length > 1) rows.push(variationRow(game.words.variations, siblings));
    if (children.length > 1) rows.push(variationRow(game.words.next, children));
    const place = document.querySelector("#table .variations");
    if (rows.length || place.firstChild) place.replaceChildren(...rows);
  };

  const showComment = () => {
    const field = document.getElementById("comment"), text = game.nodes[game.current].c ?? "", remark = document.querySelector(".remark");
    if (remark && remark.textContent !== text) {
      remark.textContent = text;
      remark.hidden = !text;
      remark.scrollTop = 0;
      linkVertices(remark);
    }
    if (!field || field.defaultValue === text && field.value === text) return;
    field.defaultValue = text;
    field.value = text;
  };

  const showReview = () => {
    if (!game.review) return;
    const at = game.review.findIndex(([node]) => node === game.current), now = document.querySelector(".graph .now");
    const row = game.review[at], words = document.querySelector(".after-move");
    if (now) {
      const x = (Math.min(game.board(game.current).moves, game.review.length) * now.ownerSVGElement.viewBox.baseVal.width / game.review.length).toFixed(1);
      now.setAttribute("x1", x);
      now.setAttribute("x2", x);
    }
    if (!words) return;
    words.textContent = row ? game.words.after.replace("{share}", (100 * row[1]).toFixed(0)).replace("{lead}", `${row[2] < 0 ? "" : "+"}${row[2].toFixed(1)}`) : "";
    if (row?.[3]) {
      const badge = document.createElement("strong");
      badge.className = "bad";
      badge.textContent = ` ${row[3]}`;
      words.append(badge);
    }
  };

  const showThoughts = () => {
    const known = game.analysing ? thoughts.get(game.place(game.current)) : null;
    const layer = board().querySelector("[sse-swap=overlay]"), list = document.querySelector(".thought");
    if (layer && (layer.firstChild || known)) layer.innerHTML = known?.overlay ?? "";
    if (list && (list.firstChild || known || game.analysing)) list.innerHTML = known?.words ?? "";
    if (list && game.analysing && !known?.words) fill(".thought", game.words.pondering);
  };

  const showLineNote = () => {
    const state = document.querySelector(".bar .state"), note = state?.querySelector(".line-note");
    if (!state) return;
    state.classList.toggle("in-line", game.isInLine());
    note?.remove();
    if (!game.isInLine()) return;
    const words = document.createElement("span"), button = document.createElement("button");
    const [at, count] = [game.current - game.own + 1, game.nodes.length - game.own];
    words.className = "line-note";
    words.textContent = `${game.words.line.replace("{at}", at).replace("{count}", count)} `;
    button.type = "button";
    button.dataset.leave = "";
    button.textContent = game.words.back;
    words.append(button);
    state.append(words);
  };

  const isHere = () => game.current === game.node;

  const show = () => {
    drawing = 0;
    if (!game || !board()) return;
    const now = game.board(game.current);
    // What is counted is drawn by the server, which is asked again by who comes back to it.
    const isCount = game.counting && isHere();
    if (!isCount) {
      drawStones(now.cells);
      drawRemarks(now);
    } else if (board().drawn) {
      return fetchTable();
    }
    all("[name=node]", (field) => { field.value = game.ownPlace(); });
    all("[name=spot]", (field) => { field.value = game.place(game.current); });
    all(".here-only", (element) => { element.hidden = !isHere(); });
    showBar(now, game.line());
    showPlayers(now);
    showVariations();
    showComment();
    showReview();
    showThoughts();
    showLineNote();
  };

  // --- steps ---

  const goTo = (index) => {
    if (index === undefined || index === game.current) return false;
    keepComment();
    const isForward = game.nodes[index].p === game.current;
    game.stand(index);
    if (!game.isInLine(index) && index !== game.lineBase()) game.leaveLine();
    if (isForward && game.nodes[index].m) playStone(game.board(index).captured);
    document.getElementById("level-layer")?.replaceChildren();
    board().querySelector(".hover")?.replaceChildren();
    drawing ||= requestAnimationFrame(show);
    clearTimeout(waiting);
    waiting = setTimeout(rest, REST);
    return true;
  };
  const stepBy = (steps) => {
    let at = game.current;
    for (let left = Math.abs(steps); left > 0; left -= 1) {
      const next = steps < 0 ? (at > 0 ? game.nodes[at].p : undefined) : game.next(at);
      if (next === undefined) break;
      at = next;
    }
    return goTo(at);
  };
  const goToMove = (number) => {
    if (number <= 0) return goTo(0);
    const line = game.line();
    let moves = 0;
    return goTo(line.find((at) => game.nodes[at].m && (moves += 1) === number) ?? line.at(-1));
  };
  const step = (by) => by === "first" ? goTo(0) : by === "last" ? goTo(game.line().at(-1)) : stepBy(Number(by));

  // What was written about the place that is left is kept.
  const keepComment = () => {
    const field = document.getElementById("comment");
    if (!field || field.value === field.defaultValue) return;
    const comment = field.value, node = game.ownPlace();
    field.defaultValue = comment;
    game.nodes[node].c = comment;
    send("text", { comment, node, revision: revision() });
  };
  const revision = () => document.querySelector("[name=revision]").value;
  const send = async (what, values) => {
    const body = new URLSearchParams(values);
    const answer = await fetch(`${location.pathname}/${what}`, { method: "POST", headers: { "HX-Request": "true" }, body });
    if (answer.headers.get("hx-retarget") === "#message" || !answer.ok) tell(await answer.text());
  };

  const announce = () => {
    const { m } = game.nodes[game.current], { words } = game, now = game.board(game.current);
    if (!m) return;
    const cell = game.cell(m.slice(1)), [black, white] = [words.black, words.white];
    const said = words.played.replace("{color}", m[0] === "B" ? black : white).replace("{point}", cell < 0 ? words.pass : game.vertex(cell));
    say(`${now.moves}. ${said}${now.captured ? words.captures.replace("{count}", now.captured) : ""}`);
  };
  const tellStones = () => {
    const stones = {}, lists = ["", ""];
    game.board(game.current).cells.forEach((color, cell) => {
      if (!color) return;
      stones[game.vertex(cell)] = color === 1 ? game.words.black : game.words.white;
      lists[color - 1] += ` ${game.vertex(cell)}`;
    });
    board().dataset.stones = JSON.stringify(stones);
    all("#board-text p", (line, at) => { line.textContent = line.textContent.split(":")[0] + ":" + lists[at]; });
  };

  // Somebody looks at a place for longer.
  const rest = () => {
    if (!game || !board()) return;
    announce();
    tellStones();
    remember();
    // The server does not know a line that is only shown.
    if (game.isInLine()) return;
    const place = game.place(game.current), level = document.getElementById("level");
    if (level?.value) htmx.trigger(level, "change");
    if (game.analysing && asked !== place) {
      asked = place;
      send("analysis", { on: "follow", spot: place, node: game.current, revision: revision() });
    }
  };

  // --- the game comes, or comes anew ---

  const findPlace = (place) => {
    const found = game.nodes.findIndex((_, index) => game.place(index) === place);
    return found < 0 ? game.node : found;
  };
  const lastPlace = () => {
    try {
      return sessionStorage.getItem(`ishi${location.pathname}`);
    } catch {
      return null;
    }
  };
  const remember = () => {
    try {
      sessionStorage.setItem(`ishi${location.pathname}`, game.place(game.current));
    } catch { /* a browser that keeps nothing */ }
  };
  // Who opens a record comes to learn from it.
  const choosePaneAtFirst = () => {
    const isRecord = game.persons.every(Boolean) && game.node === 0 && game.nodes.length > 2;
    if (!chosenPane && isRecord) choosePane("learn");
  };
  // Who looks at the place of the game follows it; who looks elsewhere stays there.
  const adopt = (request) => {
    const text = document.querySelector("script#go-game");
    if (!text) return;
    const old = game;
    game = new PageGame(JSON.parse(text.textContent));
    text.remove();
    // A reload stays at the place, unless an engine may be about to move.
    if (!old && (game.over || game.persons.every(Boolean))) game.stand(findPlace(lastPlace()));
    const stays = request?.verb === "get" || /\/(text|analysis|review)$/.test(request?.path ?? "");
    if (old && stays && old.current !== old.node) game.stand(findPlace(old.place(old.current)));
    if (/\/analysis$/.test(request?.path ?? "")) asked = game.place(game.current);
    const numbers = document.querySelector("[name=numbers]");
    if (numbers) numbers.checked = showNumbers;
    onTurns(board(), (by) => (by < 0 ? game.current > 0 : game.next(game.current) !== undefined) && stepBy(by));
    if (!old) choosePaneAtFirst();
    show();
    tellStones();
    remember();
    if (old && game.place(game.current) !== old.place(old.current)) {
      // An engine or another person has moved.
      if (request?.verb === "get") announce();
      if (game.nodes[game.current].m && game.current > 0) playStone(game.board(game.current).captured);
      if (game.analysing) waiting = setTimeout(rest, REST);
    }
  };
  addEventListener("DOMContentLoaded", () => adopt(null));
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target?.id === "table") adopt(event.detail.requestConfig);
  });
  let showNumbers = false;

  const keepThought = (kind) => (event) => {
    const place = /^<div data-place="(\w*)">/.exec(event.detail)?.[1];
    if (!game || place === undefined) return;
    const known = thoughts.get(place) ?? {};
    thoughts.delete(place);
    thoughts.set(place, { ...known, [kind]: event.detail });
    if (thoughts.size > THOUGHTS) thoughts.delete(thoughts.keys().next().value);
    if (!game.analysing || place !== game.place(game.current)) event.preventDefault();
  };
  document.addEventListener("live:overlay", keepThought("overlay"));
  for (const tag of ["en", "ja"]) document.addEventListener(`live:thought-${tag}`, keepThought("words"));

  // --- hands ---

  document.addEventListener("click", (event) => {
    if (!game) return;
    const growing = event.target.closest(".graph[data-grows]");
    // A review that grows: the moves that are known so far are those of the line that is reviewed.
    if (growing) {
      const { left, width } = growing.getBoundingClientRect();
      return goToMove(Math.round((event.clientX - left) / width * Number(growing.dataset.grows)));
    }
    const target = event.target.closest("[data-step], [data-move], [data-leave], #table .variations [data-node]");
    if (!target) return;
    const { step: by, move, node } = target.dataset;
    if (by) step(by);
    else if ("leave" in target.dataset) leaveLine();
    else if (node) goTo(Number(node));
    else if (game.review?.[move - 1]) goTo(game.review[move - 1][0]);
  });
  document.addEventListener("change", (event) => {
    if (!game) return;
    if (event.target.id === "move-number") goToMove(Number(event.target.value));
    if (event.target.name === "numbers") {
      showNumbers = event.target.checked;
      show();
    }
  });
  addEventListener("keydown", (event) => {
    if (!game || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { PageUp: -10, PageDown: 10 }[event.key];
    if (!by || event.target.closest("input, textarea, select, .scroll")) return;
    event.preventDefault();
    stepBy(by);
  });

  // A move that is there is gone to; the server is asked to play others.
  document.addEventListener("board:point", (event) => {
    if (!game || event.target.id !== "board" || game.counting && isHere()) return;
    if ((document.querySelector("[name=tool]:checked")?.value ?? "play") !== "play") return;
    const { toMove } = game.board(game.current), name = toMove === 1 ? "B" : "W";
    const known = game.nodes[game.current].children.find((index) => {
      const { m = "" } = game.nodes[index], cell = game.cell(m.slice(1));
      return m[0] === name && cell >= 0 && game.vertex(cell) === event.detail.vertex;
    });
    if (known === undefined && !game.isInLine()) return;
    event.preventDefault();
    if (known === undefined) tell(game.words.leaveFirst);
    else goTo(known);
  });
  // Taking back in the middle of a record is a step.
  document.addEventListener("htmx:confirm", (event) => {
    if (!game || !board()) return;
    const isUndo = /\/do\/undo$/.test(event.detail.path), isLine = game.isInLine();
    if (isUndo && (isLine || game.nodes[game.current].children.length)) {
      event.preventDefault();
      stepBy(-1);
    } else if (isLine) {
      // What is asked for is asked at the place that the server knows.
      leaveLine();
    }
  });
  const leaveLine = () => {
    const base = game.lineBase();
    if (base === undefined) return;
    goTo(base);
    game.leaveLine();
    show();
  };

  const nodeOfMove = (number) => game.review?.[number - 1]?.[0];
  const before = (number) => game.nodes[nodeOfMove(number)]?.p;
  goPage = {
    goBefore(number) {
      leaveLine();
      goTo(before(number));
    },
    isBefore: (number) => game !== null && game.current === before(number),
    showLine(moves) {
      leaveLine();
      if (!game.showLine(moves)) return;
      playStone(game.board(game.current).captured);
      board().querySelector(".hover")?.replaceChildren();
      show();
    },
    light: (vertices, isWide) => {
      if (!game || !board()) return;
      const cells = vertices.map((vertex) => game.cellOf(vertex)).filter((cell) => cell >= 0), layer = board().querySelector(".hover");
      if (!layer) return;
      const { width, height } = board().querySelector("svg").viewBox.baseVal, svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: "lit" });
      const places = cells.map(xy), middle = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
      const reach = Math.max(...places.map(([x, y]) => Math.hypot(x - middle[0], y - middle[1])));
      if (isWide && places.length) svg.append(draw("circle", { cx: middle[0], cy: middle[1], r: reach + 1.8 * FIELD, class: "area" }));
      else places.forEach(([cx, cy]) => svg.append(draw("circle", { cx, cy, r: RADIUS + 2.5, class: "point" })));
      layer.replaceChildren(svg);
    },
  };

  // The stone that a click would put down.
  let ghost = null;
  document.addEventListener("pointermove", (event) => {
    const frame = game && event.pointerType === "mouse" && event.target.closest("#board"), place = frame && fieldAt(frame, event);
    const cell = place ? place.row * game.columns + place.column : -1, now = game?.board(game.current);
    const isFree = cell >= 0 && !now.cells[cell] && !game.over && !(game.counting && isHere());
    if (!isFree || document.querySelector("[name=tool]:checked")?.value !== "play") {
      ghost?.remove();
      ghost = null;
      return;
    }
    const [cx, cy] = xy(cell), fill = `url(#stone-${now.toMove === 1 ? "black" : "white"})`;
    if (ghost?.isConnected && ghost.getAttribute("cx") === String(cx) && ghost.getAttribute("cy") === String(cy) && ghost.getAttribute("fill") === fill) return;
    ghost?.remove();
    ghost = draw("circle", { cx, cy, r: RADIUS, fill, opacity: 0.5, "pointer-events": "none" });
    frame.querySelector("svg").append(ghost);
  });
}
