/** What is packed, and that it works wherever it is installed. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { goodWalk, install, pack, type Packed, type Starter, walkThrough } from "./support/installed.ts";
import { gitEnvironment } from "./support/repositories.ts";
import { scratchFolder } from "./support/scratch-repository.ts";

const ROOT = join(import.meta.dirname, "..");
/** With the source maps. A change that needs more should say why: the parsers of YAML and TOML took 60 kB, the rules about credentials 12. */
const TARBALL_BYTES_MAX = 1_320_000;

const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "relais-package-")));
let packed: Packed;
beforeAll(() => {
  packed = pack(ROOT, inject("built"), folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = (place: string) => namesBelow(ROOT, place);
const namesBelow = (root: string, place: string) =>
  readdirSync(join(root, place), { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(root, place, name)).isFile())
    .map((name) => `${place}/${name}`);

test("exactly this is packed", () => {
  const expected = [
    // npm packs these three whatever is asked for.
    "LICENSE",
    "README.md",
    "package.json",
    "dist/relais.cjs",
    "dist/relais.cjs.map",
    ...namesBelow(inject("built"), "parts").map((name) => `dist/${name}`),
    // A file of its own, because programs that collect licences look for one and nobody reads an executable.
    "dist/THIRD-PARTY-NOTICES.txt",
    "man/relais.1",
    ...names("prompts"),
    ...names("schemas"),
  ];
  expect(packed.files.map(({ path }) => path).toSorted()).toEqual(expected.toSorted());
  expect(names("prompts")).toContain("prompts/builder.system.txt");
  expect(names("schemas")).toContain("schemas/task.schema.json");
});

test("only the executable can be executed, nothing can be written by others, and all of it is small", () => {
  const modes = packed.files.map(({ path, mode }) => [path, mode.toString(8)]);
  const expected = packed.files.map(({ path }) => [path, path === "dist/relais.cjs" ? "755" : "644"]);
  expect(modes).toEqual(expected);
  expect(packed.bytes).toBeLessThan(TARBALL_BYTES_MAX);
});

test("the licence of every bundled package is passed on", () => {
  const notices = readFileSync(join(folder, "copy/dist/THIRD-PARTY-NOTICES.txt"), "utf8");
  for (const licence of ["valibot/LICENSE.md", "picomatch/LICENSE", "get-east-asian-width/license"]) {
    const text = readFileSync(join(ROOT, "node_modules", licence), "utf8").trim();
    expect(notices).toContain(`${dirname(licence)} `);
    expect(notices).toContain(text);
  }
  const bundled = packed.files
    .filter(({ path }) => path.endsWith(".map"))
    .map(({ path }) => readFileSync(join(folder, "copy", path), "utf8"))
    .flatMap((map) => [...map.matchAll(/"(?:\.\.\/)+node_modules\/((?:@[^/]+\/)?[^/]+)\//g)]);
  expect(bundled.length).toBeGreaterThan(2);
  for (const [, name] of bundled) expect(notices).toMatch(new RegExp(`^${name} `, "m"));
});

test("installed in a project, it is started by npx", () => {
  const place = join(folder, "project");
  install(packed, place);
  const starter: Starter = { command: ["npx", "--no-install", "relais"] };
  expect(walkThrough(starter, place)).toEqual(goodWalk(version));
});

test("a crash names the lines of the sources", () => {
  const place = scratchFolder();
  const fault = join(place, "fault.cjs");
  writeFileSync(fault, 'require("node:os").hostname = () => { throw new TypeError("no name"); };');
  const root = join(place, "repo");
  mkdirSync(root);
  const env = { ...gitEnvironment(place), XDG_STATE_HOME: join(place, "state") };
  const executable = join(folder, "copy/dist/relais.cjs");
  const relais = (...args: string[]) => spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
  execFileSync("git", ["init", "--quiet"], { cwd: root, env });
  relais(executable, "init");
  execFileSync("git", ["add", "--all"], { cwd: root, env });
  execFileSync("git", ["commit", "--quiet", "--message=first"], { cwd: root, env });
  const { status, stdout, stderr } = relais("--require", fault, executable, "run", "--json");
  expect(stderr).toMatch(/^relais: an unexpected failure\. Please report .*\nTypeError: no name\n/);
  expect(stderr).not.toContain("copy/dist");
  // The nearest place of ours; which function it is in may differ.
  const [, path = "", line = ""] = /at (?:.+ \()?(src\/\S+\.ts):(\d+)/.exec(stderr) ?? [];
  if (path === "") throw new Error(stderr);
  expect(readFileSync(join(ROOT, path), "utf8").split("\n")[Number(line) - 1]).toContain("hostname()");
  expect(JSON.parse(stdout)).toMatchObject({ error: "internal", message: expect.stringContaining(path) });
  expect(status).toBe(1);
});

test.each([
  ["18.20.8", 11],
  ["20.18.3", 11],
  ["20.19.0", 0],
  ["22.0.0", 0],
  ["100.0.0", 0],
])("on Node %s the status is %i", (node, expected) => {
  const place = scratchFolder();
  const claim = `data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${node}" } });`,
  )}`;
  const args = ["--import", claim, join(folder, "copy/dist/relais.cjs"), "--version"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: place, encoding: "utf8" });
  expect(stderr).toBe(expected === 0 ? "" : `relais needs Node 20.19 or later, and this is Node ${node}.\n`);
  expect(status).toBe(expected);
});
