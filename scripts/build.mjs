/**
 * Bundles the executable: a small CommonJS file that answers `--version` itself, and beside it the parts that commands
 * load, because what is not loaded costs nothing. No dependency is left outside.
 *
 * What is bundled is passed on, so its licences are as well: they go into a file beside the executable, collected from
 * the packages that the parts really contain.
 *
 * The source maps are read when relais crashes, and never before, so that a trace names the lines of the sources. For
 * the same reason functions keep their names.
 *
 * The first statement of the executable looks at the version, so that an old Node prints one sentence. So its syntax
 * must be that of a Node far older than the oldest one supported; the parts are loaded after that.
 */
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";
import { importBuilders } from "./drill-text.mjs";
import { escapeText, makeColumnShift } from "./escape-text.mjs";
import { importPage, listPageFiles } from "./page-text.mjs";
import { choosePart } from "./parts.mjs";
import { thinSourceMap } from "./thin-source-map.mjs";

const root = resolve(import.meta.dirname, "..");
const folder = resolve(process.argv[2] ?? join(root, "dist"));
const { version, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** Nothing could start, which is the status of everything that is blocked. */
const BLOCKED_STATUS = 11;
/** As long as the hash that replaces it, so that the source maps stay right. */
const BUILD = "@build-of-relais";
const BUILT_IN_LATER = /\bimport\((?="node:)/;
const CREDENTIAL_RULES = /\/secretlint-rule-preset-recommend\//;
const MATCHER = "= requireRegexpStringMatcher();";
/** Seen from dist, wherever this was built: no path of this machine is shipped. */
const SHIPPED = join(root, "dist");

const bundle = await rolldown({
  cwd: root,
  input: { relais: "src/bin.ts" },
  platform: "node",
  preserveEntrySignatures: "allow-extension",
  resolve: { alias: { "@modelcontextprotocol/server/_shims": join(root, "scripts/mcp-shims.mjs") } },
  transform: {
    define: { RELAIS_VERSION: JSON.stringify(version), RELAIS_BUILD: JSON.stringify(BUILD) },
    target: "node20",
  },
  plugins: [
    importPage,
    importBuilders,
    { name: "require-built-in", transform: { filter: { code: BUILT_IN_LATER }, handler: requireBuiltIn } },
    { name: "leave-out-matcher", transform: { filter: { id: CREDENTIAL_RULES }, handler: leaveOutMatcher } },
    { name: "json-as-text", load: { filter: { id: /\.json$/ }, handler: jsonAsText } },
  ],
});
const { output } = await bundle.generate({
  dir: folder,
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "parts/[name].cjs",
  banner: (chunk) => (chunk.isEntry ? `#!/usr/bin/env node\n${versionCheck(engines.node)}` : ""),
  minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  comments: false,
  sourcemap: "hidden",
  sourcemapExcludeSources: true,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ debugName: "parts", name: (id, graph) => choosePart(id, graph, root) }],
  },
});
await bundle.close();
for (const old of ["parts", "cache"]) rmSync(join(folder, old), { recursive: true, force: true });
const chunks = output.filter(({ type }) => type === "chunk");
const build = createHash("sha256")
  .update(chunks.map(({ code }) => code).join("\n"))
  .digest("hex")
  .slice(0, BUILD.length);
for (const { fileName, code, map } of chunks) {
  const file = join(folder, fileName);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, escapeText(code.replace(BUILD, build)));
  if (map === null) continue; // The bundler's own helpers.
  const sources = map.sources.map((path) => relative(dirname(join(SHIPPED, fileName)), resolve(dirname(file), path)));
  writeFileSync(`${file}.map`, `${JSON.stringify(thinSourceMap({ ...map, sources }, makeColumnShift(code)))}\n`);
}
chmodSync(join(folder, "relais.cjs"), 0o755);
const bundled = listPackages([...chunks.flatMap(({ modules }) => Object.keys(modules)), ...listPageFiles()]);
writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), notices(bundled));
/** For the bill of materials of a release; it is not shipped. */
writeFileSync(
  join(folder, "bundled-packages.json"),
  `${JSON.stringify(bundled.map(({ name, version: own, license, path }) => ({ name, version: own, license, path })))}\n`,
);

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

/** Parts are compiled without the loader of modules, so a package cannot import a module of Node later. */
function requireBuiltIn(code) {
  return { code: code.replaceAll(new RegExp(BUILT_IN_LATER, "g"), "require("), map: null };
}

/** It compares what was found with allow lists of the caller, which are empty here, and is half of the package. */
function leaveOutMatcher(code) {
  if (!code.includes(MATCHER)) throw new Error("the rules about credentials have no matcher to leave out");
  return { code: code.replace(MATCHER, "= { matchPatterns: () => [] };"), map: null };
}

/** A schema as a text that is parsed on first use: shorter than an object, and every start reads past it faster. */
function jsonAsText(path) {
  const text = JSON.stringify(JSON.parse(readFileSync(path, "utf8")));
  return { code: `export default JSON.parse(${JSON.stringify(text)});`, moduleType: "js" };
}

/** Every package that a file of the bundle comes from, with its licence. */
function listPackages(files) {
  const packages = new Set(
    files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? []),
  );
  return [...packages]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((path) => {
      const { name, version: packageVersion, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
      const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
      if (file === undefined || typeof license !== "string") throw new Error(`${name} has no licence file`);
      const text = readFileSync(join(path, file), "utf8").trim();
      return { name, version: packageVersion, license, path: path.slice(path.indexOf("node_modules/")), text };
    });
}

function notices(packages) {
  const parts = packages.map(({ name, version: packageVersion, text }) => `${name} ${packageVersion}\n\n${text}\n`);
  return ["relais contains code of these packages.\n", ...parts].join(`\n${"-".repeat(72)}\n\n`);
}
