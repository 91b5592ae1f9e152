// The pages in a real browser, as a person uses them: node pages.mjs ISHI [NAME ...]. Prints a line for each check; exit code 1 if one fails.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [ishi, ...wanted] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const place = mkdtempSync(join(tmpdir(), "ishi-pages-"));
const experiments = join(import.meta.dirname, "../../experiments");

const server = spawn(ishi, ["serve", "--no-open", "--listen", "127.0.0.1:0", "--db", join(place, "pages.db"),
  "--experiments", experiments], { stdio: ["ignore", "ignore", "pipe"] });
const [base, entry] = await new Promise((resolve, reject) => {
  let text = "";
  server.stderr.on("data", (data) => {
    text += data;
    const found = /(http:\/\/[\d.:]+)\/enter\?code=\S+/.exec(text);
    if (found) resolve([found[1], found[0]]);
  });
  server.on("exit", (code) => reject(new Error(`ishi serve ended with ${code}: ${text}`)));
});
const extraHTTPHeaders = { Authorization: `Bearer ${readFileSync(join(place, "pages.db.token"), "utf8").trim()}` };
const browser = await chromium.launch({
  executablePath: browsers.find(existsSync),
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

/** A fresh visitor; whatever the browser complains of is a failure of the check. */
async function visit(options, work) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, extraHTTPHeaders, ...options });
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
  const { margin, field, columns } = await page.locator(`#${id}`).evaluate((board) => ({ ...board.dataset }));
  const unit = box.width / (2 * Number(margin) + (Number(columns) - 1) * Number(field));
  return [box.x + (Number(margin) + column * Number(field)) * unit, box.y + (Number(margin) + row * Number(field)) * unit];
}

async function revision(page) {
  return page.locator("input[name=revision]").first().inputValue();
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

/** The page of a table, with its scripts. */
async function ready(page) {
  await page.waitForSelector("#board");
  await page.waitForLoadState();
}

const ROOMS = ["/", "/go", "/go/problems", "/go/problems/1", "/othello", "/joseki", "/joseki?line=bD4.wF3", "/patterns",
  "/patterns/p/shipped/crosscut-extend", "/lab", "/lab/e/003-strings/quick", "/strings", "/decks"];

const checks = {
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
      await change(page, () => page.keyboard.press("ArrowRight"));
      await change(page, () => page.keyboard.press("ArrowRight"));
      assert(await page.inputValue("#comment") === "a remark", "the remark is missing");
      assert(await page.locator("text=black G7").count() === 1, "the variations are missing");
      await change(page, () => page.click("text=black G7"));
      await change(page, () => page.keyboard.press("End"));
      assert((await page.textContent(".move-number")).includes("4 / 4"), await page.textContent(".move-number"));
      await page.fill("#comment", "<b>kept</b>");
      await change(page, () => page.click("text=Keep the comment"));
      await page.reload();
      assert(await page.inputValue("#comment") === "<b>kept</b>", "the comment was not kept");
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

  async "a variation is drawn where it is pointed at"() {
    await visit({}, async (page) => {
      await newGame(page, "person", "person");
      await page.click("text=Analyse this position");
      await page.waitForSelector("tr[data-variation]");
      await page.waitForTimeout(1500);
      await page.locator("tr[data-variation]").first().hover();
      await page.waitForSelector(".hover svg circle");
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
      await page.waitForSelector("main table");
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

  async "a phone shows every room without scrolling sideways"() {
    await visit({ viewport: { width: 360, height: 740 } }, async (page) => {
      await newGame(page, "person", "person", "19");
      for (const room of [page.url().slice(base.length), ...ROOMS]) {
        await page.goto(base + room);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert(width <= 360, `${room} is ${width} wide`);
      }
    });
  },

  async "no room has a serious fault of accessibility"() {
    for (const [colorScheme, locale] of [["light", "en"], ["dark", "ja"]]) {
      await visit({ colorScheme, locale, bypassCSP: true }, async (page) => {
        await page.goto(`${base}/go`);
        await page.click("form[action='/go/new'] button.main");
        await page.waitForSelector("#board");
        for (const room of [page.url().slice(base.length), ...ROOMS]) {
          await page.goto(base + room);
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() => window.axe.run());
          const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
          const told = serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
          assert(serious.length === 0, `${room} (${colorScheme}): ${told.join("\n")}`);
        }
      });
    }
  },

  async "an address lets one browser in, once, also from a file"() {
    const file = join(place, "open.html");
    writeFileSync(file, `<!DOCTYPE html><meta http-equiv="refresh" content="0;url=${entry}">`);
    await visit({ extraHTTPHeaders: {} }, async (page) => {
      await page.goto(`${base}/go`);
      assert(page.url() === `${base}/enter`, `a stranger is at ${page.url()}`);
      await page.goto(`file://${file}`);
      await page.waitForURL(`${base}/`);
      await page.goto(`${base}/go`);
      assert(page.url() === `${base}/go`, "the cookie is not shown");
      const [cookie] = (await page.context().cookies()).filter(({ name }) => name.startsWith("ishi-visitor-"));
      assert(cookie.httpOnly && cookie.sameSite === "Strict" && cookie.expires > 0, "the cookie is open");
    });
    await visit({ extraHTTPHeaders: {}, locale: "ja" }, async (page) => {
      const answer = await page.request.get(entry);
      assert(answer.status() === 403, `the second visitor gets ${answer.status()}`);
      await page.goto(base);
      assert((await page.textContent("main")).includes("ishi token"), "the way in is not explained");
    });
  },

  async "the first page is small"() {
    await visit({}, async (page) => {
      const sizes = [];
      page.on("requestfinished", (request) => sizes.push(request.sizes()));
      await page.goto(base, { waitUntil: "networkidle" });
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size.responseBodySize, 0);
      assert(bytes > 10_000 && bytes < 100_000, `${bytes} bytes`);
      console.log(`   ${bytes} bytes`);
    });
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  if (wanted.length && !wanted.some((word) => name.includes(word))) continue;
  try {
    await check();
    console.log(`ok ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}: ${error.message}`);
  }
}
await browser.close();
server.removeAllListeners("exit");
const ended = new Promise((resolve) => server.on("exit", resolve));
server.kill("SIGINT");
const code = await ended;
if (code !== 0) {
  failed += 1;
  console.log(`FAILED ishi serve ended with ${code}`);
}
rmSync(place, { recursive: true });
process.exit(failed ? 1 : 0);
