/**
 * Bundles the executable: one CommonJS file, because it starts faster than ESM, with no dependency left outside.
 * Commands are reached through `import()`, which esbuild turns into modules that are evaluated on first use.
 *
 * What is bundled is passed on, so its licences are as well: they go into a file beside the executable, collected from
 * the packages that the bundle really contains.
 *
 * The source map beside it is read when relais crashes, and never before, so that a trace names the lines of the sources.
 *
 * The syntax is that of a Node far older than the oldest one supported, and the first statement looks at the version:
 * whoever has an old Node reads one sentence instead of a syntax error.
 */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { thinSourceMap } from "./thin-source-map.mjs";

const root = resolve(import.meta.dirname, "..");
const folder = resolve(process.argv[2] ?? join(root, "dist"));
const { version, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const SYNTAX_OF = "node12";
/** Nothing could start, which is the status of everything that is blocked. */
const BLOCKED_STATUS = 11;
const outfile = join(folder, "relais.cjs");
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["src/bin.ts"],
  outfile,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: SYNTAX_OF,
  banner: { js: `#!/usr/bin/env node\n${versionCheck(engines.node)}` },
  define: { RELAIS_VERSION: JSON.stringify(version) },
  plugins: [{ name: "json-as-text", setup: (plugins) => plugins.onLoad({ filter: /\.json$/ }, jsonAsText) }],
  legalComments: "eof",
  minifySyntax: true,
  sourcemap: "linked",
  sourcesContent: false,
  metafile: true,
  logLevel: "warning",
});
chmodSync(outfile, 0o755);
const map = JSON.parse(readFileSync(`${outfile}.map`, "utf8"));
// As seen from dist, wherever this was built: no path of this machine is shipped.
const sources = map.sources.map((path) => `../${relative(root, resolve(folder, path))}`);
writeFileSync(`${outfile}.map`, `${JSON.stringify(thinSourceMap({ ...map, sources }))}\n`);
writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), notices(Object.keys(metafile.inputs)));

/** A statement for the oldest engines. It begins with the directive, which would mean nothing after another statement. */
function versionCheck(range) {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(range) ?? [];
  if (minor === undefined) throw new Error(`engines.node is ${range}, expected something like >=20.19`);
  return `"use strict";
(function () {
  var parts = process.versions.node.split(".").map(Number);
  if (parts[0] > ${major} || (parts[0] === ${major} && parts[1] >= ${minor})) return;
  console.error("relais needs Node ${major}.${minor} or later, and this is Node " + process.versions.node + ".");
  process.exit(${BLOCKED_STATUS});
})();`;
}

/** A schema as a text that is parsed on first use: shorter than an object, and every start reads past it faster. */
function jsonAsText({ path }) {
  const text = JSON.stringify(JSON.parse(readFileSync(path, "utf8")));
  return { contents: `export default JSON.parse(${JSON.stringify(text)});`, loader: "js" };
}

/** The licence of every package that a file of the bundle comes from. */
function notices(files) {
  const packages = new Set(
    files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? []),
  );
  const parts = [...packages]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((path) => {
      const { name, version: packageVersion } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
      const file = readdirSync(join(root, path)).find((entry) => /^licen[cs]e/i.test(entry));
      if (file === undefined) throw new Error(`${name} has no licence file`);
      const text = readFileSync(join(root, path, file), "utf8").trim();
      return `${name} ${packageVersion}\n\n${text}\n`;
    });
  return ["relais contains code of these packages.\n", ...parts].join(`\n${"-".repeat(72)}\n\n`);
}
