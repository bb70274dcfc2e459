/** Compiled code that one process leaves for the next. The whole table of damages and forgeries is `compiled-code-all.test.ts`. */
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isWorthIt } from "../../src/system/load-parts.ts";
import { copyExecutable, locateCache, runCopiedTick, startWatched } from "../support/executable-copy.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

function findOnlyFile(copy: string): string {
  const [name = "", ...others] = readdirSync(locateCache(copy));
  expect(others).toEqual([]);
  return join(locateCache(copy), name);
}

test("the second process compiles nothing, and says the same", () => {
  const copy = copyExecutable();
  const first = startWatched(copy);
  expect([first.status, first.ways, first.stderr]).toEqual([0, ["compiled"], ""]);
  findOnlyFile(copy);
  expect(startWatched(copy)).toEqual({ ...first, ways: ["read"] });
});

test("code of a copy in another folder is not used: its traces would name the files of the first one", () => {
  const [copy, moved] = [copyExecutable(), copyExecutable()];
  const first = startWatched(copy);
  cpSync(locateCache(copy), locateCache(moved), { recursive: true });
  expect(startWatched(moved).ways).toEqual(first.ways);
  expect(startWatched(moved).ways).toEqual(["read"]);
});

/** Only this V8 was measured. */
const isMeasured = process.versions.v8.startsWith("11.3.");

test.runIf(isMeasured)(
  "a command that starts programs puts off optimization, but loads compiled code with the usual settings",
  () => {
    const copy = copyExecutable();
    const { root: cwd, put } = scratchRepository({ "a.ts": "1\n" });
    put({ "a.ts": "2\n" });
    startWatched(copy, { args: ["judge"], cwd });
    const { ways, settings } = startWatched(copy, { args: ["judge"], cwd });
    expect(ways).toEqual(["read"]);
    const budgets = settings.flatMap((setting) => /(?<=--interrupt-budget=)\d+/u.exec(setting) ?? []).map(Number);
    expect(budgets.at(-1)).toBe(budgets[0]);
    expect(Math.min(...budgets) * 10).toBeLessThan(budgets[0] ?? 0);
    expect(startWatched(copy).settings).toEqual([]);
  },
);

test("the first three processes that start programs add their code: they take different ways", () => {
  const copy = copyExecutable();
  const { root: cwd, put } = scratchRepository({ "a.ts": "1\n" });
  put({ "a.ts": "2\n" });
  const files = Array.from({ length: 3 }, () => {
    startWatched(copy, { args: ["judge"], cwd });
    return statSync(findOnlyFile(copy)).ino;
  });
  expect(files.map((file, at) => file !== files[at - 1])).toEqual([true, true, true]);
});

const USUAL = {
  isNew: false,
  isRefused: false,
  startsPrograms: false,
  known: { cpuMs: 100, options: "", processes: 1 },
};
const OWN = { cpuMs: 149, options: "", processes: 2 };
type Worth = [name: string, ...Parameters<typeof isWorthIt>, isLeft: boolean];

test.each<Worth>([
  ["it compiled nothing", USUAL, OWN, false],
  ["it compiled a part", { ...USUAL, isNew: true }, OWN, true],
  ["it worked for much longer", USUAL, { ...OWN, cpuMs: 151 }, true],
  ["it is the third that starts programs", { ...USUAL, startsPrograms: true }, { ...OWN, processes: 3 }, true],
  ["it is the fourth that starts programs", { ...USUAL, startsPrograms: true }, { ...OWN, processes: 4 }, false],
  ["V8 refused the code", { ...USUAL, isRefused: true }, OWN, true],
  ["V8 refused it because of other options", { ...USUAL, isRefused: true }, { ...OWN, options: "--no-opt" }, false],
  ["nobody left any", { ...USUAL, known: null }, OWN, true],
])("a process leaves its code or not: %s", (_name, ...[parts, own, isLeft]) => {
  expect(isWorthIt(parts, own)).toBe(isLeft);
});

test.each(["--version", "--help"])("%s neither reads nor leaves any", (option) => {
  const copy = copyExecutable();
  expect(startWatched(copy, { args: [option] }).ways).toEqual([]);
  expect(existsSync(locateCache(copy))).toBe(false);
});

test("a file with a changed byte is not used, and is replaced", () => {
  const copy = copyExecutable();
  const first = startWatched(copy);
  const bytes = readFileSync(findOnlyFile(copy));
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  writeFileSync(findOnlyFile(copy), bytes);
  expect(startWatched(copy)).toEqual(first);
  expect(startWatched(copy)).toEqual({ ...first, ways: ["read"] });
});

test("a builder cannot forge code for a later process", () => {
  const copy = copyExecutable();
  startWatched(copy);
  const file = findOnlyFile(copy);
  const lines = `echo forged > "${file}"; touch -d 2020-01-01 "${file}"`;
  expect(runCopiedTick({ copy, changed: "a.txt", lines })).toMatchObject({ code: "SUCCESS" });
  expect(existsSync(file)).toBe(false);
});
