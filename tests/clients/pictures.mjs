// The pictures of the documentation: node pictures.mjs ISHI FOLDER. Each room as it looks after a little use.
import { join } from "node:path";
import { endWorkbench, launchBrowser, showToken, startWorkbench } from "./workbench.mjs";

const [ishi, folder] = process.argv.slice(2);
const workbench = await startWorkbench(ishi);
const { server, place, base } = workbench;
const browser = await launchBrowser();

async function picture(name, options, work) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  await showToken(context, workbench);
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
  await page.click("#tab-analysis");
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
  await page.keyboard.press("w");
  await page.waitForSelector("#why h3");
  await page.waitForTimeout(300);
});
await picture("othello", {}, async (page) => {
  await page.goto(`${base}/othello`);
  await page.locator("main form button.main, main form button").first().click();
  await page.waitForLoadState();
  await page.click("#tab-analysis");
  await page.locator("#othello-study").click();
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
if (!(await endWorkbench(workbench, browser))) process.exit(1);
