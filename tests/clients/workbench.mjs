// A workbench of one's own in a real browser, for what looks at its pages.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const experiments = join(import.meta.dirname, "../../experiments");

/** Starts ISHI in a folder of its own, with further options. Gives the process, the folder, the pages' address, an address that lets one browser in, and the token. */
export async function startWorkbench(ishi, options = []) {
  const place = mkdtempSync(join(tmpdir(), "ishi-pages-"));
  const database = join(place, "pages.db");
  const server = spawn(ishi, ["serve", "--no-open", "--listen", "127.0.0.1:0", "--db", database, "--experiments", experiments, ...options],
    { stdio: ["ignore", "ignore", "pipe"] });
  const [base, entry] = await new Promise((resolve, reject) => {
    let text = "";
    server.stderr.on("data", (data) => {
      text += data;
      const found = /(http:\/\/[\d.:]+)\/enter\?code=\S+/.exec(text);
      if (found) resolve([found[1], found[0]]);
    });
    server.on("exit", (code) => reject(new Error(`ishi serve ended with ${code}: ${text}`)));
  });
  return { server, place, base, entry, token: readFileSync(`${database}.token`, "utf8").trim() };
}

/** The browser of this machine, without a window. */
export function launchBrowser() {
  return chromium.launch({
    executablePath: browsers.find(existsSync),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
}

/** Shows the token, so that all of the visitor's pages and workers have the cookie. */
export async function showToken(context, { base, token }) {
  const letIn = await context.request.post(`${base}/enter`, { form: { token }, headers: { Origin: base }, maxRedirects: 0 });
  if (letIn.status() !== 303) throw new Error(`the token is refused: ${letIn.status()}`);
}

/** Runs the named checks that were asked for (all, if none was), and prints a line for each, with the words that it gives. Gives how many failed. */
export async function runChecks(checks, wanted) {
  let failed = 0;
  for (const [name, check] of Object.entries(checks)) {
    if (wanted.length && !wanted.some((word) => name.includes(word))) continue;
    try {
      const told = await check();
      console.log(told === undefined ? `ok ${name}` : `ok ${name}: ${told}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED ${name}: ${error.message}`);
    }
  }
  return failed;
}

/** Ends browser and workbench, and removes its folder. Says whether the workbench ended as it should, and prints a line if not. */
export async function endWorkbench(workbench, browser) {
  await browser.close();
  return endServer(workbench);
}

/** The same where the browser goes on. */
export async function endServer({ server, place }) {
  server.removeAllListeners("exit");
  const ended = new Promise((resolve) => server.on("exit", resolve));
  server.kill("SIGINT");
  const code = await ended;
  if (code !== 0) console.log(`FAILED ishi serve ended with ${code}`);
  rmSync(place, { recursive: true });
  return code === 0;
}
