/** What a start loads: files and bytes of relais, modules of Node, and programs that are started. No times. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { copyExecutable, runCopiedTick } from "../support/executable-copy.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { executable } from "../support/relais.ts";
import { inWorld } from "../support/scenario.ts";
import type { Variables } from "../support/scenario-world.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

interface Start {
  readonly status: number | null;
  /** Of relais, in the order in which they were loaded. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** Of Node, beyond those of an empty program. */
  readonly modules: readonly string[];
}

const WATCH = `
const before = new Set(process.moduleLoadList);
const vm = require("node:vm");
const parts = [];
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    parts.push(options.filename);
  }
};
process.on("exit", () => {
  const files = [...new Set([...Object.keys(require.cache), ...parts])].filter((path) => path !== __filename);
  const modules = process.moduleLoadList.filter((name) => !before.has(name));
  require("node:fs").writeFileSync(process.env.WATCHED, JSON.stringify({ files, modules }));
});`;

function start(args: readonly string[], cwd: string, variables: Variables = {}): Start {
  const place = scratchFolder();
  const watch = join(place, "watch.cjs");
  const watched = join(place, "watched.json");
  writeFileSync(watch, WATCH);
  const env = { ...gitEnvironment(place), XDG_STATE_HOME: join(place, "state"), ...variables, WATCHED: watched };
  const { status } = spawnSync(process.execPath, ["--require", watch, executable, ...args], { cwd, env });
  const { files, modules }: { files: string[]; modules: string[] } = JSON.parse(readFileSync(watched, "utf8"));
  return {
    status,
    files: files.map((file) => basename(file, ".cjs")),
    bytes: files.reduce((sum, file) => sum + readFileSync(file).length, 0),
    modules: modules.map((name) => name.replace("NativeModule ", "")),
  };
}

test("--version loads the executable and nothing else", () => {
  const { status, files, bytes } = start(["--version"], scratchFolder());
  expect([status, files]).toEqual([0, ["relais"]]);
  expect(bytes).toBeLessThan(1_000);
});

test("--help loads one part", () => {
  const { status, files, bytes } = start(["--help"], scratchFolder());
  expect([status, files.toSorted()]).toEqual([0, ["lone-help", "relais", "rolldown-runtime"]]);
  expect(bytes).toBeLessThan(25_000);
});

test("every part has only ASCII, which V8 keeps in one byte a character", () => {
  const folder = join(dirname(executable), "parts");
  const parts = readdirSync(folder).filter((name) => name.endsWith(".cjs"));
  expect(parts.length).toBeGreaterThan(10);
  expect(parts.filter((name) => /[^\0-\x7f]/.test(readFileSync(join(folder, name), "latin1")))).toEqual([]);
});

const FOR_ALL = ["load", "lone-help", "process", "relais", "rolldown-runtime"];
const FOR_STATUS = [...FOR_ALL, "status"];
const NOT_FOR_STATUS = ["child_process", "http", "inspector", "readline", "tls", "worker_threads"];

test("status after a tick loads few files and nothing that starts programs", async () => {
  await inWorld({ config: { git: { commit: "always" } } }, async (world) => {
    await world.run();
    const { status, files, bytes, modules } = start(["status"], world.root, world.environment);
    expect([status, files.toSorted()]).toEqual([0, FOR_STATUS.toSorted()]);
    expect(bytes).toBeLessThan(176_000);
    // Hashes are loaded, and streams with them: the name of the state directory is one.
    for (const name of [...NOT_FOR_STATUS, "fs/promises", "net", "v8", "zlib"]) expect(modules).not.toContain(name);
  });
});

test("status with a change that waits loads as little", async () => {
  await inWorld({}, async (world) => {
    await world.run();
    const { status, files, modules } = start(["status"], world.root, world.environment);
    expect([status, files.toSorted()]).toEqual([0, [...FOR_STATUS, "recorded"].toSorted()]);
    for (const name of [...NOT_FOR_STATUS, "fs/promises"]) expect(modules).not.toContain(name);
  });
});

test("status that has to read everything loads no part of a tick and nothing that starts programs", () => {
  const { root } = scratchRepository({ "a.txt": "1\n", "relais.config.json": "{}" });
  const { status, files, bytes, modules } = start(["status"], root);
  const shared = ["reading", "reading-history", "reading-history-judge", "recorded"];
  expect([status, files.toSorted()]).toEqual([0, [...FOR_STATUS, ...shared].toSorted()]);
  expect(bytes).toBeLessThan(390_000);
  for (const name of NOT_FOR_STATUS) expect(modules).not.toContain(name);
});

test("a list of the history loads no judge, and nothing that starts programs", async () => {
  await inWorld({ config: { git: { commit: "always" } } }, async (world) => {
    await world.run();
    const { status, files, bytes, modules } = start(["history", "list"], world.root, world.environment);
    const own = ["history", "reading-history", "reading-history-judge", "recorded"];
    expect([status, files.toSorted()]).toEqual([0, [...FOR_STATUS, ...own].toSorted()]);
    expect(bytes).toBeLessThan(390_000);
    for (const name of NOT_FOR_STATUS) expect(modules).not.toContain(name);
  });
});

test.each([
  ["a committed configuration", { "relais.config.json": "{}" }, {}, []],
  // The configuration itself is a new settings file, and is read as one.
  [
    "one that nobody committed",
    {},
    { "relais.config.json": "{}" },
    ["find-settings", "read-literals", "read-settings"],
  ],
])("a judgement by %s loads no part of a tick, and nothing for a network", (_, committed, added, besides) => {
  const { root, put } = scratchRepository({ "a.ts": "1\n", "relais/GOAL.md": "", ...committed });
  put({ "a.ts": "2\n", ...added });
  const { status, files, bytes, modules } = start(["judge"], root);
  expect([status, files.toSorted()]).toEqual([
    10,
    [...FOR_STATUS, "judge", "reading-history-judge", "recorded", ...besides].toSorted(),
  ]);
  expect(bytes).toBeLessThan(575_000);
  for (const name of ["http", "inspector", "tls", "worker_threads"]) expect(modules).not.toContain(name);
});

test("an ordinary tick loads no other place, no driver of another agent and no step that it does not take", async () => {
  await inWorld({ config: { isolation: "in_place", sandbox: "off" } }, async (world) => {
    const args = ["run", "--task", join(world.box, "task.json")];
    const { files, bytes, modules } = start(args, world.root, world.environment);
    expect(files).toContain("run");
    expect(modules).not.toContain("perf_hooks");
    const own = files.filter((file) => /overlay|clone|sandbox|claude|codex|attempt|review|orchestrate|keys/.test(file));
    expect(own).toEqual([]);
    expect(bytes).toBeLessThan(1_340_000);
  });
});

test("a server of tools loads its own part and no part of a tick", () => {
  const { status, files } = start(["mcp"], scratchFolder());
  expect([status, files.filter((file) => ["run", "loop"].includes(file))]).toEqual([0, []]);
  expect(files).toContain("mcp-command");
});

test.each([
  // A private index gets the paths of the user's, is compared with the files, and takes over what changed.
  [[], ["config", "update-index", "update-index", "add", "diff-index"]],
  [["--staged"], ["diff-index"]],
  [
    ["--range", "HEAD~1..HEAD"],
    ["rev-parse", "diff-tree"],
  ],
])("judge %j starts few git processes", (args, expected) => {
  const { root, put, git } = scratchRepository({ "a.ts": "1\n", ".gitattributes": "*.ts text\n" });
  put({ "b.ts": "1\n" });
  git("add", "-A");
  git("commit", "-q", "-m", "two");
  put({ "a.ts": "2\n", "sub/new.ts": "3\n", "日本.ts": "4\n" });
  git("add", "sub");
  const env = { ...gitEnvironment(scratchFolder()), RELAIS_DEBUG: "1" };
  const { stderr } = spawnSync(process.execPath, [executable, "judge", ...args], { cwd: root, env, encoding: "utf8" });
  const started = stderr.matchAll(/^relais: \d+ ms, status 0: \/\S+\/git (?:-c \S+ )?(?<command>\S+)/gmu);
  expect(Array.from(started, ({ groups }) => groups?.["command"] ?? "").toSorted()).toEqual(expected.toSorted());
});

test("the parts of a tick do not change while it runs, even if its builder removes them", () => {
  const copy = copyExecutable();
  const report = runCopiedTick({ copy, changed: "a.txt", lines: `rm -rf "${dirname(copy)}"` });
  expect(report).toMatchObject({ code: "SUCCESS" });
});

test("the parts of a tick do not change while it runs, even if its builder writes others", () => {
  const copy = copyExecutable();
  const lines = `for part in "${dirname(copy)}"/parts/*.cjs; do echo 'process.exit(0)' > "$part"; done`;
  const report = runCopiedTick({ copy, changed: "b.txt", lines });
  expect(report).toMatchObject({ code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" });
});

test("the queue of one machine loads nothing of a server's client", () => {
  const { status, files } = start(["queue"], scratchRepository({ a: "" }).root);
  expect(status).toBe(0);
  expect(files.filter((file) => /fleet|nats|lib/u.test(file))).toEqual([]);
});
