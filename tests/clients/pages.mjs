// The pages in a real browser, as a person uses them: node pages.mjs ISHI [--group GROUP] [NAME ...]. Prints a line for each check; exit code 1 if one fails.
// Groups stand below `groups`. tests/workbench.rs runs each as a test of its own, with its own server and browser.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { endServer, endWorkbench, launchBrowser, runChecks, showToken, startWorkbench } from "./workbench.mjs";

const [ishi, ...words] = process.argv.slice(2);
const group = words[0] === "--group" ? words.splice(0, 2)[1] : undefined;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const workbench = await startWorkbench(ishi);
const { server, place, base, entry } = workbench;
const browser = await launchBrowser();

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

/** A fresh visitor of a workbench; whatever the browser complains of is a failure of the check. All but strangers have shown the token and have its
    cookie. */
async function visit({ isStranger, at = workbench, ...options }, work) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  if (!isStranger) await showToken(context, at);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await work(page);
  await context.close();
  assert(complaints.length === 0, `the browser complains: ${complaints.join("; ")}`);
}

/** Where a point of the board lies on the page; columns and rows count from the top left. */
async function spot(page, column, row, id = "board") {
  // The board may just be put in anew.
  let box = null;
  while (!box) box = await page.locator(`#${id} svg`).first().boundingBox();
  return page.locator(`#${id}`).evaluate((board, [column, row]) => {
    const { margin, field } = board.dataset, { a, e, f } = board.querySelector("svg").getScreenCTM();
    return [column, row].map((at, axis) => [e, f][axis] + (Number(margin) + at * Number(field)) * a);
  }, [column, row]);
}

async function revision(page) {
  return page.locator("input[name=revision]").first().inputValue();
}

/** Adds words to a part of the page that is open then, as an answer of the server brings them. */
async function addTold(page, part, words) {
  await page.locator(part).first().evaluate((element, words) => {
    const text = document.createElement("p");
    text.className = "told";
    text.textContent = words;
    element.open = true;
    element.append(text);
    document.dispatchEvent(new CustomEvent("htmx:afterSwap", { detail: { target: text } }));
  }, words);
}

/** Does something that changes the table, and waits until the page shows it. */
async function change(page, work) {
  const before = await revision(page);
  await work();
  await page.waitForFunction((old) => document.querySelector("input[name=revision]")?.value !== old
    || document.getElementById("message").textContent !== "", before);
  // Only then does the page listen to what is new on it.
  await page.waitForFunction(() => !document.querySelector(".htmx-added, .htmx-settling, .htmx-request"));
  return (await page.textContent("#message")) === "";
}

async function newGame(page, black, white, size = "9") {
  await page.goto(`${base}/go`);
  await page.selectOption("#black", black);
  await page.selectOption("#white", white);
  await page.selectOption("#size", size);
  await page.click("form[action='/go/new'] button.main");
  await ready(page);
}

/** The table of this record. */
async function openRecord(page, sgf, at = base) {
  await page.goto(`${at}/go`);
  await page.fill("#sgf", sgf);
  await page.click("form[enctype] button.main");
  await ready(page);
}

/** Waits until the page shows so many moves of so many. */
async function shows(page, move, count) {
  await page.waitForFunction(([move, count]) => document.getElementById("move-number").value === String(move)
    && document.querySelector(".move-count").textContent === String(count), [move, count]);
}

/** The pane beside the board: game, analysis or learn. */
async function pane(page, name) {
  if (await page.locator(`#pane-${name}`).isHidden()) await page.click(`#tab-${name}`);
}

/** The part of a chart that hears pointers. */
const plotOf = (page, root) => page.locator(`${root} .u-over`).first();

/** Points at a place of a chart, told as a share of its width, and gives the words that appear. */
async function pointAt(page, root, share) {
  const plot = plotOf(page, root), { width, height } = await plot.boundingBox();
  await plot.hover({ position: { x: Math.max(1, Math.min(width - 2, share * width)), y: height / 2 } });
  return page.locator(`${root} .chart-values:not([hidden])`).first().textContent();
}

/** Goes to a place of a chart by a click. */
async function clickAt(page, root, share) {
  const plot = plotOf(page, root), { width, height } = await plot.boundingBox();
  await plot.click({ position: { x: Math.max(1, Math.min(width - 2, share * width)), y: height / 2 } });
}

/** Is something of a chart drawn in this colour of the page's? */
function isDrawnIn(page, root, color) {
  return page.locator(`${root} canvas`).first().evaluate((canvas, color) => {
    const wanted = getComputedStyle(canvas).getPropertyValue(color).trim(), parts = [1, 3, 5].map((at) => parseInt(wanted.slice(at, at + 2), 16));
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255 && parts.every((part, n) => data[at + n] === part)) return true;
    return false;
  }, color);
}

/** Holds a page to all that axe looks at. */
async function assertAccessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  assert(violations.length === 0, violations.map((found) => `${found.id}: ${found.nodes[0].html}`).join("; "));
}

/** On a phone the board of a shared game stays at the top: what gets the focus in its lessons, backwards, too, must not stand behind it. */
async function assertFocusBelowBoard(shared) {
  const before = shared.viewportSize();
  await shared.setViewportSize({ width: 390, height: 844 });
  await shared.locator(".lesson summary").last().focus();
  let inLessons = 0;
  for (let steps = 0; steps < 12; steps += 1) {
    await shared.keyboard.press("Shift+Tab");
    const [isInLesson, covered] = await shared.evaluate(() => {
      const { activeElement } = document, end = document.querySelector(".stage").getBoundingClientRect().bottom;
      const isInLesson = activeElement.closest(".lesson") !== null, isCovered = isInLesson && activeElement.getBoundingClientRect().top < end - 1;
      return [isInLesson, isCovered ? activeElement.outerHTML.slice(0, 80) : ""];
    });
    assert(!covered, `${covered} stands behind the board`);
    inLessons += Number(isInLesson);
  }
  assert(inLessons > 0, "nothing in a lesson gets the focus");
  await shared.setViewportSize(before);
}

/** The reviewed game as one file, opened from the disk: keys step, a lesson is answered, and nothing is asked for. `moves` are those of the game; `middleOf` says
 * where a point lies in the board's picture. */
async function readSharedPage(page, address, lesson, moves, middleOf) {
  const answer = await page.request.get(address), path = join(place, "shared.html");
  assert(answer.headers()["content-disposition"].includes(".html"), "it is not downloaded");
  writeFileSync(path, await answer.text());
  const context = await browser.newContext({ offline: true }), shared = await context.newPage(), asked = [], complaints = [];
  shared.on("request", (request) => asked.push(request.url()));
  shared.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  shared.on("pageerror", (error) => complaints.push(error.message));
  await shared.goto(`file://${path}`);
  const shows = (number) => shared.waitForFunction((number) => document.getElementById("move-number").value === String(number), number);
  await shared.keyboard.press("End");
  await shows(moves);
  await shared.keyboard.press("ArrowLeft");
  await shows(moves - 1);
  // The chart says what stood where, leads to moves by click and keys, and its keys do not step.
  const told = await pointAt(shared, "#graph", 0.5);
  assert(/^\d+\. \S+.*: [+-]?\d/.test(told), `the chart says ${told}`);
  await clickAt(shared, "#graph", 0);
  await shared.waitForFunction((moves) => Number(document.getElementById("move-number").value) < moves / 2, moves);
  const first = Number(await shared.inputValue("#move-number"));
  await shared.locator("#graph .chart-drawing").focus();
  await shared.keyboard.press("End");
  await shows(first);
  await shared.keyboard.press("Enter");
  await shared.waitForFunction((first) => Number(document.getElementById("move-number").value) > first, first);
  assert(await isDrawnIn(shared, "#graph", "--chart-2"), "the lead has another colour");
  await shared.evaluate(() => document.activeElement.blur());
  // Keys lead to what lost something, and open their list. A move that a lesson tells by number is gone to.
  await shared.keyboard.press("Home");
  await shows(0);
  await shared.keyboard.press("n");
  await shared.waitForFunction(() => /[?!]$/.test(document.getElementById("after").textContent));
  await shared.keyboard.press("p");
  await shared.waitForFunction(() => document.getElementById("no-mistake").textContent === "No earlier move lost much.");
  await shared.keyboard.press("?");
  assert(await shared.locator(".keys[open] kbd:has-text('p, n')").isVisible(), "the list of keys does not open");
  const numbered = shared.locator(".lesson h3 .move-link").first();
  await numbered.click();
  await shows(Number(await numbered.textContent()));
  const index = await shared.evaluate((number) => JSON.parse(document.getElementById("shared-game").textContent).lessons.findIndex((each) => each.number === number), Number(lesson.number));
  const mine = shared.locator(".lesson").nth(index);
  await mine.locator("button.main").click();
  await shows(Number(lesson.number) - 1);
  await mine.locator("form input").fill(lesson.played);
  await mine.locator("form input").press("Enter");
  assert(/was played/.test(await mine.locator(".verdict").textContent()), "a wrong answer is taken");
  await mine.locator("form input").fill("Z99");
  await mine.locator("form input").press("Enter");
  const said = await mine.locator(".verdict").textContent();
  assert(/was not searched/.test(said) === Boolean(lesson.unknown), `of another answer it says ${said}`);
  const scale = await shared.locator("#board svg").evaluate((drawing) => drawing.getScreenCTM().a);
  const [x, y] = middleOf(lesson.better);
  // Waits until the page has come to rest.
  await shared.locator("#board svg").click({ position: { x: x * scale, y: y * scale } });
  await shared.waitForSelector("#leave:not([hidden])");
  assert(await mine.locator("details").evaluate((details) => details.open), "the answer stays closed");
  // Points that its texts name light up, by keys, too.
  const rings = () => shared.locator("#board svg :is(circle, rect)").count(), unlit = await rings();
  await mine.locator(".told .vertex").first().focus();
  assert(await rings() === unlit + 1, "a point of a text is not lit");
  await shared.locator("#language").focus();
  assert(await rings() === unlit, "a point stays lit");
  await shared.click("#language");
  assert(await shared.evaluate(() => document.documentElement.lang) === "ja", "the other language");
  await assertAccessible(shared);
  await assertFocusBelowBoard(shared);
  assert(asked.length === 1 && complaints.length === 0, `${asked.join()} ${complaints.join()}`);
  await context.close();
}

/** What a page asks the server for while something is done. The browser asks for the icon of its tab whenever it has time. */
async function requestsDuring(page, work) {
  const asked = [], note = (request) => !request.url().endsWith("/icon.svg") && asked.push(`${request.method()} ${request.url()}`);
  page.on("request", note);
  await work();
  await page.waitForTimeout(400);
  page.off("request", note);
  return asked;
}

/** Answers a lesson with a point that it does not name: the server is asked once, and says what that loses, with a line to walk through. */
async function searchAnswer(page, lesson, { number, played, better, answers = better }) {
  await lesson.locator("[data-lesson=try]").click();
  await page.waitForSelector("#board .lit .area");
  const free = await page.locator("#board").evaluate((board, named) => {
    const stones = JSON.parse(board.dataset.stones), points = [...board.dataset.rows === "9" ? "ABCDEFGHJ" : ""].flatMap((letter) => [1, 9].map((row) => letter + row));
    return points.find((point) => !(point in stones) && !named.includes(point));
  }, [played, ...answers.split(" ")]);
  const sending = page.waitForRequest((request) => request.url().endsWith("/lesson"));
  // What fails before it is awaited is told, and not that nothing was sent.
  sending.catch(() => {});
  const asked = await requestsDuring(page, async () => {
    await page.mouse.click(...await spot(page, "ABCDEFGHJ".indexOf(free[0]), 9 - Number(free[1])));
    await page.waitForFunction((free) => [...document.querySelectorAll(".verdict")].some((each) => new RegExp(`^${free} (loses about|is also good)`).test(each.textContent)), free);
  });
  assert(asked.length === 1 && asked[0].endsWith("/lesson"), asked.join());
  const words = await lesson.locator(".verdict").textContent(), isGood = /also good/.test(words);
  const asker = new URLSearchParams((await sending).postData()).get("asker");
  await page.evaluate((detail) => document.dispatchEvent(new CustomEvent("live:why", { cancelable: true, detail })), JSON.stringify({ asker, progress: {} }));
  assert(await lesson.locator(".verdict").textContent() === words, "what is told of a search after its answer hides the answer");
  if (!isGood) {
    // It is still asked, and the reply can be looked at.
    const reply = /The reply is (\w+)\./.exec(words)?.[1];
    await lesson.locator(".searched [data-walk]").click();
    await page.waitForSelector(".state.in-line .line-note");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((reply) => reply in JSON.parse(document.getElementById("board").dataset.stones), reply);
  }
  await page.click("[data-leave]");
  await page.waitForFunction((number) => document.getElementById("move-number").value === String(number - 1) && !document.querySelector(".line-note"), Number(number));
}

/** A record of so many moves on 19x19, no two on one point. */
function longRecord(moves) {
  const point = (n) => String.fromCharCode(97 + (n * 7) % 19, 97 + Math.floor(n / 19) % 19);
  return `(;GM[1]SZ[19]${Array.from({ length: moves }, (_, n) => `;${"BW"[n % 2]}[${point(n)}]`).join("")})`;
}

/** Nodes of documents and bytes of scripts, after the rubbish is gone. */
async function memoryOf(page, session) {
  await session.send("HeapProfiler.collectGarbage");
  const { nodes } = await session.send("Memory.getDOMCounters");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return { nodes, bytes: usedSize };
}

/** The page of a table, with its scripts. */
async function ready(page) {
  await page.waitForSelector("#board");
  await page.waitForLoadState();
}

/** Waits until a table of Othello listens: its position is drawn before its scripts have come. */
async function readyOfOthello(page) {
  await page.waitForSelector("#othello-board .played");
  await page.waitForLoadState();
}

/** Begins the game of Othello that the page offers. */
async function beginGameOfOthello(page) {
  await page.locator("main form button.main, main form button").first().click();
  await readyOfOthello(page);
}

/** A game of Othello in which White is to play: a7 wins by 32, b2 by 6. */
const LATE = "f5f6e6d6e7f4e3f3c6d7g5h5g3g4h6h7c5f7d3b6f8c4c3c7h3e8b3b4a4g6d8c8b8g7b5a5a6h4h8g8a3a2e2d2a8d1f2g1c1g2e1c2";

/** A game of Othello of four moves, whose analysis has begun. */
async function analyseGameOfOthello(page) {
  await page.goto(`${base}/othello?from=f5d6c3d3`);
  await beginGameOfOthello(page);
  await pane(page, "analysis");
  await page.selectOption("#othello-level", "5");
  await page.click("#othello-study");
}

/** The example of Othello, with the review that it brings. */
async function openExampleOfOthello(page) {
  await page.goto(`${base}/othello`);
  await page.click("form[action='/othello/open']:has([name=text][type=hidden]) button");
  await readyOfOthello(page);
  await pane(page, "learn");
  await page.waitForSelector(".othello-graph");
}

/** Begins a session of openings, also where one goes on; by the Enter key. */
async function beginOpenings(page) {
  await page.goto(`${base}/othello/openings`);
  await page.evaluate(() => document.querySelectorAll("main details").forEach((details) => { details.open = true; }));
  await page.focus("form[action='/othello/openings'] button.main");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  await page.waitForSelector("#card-board[data-action]");
}

/** Pages as they are after some use, for all visitors: a blunder that is told, lessons, a match that was played and one of its games, a deck, a board of strings. */
async function leavePagesInUse() {
  const left = [];
  await visit({}, async (page) => {
    const leave = () => left.push(page.url().slice(base.length));
    await page.goto(`${base}/othello?from=${LATE}`);
    await page.selectOption("#othello-black-player", "othello-greedy");
    await page.selectOption("#othello-white-player", "person");
    await page.check("[name=taught]");
    await page.click("form[action='/othello'] button.main");
    await readyOfOthello(page);
    await page.mouse.click(...await spot(page, 1, 1, "othello-board"));
    await page.waitForSelector(".warning .told");
    leave();
    await openExampleOfOthello(page);
    leave();
    await page.goto(`${base}/lab`);
    await page.fill("#a", "go-random");
    await page.fill("#b", "go-capture");
    await page.fill("#pairs", "2");
    await page.locator("form[action='/lab/m'] button, form[hx-post='/lab/m'] button").first().click();
    await page.waitForSelector("text=Finished.");
    leave();
    await page.goto(`${base}/lab/games`);
    leave();
    await page.locator("main tbody a").first().click();
    await page.waitForSelector(".replayed");
    leave();
    await page.goto(`${base}/decks`);
    await page.click("text=Thirty pieces");
    await page.waitForLoadState();
    await page.click("button:has-text('Build')");
    await page.waitForSelector("table.decks-compared");
    leave();
    await page.goto(`${base}/strings`);
    await page.fill("#strings-width", "5");
    await page.click("form[action='/strings'] button.main");
    await page.waitForSelector(".strings-board svg");
    leave();
    // An opening that is asked stays asked.
    await beginOpenings(page);
    leave();
  });
  return left;
}

const ROOMS = ["/", "/go", "/go/problems", "/go/problems/1", "/go/practice", "/othello", "/othello/practice", "/othello/openings", "/joseki", "/joseki?line=bD4.wF3", "/patterns",
  "/patterns/p/shipped/crosscut-extend", "/lab", "/lab/e/003-strings/quick", "/lab/campaigns", "/strings", "/decks"];

/** Games that are played, alone and in several tabs. */
const games = {
  // The first check: what later ones make keeps the names that visitors gave it in English.
  async "what a Japanese page says is Japanese"() {
    for (const viewport of [{ width: 1280, height: 720 }, { width: 390, height: 844 }]) await visit({ locale: "ja", viewport }, async (page) => {
      for (const room of [...ROOMS, "/patterns/game", "/lab/games", "/lab/e/010-ground/full", "/lab/e/001-go-tabu/full", "/lab/e/004-decks/full"]) {
        await page.goto(base + room);
        if (room.includes("/full")) await page.waitForSelector("#figures table", { timeout: 60_000 });
        const english = await page.evaluate(() => {
          const isEnglish = (text) => /[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}/.test(text) && !/[\u3001\u3040-\u9fff]/.test(text);
          const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const { data, parentElement } = walker.currentNode;
            if (!parentElement.closest("script, style, code, pre, textarea, kbd, dt, [lang=en]")) found.push(data.trim());
          }
          for (const element of document.querySelectorAll("[title], [aria-label]")) found.push(element.getAttribute("title") ?? "", element.getAttribute("aria-label") ?? "");
          return [...new Set(found.filter(isEnglish))];
        });
        assert(english.length === 0, `${room}: ${english.slice(0, 5).join(" | ")}`);
        // Japanese may break behind any character: no column is so narrow.
        const narrow = await page.locator("#figures :is(th, td)").evaluateAll((cells) => cells.filter((cell) => cell.textContent.length > 3
          && !cell.matches(".number") && cell.getBoundingClientRect().width < 60).map((cell) => cell.textContent));
        assert(narrow.length === 0, `${room}: narrow columns: ${narrow.slice(0, 5).join(" | ")}`);
        assert(!room.startsWith("/patterns/p/") || (await page.textContent("h1")) === "切り違いのノビ", await page.textContent("h1"));
      }
    });
  },

  async "what stands on the board is told anew after a step, in Japanese, too"() {
    for (const [locale, go, othello] of [["en", "Black: E5", "Black: e4 d5"], ["ja", "黒：E5", "黒：e4 d5"]]) await visit({ locale }, async (page) => {
      const told = (list, words) => page.waitForFunction(([list, words]) => document.querySelector(list).textContent.trim() === words, [list, words]);
      await openRecord(page, "(;GM[1]SZ[9];B[ee];W[cc];B[gc])");
      await page.keyboard.press("ArrowRight");
      await shows(page, 1, 3);
      await told("#board-text p", go);
      await page.goto(`${base}/othello?from=f5d6`);
      await beginGameOfOthello(page);
      await page.keyboard.press("Home");
      await told("#othello-told li", othello);
    });
  },

  async "a 9x9 game is played to the score"() {
    await visit({}, async (page) => {
      await newGame(page, "person", "go-mcts:level=1");
      const turn = () => page.waitForFunction(() => !document.querySelector(".thinking"));
      let played = 0;
      for (const [column, row] of [[4, 4], [2, 2], [6, 2], [2, 6], [6, 6], [4, 2], [2, 4], [6, 4], [4, 6], [3, 3], [5, 5], [3, 5]]) {
        await turn();
        if (await change(page, async () => page.mouse.click(...await spot(page, column, row)))) played += 1;
      }
      assert(played >= 6, `only ${played} moves could be played`);
      // The engine answers a pass by a pass, or plays on for a while.
      for (let passes = 0; passes < 60 && !(await page.locator(".score").count()); passes += 1) {
        await turn();
        if (await page.locator(".score").count() || await page.locator(".result").count()) break;
        await change(page, () => page.click("button[aria-label=Pass]"));
        await turn();
      }
      if (!(await page.locator(".result").count())) {
        const score = await page.textContent(".score");
        await change(page, async () => page.mouse.click(...await spot(page, 4, 4)));
        assert((await page.textContent(".score")).length > 0, "the count is gone");
        await change(page, async () => page.mouse.click(...await spot(page, 4, 4)));
        assert(await page.textContent(".score") === score, "a chain clicked twice changes the count");
        await change(page, () => page.click("text=Agree"));
      }
      assert(/wins|draw/i.test(await page.textContent(".result")), "there is no result");
      await page.reload();
      assert(/wins|draw/i.test(await page.textContent(".result")), "the result is gone after a reload");
    });
  },

  async "an SGF is loaded and stepped through by keys"() {
    await visit({}, async (page) => {
      await page.goto(`${base}/go`);
      await page.fill("#sgf", "(;GM[1]SZ[9]PB[Kuro]PW[Shiro];B[ee];W[cc]C[a remark](;B[gg])(;B[gc];W[cg]))");
      await page.click("form[enctype] button.main");
      await ready(page);
      assert((await page.textContent(".status")).includes("Kuro"), "the name of Black is missing");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await shows(page, 2, 3);
      assert(await page.inputValue("#comment") === "a remark", "the remark is missing");
      assert(await page.locator(".remark").isVisible() && await page.textContent(".remark") === "a remark", "the remark is out of sight");
      assert(await page.locator("text=black G7").count() === 1, "the variations are missing");
      await page.click("text=black G7");
      await page.keyboard.press("End");
      await shows(page, 4, 4);
      await pane(page, "game");
      await page.fill("#comment", "<b>kept</b>");
      await change(page, () => page.click("text=Keep the comment"));
      await page.reload();
      assert(await page.inputValue("#comment") === "<b>kept</b>", "the comment was not kept");
    });
  },

  async "a teaching game tells a blunder, which can be taken back or left"() {
    for (const [width, height, locale] of [[1280, 720, "en"], [390, 844, "ja"]]) {
      await visit({ viewport: { width, height }, locale }, async (page) => {
        await page.goto(`${base}/go`);
        await page.selectOption("#white", "go-random");
        await page.check("[name=taught]");
        await page.click("form[action='/go/new'] button.main");
        await ready(page);
        await page.evaluate(() => {
          window.looks = "";
          const note = () => { window.looks += document.querySelector(".bar .look")?.textContent ?? ""; };
          new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
        });
        const blunder = async () => {
          await page.mouse.click(...await spot(page, 0, 8));
          await page.waitForSelector(".warning .told");
          const box = await page.locator(".warning .row").boundingBox();
          assert(box.y + box.height <= height, "the choice is out of sight");
          const told = await page.textContent(".warning");
          assert(told.includes("A1") && told.includes("E5"), `the reason is missing: ${told}`);
        };
        const stones = () => page.evaluate(() => Object.keys(JSON.parse(document.getElementById("board").dataset.stones)).length);
        await blunder();
        const looks = await page.evaluate(() => window.looks);
        assert((locale === "en" ? /looks at your move … \d+ s/ : /あなたの手を調べています… \d+秒/).test(looks), `while the move is looked at, the page says "${looks}"`);
        assert(await page.locator(".bar .look").count() === 0, "the page says that it still looks");
        assert(await stones() === 1, "the blunder is answered before it is told");
        await page.mouse.click(...await spot(page, 2, 2));
        await page.waitForFunction(() => document.getElementById("message").textContent !== "");
        // Who has stepped back to look takes back the move that is told, too.
        await page.click("[data-step='-1']");
        await page.waitForFunction(() => document.getElementById("board").dataset.stones === "{}");
        await change(page, () => page.click(".warning button[hx-post$='/take-back']"));
        await shows(page, 0, 0);
        await page.waitForFunction(() => !document.querySelector(".htmx-added, .htmx-settling, .htmx-request"));
        assert(await page.locator(".warning").count() === 0, "the warning stays");
        // Who has answered by keys goes on with the board.
        await page.waitForFunction(() => document.activeElement.id === "board");
        await blunder();
        await page.click(".warning button[hx-post$='/engine']");
        await page.waitForFunction(() => Object.keys(JSON.parse(document.getElementById("board").dataset.stones)).length === 2);
        assert(await page.locator(".warning").count() === 0, "the blunder that was left is told again");
      });
    }
  },

  async "a teaching game of Othello tells a blunder, which can be taken back or left"() {
    for (const [width, height, locale] of [[1280, 720, "en"], [390, 844, "ja"]]) {
      await visit({ viewport: { width, height }, locale }, async (page) => {
        await page.goto(`${base}/othello?from=${LATE}`);
        await page.selectOption("#othello-black-player", "othello-greedy");
        await page.selectOption("#othello-white-player", "person");
        await page.check("[name=taught]");
        await page.click("form[action='/othello'] button.main");
        await readyOfOthello(page);
        const click = async (column, row) => page.mouse.click(...await spot(page, column, row, "othello-board"));
        const moves = (count) => page.waitForFunction((count) => document.querySelectorAll(".othello-moves button").length === count, count);
        const blunder = async () => {
          await click(1, 1);
          await page.waitForSelector(".warning .told");
          const box = await page.locator(".warning .row").boundingBox();
          assert(box.y + box.height <= height, "the choice is out of sight");
          const told = await page.textContent(".warning");
          assert(told.includes("b2") && told.includes("a7"), `the reason is missing: ${told}`);
        };
        await blunder();
        assert(await page.locator(".othello-moves button").count() === 53, "the blunder is answered before it is told");
        await click(0, 0);
        await page.waitForFunction(() => document.getElementById("message").textContent !== "");
        // Squares of the reason light up, and its line is walked through from the place before the move. Who leaves it is at the move again.
        const at = (shown) => page.waitForFunction((shown) => document.getElementById("move-number").value === String(shown), shown);
        const asked = await requestsDuring(page, async () => {
          await page.locator(".warning .vertex[data-vertex=a7]").first().focus();
          await page.waitForSelector("#othello-board .lit .point");
          const walk = page.locator(".warning .walk-line").first();
          assert(/b2/.test(await walk.getAttribute("aria-label")), `the line is called ${await walk.getAttribute("aria-label")}`);
          await walk.focus();
          await page.keyboard.press("Enter");
          await at(53);
          await page.waitForSelector(".othello-state [data-leave]");
          assert(await page.locator("#othello-board .lit").count() === 0, "a square stays lit beside the line");
          await page.locator("[data-step='1']").first().click();
          await at(54);
          await page.locator(".othello-state [data-leave]").first().focus();
          await page.keyboard.press("Enter");
          await at(53);
          assert(await page.evaluate(() => document.activeElement.matches(".warning .walk-line")), "who leaves the line has no focus");
        });
        assert(asked.length === 0, asked.join());
        // Who has stepped back to look takes back the move that is told, too.
        await page.click("[data-step='-1']");
        await page.click(".warning button[hx-post$='/take-back']");
        await moves(52);
        assert(await page.locator(".warning").count() === 0, "the warning stays");
        await page.waitForFunction(() => document.activeElement.id === "othello-board");
        await blunder();
        await page.click(".warning button[hx-post$='/leave']");
        await moves(54);
        assert(await page.locator(".warning").count() === 0, "the blunder that was left is told again");
      });
    }
  },

  async "even games against a rank count, and the next opponent follows"() {
    await visit({}, async (page) => {
      const fitting = () => page.locator("#white option[value='go-rank:rank=own']").textContent();
      await page.goto(`${base}/go`);
      const first = await fitting();
      for (let games = 1; games <= 2; games += 1) {
        await page.goto(`${base}/go`);
        await page.selectOption("#white", "go-rank:rank=own");
        await page.click("form[action='/go/new'] button.main");
        await ready(page);
        page.once("dialog", (dialog) => dialog.accept());
        await change(page, () => page.click("button[hx-post$='/resign']"));
        await page.goto(`${base}/go`);
        assert((await page.textContent(".standing")).includes(`after ${games} game`), await page.textContent(".standing"));
      }
      const kyu = (text) => Number(/(\d+) kyu/.exec(text)[1]);
      assert(kyu(await fitting()) > kyu(first), `${first} stays ${await fitting()}`);
    });
  },

  async "a second tab sees what the first one does"() {
    await visit({}, async (page) => {
      await newGame(page, "person", "person");
      const other = await page.context().newPage();
      await other.goto(page.url());
      await change(other, async () => page.mouse.click(...await spot(page, 4, 4)));
      await other.waitForFunction(() => document.getElementById("board").dataset.stones.includes("E5"));
    });
  },

  async "steps by key, wheel, number and click ask for nothing"() {
    await visit({}, async (page) => {
      await openRecord(page, longRecord(200));
      const asked = await requestsDuring(page, async () => {
        for (let n = 0; n < 60; n += 1) await page.keyboard.press("ArrowRight");
        await shows(page, 60, 200);
        // The record's own next move, and arrow keys after a click on the board.
        await page.mouse.click(...await spot(page, (60 * 7) % 19, Math.floor(60 / 19)));
        await shows(page, 61, 200);
        await page.keyboard.press("ArrowLeft");
        await page.keyboard.press("ArrowLeft");
        await shows(page, 59, 200);
        await page.mouse.wheel(0, 120);
        await shows(page, 60, 200);
        await page.mouse.wheel(0, -120);
        await shows(page, 59, 200);
        await page.fill("#move-number", "150");
        await page.keyboard.press("Enter");
        await shows(page, 150, 200);
        await page.locator("#board").focus();
        await page.keyboard.press("End");
        await shows(page, 200, 200);
        await page.keyboard.press("PageUp");
        await shows(page, 190, 200);
        await page.keyboard.press("Home");
        await shows(page, 0, 200);
        // Taking back in the middle of a record is a step, too.
        await page.keyboard.press("ArrowRight");
        await page.click("button[hx-post$='/undo']");
        await shows(page, 0, 200);
        // A held key.
        for (let n = 0; n < 60; n += 1) await page.keyboard.down("ArrowRight");
        await page.keyboard.up("ArrowRight");
        await shows(page, 60, 200);
      });
      assert(asked.length === 0, `steps asked for ${asked.join(", ")}`);
      assert(await revision(page) === "1", "steps have changed the table");
    });
  },

  async "boards in the page are those of the rules"() {
    await visit({}, async (page) => {
      await openRecord(page, "(;GM[1]SZ[5]AB[ca];B[aa];W[ab];B[ee];W[ba];B[bb]C[x])");
      await page.keyboard.press("End");
      await shows(page, 5, 5);
      await page.waitForFunction(() => document.querySelectorAll("#board .stones circle").length === 5);
      await page.waitForFunction(() => !("A5" in JSON.parse(document.getElementById("board").dataset.stones)));
      assert((await page.locator(".prisoners").allTextContents()).join() === "0,1", "White has one prisoner");
      // What the server draws there is the same: it is asked after a move.
      const drawn = () => page.locator("#board .stones circle").evaluateAll((all) => all.map((c) => `${c.getAttribute("cx")} ${c.getAttribute("cy")} ${c.getAttribute("fill")}`).sort().join());
      const own = await drawn();
      const [html, place] = [await page.evaluate(async () => (await fetch(`${location.pathname}/do/last`, { method: "POST", body: new URLSearchParams() })).text()), page.url()];
      const served = await page.evaluate((html) => [...new DOMParser().parseFromString(html, "text/html").querySelectorAll("#board .stones circle")]
        .map((c) => `${c.getAttribute("cx")} ${c.getAttribute("cy")} ${c.getAttribute("fill")}`).sort().join(), html);
      assert(own === served && own.length > 0, `${place}: ${own} is not ${served}`);
    });
  },

  async "a tab does not grow while somebody steps and analyses"() {
    await visit({}, async (page) => {
      await openRecord(page, longRecord(120));
      await pane(page, "analysis");
      await page.click("text=Analyse this position");
      await page.waitForSelector("tr[data-variation]");
      const session = await page.context().newCDPSession(page);
      const walk = async (times) => {
        for (let n = 0; n < times; n += 1) {
          await page.keyboard.press(n % 100 < 50 ? "ArrowRight" : "ArrowLeft");
          if (n % 25 === 24) await page.waitForTimeout(600);
        }
      };
      await walk(100);
      const before = await memoryOf(page, session);
      await walk(500);
      const after = await memoryOf(page, session);
      console.log(`   ${before.nodes} nodes and ${before.bytes} bytes, then ${after.nodes} and ${after.bytes}`);
      assert(after.nodes < before.nodes + 3000, `${before.nodes} nodes became ${after.nodes}`);
      assert(after.bytes < before.bytes + 4e6, `${before.bytes} bytes became ${after.bytes}`);
    });
  },

  async "eight tabs load and hear of each move"() {
    const ways = {
      "a shared worker": "",
      "a tab that leads": "delete window.SharedWorker",
    };
    for (const [way, script] of Object.entries(ways)) {
      await visit({}, async (page) => {
        await page.context().addInitScript(script);
        await newGame(page, "person", "person");
        const tabs = [];
        for (let n = 0; n < 7; n += 1) {
          const tab = await page.context().newPage();
          await tab.goto(page.url(), { timeout: 30_000 });
          await ready(tab);
          tabs.push(tab);
        }
        await change(page, async () => page.mouse.click(...await spot(page, 4, 4)));
        for (const tab of tabs) {
          await tab.waitForFunction(() => document.getElementById("board").dataset.stones.includes("E5"), null, { timeout: 30_000 });
        }
        const said = await tabs[0].textContent("#said");
        assert(said.includes("black plays E5"), `${way}: the other's move is not announced: ${said}`);
        // The tab that may hold the stream goes; the others still hear.
        const last = tabs.pop();
        await page.close();
        await tabs[0].waitForTimeout(300);
        await change(last, async () => last.mouse.click(...await spot(last, 2, 2)));
        for (const tab of tabs) {
          await tab.waitForFunction(() => document.getElementById("board").dataset.stones.includes("C7"), null, { timeout: 30_000 });
        }
      });
    }
  },
};

/** Boards, the moves on them, and their places in windows of every size. */
const boards = {
  async "a click on the next move, or on another, keeps the review"() {
    await visit({}, async (page) => {
      await openRecord(page, "(;GM[1]SZ[5];B[cc];W[cb])");
      await change(page, () => page.click("text=Review the whole game"));
      await page.waitForSelector(".graph");
      await page.keyboard.press("Home");
      const asked = await requestsDuring(page, async () => {
        await page.mouse.click(...await spot(page, 2, 2));
        await shows(page, 1, 2);
      });
      assert(asked.length === 0, asked.join());
      assert((await page.textContent(".after-move")).includes("Black wins"), "the move's value is missing");
      assert(await change(page, async () => page.mouse.click(...await spot(page, 3, 3))), await page.textContent("#message"));
      assert(await page.locator(".graph").count() === 1, "a variation has deleted the review");
      assert(/^2\. C4.*win rate: \d+ %.*points: [+-]\d/.test(await pointAt(page, "#pane-learn", 1)), "the values are missing");
      await clickAt(page, "#pane-learn", 1);
      await shows(page, 2, 2);
    });
  },

  async "the tree of a game is drawn, and clicks and keys go anywhere in it"() {
    await visit({}, async (page) => {
      await openRecord(page, "(;GM[1]SZ[9];B[ee];W[cc](;B[gg];W[gc](;B[gd])(;B[hc];W[hd]))(;B[cg]C[here, unlike move 2 (1手目)];W[ec])(;B[ff]))");
      await pane(page, "game");
      const placeOf = (node) => page.locator(`.game-tree [data-node='${node}'] circle`).evaluate((circle) => [circle.cx, circle.cy].map((at) => at.baseVal.value));
      const places = await Promise.all([...Array(11).keys()].map(placeOf));
      assert(new Set(places.map(String)).size === 11, `two moves lie on each other: ${places.join(" ")}`);
      assert([1, 2, 3, 4, 5].every((node) => places[node][1] === places[0][1]), "the game is not one row");
      assert([6, 8, 10].every((node) => places[node][1] > places[0][1]) && places[7][1] === places[6][1], "a variation has no row of its own");
      assert(await page.locator(".game-tree .told").textContent() === "3", "a move with a remark is as the others");
      const asked = await requestsDuring(page, async () => {
        await page.click(".game-tree [data-node='8']");
        await shows(page, 3, 4);
        await page.waitForFunction(() => document.getElementById("board").dataset.stones.includes("C3"));
        await page.click(".game-tree [data-node='7']");
        await shows(page, 6, 6);
      });
      assert(asked.length === 0, asked.join());
      const ring = await page.locator(".game-tree .here").evaluate((circle) => [circle.cx, circle.cy].map((at) => at.baseVal.value));
      assert(String(ring) === String(places[7]), "the place that is shown is not ringed");
      // Keys go from row to row and along them, and screen readers hear where that is.
      const here = () => page.locator(".game-tree [role=tree]").evaluate((tree) => document.getElementById(tree.getAttribute("aria-activedescendant")).getAttribute("aria-label"));
      await page.locator(".game-tree [role=tree]").focus();
      assert((await here()).startsWith("6. white "), await here());
      for (const [key, name] of [["ArrowDown", "4. white E7"], ["ArrowLeft", "3. black C3, with a remark"], ["ArrowDown", "3. black F4"], ["ArrowUp", "3. black C3, with a remark"]]) {
        await page.keyboard.press(key);
        await page.waitForFunction((name) => document.querySelector(".game-tree [aria-selected]")?.getAttribute("aria-label") === name, name);
        assert(await here() === name, `${key} leads to ${await here()}`);
      }
      // Moves that its remark tells by number, in either language, are gone to.
      assert((await page.locator(".remark .move-link").allTextContents()).join() === "2,1", "a number in a remark is no way");
      await page.locator(".remark .move-link").first().click();
      await shows(page, 2, 4);
      // The list of keys opens by one.
      await page.keyboard.press("?");
      await page.waitForSelector("details.keys[open]");
      assert(await page.locator(".keys kbd").evaluateAll((keys) => keys.map((key) => key.textContent).includes("w")), "a key is not told");
      await assertAccessible(page);
      // Shared as a file the game has its tree, too.
      const answer = await page.request.get(`${page.url()}/html`), path = join(place, "tree.html");
      writeFileSync(path, await answer.text());
      const alone = await page.context().newPage();
      await alone.goto(`file://${path}`);
      await alone.click(".game-tree [data-node='8']");
      await alone.waitForFunction(() => document.getElementById("move-number").value === "3" && document.getElementById("comment").textContent === "here, unlike move 2 (1手目)");
      await alone.focus(".game-tree [role=tree]");
      await alone.keyboard.press("ArrowDown");
      await alone.waitForFunction(() => document.getElementById("said").textContent.includes("F4"));
      await alone.keyboard.press("ArrowUp");
      await alone.locator("#comment .move-link").first().click();
      await alone.waitForFunction(() => document.getElementById("move-number").value === "2");
      assert(await alone.locator(".game-tree [data-node]").count() === 11, "a move is missing in the shared tree");
      await alone.close();
      // A move that is played has its place, too.
      assert(await change(page, async () => page.mouse.click(...await spot(page, 0, 0))), await page.textContent("#message"));
      await page.waitForFunction(() => document.querySelectorAll(".game-tree [data-node]").length === 12);
    });
  },

  async "a remark has the room that a phone leaves, and its lines of moves hold together"() {
    for (const [width, height, least] of [[390, 844, 150], [360, 640, 60], [1280, 720, 280]]) {
      await visit({ viewport: { width, height }, locale: "ja" }, async (page) => {
        await page.goto(base);
        await page.click("form.sample button");
        await ready(page);
        await page.keyboard.press("PageDown");
        await page.waitForSelector(".remark .walk-line");
        const { top, bottom, bar, tabs, broken } = await page.evaluate(() => {
          const [remark, bar, tabs] = [".remark", ".bar", "[role=tablist]"].map((part) => document.querySelector(part).getBoundingClientRect());
          const broken = [...document.querySelectorAll(".remark .walk-line")].filter((button) => {
            const line = button.closest(".tied");
            return !/^[A-J]\d(?:）|。)/.test(line?.textContent) || line.getClientRects().length !== 1;
          }).length;
          return { top: remark.top, bottom: remark.bottom, bar: bar.bottom, tabs: tabs.top, broken };
        });
        assert(bottom - top >= least, `at ${width}x${height} the remark has ${bottom - top} pixels`);
        assert(width > 800 || top >= bar && bottom <= tabs + 1, `the remark lies from ${top} to ${bottom}, between ${bar} and ${tabs}`);
        assert(broken === 0, `${broken} lines of moves are broken`);
        // Whoever has read to its end begins the next one at its first line.
        await page.locator(".remark").evaluate((remark) => { remark.scrollTop = remark.scrollHeight; });
        await page.waitForFunction(() => document.querySelector(".remark").scrollTop > 0);
        const before = await page.textContent(".remark");
        await page.keyboard.press("ArrowRight");
        await page.waitForFunction((before) => document.querySelector(".remark").textContent !== before, before);
        assert(await page.locator(".remark").evaluate((remark) => remark.scrollTop) === 0, "a remark begins in its middle");
      });
    }
  },

  async "boards are the same in every room, and what fills their stones stands once"() {
    await visit({ viewport: { width: 1280, height: 720 } }, async (page) => {
      // A list shows each game at the move where its visitor stands. A record is opened at its start.
      await openRecord(page, "(;GM[1]SZ[9]AB[ee]AW[cc])");
      for (const room of ["/", "/go", "/go/problems", "/patterns", "/patterns/p/shipped/crosscut-extend", "/strings"]) {
        await page.goto(base + room);
        const { flat, filled, fillings } = await page.evaluate(() => ({
          flat: document.querySelectorAll("main svg circle[fill='#161616'], main svg g[fill='#000']").length,
          filled: document.querySelectorAll("main .board.deep [fill='url(#stone-black)']").length,
          fillings: document.querySelectorAll("#stone-black").length,
        }));
        assert(flat === 0 && filled > 0 && fillings === 1, `${room}: ${flat} flat stones, ${filled} with depth, ${fillings} fillings`);
      }
      // The last of them is whole, too.
      const { y, height } = await page.locator(".strings-board").boundingBox();
      assert(y + height <= 720, `the board ends at ${y + height} of 720`);
      // A variation of Othello lies over the board, with the same discs.
      await page.goto(`${base}/othello?from=f5d6c3d3`);
      await beginGameOfOthello(page);
      const preview = await page.evaluate(async () => {
        const answer = await fetch(`${location.pathname}/line?moves=c4f4&after=4`), place = document.createElement("div");
        place.innerHTML = await answer.text();
        const count = (part) => place.querySelectorAll(part).length;
        return { deep: count("[fill='url(#stone-black)'], [fill='url(#stone-white)']"), fillings: count("#stone-black") };
      });
      assert(preview.deep === 10 && preview.fillings === 0, `a variation has ${preview.deep} discs with depth, ${preview.fillings} fillings`);
      // The same line after another move of the game is another variation.
      for (const after of [0, 2]) {
        await Promise.all([
          page.waitForResponse((answer) => answer.url().endsWith(`/line?moves=c4&after=${after}`)),
          page.evaluate((after) => {
            const row = document.createElement("p");
            Object.assign(row.dataset, { line: "c4", after });
            document.querySelector("[data-game]").append(row);
            row.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
          }, after),
        ]);
      }
    });
  },

  async "the moves of a long game can be read in its tree"() {
    await visit({}, async (page) => {
      await openRecord(page, longRecord(120));
      await pane(page, "game");
      await page.keyboard.press("End");
      await shows(page, 120, 120);
      const { width } = await page.locator(".game-tree [data-node='120'] circle").boundingBox();
      assert(width > 14, `a move is ${width} pixels wide`);
      await page.waitForFunction(() => document.querySelector(".game-tree .scroll").scrollLeft > 2000);
      const answer = await page.request.get(`${page.url()}/html`), path = join(place, "long-tree.html");
      writeFileSync(path, await answer.text());
      await page.goto(`file://${path}`);
      const shared = await page.locator(".game-tree [data-node='1'] circle").boundingBox();
      assert(shared.width > 14, `in the shared game a move is ${shared.width} pixels wide`);
    });
  },

  async "the arrow keys step after a click that played, and move the cursor after Tab"() {
    await visit({}, async (page) => {
      await newGame(page, "person", "person");
      for (const at of [[1, 1], [4, 4]]) await change(page, async () => page.mouse.click(...await spot(page, ...at)));
      await shows(page, 2, 2);
      await page.keyboard.press("ArrowLeft");
      await shows(page, 1, 2);
      await page.keyboard.press("Tab");
      await page.locator("#board").focus();
      await page.keyboard.press("ArrowLeft");
      await page.waitForFunction(() => document.getElementById("board-says").textContent !== "");
      await shows(page, 1, 2);
    });
  },

  async "an analysis looks for moves in an area: by dragging, clicks, keys and fingers"() {
    // Says where moves are looked for, once the table has them.
    const searched = async (page, least) => {
      await page.waitForFunction((least) => document.querySelectorAll(".thought tr[data-variation]").length >= least, least);
      return page.locator(".thought tr[data-variation] td:first-child").allTextContents();
    };
    const isWithin = (moves) => moves.every((move) => /^[BC][2-4]$/.test(move));
    const stones = (page) => page.evaluate(() => Object.keys(JSON.parse(document.getElementById("board").dataset.stones)).length);
    await visit({ viewport: { width: 1280, height: 720 } }, async (page) => {
      await openRecord(page, "(;GM[1]SZ[9]KM[7];B[ee];W[gc];B[gg])");
      await page.keyboard.press("End");
      await pane(page, "analysis");
      assert(await page.locator("[data-area=whole]").isHidden(), "the whole board is offered where no area is chosen");
      await page.click("[data-area=choose]");
      assert((await page.textContent("#message")).includes("two opposite corners"), "it is not said what to do");
      const [from, to] = [await spot(page, 1, 5), await spot(page, 2, 7)];
      await page.mouse.move(...from);
      assert(await page.locator("#board .ghost").count() === 0, "a click would put a stone down");
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 4 });
      assert(await page.locator("#board .area-layer .edge").count() === 1, "the rectangle is not drawn");
      await page.mouse.up();
      await page.waitForFunction(() => !document.querySelector(".area-words").hidden);
      assert(/B4–C2/.test(await page.textContent(".area-words")), await page.textContent(".area-words"));
      // It is analysed at once, also at other places and after a reload.
      assert(isWithin(await searched(page, 2)), `outside the area: ${await searched(page, 2)}`);
      await page.keyboard.press("ArrowLeft");
      await shows(page, 2, 3);
      await page.waitForFunction(() => document.querySelectorAll(".thought tr[data-variation]").length >= 2);
      assert(isWithin(await searched(page, 2)), `at another place: ${await searched(page, 2)}`);
      await page.reload();
      await pane(page, "analysis");
      assert(isWithin(await searched(page, 2)) && await page.locator("#board .area-layer .edge").count() === 1, "a reload forgets the area");
      assert(await stones(page) === 2 && await revision(page) === "1", "a move was played");
      // The whole board again.
      await page.click("[data-area=whole]");
      await page.waitForFunction(() => [...document.querySelectorAll(".thought tr[data-variation] td:first-child")].some(({ textContent }) => !/^[BC][2-4]$/.test(textContent)));
      // By keys: r, the cursor to a corner and to the other one. Escape leaves the choice.
      await page.keyboard.press("r");
      await page.keyboard.press("Escape");
      assert(await page.locator("#board.choosing").count() === 0, "Escape does not leave the choice");
      await page.keyboard.press("r");
      await page.waitForFunction(() => document.activeElement.id === "board");
      for (const key of ["Enter", "ArrowRight", "ArrowDown", "Enter"]) await page.keyboard.press(key);
      await page.waitForSelector("#board .area-layer .edge");
      assert(/^Moves are looked for in the area [A-J]\d–[A-J]\d only/.test(await page.textContent(".area-words")), await page.textContent(".area-words"));
      assert(await stones(page) === 2 && await page.locator("#board.choosing").count() === 0, "the choice goes on");
      await assertAccessible(page);
    });
    // A finger drags, and neither steps nor plays; or it touches two corners. Small points need no second touch here.
    await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: "ja" }, async (page) => {
      await openRecord(page, "(;GM[1]SZ[19];B[pd];W[dp];B[pq])");
      await page.keyboard.press("End");
      const begin = async () => {
        await page.tap("#tab-analysis");
        await page.tap("[data-area=choose]");
        await page.waitForSelector("#board.choosing");
      };
      await begin();
      await page.touchscreen.tap(...await spot(page, 1, 2));
      await page.touchscreen.tap(...await spot(page, 6, 8));
      await page.waitForFunction(() => /B17–G11/.test(document.querySelector(".area-words").textContent));
      await begin();
      const [from, to] = [await spot(page, 12, 3), await spot(page, 3, 4)], touch = await page.context().newCDPSession(page);
      const send = (type, points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
      await send("touchStart", [from]);
      for (const share of [0.3, 0.7, 1]) await send("touchMove", [[0, 1].map((axis) => from[axis] + share * (to[axis] - from[axis]))]);
      await send("touchEnd", []);
      await page.waitForFunction(() => /N16–D15/.test(document.querySelector(".area-words").textContent));
      await shows(page, 3, 3);
      assert(await stones(page) === 3, "a touch has played");
    });
  },

  async "with another komi a place is analysed anew"() {
    await visit({}, async (page) => {
      await openRecord(page, "(;GM[1]SZ[9]KM[7];B[ee];W[cc])");
      await page.keyboard.press("End");
      await pane(page, "analysis");
      await page.click("text=Analyse this position");
      await page.waitForSelector("tr[data-variation]");
      const lead = () => page.evaluate(() => Number(/ \+([\d.]+)/.exec(document.querySelector(".thought p")?.textContent)?.[1] ?? 0));
      assert(await lead() < 20, `with 7 points the lead is ${await lead()}`);
      await pane(page, "game");
      await page.click("text=Facts and variations");
      await page.fill("#komi", "77");
      assert(await change(page, () => page.click("text=Keep the facts")), await page.textContent("#message"));
      await page.waitForFunction(() => / White \+[4-9]\d/.test(document.querySelector(".thought p")?.textContent.replace(",", "")));
      const moves = await page.locator("tr[data-variation]").count();
      assert(moves > 0, "no candidate is told");
      // All that a candidate has is in sight.
      await pane(page, "analysis");
      const hidden = await page.locator(".thought .scroll").evaluate((table) => table.scrollWidth - table.clientWidth);
      assert(hidden <= 0, `${hidden} pixels of the table are out of sight`);
      // A reload shows what holds with this komi alone.
      await page.addInitScript(() => {
        const mute = (event) => (event.preventDefault(), event.stopImmediatePropagation());
        for (const name of ["overlay", "thought-en"]) addEventListener(`live:${name}`, mute, true);
      });
      await page.reload();
      await page.waitForSelector("tr[data-variation]");
      assert(await lead() > 40, `after a reload the lead is ${await lead()}`);
    });
  },

  async "board and bar are whole in every window, and the result is in sight"() {
    for (const [width, height] of [[1280, 720], [1920, 1080], [390, 844], [360, 640]]) {
      for (const locale of ["en", "ja"]) {
        await visit({ viewport: { width, height }, locale }, async (page) => {
          const inside = async (selector) => {
            const box = await page.locator(selector).first().boundingBox();
            const fits = box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5;
            assert(fits, `${selector} is not inside ${width}x${height} (${locale}): ${JSON.stringify(box)}`);
            return box;
          };
          await newGame(page, "person", "person", "19");
          const { width: side } = await inside("#board");
          assert(side > 0.55 * Math.min(width, height), `the board is small in ${width}x${height}: ${side}`);
          for (const part of ["#board svg", ".bar", "#move-number", "[data-step='-1']", "[data-step='1']", "button[hx-post$='/pass']", "button[hx-post$='/undo']"]) await inside(part);
          const answers = [];
          page.on("dialog", (dialog) => answers.push(dialog.message()) && dialog[answers.length === 1 ? "dismiss" : "accept"]());
          await page.click("button[hx-post$='/resign']");
          assert(answers.length === 1 && await page.locator(".result").count() === 0, "a resignation is asked about");
          await change(page, () => page.click("button[hx-post$='/resign']"));
          await inside(".bar .state strong");
          await page.goto(`${base}/othello`);
          await beginGameOfOthello(page);
          const { width: field } = await inside("#othello-board");
          assert(field > 0.45 * Math.min(width, height), `the board of Othello is small in ${width}x${height}: ${field}`);
          for (const part of ["#othello-board svg", "#othello-back", "#othello-forth", "#othello-undo", "#othello-resign", ".othello-state"]) await inside(part);
          // Boards of other rooms, too. On the first page one touch begins a game: its points are large enough.
          await page.goto(base);
          const { width: first } = await inside("#first-board svg"), { unit, lines } = await page.locator("#first-board").evaluate(({ dataset: { margin, field, columns } }) => ({ unit: Number(field), lines: 2 * margin + field * (columns - 1) }));
          assert(first * unit / lines >= 30, `a point of the first board is small in ${width}x${height} (${locale}): ${first * unit / lines}`);
          for (const [room, id] of [["/go/problems/1", "problem-board"], ["/joseki?line=bD4.wF3", "joseki-board"]]) {
            await page.goto(base + room);
            await inside(`#${id} svg`);
          }
          await beginOpenings(page);
          await inside("#card-board svg");
          await page.goto(`${base}/patterns/game`);
          await page.fill("textarea[name=sgf]", longRecord(20));
          await page.locator("main form:has(textarea[name=sgf]) button").last().click();
          await page.waitForSelector("#game-board");
          await inside("#game-board svg");
        });
      }
    }
  },

  async "all rooms draw the same board"() {
    await visit({}, async (page) => {
      const stones = (root) => page.locator(`${root} [fill^='url(#stone-']:not([fill*=shadow])`).count();
      const wood = (root) => page.locator(root).evaluate((board) => getComputedStyle(board).backgroundImage);
      await page.goto(`${base}/go/problems/1`);
      const usual = await wood("#problem-board");
      assert(usual.includes("gradient") && await stones("#problem-board") > 0, "a problem has no wood");
      await page.goto(`${base}/joseki?line=bD4.wF3`);
      assert(await stones("#joseki-board") === 2 && await wood("#joseki-board") === usual, "the joseki have another board");
      // Counts of the shipped joseki are rounded, and said to be: 2896 would be more than is known.
      assert((await page.locator("#joseki thead").first().textContent()).includes("about"), "counts are shown as if they were exact");
      const counts = (await page.locator("#joseki tbody td:nth-child(3)").allTextContents()).map(Number);
      assert(counts.length > 5 && counts.every((count) => Number(count.toPrecision(2)) === count), counts.join());
      await page.goto(`${base}/patterns/game`);
      await page.fill("textarea[name=sgf]", longRecord(20));
      await page.locator("main form:has(textarea[name=sgf]) button").last().click();
      await page.waitForSelector("#game-board");
      await page.keyboard.press("End");
      await page.waitForFunction(() => document.querySelector("#game-board").getAttribute("aria-label").includes("20/20"));
      assert(await stones("#game-board") >= 19, "stones of the game are missing");
      assert(await wood("#game-board") === usual, "matches of patterns have another board");
      // Games of the laboratory, of Othello, too.
      for (const [game, player, drawn] of [["go", "go-random", ".replayed .board.deep .stones circle"], ["othello", "othello-random", ".replayed .board .played circle"]]) {
        await page.goto(`${base}/lab`);
        await page.selectOption("select[name=game]", game);
        await page.fill("#a", player);
        await page.fill("#b", player);
        await page.fill("#pairs", "1");
        await page.locator("form[action='/lab/m'] button, form[hx-post='/lab/m'] button").first().click();
        await page.waitForSelector("text=Finished.");
        await page.goto(`${base}/lab/games?game=${game}`);
        await page.locator("main tbody a").first().click();
        await page.waitForSelector(".replayed .board");
        await page.keyboard.press("End");
        await page.waitForFunction((drawn) => document.querySelectorAll(drawn).length > 0, drawn);
        if (game === "go") assert(await wood(".replayed .board") === usual, "games of matches have another board");
      }
    });
  },

  async "a finger confirms small points, and swipes step"() {
    await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
      await newGame(page, "person", "person", "19");
      const [x, y] = await spot(page, 3, 3);
      await page.touchscreen.tap(x, y);
      await page.waitForFunction(() => document.getElementById("message").textContent.includes("D16"));
      assert(await revision(page) === "1", "the first touch has played");
      await page.touchscreen.tap(x, y);
      await shows(page, 1, 1);
      const session = await page.context().newCDPSession(page);
      const touch = (type, x) => session.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
      await touch("touchStart", 100);
      for (const to of [120, 160, 220]) await touch("touchMove", to);
      await touch("touchEnd");
      await shows(page, 0, 1);
      // Who has enlarged the page moves what is seen.
      await session.send("Emulation.setPageScaleFactor", { pageScaleFactor: 2 });
      await page.waitForFunction(() => document.documentElement.classList.contains("zoomed"));
      assert(await page.locator("#board").evaluate((board) => getComputedStyle(board).touchAction) === "manipulation", "the board holds the finger");
      await session.send("Emulation.setPageScaleFactor", { pageScaleFactor: 1 });
      await page.waitForFunction(() => !document.documentElement.classList.contains("zoomed"));
    });
  },

  async "the focus stays where a step can go no further"() {
    await visit({}, async (page) => {
      await openRecord(page, "(;GM[1]SZ[9];B[ee];W[cc])");
      const focused = () => page.evaluate(() => document.activeElement.matches("[data-step]:not(:disabled)"));
      await page.locator("[data-step='1']").focus();
      await page.keyboard.press("Enter");
      await shows(page, 1, 2);
      await page.keyboard.press("Enter");
      await shows(page, 2, 2);
      await page.waitForFunction(() => document.querySelector("[data-step='1']").disabled);
      assert(await focused(), "the end takes the focus away");
      await page.keyboard.press("Home");
      await shows(page, 0, 2);
      assert(await focused(), "the beginning takes the focus away");
    });
  },

  async "a text is copied also where the browser gives no clipboard"() {
    await visit({}, async (page) => {
      // As on a phone, which the page reaches without encryption.
      await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined }));
      await page.goto(`${base}/othello?from=f5d6c3`);
      await beginGameOfOthello(page);
      await page.evaluate(() => document.addEventListener("copy", () => { window.copied = String(getSelection()); }));
      const button = page.locator("[data-copy='#othello-transcript']");
      await button.evaluate((button) => { button.closest("details").open = true; });
      await button.click();
      await page.waitForFunction(() => document.getElementById("message").textContent === "Copied.");
      assert((await page.evaluate(() => window.copied)).includes("f5d6c3"), await page.evaluate(() => window.copied));
      assert(await button.evaluate((button) => button === document.activeElement), "the focus is lost");
    });
  },
};

/** Analyses, charts, and what is watched while it goes on. */
const analyses = {
  async "what goes wrong is said beside the click, and why says that it works"() {
    await visit({}, async (page) => {
      await newGame(page, "person", "person");
      await change(page, async () => page.mouse.click(...await spot(page, 6, 6)));
      const [x, y] = await spot(page, 6, 6);
      await page.mouse.click(x, y);
      await page.waitForFunction(() => document.getElementById("message").textContent !== "");
      const box = await page.locator("#message").boundingBox();
      const away = Math.hypot(Math.max(box.x - x, 0, x - box.x - box.width), Math.max(box.y - y, 0, y - box.y - box.height));
      assert(away < 40, `the message is ${away} pixels away`);
      await pane(page, "analysis");
      await page.click("button:has-text('What to play, and why')");
      await page.waitForSelector("#why .waiting");
      // What it searches, and what that found, while it goes on.
      await page.waitForFunction(() => /Now: |Reading/.test(document.querySelector("#why .now")?.textContent ?? ""));
      await page.waitForFunction(() => /position as it is: wins \d+ %, lead [+-]\d/.test(document.querySelector("#why .found")?.textContent ?? ""));
      await page.waitForSelector("#why h3");
      assert(await page.locator("#why .waiting").count() === 0, "it still waits");
      // What it says of later moves can be walked through, and left.
      const walk = page.locator("#why [data-walk]").first(), first = (await walk.getAttribute("data-walk")).split(",")[0];
      await walk.click();
      await page.waitForFunction((vertex) => document.getElementById("board").dataset.stones.includes(`"${vertex}"`) && document.querySelector(".line-note"), first.split(" ")[1]);
      await page.click("[data-leave]");
      await shows(page, 1, 1);
    });
  },

  async "why says that it waits for another question of the same judge"() {
    for (const [locale, words] of [["en", "another question"], ["ja", "ほかの質問"]]) {
      await visit({ locale }, async (page) => {
        await newGame(page, "person", "person");
        await pane(page, "analysis");
        let letGo;
        const told = new Promise((resolve) => { letGo = resolve; });
        await page.route("**/why", async (route) => {
          await told;
          await route.continue();
        });
        const [request] = await Promise.all([page.waitForRequest("**/why"), page.locator("[hx-post$='/why']").first().click()]);
        // As the server tells it, which has no such program here.
        const asker = new URLSearchParams(request.postData()).get("asker"), shown = () => page.textContent("#why .now");
        const tell = (waits) => page.evaluate(([asker, waits]) => {
          const detail = JSON.stringify({ asker, progress: { known: [], found: [], now: [], waits } });
          document.dispatchEvent(new CustomEvent("live:why", { cancelable: true, detail }));
        }, [asker, waits]);
        await tell(true);
        assert((await shown()).includes(words), await shown());
        await tell(false);
        assert(!(await shown()).includes(words) && await shown() !== "", await shown());
        letGo();
        await page.waitForSelector("#why h3");
      });
    }
  },

  async "Othello steps by key, wheel, number and click without a request, and keeps its analysis"() {
    await visit({}, async (page) => {
      await page.goto(`${base}/othello?from=f5d6c3d3c4f4f6f3`);
      await beginGameOfOthello(page);
      const discs = () => page.locator("#othello-board [fill^='url(#stone-']:not([fill*=shadow])").count();
      const at = (number) => page.waitForFunction((number) => document.getElementById("move-number").value === String(number)
        && document.querySelector("[name=seen]").value === `${number}/8`, number);
      const before = await discs();
      assert(before === 12, `${before} discs after eight moves`);
      const asked = await requestsDuring(page, async () => {
        for (let n = 0; n < 5; n += 1) await page.keyboard.press("ArrowLeft");
        await at(3);
        assert(await discs() === 7, `${await discs()} discs five moves before`);
        assert((await page.textContent(".othello-state")).includes("looking back (3/8)"), await page.textContent(".othello-state"));
        // The game's own next move, then arrow keys after a click.
        await page.locator("#othello-board").hover();
        const [x, y] = await spot(page, 3, 2, "othello-board");
        await page.mouse.click(x, y);
        await at(4);
        await page.keyboard.press("ArrowLeft");
        await at(3);
        await page.mouse.wheel(0, 120);
        await at(4);
        await page.mouse.wheel(0, -120);
        await at(3);
        await page.fill("#move-number", "6");
        await page.keyboard.press("Enter");
        await at(6);
        await page.click("#othello-move-2");
        await at(2);
        await page.keyboard.press("End");
        await at(8);
        await page.keyboard.press("Home");
        await at(0);
      });
      assert(asked.length === 0, `steps asked for ${asked.join(", ")}`);
      // The board of each place is the one of the rules: the server draws the same where it is asked to think.
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await at(2);
      await pane(page, "analysis");
      await page.selectOption("#othello-level", "5");
      await page.click("#othello-study");
      await page.waitForSelector("#othello-analysis tr[data-line]");
      await page.selectOption("#othello-overlay", "search");
      await page.waitForSelector("#othello-board .played text");
      const [own, values] = [await discs(), await page.locator("#othello-board .played text").count()];
      assert(own === 6 && values > 0, `${own} discs, ${values} values`);
      await page.waitForFunction(() => document.querySelector("#othello-analysis [data-done]"));
      // What has the focus keeps it when the next level comes, and lines of a reason are walked through.
      const focused = await page.evaluate(() => {
        const shown = document.querySelector("#othello-analysis [data-place]"), part = shown.cloneNode(true), row = part.querySelector("tr[data-line]");
        row.querySelector("td:last-child").textContent = `It is shown by ${row.dataset.line.slice(0, 4)}.`;
        const comes = () => document.dispatchEvent(new CustomEvent("live:study", { cancelable: true, detail: part.outerHTML })), first = "#othello-analysis tr[data-line] ";
        shown.querySelector("tr[data-line] th button").focus();
        const { id } = document.activeElement;
        comes();
        const again = document.activeElement.id;
        // A line keeps it, too; where it is told no more its row has it.
        const walk = document.querySelector(`${first}.walk-line`), moves = walk.dataset.walk;
        walk.focus();
        row.querySelector("td:last-child").append(" It is quiet.");
        comes();
        const line = document.activeElement.dataset.walk;
        row.querySelector("td:last-child").textContent = "It is quiet.";
        comes();
        const last = document.activeElement.id;
        row.querySelector("td:last-child").textContent = `It is shown by ${row.dataset.line.slice(0, 4)}.`;
        comes();
        return { id, again, moves, line, last, stops: document.querySelectorAll("#othello-analysis .vertex:not([tabindex='-1'])").length };
      });
      assert(focused.id && focused.again === focused.id && focused.line === focused.moves && focused.last === focused.id, `the focus goes: ${JSON.stringify(focused)}`);
      assert(focused.stops === 0, `Tab stops at ${focused.stops} squares of a table`);
      const stood = await page.inputValue("#move-number");
      await page.locator("#othello-analysis td .walk-line").first().click();
      await page.waitForSelector(".othello-state [data-leave]");
      await page.locator("[data-leave]:visible").first().click();
      await page.waitForFunction((stood) => document.getElementById("move-number").value === stood && !document.querySelector("[data-leave]"), stood);
      const known = await page.textContent("#othello-analysis table");
      // Away and back: what was thought is there, and nothing is asked.
      const again = await requestsDuring(page, async () => {
        await page.locator("#othello-board").focus();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowLeft");
        await at(2);
      });
      assert(again.length === 0, again.join());
      assert(await page.textContent("#othello-analysis table") === known, "the analysis is gone");
      // A move is made at the place that is shown.
      await page.click("#othello-study");
      await page.selectOption("#othello-overlay", "hints");
      await page.keyboard.press("Escape");
      await page.locator("#othello-board").focus();
      await page.keyboard.press("End");
      await at(8);
      await page.keyboard.press("ArrowLeft");
      await at(7);
      // The bar comes anew before the server has answered where the page is: the click is not lost with its button.
      await page.locator("#othello-undo").evaluate((button) => { button.dataset.isOld = ""; });
      await page.route(/\/othello\/\w+\/go$/, async (route) => {
        const answer = await route.fetch();
        await page.waitForFunction(() => !document.querySelector("#othello-undo[data-is-old]"));
        await route.fulfill({ response: answer });
      });
      await page.click("#othello-undo");
      await page.waitForFunction(() => document.querySelector("[name=seen]").value === "6/6");
    });
  },

  async "what an analysis of Othello found outlives a reload"() {
    await visit({}, async (page) => {
      await analyseGameOfOthello(page);
      await page.waitForSelector("#othello-analysis [data-done] table");
      const known = await page.textContent("#othello-analysis table");
      // From here on nothing that the server says counts.
      await page.addInitScript(() => addEventListener("live:study", (event) => {
        event.preventDefault();
        event.stopImmediatePropagation();
      }, true));
      await page.reload();
      await page.waitForLoadState();
      await page.keyboard.press("Home");
      await page.waitForFunction(() => !document.querySelector("#othello-analysis table"));
      await page.keyboard.press("End");
      await page.waitForSelector("#othello-analysis table");
      assert(await page.textContent("#othello-analysis table") === known, "a reload forgets the analysis");
    });
  },

  async "another level of the analysis of Othello looks anew at places that were seen before"() {
    await visit({}, async (page) => {
      await analyseGameOfOthello(page);
      const isDone = (level) => page.waitForFunction((level) => document.querySelector("#othello-analysis [data-done] > p")?.textContent.startsWith(`Level ${level}:`), level);
      await isDone(5);
      await page.keyboard.press("ArrowLeft");
      await page.waitForFunction(() => document.getElementById("move-number").value === "3");
      await isDone(5);
      await page.selectOption("#othello-level", "8");
      await isDone(8);
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(() => document.getElementById("move-number").value === "4");
      await isDone(8);
    });
  },

  async "a tab of Othello does not grow while somebody steps"() {
    await visit({}, async (page) => {
      await page.goto(`${base}/othello`);
      await page.locator("form[action='/othello/open'] button").last().click();
      await readyOfOthello(page);
      const session = await page.context().newCDPSession(page);
      const walk = async (times) => {
        for (let n = 0; n < times; n += 1) {
          await page.keyboard.press(n % 100 < 50 ? "ArrowLeft" : "ArrowRight");
          if (n % 50 === 49) await page.waitForTimeout(400);
        }
      };
      await walk(100);
      const before = await memoryOf(page, session);
      await walk(500);
      const after = await memoryOf(page, session);
      console.log(`   ${before.nodes} nodes and ${before.bytes} bytes, then ${after.nodes} and ${after.bytes}`);
      assert(after.nodes < before.nodes + 3000 && after.bytes < before.bytes + 4e6, `${before.nodes} nodes became ${after.nodes}`);
    });
  },

  async "a link that is pasted opens its game, or says how to bring it"() {
    await visit({}, async (page) => {
      const paste = (text) => page.evaluate((text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      }, text);
      await page.goto(base);
      const asked = await requestsDuring(page, async () => {
        await paste("https://online-go.com/game/12345");
        await page.waitForFunction(() => document.getElementById("message").textContent.includes("api/v1/games/12345/sgf"));
      });
      assert(asked.length === 0, asked.join());
      await paste("https://example.org/kifu?moves=f5d6c3d3&lang=ja");
      await page.waitForSelector("#othello-move-4");
    });
  },

  async "a chart shows its values to a pointer, a finger and the keys, in a narrow window, too"() {
    let address = "";
    for (const [width, colorScheme] of [[1280, "light"], [320, "dark"]]) {
      await visit({ viewport: { width, height: 800 }, colorScheme, hasTouch: true }, async (page) => {
        await page.goto(`${base}/lab`);
        await page.fill("#a", "go-random");
        await page.fill("#b", "go-capture");
        await page.fill("#pairs", "3");
        await page.click("form[action='/lab/m'] button, form[hx-post='/lab/m'] button");
        await page.waitForFunction(() => /Finished\./.test(document.querySelector("main").textContent) && document.querySelector(".u-over"));
        const said = /^pairs \d.*go-random: [\d.]+ \([\d.-]+ – [\d.-]+\)/, root = "main figure";
        assert(said.test(await pointAt(page, root, 0.9)), `a pointer is told ${await pointAt(page, root, 0.9)}`);
        assert(await isDrawnIn(page, root, "--chart-1"), "the line has another colour");
        // What the server draws for who has no script has the same.
        const [own, drawn] = await page.evaluate(() => {
          const probe = document.createElement("i");
          probe.className = "chart-sign c1";
          document.querySelector("value-chart").append(probe);
          const color = getComputedStyle(probe).borderTopColor;
          probe.remove();
          return [getComputedStyle(document.querySelector("svg.plot .s1")).stroke, color];
        });
        assert(own === drawn, `${own} and ${drawn}`);
        await page.mouse.move(0, 0);
        await page.waitForFunction(() => document.querySelector("main figure .chart-values").hidden);
        await page.locator(`${root} .chart-drawing`).first().focus();
        await page.keyboard.press("Home");
        assert(/^pairs 1, /.test(await page.locator(`${root} .chart-drawing`).first().getAttribute("aria-valuetext")), "Home is the first pair");
        await page.keyboard.press("Escape");
        const { x, y, width: wide, height } = await plotOf(page, root).boundingBox();
        await page.touchscreen.tap(x + wide / 2, y + height / 2);
        assert(said.test(await page.locator(`${root} .chart-values:not([hidden])`).first().textContent()), "a finger is told nothing");
        assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than its window");
        await page.setViewportSize({ width: 700, height: 800 });
        await page.waitForFunction(() => {
          const chart = document.querySelector("value-chart"), plot = chart.querySelector(".uplot");
          return Math.abs(plot.clientWidth - chart.clientWidth) <= 1;
        });
        await assertAccessible(page);
        address = page.url();
      });
    }
    // Who has no script sees what the server draws.
    await visit({ javaScriptEnabled: false }, async (page) => {
      await page.goto(address);
      const box = await page.locator("svg.plot").first().boundingBox();
      assert(box.width > 300 && box.height > 100, JSON.stringify(box));
    });
  },

  async "the curves of a campaign come while it is watched, and show their values to a pointer, a finger and the keys"() {
    const file = join(place, "ladder.toml");
    writeFileSync(file, 'matches = ["go-random go-capture --size 5 --pairs 6 --opening random:2"]\n');
    const runCampaign = (...words) => {
      const { status, stderr } = spawnSync(ishi, ["campaign", "run", file, "--db", join(place, "pages.db"), ...words], { encoding: "utf8" });
      assert(status === 0, stderr);
    };
    runCampaign("--hand-out");
    await visit({ hasTouch: true }, async (page) => {
      await page.goto(`${base}/lab/campaigns`);
      await page.waitForSelector("text=No task is finished yet");
      assert(await page.locator("value-chart").count() === 0, "there is a curve of nothing");
      runCampaign();
      const root = "#curves figure", said = /^seconds since the first result [\d.]+.*tasks a minute: [\d.]+/;
      await page.waitForFunction(() => document.querySelectorAll("#curves .u-over").length === 4);
      assert(said.test(await pointAt(page, root, 0.5)), `a pointer is told ${await pointAt(page, root, 0.5)}`);
      await page.mouse.move(0, 0);
      await page.waitForFunction(() => document.querySelector("#curves figure .chart-values").hidden);
      const { x, y, width, height } = await plotOf(page, root).boundingBox();
      await page.touchscreen.tap(x + width / 2, y + height / 2);
      assert(said.test(await page.locator(`${root} .chart-values:not([hidden])`).first().textContent()), "a finger is told nothing");
      const result = page.locator(`${root} .chart-drawing`).last();
      await result.focus();
      await page.keyboard.press("Home");
      const told = await result.getAttribute("aria-valuetext");
      assert(/go-random.*go-capture, score: [\d.]+ \([\d.]+ – [\d.]+\)/.test(told), `the keys are told ${told}`);
      await assertAccessible(page);
    });
  },

  async "a match that goes on leaves the focus where it is, and says once what has changed"() {
    await visit({}, async (page) => {
      await page.goto(`${base}/lab`);
      await page.fill("#a", "go-random");
      await page.fill("#b", "go-capture");
      await page.fill("#pairs", "100000");
      await page.press("#pairs", "Enter");
      await page.waitForURL(/\/lab\/m\//);
      await page.locator("#state button[hx-post$='/stop']").focus();
      for (let looks = 0; looks < 2; looks += 1) {
        const before = await page.locator("#state label").textContent();
        await page.waitForFunction((before) => document.querySelector("#state label").textContent !== before, before);
      }
      assert(await page.evaluate(() => document.activeElement.matches("[hx-post$='/stop']")), "Stop has lost the focus");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => /Not running/.test(document.getElementById("heard").textContent));
      // Stop cannot be pressed any more: the keys are at what can.
      assert(await page.evaluate(() => document.activeElement.matches("[hx-post$='/start']")), "nothing has the focus");
    });
  },

  async "a problem is answered by keys, and its verdict is heard"() {
    await visit({}, async (page) => {
      await page.goto(`${base}/go/problems/1`);
      await page.locator("#problem-board").focus();
      const heard = page.locator("#heard"), before = await page.textContent("#problem .verdict");
      // The keys go to a point with nothing around it, where any move is legal.
      const [right, up] = await page.locator("#problem-board").evaluate((board) => {
        const stones = JSON.parse(board.dataset.stones), [columns, rows] = [Number(board.dataset.columns), Number(board.dataset.rows)];
        const isFree = (column, row) => !stones["ABCDEFGHJKLMNOPQRSTUVWXYZ"[column] + (rows - row)];
        const middle = [Math.floor(columns / 2), Math.floor(rows / 2)];
        for (let row = 0; row < rows; row += 1) for (let column = 0; column < columns; column += 1) {
          if ([[0, 0], [0, 1], [0, -1], [1, 0], [-1, 0]].every(([x, y]) => isFree(column + x, row + y))) return [column - middle[0], middle[1] - row];
        }
        throw new Error("the board is full");
      });
      for (let n = 0; n < Math.abs(right); n += 1) await page.keyboard.press(right > 0 ? "ArrowRight" : "ArrowLeft");
      for (let n = 0; n < Math.abs(up); n += 1) await page.keyboard.press(up > 0 ? "ArrowUp" : "ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForFunction((before) => document.querySelector("#problem .verdict").textContent !== before, before);
      assert(await heard.textContent() === await page.textContent("#problem .verdict"), `heard is ${await heard.textContent()}`);
      assert(await page.evaluate(() => document.activeElement.id) === "problem-board", "the board has lost the focus");
    });
  },

  async "a judge that fails leaves a button that begins anew"() {
    const file = join(place, "programs.toml");
    writeFileSync(file, "[judges]\nbroken = \"sh -c 'exit 3'\"\n");
    const other = await startWorkbench(ishi, ["--programs", file]);
    const check = () => visit({ at: other }, async (page) => {
      const choose = (judge) => Promise.all([page.waitForNavigation(), page.click(`#pane-learn button[name=judge][value='${judge}']`)]);
      await openRecord(page, "(;GM[1]SZ[9];B[ee];W[cc];B[gg])", other.base);
      await pane(page, "learn");
      await choose("broken");
      await pane(page, "learn");
      await page.click("button:has-text('Review the whole game')");
      await page.waitForSelector(".review-progress .bad");
      await page.waitForFunction(() => !document.querySelector("#pane-learn")?.textContent.includes("Stop the review"));
      assert((await page.textContent(".review-progress")).includes("has failed"), "why is gone with the button");
      // The same in a page that was away, and another judge takes over.
      await page.reload();
      await pane(page, "learn");
      assert(await page.locator(".review-progress .bad").isVisible(), "a page that comes later does not say why");
      await choose("");
      await pane(page, "learn");
      await page.click("button:has-text('Review the whole game')");
      await page.waitForSelector("button:has-text('Review again')", { timeout: 120_000 });
      assert(await page.locator(".review-progress .bad").count() === 0 && !(await page.textContent("#pane-learn")).includes("Stop the review"),
        "the end of a review is not shown at once");
    });
    let isEnded = false;
    await check().finally(async () => { isEnded = await endServer(other); });
    assert(isEnded, "the other workbench did not end as it should");
  },
};

/** Reviews, lessons, and texts that lead to the board. */
const reviews = {
  async "a review is read while it grows"() {
    await visit({}, async (page) => {
      await openRecord(page, readFileSync(join(import.meta.dirname, "lost.sgf"), "utf8"));
      await page.click("#pane-learn button.main");
      // How far it is stands there at once, before a move is known.
      await page.waitForSelector("#pane-learn button[aria-pressed=true]:has-text('Stop the review')");
      assert(await page.locator(".review-progress progress").count() === 1, "nothing says how far it is");
      const graph = page.locator(".review-progress .graph[data-grows='20']");
      await graph.waitFor({ timeout: 60_000 });
      const points = await graph.locator(".curve").evaluate((curve) => curve.points.numberOfItems);
      assert(points >= 1 && points < 20, `${points} moves are drawn`);
      // Whoever looks at a value goes on looking while it grows.
      const values = page.locator(".review-progress .chart-drawing");
      assert(/^1\. /.test(await pointAt(page, ".review-progress", 0)), "the values of the first move are missing");
      await page.waitForFunction((points) => Number(document.querySelector(".review-progress .chart-drawing")?.getAttribute("aria-valuemax")) > points - 1, points);
      assert(/^1\. /.test(await values.getAttribute("aria-valuetext")), "the values go when the graph grows");
      assert(await page.locator(".review-progress .chart-values:not([hidden])").count() === 1, "the values are hidden when the graph grows");
      // A click on it leads to a move, and nothing stops the review.
      await clickAt(page, ".review-progress", 0);
      await page.waitForFunction(() => Number(document.getElementById("move-number").value) < 3);
      await page.waitForSelector(".lesson", { timeout: 300_000, state: "attached" });
      assert(await page.locator(".graph").count() === 1 && await page.locator(".graph .lead").count() === 1, "one graph of lead and chances");
    });
  },

  async "a lesson is answered on the board, and its lines are walked through"() {
    await visit({}, async (page) => {
      await openRecord(page, readFileSync(join(import.meta.dirname, "lost.sgf"), "utf8"));
      await page.click("#pane-learn button.main");
      await page.waitForSelector(".lesson", { timeout: 300_000 });
      const lesson = page.locator(".lesson:visible").first(), told = await lesson.evaluate((each) => ({ ...each.dataset }));
      assert(/^[A-T]\d/.test(told.better) && told.better !== told.played, JSON.stringify(told));
      const asked = await requestsDuring(page, async () => {
        await lesson.locator("[data-lesson=try]").click();
        await page.waitForSelector("#board .lit .area");
        const number = Number(told.number);
        await page.waitForFunction((number) => document.getElementById("move-number").value === String(number - 1), number);
        const click = async (vertex) => {
          const size = await page.locator("#board").evaluate((board) => Number(board.dataset.rows));
          await page.mouse.click(...await spot(page, "ABCDEFGHJKLMNOPQRST".indexOf(vertex[0]), size - Number(vertex.slice(1))));
        };
        await click(told.played);
        await page.waitForFunction(() => [...document.querySelectorAll(".verdict")].some((each) => each.textContent.includes("was played in the game")));
        await click(told.better);
        await page.waitForSelector(".lesson.found");
        await page.waitForSelector(".state.in-line .line-note");
        assert(await lesson.locator("details").evaluate((details) => details.open), "the answer stays closed");
        await page.click("[data-leave]");
        await page.waitForFunction((number) => document.getElementById("move-number").value === String(number - 1) && !document.querySelector(".line-note"), number);
      });
      assert(asked.length === 0, asked.join());
      await searchAnswer(page, lesson, told);
      // What followed the move of the game, which is played first.
      const refuted = page.locator(".lesson [data-lesson=refuted]").first();
      const bad = await refuted.evaluate((button) => {
        button.closest("details").open = true;
        return { ...button.closest(".lesson").dataset };
      });
      await refuted.click();
      await page.waitForFunction(({ number, played }) => document.getElementById("move-number").value === number
        && document.getElementById("board").dataset.stones.includes(`"${played}"`) && document.querySelector(".line-note"), bad);
      await page.click("[data-leave]");
      // Lines in its words, too.
      await addTold(page, ".lesson:not([hidden]) details", "It goes on A1 J1.");
      await page.locator(".lesson:not([hidden])").first().locator("details .walk-line").last().click();
      await page.waitForSelector(".state.in-line .line-note");
      await page.click("[data-leave]");
      await page.waitForFunction(() => !document.querySelector(".line-note"));
      await readSharedPage(page, `${page.url()}/html`, { ...told, unknown: true }, 20, (vertex) => [26 + 24 * "ABCDEFGHJ".indexOf(vertex[0]), 26 + 24 * (9 - Number(vertex.slice(1)))]);
      assert(await revision(page) === "2", "answers have changed the table");
      // Numbers of moves in the sentences of the review lead there.
      // So do those in titles and questions of lessons.
      for (const where of [".summary", ".lesson:visible h4", ".lesson:visible .question"]) {
        const numbered = page.locator(`#pane-learn ${where} .move-link`).first();
        await numbered.click();
        await shows(page, Number(await numbered.textContent()), 20);
      }
      // Keys lead from one move that lost something to the next, and back.
      const steps = async (key) => {
        for (const found = []; ;) {
          const before = await page.inputValue("#move-number");
          await page.keyboard.press(key);
          await page.waitForFunction((before) => document.getElementById("move-number").value !== before || document.getElementById("message").textContent !== "", before);
          if (await page.textContent("#message")) return found;
          assert(await page.locator(".after-move .bad").isVisible(), "a move that lost nothing is gone to");
          found.push(Number(await page.inputValue("#move-number")));
        }
      };
      await page.keyboard.press("Home");
      await shows(page, 0, 20);
      const there = await steps("n"), back = await steps("p");
      assert(there.includes(Number(told.number)) && there.every((number, at) => at === 0 || number > there[at - 1]), there.join());
      assert(back.join() === there.slice(0, -1).reverse().join(), `${there} there, ${back} back`);
      assert(await page.locator(".game-tree .bad").count() === there.length, "the tree does not show what lost something");
      // Who comes from a problem that was made of a lesson is at its place.
      await page.click("#tab-game");
      await page.goto(`${page.url()}#lesson-${told.number}`);
      await page.reload();
      await page.waitForSelector("#board .lit .area");
      await shows(page, Number(told.number) - 1, 20);
      assert(await page.locator(`.lesson[data-number="${told.number}"]`).isVisible(), "the lesson is out of sight");
      // Only one's own lessons.
      await page.check(`[name=learner][value=${told.color === "B" ? "W" : "B"}]`);
      assert(await page.locator(`.lesson[data-color=${told.color}]:visible`).count() === 0, "the other's lessons are shown");
      // Asked again and answered, its lines are walked through on the board of the answer.
      const key = new URL(page.url()).pathname.split("/").at(-1);
      await page.goto(`${base}/go/practice`);
      await page.locator(`form[action='/go/practice/add']:has([value='${key}']) button[value='']`).click();
      await page.waitForSelector("a[href='/go/practice/next']");
      await page.goto(`${base}/go/practice/${key}-${told.number}`);
      // That an answer is searched is said at once.
      let release;
      const held = new Promise((resolve) => { release = resolve; });
      await page.route("**/go/practice/**", async (route) => {
        if (route.request().method() === "POST") await held;
        await route.continue();
      });
      await page.mouse.click(...await spot(page, "ABCDEFGHJ".indexOf(told.better[0]), 9 - Number(told.better.slice(1)), "card-board"));
      await page.waitForFunction((point) => document.querySelector("#card .verdict").textContent === `Searching ${point} …`, told.better);
      release();
      await page.waitForSelector("#card .walks [data-walk]");
      const stones = () => page.locator("#card-board").evaluate((board) => JSON.stringify(Object.keys(JSON.parse(board.dataset.stones)).sort())), before = await stones();
      const drawn = () => page.locator("#card-board .stones circle").count(), count = await drawn();
      const walked = await requestsDuring(page, async () => {
        for (const walk of await page.locator("#card .walks [data-walk]").all()) {
          const first = (await walk.getAttribute("data-walk")).split(",")[0].split(" ")[1];
          await walk.focus();
          await page.keyboard.press("Enter");
          assert((await stones()).includes(`"${first}"`) && await page.locator("[data-card-leave]").isVisible(), `${first} is not on the board`);
          assert((await page.textContent("#card-board-says")).includes(first), `${first} is not said`);
          await page.keyboard.press("ArrowLeft");
          assert(await stones() === before, "a step back does not lead to the problem");
          await page.keyboard.press("ArrowRight");
          assert(await stones() !== before, "a step on does nothing");
          await page.locator("[data-card-leave]").focus();
          await page.keyboard.press("Enter");
          assert(await stones() === before && await drawn() === count && await page.locator("[data-card-leave]").isHidden(), "the line stays");
          assert(await walk.evaluate((button) => document.activeElement === button), "who leaves the line has no focus");
        }
      });
      assert(walked.length === 0, walked.join());
    });
  },

  async "a lesson of Othello is answered on the board, and its line is walked through"() {
    await visit({}, async (page) => {
      await page.goto(`${base}/othello`);
      await page.evaluate(() => {
        const data = new DataTransfer();
        data.setData("text/plain", "c4c5f6c3b5g7e3e6c2f3g3a5h8b3f4f2b4f5f7h3a3d2e2e1a6e7d7c1c6g8f1g4d1b6b1d3g6b7f8a7c7h6a8b2g5g2a1d6h2h5a4d8c8h7e8a2h4b8g1h1");
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      });
      await readyOfOthello(page);
      await pane(page, "learn");
      await page.selectOption("#othello-review-level", "8");
      // While it is judged the page says how long the rest takes.
      await page.evaluate(() => {
        window.rests = [];
        new MutationObserver(() => { const rest = document.querySelector("#othello-judged .time-left")?.textContent; if (rest) window.rests.push(rest); })
          .observe(document.getElementById("othello-judged"), { subtree: true, childList: true, characterData: true });
      });
      await page.click("#othello-review");
      await page.waitForSelector(".lesson", { timeout: 300_000 });
      const rests = await page.evaluate(() => window.rests);
      assert(rests.some((rest) => /about \d+:\d\d left/.test(rest)) && rests.some((rest) => rest.includes("being chosen")), rests.join());
      const lesson = page.locator(".lesson:visible").first(), told = await lesson.evaluate((each) => ({ ...each.dataset }));
      const number = Number(told.number), at = (shown) => page.waitForFunction((shown) => document.getElementById("move-number").value === String(shown), shown);
      const click = async (square) => page.mouse.click(...await spot(page, square.charCodeAt(0) - 97, Number(square[1]) - 1, "othello-board"));
      const asked = await requestsDuring(page, async () => {
        await lesson.locator("[data-lesson=try]").click();
        await at(number - 1);
        await page.waitForSelector("#othello-board .lit .point");
        await click(told.played);
        await page.waitForFunction(() => [...document.querySelectorAll(".verdict")].some((each) => each.textContent.includes("was played in the game")));
        await click(told.answers.split(" ")[0]);
        await page.waitForSelector(".lesson.found");
        // The line stands on the board, its first move played. The way back is the same button at each step.
        await at(number);
        await page.waitForSelector(".othello-state [data-leave]");
        await page.locator("[data-leave]:visible").first().focus();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowLeft");
        await at(number);
        assert(await page.evaluate(() => document.activeElement.matches("[data-leave]")), "a step takes the focus away");
        await page.keyboard.press("Enter");
        await at(number - 1);
        assert(await page.evaluate(() => document.activeElement.id) === "othello-board", "who leaves the line has no focus");
      });
      assert(!asked.some((each) => each.endsWith("/point")), asked.join());
      // Lines in its words are walked through, too.
      const line = (await lesson.locator("[data-lesson=better]").getAttribute("data-moves")).split(",").slice(0, 2);
      await addTold(page, ".lesson.found details", `It goes on ${line.join("")}.`);
      await page.locator(".lesson.found details .walk-line").last().click();
      await at(number);
      await page.waitForSelector(".othello-state [data-leave]");
      await page.locator("[data-leave]:visible").first().click();
      await at(number - 1);
      // So is the answer to the move of the game, which stands before it.
      const refuted = (await lesson.locator("[data-lesson=refuted]").getAttribute("data-moves")).split(",");
      await lesson.locator("[data-lesson=refuted]").click();
      await shows(page, number, number + refuted.length);
      await page.locator("[data-leave]:visible").first().click();
      await at(number - 1);
      // Squares of its texts light up by keys, too.
      await page.locator(".lesson.found details .vertex").first().focus();
      await page.waitForSelector("#othello-board .lit .point");
      await page.locator("#move-number").focus();
      await page.waitForFunction(() => !document.querySelector("#othello-board .lit"));
      await page.evaluate(() => document.activeElement.blur());
      // So do those of the list of faults, whose lines are walked through, too.
      const fault = page.locator("#othello-judged tr[data-after]", { has: page.locator("td:last-child .walk-line") }).first();
      const before = Number(await fault.getAttribute("data-after"));
      await fault.locator("td:last-child .walk-line").first().click();
      await page.waitForSelector(".othello-state [data-leave]");
      await at(before + 1);
      await page.locator("[data-leave]:visible").first().click();
      await at(before);
      await fault.locator("td:last-child .vertex").first().hover();
      await page.waitForSelector("#othello-board .lit .point");
      await page.mouse.move(1, 1);
      assert(await page.locator(".othello-moves button").count() === 60, "the line has become the game");
      // Keys lead to what lost something, one move after the other, and back.
      const listed = await page.locator("#othello-judged tr[data-after]").evaluateAll((rows) => rows.map((row) => Number(row.dataset.after) + 1).sort((a, b) => a - b));
      await page.keyboard.press("Home");
      await at(0);
      for (const place of listed) {
        await page.keyboard.press("n");
        await at(place);
      }
      await page.keyboard.press("n");
      await page.waitForFunction(() => document.getElementById("message").textContent === "No later move lost much.");
      await page.keyboard.press("p");
      await at(listed.at(-2));
      // Moves that lessons tell by number are gone to.
      const numbered = page.locator(".lesson:visible h4 .move-link").first();
      await numbered.click();
      await at(Number(await numbered.textContent()));
      // Another lesson by keys alone: the question, the cursor of the board, the answer, the line.
      const second = page.locator(".lesson:not(.found):visible").first(), answer = (await second.getAttribute("data-answers")).split(" ")[0];
      const mine = page.locator(`.lesson[data-number="${await second.getAttribute("data-number")}"]`).first();
      await page.keyboard.press("Tab");
      await second.locator("[data-lesson=try]").focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.activeElement.id === "othello-board");
      const [column, row] = await page.locator("#othello-board").evaluate(({ dataset }) => (dataset.cursor ?? "4,4").split(",").map(Number));
      const [right, down] = [answer.charCodeAt(0) - 97 - column, Number(answer[1]) - 1 - row];
      for (let n = 0; n < Math.abs(right); n += 1) await page.keyboard.press(right > 0 ? "ArrowRight" : "ArrowLeft");
      for (let n = 0; n < Math.abs(down); n += 1) await page.keyboard.press(down > 0 ? "ArrowDown" : "ArrowUp");
      assert((await page.textContent("#othello-place")).startsWith(answer), `the cursor is at ${await page.textContent("#othello-place")}`);
      await page.keyboard.press("Enter");
      await page.waitForFunction((number) => document.querySelector(`.lesson[data-number="${number}"].found`), await mine.getAttribute("data-number"));
      await page.locator("[data-leave]:visible").first().focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => !document.querySelector("[data-leave]"));
      const game = page.url();
      // The lessons become problems, whose answers are judged on the board.
      await page.goto(`${base}/othello/practice`);
      await page.locator("form[action='/othello/practice/add'] button[value='']").first().click();
      await page.waitForSelector("a[href='/othello/practice/next']");
      await page.click("a[href='/othello/practice/next']");
      await page.waitForSelector("#card-board[data-action]");
      const [free] = (await page.locator("#card-board").getAttribute("data-ghost-at")).split(" ");
      await page.mouse.click(...await spot(page, free.charCodeAt(0) - 97, Number(free[1]) - 1, "card-board"));
      await page.waitForSelector("#card form button");
      assert(await page.textContent("#card .verdict") === await page.textContent("#heard"), "the verdict is not heard");
      const vertex = page.locator("#card .told .vertex").first(), name = await vertex.textContent();
      await vertex.focus();
      const lit = await page.locator("#card-board .lit .point").boundingBox(), [x, y] = await spot(page, name.charCodeAt(0) - 97, Number(name[1]) - 1, "card-board");
      assert(Math.hypot(lit.x + lit.width / 2 - x, lit.y + lit.height / 2 - y) < 2, `${name} is at ${x} ${y}, and lit at ${JSON.stringify(lit)}`);
      await page.locator("#card form button").first().click();
      await page.waitForSelector("#card-board[data-action], #due");
      await page.goto(game);
      const shared = { ...told, better: told.answers.split(" ")[0] };
      await readSharedPage(page, `${page.url()}/game.html`, shared, 60, (square) => [35 + 30 * (square.charCodeAt(0) - 97), 35 + 30 * (Number(square[1]) - 1)]);
    });
  },

  async "on a phone the question of a lesson and what is said of answers stand below the board"() {
    await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
      await openExampleOfOthello(page);
      const lesson = page.locator(".lesson:visible").first(), { question, played } = await lesson.evaluate((each) => ({ question: each.querySelector(".question").textContent, ...each.dataset }));
      await lesson.locator("[data-lesson=try]").tap();
      await page.waitForSelector("#othello-board .lit");
      assert((await page.textContent("#message")).includes(question), `the question is out of sight: ${await page.textContent("#message")}`);
      await page.touchscreen.tap(...await spot(page, played.charCodeAt(0) - 97, Number(played[1]) - 1, "othello-board"));
      await page.waitForFunction(() => document.getElementById("message").textContent.includes("was played in the game"));
      const [message, stage] = [await page.locator("#message").boundingBox(), await page.locator(".stage").boundingBox()];
      assert(message.y >= stage.y + stage.height, `the message at ${message.y} covers the board, which ends at ${stage.y + stage.height}`);
      // It would lie over the sheet, which says it, too.
      await page.tap("#tab-learn");
      await page.waitForSelector(".sheet.open");
      assert(await page.locator("#message").isHidden(), "the message lies over the sheet");
      assert((await lesson.locator(".verdict").textContent()).includes("was played in the game"), "the lesson does not say it");
    });
  },

  async "on a phone the answer to why is in sight when it comes"() {
    await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
      await openRecord(page, "(;GM[1]SZ[9];B[ee];W[cc];B[gc];W[cg])");
      await page.keyboard.press("End");
      await shows(page, 4, 4);
      await page.tap("#tab-analysis");
      await page.tap(".why-played");
      await page.waitForSelector("#why h3");
      await page.waitForFunction(() => {
        const sheet = document.querySelector(".sheet").getBoundingClientRect(), why = document.getElementById("why").getBoundingClientRect();
        const tabs = document.querySelector("[role=tablist]").getBoundingClientRect();
        return why.top >= sheet.top - 1 && (why.bottom <= tabs.top + 1 || why.top <= sheet.top + 24);
      });
    });
  },

  async "the example of Othello has its review and lessons"() {
    await visit({}, async (page) => {
      await openExampleOfOthello(page);
      // "The best move 15 times" tells no move.
      assert(await page.locator("#othello-judged > p .move-link").count() === 0, "a count leads to a move");
      for (const color of ["B", "W"]) assert(await page.locator(`.lesson[data-color=${color}]`).count() > 0, `no lesson of ${color}`);
      await page.locator(".lesson [data-lesson=better]").first().evaluate((button) => { button.closest("details").open = true; });
      await page.locator(".lesson [data-lesson=better]").first().click();
      await page.waitForSelector(".othello-state [data-leave]");
      // The moves of a whole game stay within their panel.
      await pane(page, "analysis");
      const wide = await page.locator("#pane-analysis .panel p").evaluateAll((texts) => texts.filter((text) => text.scrollWidth > text.clientWidth + 1).length);
      assert(wide === 0, `${wide} texts are wider than their panel`);
    });
  },

  async "tables of moves have all of their columns in sight, on a phone, too"() {
    /** Tables that are wider than their place, and texts of them that are not half as wide. */
    const narrow = (page) => page.evaluate(() => [...document.querySelectorAll(".moves, .tally, #othello-analysis table, #othello-judged table")].flatMap((table) => {
      const room = table.parentElement.clientWidth;
      const texts = [...table.querySelectorAll("tbody td:last-child:not(.number, :empty)")].filter((cell) => cell.clientWidth < room / 2);
      return [...(table.scrollWidth > room ? [`${table.className} is ${table.scrollWidth} of ${room} wide`] : []), ...texts.map((cell) => `${cell.clientWidth}: ${cell.textContent}`)];
    }));
    for (const [width, height, locale] of [[390, 844, "en"], [360, 640, "ja"], [1280, 720, "en"]]) {
      await visit({ viewport: { width, height }, locale }, async (page) => {
        const isWhole = async (what) => {
          const found = await narrow(page);
          assert(found.length === 0, `${what}, ${width} wide (${locale}): ${found.join("; ")}`);
        };
        await openExampleOfOthello(page);
        await page.waitForSelector("#othello-judged table");
        await isWhole("the mistakes of Othello");
        await page.click("#othello-fault-31");
        await pane(page, "analysis");
        await page.selectOption("#othello-level", "5");
        if (await page.locator("#othello-study[aria-pressed=false]").count()) await page.click("#othello-study");
        await page.waitForSelector("#othello-analysis tbody tr");
        await isWhole("the analysis of Othello");
        await openRecord(page, "(;SZ[5]KM[7];B[cc];W[bc];B[bb])");
        await pane(page, "analysis");
        await page.click("#pane-analysis [data-key=a]");
        await page.waitForSelector(".thought .moves tbody tr");
        await isWhole("the analysis of Go");
        await page.click("#pane-analysis [data-key=a]");
        await pane(page, "learn");
        await page.click("#pane-learn button.main");
        await page.waitForSelector(".tally");
        await isWhole("the mistakes of Go");
      });
    }
  },

  async "a first look at Learn says what a review of Othello does"() {
    await visit({ colorScheme: "dark" }, async (page) => {
      await page.goto(`${base}/othello?from=f5d6c3d3`);
      await page.locator("main form button.main").first().click();
      await readyOfOthello(page);
      // Black is dark on a dark page, too.
      const discs = await page.locator(".othello-sides .disc").evaluateAll((all) => all.map((disc) => Number(getComputedStyle(disc).backgroundColor.match(/\d+/)[0])));
      assert(discs.length === 2 && discs[0] < 60 && discs[1] > 200, `discs of the players: ${discs}`);
      await pane(page, "learn");
      const told = await page.locator("#othello-judged").textContent();
      assert(told.includes("each becomes a lesson"), told);
      assert(await page.locator("#othello-review.main").count() === 1, "the review does not stand out");
    });
  },

  async "openings of Othello are asked, by keys alone and on a phone"() {
    for (const options of [{ viewport: { width: 1280, height: 720 } }, { viewport: { width: 390, height: 844 }, hasTouch: true }]) {
      await visit(options, async (page) => {
        await page.goto(`${base}/othello`);
        await page.focus("a[href='/othello/openings']");
        await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
        await beginOpenings(page);
        const next = async () => {
          await page.waitForSelector("#card a.button.main");
          await page.focus("#card a.button.main");
          await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
        };
        const legal = async () => (await page.locator("#card-board").getAttribute("data-ghost-at")).split(" ")[0];
        const answer = await legal(), [right, down] = [answer.charCodeAt(0) - 101, Number(answer[1]) - 5];
        await page.focus("#card-board");
        for (let n = 0; n < Math.abs(right); n += 1) await page.keyboard.press(right > 0 ? "ArrowRight" : "ArrowLeft");
        for (let n = 0; n < Math.abs(down); n += 1) await page.keyboard.press(down > 0 ? "ArrowDown" : "ArrowUp");
        assert((await page.textContent("#card-says")).startsWith(answer), `the cursor is at ${await page.textContent("#card-says")}`);
        await page.keyboard.press("Enter");
        await page.waitForSelector("#card a.button.main");
        assert((await page.textContent("#card .verdict")).includes(answer), "nothing is said of the answer");
        await next();
        // By a pointer or a finger: a mouse sees the disc before it is put down.
        const square = await legal(), place = await spot(page, square.charCodeAt(0) - 97, Number(square[1]) - 1, "card-board");
        if (options.hasTouch) {
          await page.touchscreen.tap(...place);
        } else {
          await page.mouse.move(...place);
          assert(await page.locator("#card-board .ghost").count() === 1, "no disc is seen where it may be put down");
          await page.mouse.click(...place);
        }
        await next();
        // Who does not know it is told.
        await page.click("#card button[hx-post]");
        await page.waitForSelector("#card a.button.main");
        assert(await page.locator("#card .verdict").count() === 0 && await page.locator("#card li").count() > 0, "the answer is not shown");
      });
    }
  },

  async "points of a text light up, and tabs stay chosen"() {
    await visit({}, async (page) => {
      await openRecord(page, "(;GM[1]SZ[9];B[ee]C[Black E5, then C3.];W[cc])");
      await page.keyboard.press("ArrowRight");
      await page.locator(".remark .vertex").nth(1).hover();
      await page.waitForSelector("#board .lit .point");
      await page.mouse.move(1, 1);
      await page.waitForFunction(() => !document.querySelector("#board .lit"));
      // By keys: from the number in the bar to the points of the remark, and on.
      await page.locator("#move-number").focus();
      for (let n = 0; n < 20 && !(await page.evaluate(() => document.activeElement.matches(".remark .vertex"))); n += 1) await page.keyboard.press("Tab");
      const litAt = () => page.locator("#board .lit .point").evaluate((ring) => [ring.getAttribute("cx"), ring.getAttribute("cy")].join());
      const first = await litAt();
      await page.keyboard.press("Tab");
      assert(await page.evaluate(() => document.activeElement.dataset.vertex) === "C3" && await litAt() !== first, "Tab does not light the next point");
      await page.keyboard.press("Tab");
      await page.waitForFunction(() => !document.querySelector("#board .lit"));
      await pane(page, "analysis");
      await change(page, async () => page.mouse.click(...await spot(page, 6, 6)));
      assert(await page.locator("#pane-analysis").isVisible() && await page.locator("#pane-learn").isHidden(), "a move has changed the tab");
      await page.locator("#tab-analysis").focus();
      await page.keyboard.press("ArrowRight");
      assert(await page.locator("#pane-learn").isVisible(), "the arrow keys do not change tabs");
      await page.reload();
      assert(await page.locator("#pane-learn").isVisible(), "a reload has changed the tab");
    });
  },

  async "lines that a text names are walked through by click, touch and keys"() {
    const remark = "After C3 G7 White lives. Better: B C7, W G3, B G7. 続きは黒C7・白G3。 Choices: C3, G7; E5 E5 cannot be.";
    const sgf = `(;GM[1]SZ[9];B[ee]C[${remark}];W[cc])`;
    await visit({}, async (page) => {
      await openRecord(page, sgf);
      await page.keyboard.press("ArrowRight");
      await shows(page, 1, 2);
      const walks = page.locator(".remark .walk-line"), stands = (point, other) => page.waitForFunction(([point, other]) => {
        const stones = JSON.parse(document.getElementById("board").dataset.stones);
        return point in stones && !(other in stones);
      }, [point, other]);
      assert(await walks.count() === 3, `${await walks.count()} lines`);
      assert(await walks.nth(1).getAttribute("aria-label") === "Walk through C7 G3 G7", await walks.nth(1).getAttribute("aria-label"));
      const asked = await requestsDuring(page, async () => {
        // After the move of the place.
        await walks.nth(0).click();
        await shows(page, 2, 3);
        await stands("C3", "G7");
        assert((await page.textContent(".remark")) === remark, `the remark has become ${await page.textContent(".remark")}`);
        await page.keyboard.press("ArrowRight");
        await shows(page, 3, 3);
        await page.click("[data-leave]");
        await shows(page, 1, 2);
        // In place of it, by keys.
        await walks.nth(1).focus();
        await page.keyboard.press("Enter");
        await shows(page, 1, 3);
        await stands("C7", "E5");
        assert(await page.evaluate(() => document.activeElement.matches(".remark .walk-line")), "the focus is lost");
        await page.keyboard.press("ArrowRight");
        await shows(page, 2, 3);
        await page.locator("[data-leave]").focus();
        await page.keyboard.press("Enter");
        await shows(page, 1, 2);
        assert(await page.evaluate(() => document.activeElement.matches(".remark .walk-line")), "who leaves the line has no focus");
        await stands("E5", "C7");
      });
      assert(asked.length === 0, asked.join());
      // The page that is shared does the same.
      const path = join(place, "walks.html");
      writeFileSync(path, await (await page.request.get(`${page.url()}/html`)).text());
      await page.goto(`file://${path}`);
      await page.click("[data-step='1']");
      for (const width of [320, 345, 370, 1280]) {
        await page.setViewportSize({ width, height: 720 });
        const broken = await page.evaluate(() => [...document.querySelectorAll("#comment .walk-line")].filter((button) => {
          const line = button.closest(".tied");
          return !/^[A-J]\d/.test(line?.textContent) || line.getClientRects().length !== 1;
        }).length);
        assert(broken === 0, `in the shared page ${broken} lines are broken from their points at ${width} pixels`);
      }
      assert((await page.textContent("#said")).startsWith("1. black plays E5"), await page.textContent("#said"));
      assert((await page.textContent("#board-text")).includes("E5"), await page.textContent("#board-text"));
      await page.locator("#comment .walk-line").nth(1).focus();
      await page.keyboard.press("Enter");
      await page.waitForSelector("#leave:not([hidden])");
      assert(await page.inputValue("#move-number") === "1" && await page.textContent("#move-count") === "3", "the line is not shown");
      assert(await page.evaluate(() => document.activeElement.matches("#comment .walk-line")), "the focus is lost");
      await page.locator("#leave").focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.getElementById("move-number").value === "1" && document.getElementById("move-count").textContent === "2");
      assert(await page.evaluate(() => document.activeElement.matches("#comment .walk-line")), "who leaves the line has no focus");
    });
    await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
      await openRecord(page, sgf);
      await page.locator("[data-step='1']").tap();
      await shows(page, 1, 2);
      await page.locator(".remark .walk-line").first().tap();
      await shows(page, 2, 3);
      await page.locator("[data-leave]").tap();
      await shows(page, 1, 2);
    });
  },

  async "a finger lights the points of a text, and the sheet gives way"() {
    await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
      await openRecord(page, "(;GM[1]SZ[9];B[ee]C[Black E5, not E1.];W[cc])");
      await page.locator("[data-step='1']").tap();
      await shows(page, 1, 2);
      await page.locator(".remark .vertex[data-vertex=E5]").tap();
      await page.waitForSelector("#board .lit .point");
      await page.locator("#tab-learn").tap();
      await page.waitForSelector(".sheet.open");
      // A long text in the sheet, as lessons have.
      await page.evaluate(() => {
        const text = document.createElement("div");
        text.className = "told";
        text.textContent = `E9 is above the sheet, E1 below it. ${"More of it. ".repeat(200)}`;
        document.querySelector("#pane-learn").prepend(text);
        document.dispatchEvent(new CustomEvent("htmx:afterSwap", { detail: { target: text } }));
      });
      const isOpen = () => page.locator(".sheet.open").count();
      await page.locator("#pane-learn .vertex[data-vertex=E9]").tap();
      assert(await isOpen() === 1, "the sheet gives way to a point that is in sight");
      await page.locator("#pane-learn .vertex[data-vertex=E1]").tap();
      assert(await isOpen() === 0 && await page.locator("#board .lit .point").isVisible(), "E1 is lit below the sheet");
    });
  },

  async "points light up on the board of a problem, too"() {
    await visit({}, async (page) => {
      await page.goto(`${base}/go/problems/1`);
      // What stands below the answer to a problem of one's own.
      await page.evaluate(() => {
        const card = document.createElement("div");
        card.id = "card";
        card.innerHTML = '<p class="told">Better: Black C3.</p>';
        document.querySelector("main").prepend(card);
        document.dispatchEvent(new CustomEvent("htmx:afterSwap", { detail: { target: card } }));
      });
      await page.locator("#card .vertex").focus();
      const { x, y, width, height } = await page.locator(".board .lit .point").boundingBox();
      const [left, top] = await page.evaluate(() => {
        const board = document.querySelector(".board[data-columns]"), { margin, field, rows } = board.dataset, { a, e, f } = board.querySelector("svg").getScreenCTM();
        return [e + (Number(margin) + 2 * Number(field)) * a, f + (Number(margin) + (Number(rows) - 3) * Number(field)) * a];
      });
      assert(Math.hypot(x + width / 2 - left, y + height / 2 - top) < 2, `C3 is at ${left} ${top}, and lit at ${x} ${y}`);
      await page.evaluate(() => document.activeElement.blur());
      await page.mouse.move(1, 1);
      await page.locator("nav a").first().focus();
      await page.waitForFunction(() => !document.querySelector(".board .lit"));
    });
  },
};

/** All rooms, after some use. */
const rooms = {
  async "a game comes in by drop and by paste"() {
    await visit({}, async (page) => {
      const give = (kind, text) => page.evaluate(([kind, text]) => {
        const data = new DataTransfer();
        if (kind === "drop") data.items.add(new File([text], "game.sgf"));
        else data.setData("text/plain", text);
        const event = kind === "drop" ? new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event);
      }, [kind, text]);
      await page.goto(base);
      await give("drop", "(;GM[1]SZ[9]PB[Dropped];B[ee];W[cc])");
      await page.waitForURL(/\/go\/\w+/);
      assert((await page.textContent(".status")).includes("Dropped"), "another game was opened");
      await page.goto(`${base}/go`);
      await give("paste", "f5d6c3d3c4");
      await page.waitForURL(/\/othello\/\w+/);
      // A board with the side to move, as other programs write it, and as the page copies it.
      const board = `${"-".repeat(27)}OX${"-".repeat(6)}XO${"-".repeat(27)}`, digits = board.replaceAll("X", "0").replaceAll("O", "1");
      const rows = board.match(/.{8}/g).map((row, at) => `${at + 1} ${[...row].join(" ")}`).join("\n");
      for (const text of [`${board} X`, `setboard ${board} X;`, `${digits} 0`, "8/8/8/3pP3/3Pp3/8/8/8 b", `  a b c d e f g h\n${rows}\nX to move\n`, "www.example.org/kifu#f5d6c3d3"]) {
        await page.goto(`${base}/go`);
        await give("paste", text);
        await page.waitForURL(/\/othello\/\w+/);
      }
      await page.goto(base);
      await give("drop", "nonsense");
      await page.waitForFunction(() => document.getElementById("message").textContent !== "");
      assert(new URL(page.url()).pathname === "/", "nonsense has opened something");
    });
  },

  async "sounds wait for a touch and can be turned off, and taken stones fade"() {
    await visit({}, async (page) => {
      await page.addInitScript(() => {
        window.clicks = 0;
        const { start } = AudioBufferSourceNode.prototype;
        AudioBufferSourceNode.prototype.start = function (...when) { window.clicks += 1; return start.apply(this, when); };
      });
      await openRecord(page, "(;GM[1]SZ[5];B[cc];W[cd])");
      const clicks = () => page.evaluate(() => window.clicks);
      // A step that no hand makes.
      await page.evaluate(() => document.querySelector("[data-step='1']").click());
      await shows(page, 1, 2);
      assert(await clicks() === 0, "there was a sound before the first touch");
      await page.waitForTimeout(200);
      await page.keyboard.press("ArrowRight");
      await shows(page, 2, 2);
      assert(await clicks() === 1, `${await clicks()} sounds of a stone`);
      await page.click("[data-sound]");
      await page.keyboard.press("ArrowLeft");
      await page.waitForTimeout(200);
      await page.keyboard.press("ArrowRight");
      await shows(page, 2, 2);
      assert(await clicks() === 1, "it is not quiet");
      await page.reload();
      assert(await page.getAttribute("[data-sound]", "aria-pressed") === "false", "the switch is forgotten");
    });
    for (const reducedMotion of ["no-preference", "reduce"]) {
      await visit({ reducedMotion }, async (page) => {
        await openRecord(page, "(;GM[1]SZ[5]AB[ab]AW[aa];B[ba])");
        await page.evaluate(() => {
          window.faded = 0;
          new MutationObserver((changes) => changes.forEach(({ target }) => { if (target.classList.contains("taken")) window.faded += 1; }))
            .observe(document.getElementById("board"), { subtree: true, attributes: true, attributeFilter: ["class"] });
        });
        await page.waitForTimeout(200);
        await page.keyboard.press("ArrowRight");
        await page.waitForFunction(() => document.querySelectorAll("#board .stones circle").length === 2);
        assert((await page.evaluate(() => window.faded) > 0) === (reducedMotion === "no-preference"), `motion with ${reducedMotion}`);
      });
    }
  },

  async "a stone is half seen where a mouse points at a free point"() {
    await visit({}, async (page) => {
      const ghosts = (id, color) => page.locator(`#${id} .ghost[fill="url(#stone-${color})"]`).count();
      const pointAtField = async (id, column, row) => page.mouse.move(...await spot(page, column, row, id));
      await page.goto(base);
      await pointAtField("first-board", 2, 2);
      assert(await ghosts("first-board", "black") === 1, "no stone is seen on the first board");
      await page.mouse.move(1, 1);
      assert(await ghosts("first-board", "black") === 0, "the stone stays where nothing points");
      await newGame(page, "person", "person");
      await change(page, async () => page.mouse.click(...await spot(page, 4, 4)));
      await pointAtField("board", 2, 2);
      assert(await ghosts("board", "white") === 1, "no stone is seen in a game");
      await pointAtField("board", 4, 4);
      assert(await ghosts("board", "white") === 0, "a stone is seen on a stone");
      await page.goto(`${base}/go/problems/1`);
      const free = await page.locator("#problem-board").evaluate(({ dataset }) => [...Array(Number(dataset.columns)).keys()].find((column) => !(`${"ABCDEFGHJKLMNOPQRST"[column]}1` in JSON.parse(dataset.stones))));
      await pointAtField("problem-board", free, await page.locator("#problem-board").evaluate(({ dataset }) => Number(dataset.rows) - 1));
      assert(await page.locator("#problem-board .ghost").count() === 1, "no stone is seen on the board of a problem");
      // In a corner of the side whose turn it is, or of the one that is chosen.
      await page.goto(`${base}/joseki`);
      await pointAtField("joseki-board", 2, 2);
      assert(await ghosts("joseki-board", "black") === 1, "no stone is seen in an empty corner");
      await page.check("input[name=side][value=W]");
      // The choice stands below the board, and the window has moved to it.
      await page.locator("#joseki-board").scrollIntoViewIfNeeded();
      await pointAtField("joseki-board", 3, 3);
      assert(await ghosts("joseki-board", "white") === 1, "the stone is not that of the side that is chosen");
      await page.goto(`${base}/joseki?line=bD4`);
      await pointAtField("joseki-board", 2, 2);
      assert(await ghosts("joseki-board", "white") === 1, "the stone is not that of the side whose turn it is");
      await pointAtField("joseki-board", 3, await page.locator("#joseki-board").evaluate(({ dataset }) => Number(dataset.rows) - 4));
      assert(await page.locator("#joseki-board .ghost").count() === 0, "a stone is seen on a stone of a corner");
      // In Othello where the move is legal.
      await page.goto(`${base}/othello?from=f5`);
      await page.selectOption("#othello-white-player", "person");
      await page.click("form[action='/othello'] button.main");
      await readyOfOthello(page);
      await pointAtField("othello-board", 3, 5);
      assert(await ghosts("othello-board", "white") === 1, "no disc is seen");
      await pointAtField("othello-board", 0, 0);
      assert(await page.locator("#othello-board .ghost").count() === 0, "a disc is seen where it may not be played");
    });
  },

  async "a variation is drawn where it is pointed at"() {
    await visit({}, async (page) => {
      await newGame(page, "person", "person");
      await pane(page, "analysis");
      await page.click("text=Analyse this position");
      await page.waitForFunction(() => document.querySelectorAll("tr[data-variation]").length > 1 && document.querySelector("#board [sse-swap=overlay] text"));
      // What each candidate loses against the best one stands in the table and on the board, where the win rate stays.
      const compared = await page.locator("tr[data-variation]").evaluateAll((rows) => rows.map((row) => row.cells[1].textContent));
      assert(compared[0] === "best" && compared.slice(1).every((text) => /^(0\.0|[−+]\d+(\.\d)?)( |$)/.test(text)), compared.join());
      const onBoard = await page.locator("#board [sse-swap=overlay] text").allTextContents();
      assert(onBoard[0] === "0.0" && /^\d+$/.test(onBoard[1]), onBoard.join());
      await page.locator("tr[data-variation]").first().hover();
      await page.waitForSelector(".hover svg circle");
      // What was thought outlives a reload, before the server says more.
      await page.addInitScript(() => {
        for (const name of ["live:overlay", "live:thought-en"]) addEventListener(name, (event) => { event.preventDefault(); event.stopImmediatePropagation(); }, true);
      });
      await page.reload();
      await page.waitForSelector("tr[data-variation]");
      assert(await page.locator("#board [sse-swap=overlay] text").count() > 0, "the discs are gone");
      await page.click("text=Stop");
      await page.waitForFunction(() => !document.querySelector("tr[data-variation]"));
    });
  },

  async "why not here? is answered"() {
    await visit({}, async (page) => {
      await newGame(page, "person", "person");
      await page.check("input[value=ask]");
      await page.mouse.click(...await spot(page, 0, 0));
      await page.waitForSelector("#why h3");
      const text = await page.textContent("#why");
      assert(text.includes("Why not A9?"), text);
      await page.selectOption("#level", "influence");
      await page.waitForSelector("#seen h3");
    });
  },

  async "a pattern is edited and saved"() {
    await visit({}, async (page) => {
      await page.goto(`${base}/patterns/p/shipped/crosscut-extend`);
      await page.click("text=Edit a copy");
      await page.waitForSelector("#pattern-board svg");
      await page.waitForLoadState();
      await page.check("input[name=tool][value='%']");
      const box = await page.locator("#pattern-board svg").first().boundingBox();
      assert(await change(page, () => page.mouse.click(box.x + box.width * 0.3, box.y + box.height * 0.7)),
        await page.textContent("#message"));
      // Keys stay at the button that they have pressed, though many lead to one address.
      for (const by of ['"exchange"', '"undo"', '"redo"']) {
        const button = page.locator(`#editor button[hx-vals*='${by}']`);
        await button.focus();
        await change(page, () => page.keyboard.press("Enter"));
        const at = await page.evaluate(() => document.activeElement.getAttribute("hx-vals") ?? document.activeElement.outerHTML);
        // What cannot be done again leaves the focus to what is beside it.
        assert(at.includes(by) || await button.isDisabled(), `after ${by} the focus is at ${at}`);
      }
      await page.fill("#name", "my-crosscut");
      assert(await change(page, () => page.locator("form:has(#name) button").click()), await page.textContent("#message"));
      await page.locator("button:has-text('Save')").first().click();
      await page.waitForURL(/\/patterns\/p\/\w+\/my-crosscut/);
      await page.reload();
      assert((await page.textContent("main")).includes("my-crosscut"), "the pattern was not kept");
    });
  },

  async "a small experiment is run and watched to its end"() {
    await visit({}, async (page) => {
      await page.goto(`${base}/lab/e/003-strings/quick`);
      await page.locator("button[hx-post$='/start']").click();
      await page.waitForSelector("text=Finished");
      await page.reload();
      await page.waitForSelector("#figures table");
    });
  },

  async "everything can be done by keys"() {
    await visit({}, async (page) => {
      await page.goto(base);
      await page.locator("#first-board").focus();
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Enter");
      await ready(page);
      await page.waitForFunction(() => document.getElementById("board").dataset.stones.includes("D5"));
      // Two stones: the engine has answered.
      await page.waitForFunction(() => Object.keys(JSON.parse(document.getElementById("board").dataset.stones)).length === 2);
      await page.locator("#board").focus();
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowRight");
      if (!(await change(page, () => page.keyboard.press("Enter")))) {
        await page.keyboard.press("ArrowRight");
        await change(page, () => page.keyboard.press("Enter"));
      }
      assert(await page.evaluate(() => document.activeElement.id) === "board", "the board lost the focus");
    });
  },

  async "a match, a deck, a board of strings and a joseki are come to by keys alone"() {
    await visit({}, async (page) => {
      const tabTo = async (selector) => {
        for (let n = 0; n < 120; n += 1) {
          if (await page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return;
          await page.keyboard.press("Tab");
        }
        throw new Error(`${selector} is not reached by Tab`);
      };
      const type = async (selector, text) => {
        await tabTo(selector);
        await page.keyboard.press("Control+A");
        await page.keyboard.type(text);
      };
      await page.goto(`${base}/lab`);
      await type("#a", "go-random");
      await type("#b", "go-capture");
      await type("#pairs", "2");
      await page.keyboard.press("Enter");
      await page.waitForSelector("text=Finished.");
      await page.goto(`${base}/decks`);
      await tabTo("form button.main, form button");
      for (let n = 0; n < 60 && !(await page.evaluate(() => document.activeElement.textContent.includes("Thirty pieces"))); n += 1) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/decks\/\w+/);
      await page.waitForLoadState();
      for (let n = 0; n < 200 && !(await page.evaluate(() => document.activeElement.matches("button") && document.activeElement.textContent.trim() === "Build")); n += 1) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.waitForSelector("table.decks-compared");
      await page.goto(`${base}/strings`);
      await tabTo("#strings-side");
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await tabTo("form[action='/strings'] button.main");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".strings-board svg");
      // The cursor of the corner plays at D4, which the books know.
      await page.goto(`${base}/joseki`);
      await tabTo("#joseki-board");
      for (let n = 0; n < 10; n += 1) await page.keyboard.press("ArrowLeft");
      for (let n = 0; n < 10; n += 1) await page.keyboard.press("ArrowDown");
      for (let n = 0; n < 3; n += 1) await page.keyboard.press("ArrowRight");
      for (let n = 0; n < 3; n += 1) await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await page.waitForURL(/line=bD4/);
      await page.waitForFunction(() => document.activeElement.id === "joseki-board");
    });
  },

  async "a phone shows every room without scrolling sideways"() {
    for (const [most, locale] of [[360, "en"], [320, "ja"], [320, "en"]]) {
      await visit({ viewport: { width: most, height: 740 }, locale }, async (page) => {
        await newGame(page, "person", "person", "19");
        for (const room of [page.url().slice(base.length), ...ROOMS]) {
          await page.goto(base + room);
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          assert(width <= most, `${room} is ${width} wide where a window has ${most} (${locale})`);
        }
      });
    }
  },

  async "no room has a serious fault of accessibility"() {
    const used = await leavePagesInUse();
    for (const locale of ["en", "ja"]) {
      await visit({ locale, bypassCSP: true }, async (page) => {
        await page.goto(`${base}/go`);
        await page.click("form[action='/go/new'] button.main");
        await page.waitForSelector("#board");
        const tables = [page.url().slice(base.length)];
        await page.goto(`${base}/othello?from=f5d6c3d3c4f4f6f3`);
        await beginGameOfOthello(page);
        tables.push(page.url().slice(base.length));
        // Remarks with points in them, and marks in the list of variations.
        await openRecord(page, "(;GM[1]SZ[9]C[Black E5, then C3.](;B[ee];W[cc])(;B[cc]))");
        tables.push(page.url().slice(base.length));
        for (const room of [...tables, ...used, ...ROOMS]) {
          await page.goto(base + room);
          await page.evaluate(axe);
          // Answers of lessons and other parts that are closed at first.
          await page.evaluate(() => document.querySelectorAll("main details").forEach((details) => { details.open = true; }));
          const tabs = await page.locator("[role=tab]").all();
          for (const tab of tabs.length ? tabs : [null]) {
            await tab?.click();
            for (const colorScheme of ["light", "dark"]) {
              // The page that is open takes the other colours at once: it need not be loaded again.
              await page.emulateMedia({ colorScheme });
              const { violations } = await page.evaluate(() => window.axe.run());
              const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
              const told = serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
              assert(serious.length === 0, `${room} (${locale}, ${colorScheme}): ${told.join("\n")}`);
            }
          }
        }
      });
    }
  },

  async "an address lets one browser in, once, also from a file"() {
    const file = join(place, "open.html");
    writeFileSync(file, `<!DOCTYPE html><meta http-equiv="refresh" content="0;url=${entry}">`);
    await visit({ isStranger: true }, async (page) => {
      await page.goto(`${base}/go`);
      assert(page.url() === `${base}/enter`, `a stranger is at ${page.url()}`);
      await page.goto(`file://${file}`);
      await page.waitForURL(`${base}/`);
      await page.goto(`${base}/go`);
      assert(page.url() === `${base}/go`, "the cookie is not shown");
      const [cookie] = (await page.context().cookies()).filter(({ name }) => name.startsWith("ishi-visitor-"));
      assert(cookie.httpOnly && cookie.sameSite === "Strict" && cookie.expires > 0, "the cookie is open");
    });
    await visit({ isStranger: true, locale: "ja" }, async (page) => {
      const answer = await page.request.get(entry);
      assert(answer.status() === 403, `the second visitor gets ${answer.status()}`);
      await page.goto(base);
      assert((await page.textContent("main")).includes("ishi token"), "the way in is not explained");
    });
  },

  async "labels and fields stand where they belong on a phone"() {
    await visit({ viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }, async (page) => {
      for (const room of ["/go", "/lab", "/strings", "/decks"]) {
        await page.goto(base + room);
        const { left, right } = await page.locator(".top nav a[aria-current]").evaluate((link) => link.getBoundingClientRect().toJSON());
        assert(left >= 0 && right <= 350, `the name of the open room is out of sight at ${room}: ${left} to ${right}`);
      }
      await page.goto(`${base}/patterns`);
      const apart = await page.locator(".row > .field").evaluateAll((fields) => fields.filter(({ children: [label, field] }) => {
        const [at, beside] = [label, field].map((part) => part.getBoundingClientRect());
        return at.right > beside.left || at.bottom < beside.top || beside.bottom < at.top;
      }).map((field) => field.textContent));
      assert(apart.length === 0 && await page.locator(".row > .field").count() === 3, `a label is away from its field: ${apart}`);
      await page.goto(`${base}/joseki`);
      const broken = await page.locator("td.vertex a").evaluateAll((links) => links.filter((link) => link.getClientRects().length > 1).length);
      assert(broken === 0 && await page.locator("td.vertex a").count() > 5, `${broken} moves take two lines`);
      await page.goto(base);
      const gap = await page.locator("label:has([name=taught])").first().evaluate((label) =>
        label.getBoundingClientRect().top - document.getElementById("first-board").getBoundingClientRect().bottom);
      assert(gap >= 4, `words stand ${gap} pixels below the board`);
      await page.goto(`${base}/go/problems`);
      const [first, second] = await Promise.all([0, 1].map((at) => page.locator(".problem").nth(at).boundingBox()));
      assert(first.y === second.y && first.x < second.x, "problems are not beside each other");
      await page.goto(`${base}/othello`);
      assert((await page.locator("[name=taught]").boundingBox()).width < 40, "a box to be ticked is as wide as the page");
      assert(await page.locator("#othello-black-level").isHidden() && await page.locator("#othello-white-level").isVisible(), "a person has a level");
      assert(await page.locator("#othello-black-rating").isHidden(), "a person has a rating to be chosen");
      await page.selectOption("#othello-black-player", "othello-greedy");
      assert(await page.locator("#othello-black-level").isHidden() && await page.locator("#othello-black-rating").isHidden(), "levels are shown where they change nothing");
      assert(await page.locator("details.of-black summary").isVisible() && await page.locator("details.of-white summary").isVisible(), "an engine has no parameters");
    });
    await visit({ viewport: { width: 1280, height: 720 }, locale: "ja" }, async (page) => {
      await page.goto(`${base}/joseki?line=bD4.wF3`);
      const tall = await page.locator("td.kind").evaluateAll((cells) => cells.filter((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length > 1;
      }).length);
      const frame = await page.locator(".scroll:has(td.kind)").evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
      assert(frame[0] <= frame[1] + 1, `the table of moves is cut: ${frame}`);
      assert(tall === 0 && await page.locator("td.kind").count() > 5, `${tall} kinds of moves are broken`);
      assert(/^[黒白][A-K]/.test(await page.locator("td.vertex a").first().textContent()), "a move has an English colour");
      await page.goto(`${base}/lab`);
      assert((await page.locator("#a").boundingBox()).width > 220, "a player's name has no room");
      assert(await page.inputValue("#rules") === "chinese" && (await page.textContent("#rules option")).includes("中国"), "rules have names of programs");
    });
  },

  async "an opponent of a rating is chosen by keys, in both languages, also on a phone"() {
    for (const [locale, label, name] of [["en", "White, rating", "ishi, rating 1000"], ["ja", "白、レーティング", "ishi（レーティング1000）"]]) {
      await visit({ viewport: { width: 360, height: 640 }, locale, isMobile: true, hasTouch: true }, async (page) => {
        await page.goto(`${base}/othello`);
        const field = page.getByLabel(label);
        await page.getByLabel(label.replace(/rating|レーティング/, { en: "level", ja: "レベル" }[locale])).focus();
        await page.keyboard.press("Tab");
        assert(await field.evaluate((input) => input === document.activeElement), "the rating does not follow the level");
        await page.keyboard.type("1000");
        assert(await page.evaluate(() => document.documentElement.scrollWidth) <= 360, "the entrance scrolls sideways");
        await page.keyboard.press("Enter");
        await page.waitForSelector("#othello-board");
        const told = await page.textContent(".othello-sides");
        assert(told.includes(name), `the opponent is called ${told}`);
        // A rating that nobody sees any more keeps no game from beginning.
        await page.goto(`${base}/othello`);
        await field.fill("100");
        await page.selectOption("#othello-white-player", "othello-greedy");
        assert(await field.isHidden(), "a greedy player has a rating");
        await page.click("form[action='/othello'] button.main");
        await page.waitForSelector("#othello-board");
      });
    }
  },

  async "a move of the book is played where the book stands, wherever the page is"() {
    await visit({}, async (page) => {
      await page.goto(`${base}/othello`);
      await page.fill("#othello-text", "f5d6c3");
      await page.click("form[action='/othello/open'] button.main");
      await page.waitForSelector("#othello-move-3");
      await page.getByRole("tab", { name: "Analysis" }).click();
      // Without an analysis the server does not follow, and the book stays as it is.
      await page.click("#othello-study");
      await page.waitForSelector("#othello-study[aria-pressed=false]");
      await page.keyboard.press("ArrowLeft");
      assert((await page.textContent("#othello-book")).includes("After f5d6c3"), "the book has gone back");
      await page.locator("#othello-book button[data-at]").first().click();
      await page.waitForSelector("#othello-move-4", { state: "attached" });
    });
  },

  async "a slider chooses a square board of strings"() {
    await visit({}, async (page) => {
      await page.goto(`${base}/strings`);
      await page.fill("#strings-height", "7");
      await page.locator("#strings-side").focus();
      await page.keyboard.press("Home");
      for (let n = 0; n < 3; n += 1) await page.keyboard.press("ArrowRight");
      assert(await page.inputValue("#strings-width") === "5" && await page.inputValue("#strings-height") === "", "the slider does not set the board");
      await page.fill("#strings-width", "9");
      assert(await page.inputValue("#strings-side") === "9", "the slider stays");
      await page.fill("#strings-width", "5");
      await page.click("form[action='/strings'] button.main");
      await page.waitForSelector(".strings-board svg");
    });
  },

  async "the first page is small"() {
    await visit({}, async (page) => {
      const sizes = [];
      page.on("requestfinished", (request) => sizes.push(request.sizes()));
      await page.goto(base, { waitUntil: "networkidle" });
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size.responseBodySize, 0);
      assert(bytes > 10_000 && bytes < 80_000, `${bytes} bytes`);
      console.log(`   ${bytes} bytes`);
      const asked = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name.split("/").at(-1)));
      assert(asked.includes("workbench.js") && !asked.includes("charts.js"), `it asks for ${asked}`);
      // Nor does a game that has no chart yet.
      await newGame(page, "person", "person");
      const ofGame = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name.split("/").at(-1)));
      assert(!ofGame.includes("charts.js"), `a game asks for ${ofGame}`);
    });
  },
};

const groups = { games, boards, analyses, reviews, rooms };
assert(group === undefined || group in groups, `there is no group ${group}; there are ${Object.keys(groups)}`);
const checks = group === undefined ? Object.assign({}, ...Object.values(groups)) : groups[group];
const failed = await runChecks(checks, words);
const isEnded = await endWorkbench(workbench, browser);
process.exit(failed || !isEnded ? 1 : 0);
