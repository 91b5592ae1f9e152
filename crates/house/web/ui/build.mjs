// Bundles the scripts of the pages into the folder of the assets: node build.mjs [FOLDER]. The sums of sources and bundles go beside them, so that
// a source that was changed without its bundle is found where there is no node.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const assets = join(here, "../src/workbench/assets");
const folder = process.argv[2] ?? assets;
/** Bundles and where they begin. */
const BUNDLES = {
  "workbench.js": "workbench.ts",
  "charts.js": "chart.ts",
  "events-worker.js": "worker.ts",
  "shared-go.js": "shared_go.tsx",
  "shared-othello.js": "shared_othello.ts",
};
/** Those that a page brings in when it needs them. */
const MODULES = ["charts.js"];

const version = (name) => JSON.parse(readFileSync(join(here, `node_modules/${name}/package.json`), "utf8")).version;
const PREACT = `Preact ${version("preact")}, Copyright (c) 2015-present Jason Miller`, UPLOT = `uPlot ${version("uplot")}, Copyright (c) 2022 Leon Sorokin`;
/** What others made is told with each bundle that contains it. */
const CONTAINED = { "workbench.ts": [PREACT], "chart.ts": [UPLOT], "worker.ts": [], "shared_go.tsx": [PREACT, UPLOT], "shared_othello.ts": [PREACT, UPLOT] };
const words = (entry) => {
  const others = CONTAINED[entry].join(", and ");
  return `/* ishi: bundled from crates/house/web/ui/${entry}${others && `. Contains ${others}, MIT licence`} */`;
};

async function bundle(name, entry) {
  await build({
    entryPoints: [join(here, entry)], outfile: join(folder, name), bundle: true, format: MODULES.includes(name) ? "esm" : "iife", target: "es2022",
    charset: "utf8", minify: true, legalComments: "none", banner: { js: words(entry) }, tsconfig: join(here, "tsconfig.json"), logLevel: "warning",
  });
}
const sum = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");

for (const [name, entry] of Object.entries(BUNDLES)) await bundle(name, entry);
const sources = readdirSync(here).filter((name) => /\.(tsx?|mjs|json)$/.test(name)).sort();
const lines = [...sources.map((name) => `${sum(join(here, name))}  ui/${name}`),
  ...Object.keys(BUNDLES).sort().map((name) => `${sum(join(folder, name))}  assets/${name}`)];
writeFileSync(join(folder, "bundles.sha256"), lines.join("\n") + "\n");
