// A reviewed game on its own: one file without a server. The element #shared-game brings the tree, the review and the words in both languages, as JSON.
// Texts of records go into text nodes alone.
{
  const FIELD = 24, MARGIN = 26, RADIUS = 11.3, NOTE = "#7b3fa0";
  const game = new PageGame(JSON.parse(document.getElementById("shared-game").textContent));
  const { languages, review, lessons, summary } = game;
  let language = document.documentElement.lang, asked = null, lit = [];
  const element = (id) => document.getElementById(id);
  const words = () => languages[language];
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const make = (name, content, attributes = {}) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...[content].flat());
    return made;
  };
  const draw = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // --- the board ---

  const xy = (cell) => [MARGIN + cell % game.columns * FIELD, MARGIN + Math.floor(cell / game.columns) * FIELD];
  const part = (name) => document.querySelector(`#board svg .${name}`);
  const shapes = {
    TR: ([x, y]) => draw("path", { d: `M${x} ${y - 7}L${x + 6.2} ${y + 4.2}H${x - 6.2}Z` }),
    SQ: ([x, y]) => draw("rect", { x: x - 5.5, y: y - 5.5, width: 11, height: 11 }),
    CR: ([cx, cy]) => draw("circle", { cx, cy, r: 7 }),
    MA: ([x, y]) => draw("path", { d: `M${x - 5.2} ${y - 5.2}L${x + 5.2} ${y + 5.2}M${x - 5.2} ${y + 5.2}L${x + 5.2} ${y - 5.2}` }),
    SL: ([cx, cy]) => draw("circle", { cx, cy, r: 4 }),
  };
  const drawMark = (name, cell) => {
    const shape = shapes[name](xy(cell));
    for (const [key, value] of Object.entries({ fill: "none", stroke: NOTE, "stroke-width": 2.4 })) shape.setAttribute(key, value);
    return shape;
  };
  const drawText = (cell, text, stone) => {
    const [x, y] = xy(cell), size = [13, 13, 11.5, 9.5][text.length] ?? 8, group = draw("g", {});
    if (!stone) group.append(draw("circle", { cx: x, cy: y, r: 9, fill: "#f3d898" }));
    group.append(draw("text", { x, y: y + size * 0.36, "font-size": size, "font-weight": 600, "text-anchor": "middle", fill: stone === 1 ? "#fff" : "#111" }, text));
    return group;
  };
  const showBoard = () => {
    const { cells, last } = game.board(game.current), { d } = game.nodes[game.current], [shadows, stones, remarks] = [[], [], []];
    cells.forEach((color, cell) => {
      if (!color) return;
      const [cx, cy] = xy(cell);
      shadows.push(draw("circle", { cx: cx + 0.9, cy: cy + 1.6, r: 12.6, fill: "url(#stone-shadow)" }));
      stones.push(draw("circle", { cx, cy, r: RADIUS, fill: `url(#stone-${color === 1 ? "black" : "white"})` }));
    });
    for (const name of Object.keys(shapes)) for (const cell of game.cells(d[name])) remarks.push(drawMark(name, cell));
    for (const [name, fill] of [["TB", "#111"], ["TW", "#fff"]]) {
      for (const cell of game.cells(d[name])) {
        const [x, y] = xy(cell);
        remarks.push(draw("rect", { x: x - 4.2, y: y - 4.2, width: 8.4, height: 8.4, fill }));
      }
    }
    for (const value of d.LB ?? []) {
      const cell = game.cell(value.slice(0, 2));
      if (cell >= 0 && value[2] === ":") remarks.push(drawText(cell, value.slice(3), cells[cell]));
    }
    if (game.isInLine()) {
      // Moves of a line are counted from one.
      game.path().filter((at) => game.isInLine(at)).forEach((at, index) => {
        const cell = game.board(at).last;
        if (cell >= 0 && cells[cell]) remarks.push(drawText(cell, String(index + 1), cells[cell]));
      });
    } else if (last >= 0) {
      const [cx, cy] = xy(last);
      remarks.push(draw("circle", { cx, cy, r: 5, fill: "#c62828", stroke: "#fff" }));
    }
    for (const cell of lit) {
      const [cx, cy] = xy(cell);
      remarks.push(draw("circle", { cx, cy, r: RADIUS + 2.5, class: "lit" }));
    }
    part("shadows").replaceChildren(...shadows);
    part("stones").replaceChildren(...stones);
    part("remarks").replaceChildren(...remarks);
  };

  // --- what stands beside it ---

  const variationRow = (title, nodes) => make("p", [make("span", `${title} `, { class: "quiet" }), ...nodes.map((index) => {
    const button = make("button", game.nameOfNode(index), { type: "button", "aria-pressed": index === game.current });
    button.addEventListener("click", () => goTo(index));
    return button;
  })]);
  const showPlace = () => {
    const now = game.board(game.current), { c, p, children } = game.nodes[game.current], rows = [];
    const siblings = p >= 0 ? game.nodes[p].children : [];
    const count = game.line().filter((at) => game.nodes[at].m).length;
    element("move-number").value = now.moves;
    element("move-number").max = count;
    element("move-count").textContent = count;
    element("turn").textContent = game.isInLine()
      ? fill(words().line, { at: game.current - game.own + 1, count: game.nodes.length - game.own }) : words().toMove[now.toMove - 1];
    element("leave").hidden = !game.isInLine();
    element("comment").textContent = c ?? "";
    element("comment").hidden = !c;
    if (siblings.length > 1 && !game.isInLine()) rows.push(variationRow(words().variations, siblings));
    if (children.length > 1 && !game.isInLine()) rows.push(variationRow(words().next, children));
    element("variations").replaceChildren(...rows);
    for (const button of document.querySelectorAll("[data-step]")) {
      const isBack = /^(first|-)/.test(button.dataset.step);
      button.disabled = isBack ? game.current === 0 : game.next(game.current) === undefined;
    }
    showAfter(now);
  };
  const showAfter = ({ moves }) => {
    if (!review) return;
    const row = review.find(([node]) => node === game.current), line = document.querySelector("#graph .now");
    element("after").textContent = row
      ? fill(words().after, { share: (100 * row[1]).toFixed(0), lead: `${row[2] < 0 ? "" : "+"}${row[2].toFixed(1)}` }) + (row[3] ? ` ${row[3]}` : "") : "";
    for (const end of ["x1", "x2"]) line.setAttribute(end, 720 * Math.min(moves, review.length) / review.length);
  };
  const drawGraph = () => {
    if (!review) return;
    const most = Math.ceil(Math.max(10, ...review.map(([, , lead]) => Math.abs(lead))) / 10) * 10;
    const curve = (value) => review.map((row, at) => `${(720 * (at + 1) / review.length).toFixed(1)},${(170 * (1 - value(row))).toFixed(1)}`).join(" ");
    const chance = curve(([, rate]) => rate);
    element("graph").replaceChildren(
      draw("polygon", { points: `0,170 ${chance} 720,170`, class: "area" }),
      draw("line", { x1: 0, y1: 85, x2: 720, y2: 85, class: "grid" }),
      draw("polyline", { points: curve(([, , lead]) => 0.5 + lead / most / 2), class: "lead" }),
      draw("polyline", { points: chance, class: "curve" }),
      draw("line", { x1: 0, y1: 0, x2: 0, y2: 170, class: "now" }),
      ...lessons.map(({ number }) => draw("circle", { cx: 720 * number / review.length, cy: 170 * (1 - review[number - 1][1]), r: 5, class: "worst" })));
    element("graph-key").textContent = fill(words().graph, { most });
  };
  element("graph").addEventListener("click", (event) => {
    const { left, width } = element("graph").getBoundingClientRect();
    goToMove(Math.round((event.clientX - left) / width * review.length));
  });

  // --- lessons ---

  const before = ({ number }) => game.nodes[review[number - 1][0]].p;
  const showLine = (lesson, moves) => {
    goTo(before(lesson));
    if (game.showLine(moves)) show();
  };
  const judge = (lesson, vertex) => {
    const verdict = lesson.place.querySelector(".verdict"), isRight = lesson.answers.includes(vertex);
    verdict.textContent = fill(isRight ? words().right : vertex === lesson.played ? words().same : words().wrong, { point: vertex });
    if (!isRight) return;
    asked = null;
    lesson.found = true;
    lesson.place.querySelector("details").open = true;
    if (lesson.better.length) showLine(lesson, lesson.better);
  };
  const ask = (lesson) => {
    goTo(before(lesson));
    asked = lesson;
    lit = [game.cellOf(lesson.played)].filter((cell) => cell >= 0);
    lesson.place.querySelector("details").open = false;
    lesson.place.querySelector(".verdict").textContent = words().ask;
    lesson.place.querySelector("form").hidden = false;
    show();
    element("board").scrollIntoView({ block: "nearest" });
  };
  const lineButton = (title, lesson, moves) => {
    const names = moves.slice(0, 4).map((move) => move.split(" ")[1]).join(" ");
    const button = make("button", `${title}: ${names}${moves.length > 4 ? " …" : ""}`, { type: "button" });
    button.addEventListener("click", () => showLine(lesson, moves));
    return button;
  };
  const makeLesson = (lesson) => {
    const attempt = make("button", words().attempt, { type: "button", class: "main" });
    attempt.addEventListener("click", () => ask(lesson));
    // Who has no pointer writes the answer.
    const field = make("input", [], { size: 4, autocomplete: "off", "aria-label": words().answer }), form = make("form", [field, make("button", "OK")], { hidden: "" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (asked === lesson && game.current === before(lesson)) judge(lesson, field.value.trim().toUpperCase());
    });
    const lines = [];
    if (lesson.better.length) lines.push(lineButton(words().betterLine, lesson, lesson.better));
    if (lesson.refutation.length) lines.push(lineButton(words().refutation, lesson, [`${lesson.color} ${lesson.played}`, ...lesson.refutation]));
    const answer = make("details", [make("summary", words().answer), make("p", lesson.answer[language], { class: "told" }), make("p", lines)]);
    lesson.place = make("section", [make("h3", lesson.title[language]), make("p", lesson.question[language]), make("p", attempt), form,
      make("p", "", { class: "verdict", role: "status" }), answer], { class: "lesson" });
    answer.open = Boolean(lesson.found);
    return lesson.place;
  };
  const showTexts = () => {
    document.documentElement.lang = language;
    for (const place of document.querySelectorAll("[data-word]")) place.textContent = words()[place.dataset.word];
    for (const place of document.querySelectorAll("[data-label]")) place.setAttribute("aria-label", words()[place.dataset.label]);
    game.words = words();
    asked = null;
    element("summary").replaceChildren(...summary.map((sentence) => make("p", sentence[language])));
    element("lessons").replaceChildren(...lessons.map(makeLesson));
    drawGraph();
    show();
  };

  // --- steps ---

  const show = () => {
    showBoard();
    showPlace();
  };
  const goTo = (index) => {
    if (index === undefined) return;
    lit = [];
    game.stand(index);
    if (!game.isInLine() && index !== game.lineBase()) game.leaveLine();
    show();
  };
  const stepBy = (steps) => {
    let at = game.current;
    for (let left = Math.abs(steps); left > 0; left -= 1) at = (steps < 0 ? (at > 0 ? game.nodes[at].p : at) : game.next(at)) ?? at;
    goTo(at);
  };
  const goToMove = (number) => {
    const line = game.line();
    let moves = 0;
    goTo(number <= 0 ? 0 : line.find((at) => game.nodes[at].m && (moves += 1) === number) ?? line.at(-1));
  };
  const step = (by) => by === "first" ? goTo(0) : by === "last" ? goTo(game.line().at(-1)) : stepBy(Number(by));
  const leave = () => {
    const base = game.lineBase();
    game.leaveLine();
    goTo(base);
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) step(button.dataset.step);
  });
  element("leave").addEventListener("click", leave);
  element("move-number").addEventListener("change", () => goToMove(Number(element("move-number").value)));
  element("language").addEventListener("click", () => {
    language = language === "ja" ? "en" : "ja";
    showTexts();
  });
  addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: "first", End: "last", PageUp: -10, PageDown: 10 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
    event.preventDefault();
    step(by);
  });
  // A click on the board is an answer, or goes to a move that is there.
  let begun = null, swiped = 0;
  const board = element("board");
  board.addEventListener("click", (event) => {
    if (event.timeStamp - swiped < 300) return;
    const { a, e, f } = board.querySelector("svg").getScreenCTM();
    const [column, row] = [event.clientX - e, event.clientY - f].map((place) => Math.round((place / a - MARGIN) / FIELD));
    if (column < 0 || row < 0 || column >= game.columns || row >= game.size[1]) return;
    const cell = row * game.columns + column;
    if (asked && game.current === before(asked)) return judge(asked, game.vertex(cell));
    const point = game.point(cell);
    goTo(game.nodes[game.current].children.find((index) => game.nodes[index].m?.slice(1) === point));
  });
  board.addEventListener("pointerdown", (event) => { begun = event.pointerType === "touch" && event.isPrimary ? event : null; });
  board.addEventListener("pointerup", (event) => {
    if (!begun) return;
    const [x, y] = [event.clientX - begun.clientX, event.clientY - begun.clientY];
    begun = null;
    if (Math.abs(x) <= 40 || Math.abs(x) <= 2 * Math.abs(y)) return;
    swiped = event.timeStamp;
    stepBy(x < 0 ? 1 : -1);
  });
  showTexts();
}
