/**
 * Bundles the executable: one CommonJS file, because it starts faster than ESM, with no dependency left outside.
 * Commands are reached through `import()`, which esbuild turns into modules that are evaluated on first use.
 */
import { chmodSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8"));
const outfile = resolve(root, "dist/relais.cjs");
await build({
  entryPoints: [resolve(root, "src/bin.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20.19",
  banner: { js: "#!/usr/bin/env node" },
  define: { RELAIS_VERSION: JSON.stringify(version) },
  minifySyntax: true,
  logLevel: "warning",
});
chmodSync(outfile, 0o755);
