/** Runs a TypeScript script of this folder: bundle it to the cache folder, then import it. Node 20 cannot strip types. */
import { mkdirSync, renameSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { importBuildersInto } from "./drill-text.mjs";
import { importPageInto } from "./page-text.mjs";

const [script, ...rest] = process.argv.slice(2);
if (script === undefined) throw new Error("usage: node scripts/run.mjs SCRIPT.ts [ARGS]");
const folder = resolve(import.meta.dirname, "../.cache/scripts");
mkdirSync(folder, { recursive: true });
const outfile = join(folder, `${basename(script, ".ts")}.mjs`);
const fresh = `${outfile}.${process.pid}.mjs`; // Another process may be importing the one of before.
await build({
  entryPoints: [script],
  outfile: fresh,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  plugins: [importPageInto, importBuildersInto],
  logLevel: "warning",
});
renameSync(fresh, outfile);
process.argv = [process.argv[0] ?? "node", outfile, ...rest];
await import(pathToFileURL(outfile).href);
