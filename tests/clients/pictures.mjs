// The pictures of the documentation: node pictures.mjs ISHI FOLDER [NAME ...]. The steps of somebody who is new, and each room as it looks after a
// little use. Japanese needs a font (the Debian package fonts-noto-cjk).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endWorkbench, launchBrowser, showToken, startWorkbench } from "./workbench.mjs";

const [ishi, folder, ...wanted] = process.argv.slice(2);
const workbench = await startWorkbench(ishi);
const { server, place, base } = workbench;
const browser = await launchBrowser();

let failed = 0;

/** `file` is a PNG, or a JPEG where there is wood. The page is shown from its top, unless `work` gives true. */
async function picture(file, options, work) {
  const [name, kind] = file.split(".");
  if (wanted.length && !wanted.includes(name)) return;
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  await showToken(context, workbench);
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  try {
    const isScrolled = await work(page);
    if (isScrolled !== true) await page.evaluate(() => window.scrollTo(0, 0));
    await page.screenshot({ path: join(folder, file), ...kind === "jpg" && { type: "jpeg", quality: 82 } });
    console.log(name);
  } catch (error) {
    // The others are made, and the workbench is ended.
    failed += 1;
    console.log(`FAILED ${name}: ${error.message}`);
  }
  await context.close();
}

/** A window in which steps are shown. */
const STEP = { viewport: { width: 1100, height: 720 } };
const RECORD = readFileSync(join(import.meta.dirname, "lost.sgf"), "utf8");

/** Where a point of the board lies on the page. */
function spotOf(page, vertex) {
  return page.locator("#board").evaluate((board, vertex) => {
    const { margin, field, rows } = board.dataset, { a, e, f } = board.querySelector("svg").getScreenCTM();
    const column = "ABCDEFGHJKLMNOPQRST".indexOf(vertex[0]), row = Number(rows) - Number(vertex.slice(1));
    return [e + (Number(margin) + column * Number(field)) * a, f + (Number(margin) + row * Number(field)) * a];
  }, vertex);
}

/** The record of a game that is dropped on the first page. */
async function bringRecord(page) {
  await page.goto(base);
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, RECORD);
  await page.waitForSelector("#board");
  await page.waitForLoadState();
}

async function review(page) {
  await bringRecord(page);
  await page.click("#pane-learn button.main");
  await page.waitForSelector(".lesson", { timeout: 300_000 });
}

/** Points that one likes to play on a small board. */
const LIKED = ["E5", "C3", "G7", "C7", "G3", "E3", "E7", "C5", "G5"];

/** The first of them where nothing stands. */
async function freePoint(page) {
  const stones = JSON.parse(await page.locator("#board").getAttribute("data-stones"));
  return LIKED.find((vertex) => !(vertex in stones));
}

/** A game against ishi, some moves old. */
async function playSome(page) {
  await page.goto(`${base}/go`);
  await page.selectOption("#size", "9");
  await page.click("form[action='/go/new'] button.main");
  await page.waitForSelector("#board");
  await page.waitForLoadState();
  for (const count of [0, 2, 4, 6]) {
    await page.waitForFunction((count) => Number(document.getElementById("move-number").value) >= count, count);
    await page.mouse.click(...await spotOf(page, await freePoint(page)));
    await page.waitForTimeout(400);
  }
  await page.waitForFunction(() => Number(document.getElementById("move-number").value) >= 8);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(500);
}

await picture("home.jpg", {}, (page) => page.goto(base));
await picture("step-play.jpg", STEP, playSome);
await picture("step-record.jpg", STEP, async (page) => {
  await bringRecord(page);
  await page.keyboard.press("End");
  await page.waitForTimeout(400);
});
await picture("step-review.jpg", STEP, async (page) => {
  await review(page);
  await page.click("#pane-learn .u-over", { position: { x: 110, y: 40 } });
  await page.waitForTimeout(600);
});
await picture("step-lesson.jpg", STEP, async (page) => {
  await review(page);
  await page.locator(".lesson:visible [data-lesson=try]").first().click();
  await page.waitForSelector("#board .lit .area");
  await page.locator(".lesson:visible").first().scrollIntoViewIfNeeded();
  await page.waitForTimeout(400);
  return true;
});
await picture("step-share.jpg", STEP, async (page) => {
  await review(page);
  const answer = await page.request.get(`${page.url()}/html`), path = join(place, "shared.html");
  writeFileSync(path, await answer.text());
  await page.goto(`file://${path}`);
  for (let move = 0; move < 12; move += 1) await page.keyboard.press("ArrowRight");
});
await picture("step-phone.jpg", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: "ja" }, playSome);
await picture("step-othello.png", STEP, async (page) => {
  await page.goto(`${base}/othello?from=c4c5f6c3b5g7e3e6c2f3g3a5h8b3f4f2b4f5f7h3`);
  await page.locator("main form button.main, main form button").first().click();
  await page.waitForSelector("#othello-board .played");
  await page.waitForLoadState();
  await page.click("#tab-learn");
  await page.selectOption("#othello-review-level", "8");
  await page.click("#othello-review");
  await page.waitForSelector(".lesson", { timeout: 120_000 });
  await page.locator(".lesson:visible [data-lesson=try]").first().click();
  await page.waitForSelector("#othello-board .lit .point");
  await page.locator(".lesson:visible").first().scrollIntoViewIfNeeded();
  return true;
});
await picture("go.jpg", {}, async (page) => {
  await page.goto(base);
  await page.click("form.sample button");
  await page.waitForSelector("#board");
  await page.waitForLoadState();
  for (let move = 0; move < 23; move += 1) {
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((number) => document.getElementById("move-number").value === String(number), move + 1);
  }
  await page.click("#tab-analysis");
  await page.click("text=Analyse this position");
  await page.waitForSelector("tr[data-variation]");
  await page.waitForTimeout(3000);
});
await picture("why.jpg", { colorScheme: "dark", locale: "ja" }, async (page) => {
  await page.goto(base);
  await page.click("form.sample button");
  await page.waitForSelector("#board");
  await page.waitForLoadState();
  await page.keyboard.press("PageDown");
  await page.waitForFunction(() => document.getElementById("move-number").value === "10");
  await page.keyboard.press("w");
  await page.waitForSelector("#why h3");
  await page.waitForTimeout(300);
});
await picture("othello.png", {}, async (page) => {
  await page.goto(`${base}/othello`);
  await page.locator("main form button.main, main form button").first().click();
  await page.waitForLoadState();
  await page.click("#tab-analysis");
  await page.locator("#othello-study").click();
  // A busy machine takes longer until something is found.
  await page.waitForSelector("[data-place] tbody tr");
  await page.waitForTimeout(6000);
});
await picture("joseki.jpg", {}, (page) => page.goto(`${base}/joseki?line=bD4.wF3`));
await picture("patterns.png", {}, (page) => page.goto(`${base}/patterns`));
await picture("laboratory.png", {}, async (page) => {
  await page.goto(`${base}/lab`);
  await page.fill("#a", "go-mcts:playouts=200");
  await page.fill("#b", "go-mcts:playouts=100");
  await page.click("form[hx-post='/lab/m'] button.main");
  await page.waitForURL(/\/lab\/m\//);
  await page.waitForTimeout(12_000);
  // A busy machine takes longer.
  await page.waitForFunction(() => /\b(1\d|20)\/20\b/.test(document.querySelector("main").innerText), null, { timeout: 400_000 });
});
await picture("strings.png", {}, async (page) => {
  await page.goto(`${base}/strings`);
  await page.waitForTimeout(1500);
});
await picture("decks.png", {}, async (page) => {
  await page.goto(`${base}/decks`);
  await page.click("text=Thirty pieces");
  await page.waitForLoadState();
  await page.locator("button:has-text('Build')").first().click();
  await page.waitForSelector("table.decks-compared");
  await page.waitForTimeout(2000);
});
if (!(await endWorkbench(workbench, browser)) || failed) process.exit(1);
