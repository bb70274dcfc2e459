/**
 * Bundles the command line as a library, without a process around it: `node scripts/build-library.mjs FILE`. Tests call it where
 * a process is not what is tested; it is loaded in a twentieth of the time that the sources take.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { importBuildersInto } from "./drill-text.mjs";
import { importPageInto } from "./page-text.mjs";

const root = resolve(import.meta.dirname, "..");
const [outfile] = process.argv.slice(2);
if (outfile === undefined) throw new Error("usage: node scripts/build-library.mjs FILE");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
await build({
  absWorkingDir: root,
  entryPoints: ["src/main.ts"],
  outfile: resolve(outfile),
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  define: { RELAIS_VERSION: JSON.stringify(version) },
  plugins: [importPageInto, importBuildersInto],
  logLevel: "warning",
});
