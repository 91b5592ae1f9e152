// A workbench of one's own in a real browser, for what looks at its pages.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const experiments = join(import.meta.dirname, "../../experiments");

/** Starts ISHI in a folder of its own. Gives the process, the folder, the pages' address, an address that lets one browser in, and the token. */
export async function startWorkbench(ishi) {
  const place = mkdtempSync(join(tmpdir(), "ishi-pages-"));
  const database = join(place, "pages.db");
  const server = spawn(ishi, ["serve", "--no-open", "--listen", "127.0.0.1:0", "--db", database, "--experiments", experiments],
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
