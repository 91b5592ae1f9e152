// The pictures of the documentation: node pictures.mjs ISHI FOLDER. Each room as it looks after a little use.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [ishi, folder] = process.argv.slice(2);
const place = mkdtempSync(join(tmpdir(), "ishi-pictures-"));
const experiments = join(import.meta.dirname, "../../experiments");
const server = spawn(ishi, ["serve", "--no-open", "--listen", "127.0.0.1:0", "--db", join(place, "pictures.db"),
  "--experiments", experiments], { stdio: ["ignore", "ignore", "pipe"] });
const base = await new Promise((resolve) => server.stderr.on("data", (data) => {
  const found = /http:\/\/[\d.:]+/.exec(data);
  if (found) resolve(found[0]);
}));
const token = readFileSync(join(place, "pictures.db.token"), "utf8").trim();
const browser = await chromium.launch({
  executablePath: ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync),
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

async function picture(name, options, work) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  await context.request.post(`${base}/enter`, { form: { token }, headers: { Origin: base }, maxRedirects: 0 });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await work(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
  console.log(name);
}

await picture("home", {}, (page) => page.goto(base));
await picture("go", {}, async (page) => {
  await page.goto(base);
  await page.click("form.sample button");
  await page.waitForSelector("#board");
  await page.waitForLoadState();
  for (let move = 0; move < 23; move += 1) {
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((number) => document.getElementById("move-number").value === String(number), move + 1);
  }
  await page.selectOption("#level", "groups");
  await page.waitForSelector("#seen h3");
  await page.click("text=Analyse this position");
  await page.waitForSelector("tr[data-variation]");
  await page.waitForTimeout(3000);
});
await picture("why", { colorScheme: "dark", locale: "ja" }, async (page) => {
  await page.goto(base);
  await page.click("form.sample button");
  await page.waitForSelector("#board");
  await page.waitForLoadState();
  await page.keyboard.press("PageDown");
  await page.waitForFunction(() => document.getElementById("move-number").value === "10");
  await page.locator("button[data-key=w]").click();
  await page.waitForSelector("#why h3");
  await page.waitForTimeout(300);
});
await picture("othello", {}, async (page) => {
  await page.goto(`${base}/othello`);
  await page.locator("main form button.main, main form button").first().click();
  await page.waitForLoadState();
  await page.locator("button:has-text('Analyse')").first().click();
  await page.waitForTimeout(6000);
});
await picture("joseki", {}, (page) => page.goto(`${base}/joseki?line=bD4.wF3`));
await picture("patterns", {}, (page) => page.goto(`${base}/patterns`));
await picture("laboratory", {}, async (page) => {
  await page.goto(`${base}/lab`);
  await page.fill("#a", "go-mcts:playouts=200");
  await page.fill("#b", "go-flat:playouts=200");
  await page.locator("form[action='/lab/m'] button, form[hx-post='/lab/m'] button").first().click();
  await page.waitForTimeout(12_000);
});
await picture("strings", {}, async (page) => {
  await page.goto(`${base}/strings`);
  await page.waitForTimeout(1500);
});
await picture("decks", {}, async (page) => {
  await page.goto(`${base}/decks`);
  await page.click("text=Thirty pieces");
  await page.waitForLoadState();
  await page.locator("button:has-text('Build')").first().click();
  await page.waitForTimeout(4000);
});
await browser.close();
server.kill("SIGINT");
rmSync(place, { recursive: true });
