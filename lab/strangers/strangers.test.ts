import { expect, test } from "vitest";
import { scratchRepository } from "../../test/support/scratch-repository.ts";
import { judgeWork, withWorktreeOf } from "./judge-work.ts";
import { listStrangers, sampleWork } from "./sample-work.ts";
import { countRates, type Place, renderPlaces, renderRates, type Stranger } from "./stranger-rates.ts";

const SAMPLING = { count: 10, seed: "word", newest: 100, linesMin: 0 };
const PASSING = 'import { test } from "node:test";\n\ntest("adds", () => {\n  add(1, 2);\n});\n';

test("merged work is sampled without the root and without empty commits, and judged from a bare clone", async () => {
  const { box, root, git, commit } = scratchRepository({
    "src/add.js": "export const add = 1;\n",
    "a.test.js": PASSING,
  });
  const first = git("rev-parse", "HEAD");
  const code = commit({ "src/add.js": "export const add = 2;\n" });
  commit({});
  const skip = commit({ "a.test.js": PASSING.replace('test("adds"', 'test.skip("adds"') });
  git("checkout", "--quiet", "-b", "side", first);
  commit({ ".github/workflows/ci.yml": "on: push\n" });
  commit({ "src/more.py": "more = 1\n".repeat(150) });
  git("checkout", "--quiet", "-");
  git("merge", "--quiet", "--no-ff", "--message", "a merge", "side");
  const merge = git("rev-parse", "HEAD");
  git("clone", "--quiet", "--bare", root, `${box}/strangers/bare`);

  const [[name, gitDir] = ["", ""], ...others] = listStrangers(`${box}/strangers`);
  expect([name, others]).toEqual(["bare", []]);
  const work = sampleWork(gitDir, SAMPLING);
  expect(new Set(work.map(({ to }) => to))).toEqual(new Set([code, skip, merge]));
  expect(sampleWork(gitDir, { ...SAMPLING, count: 2 })).toEqual(work.slice(0, 2));
  expect(sampleWork(gitDir, { ...SAMPLING, linesMin: 100 })).toMatchObject([
    { to: merge, lines: 151, language: "Python" },
  ]);

  const judge = (to: string) =>
    withWorktreeOf(gitDir, (cwd) => judgeWork(cwd, { from: work.find((one) => one.to === to)?.from ?? "", to }));
  expect(await judge(code)).toMatchObject({ interrupted: null, places: [] });
  expect((await judge(skip)).places).toMatchObject([
    { strength: "held", rule: "suppression", kind: "skipped_test", subject: "a.test.js:3" },
  ]);
  expect((await judge(merge)).places).toMatchObject([{ strength: "refused", subject: ".github/workflows/ci.yml" }]);
  const unknown = await withWorktreeOf(gitDir, (cwd) => judgeWork(cwd, { from: first, to: "0".repeat(40) }));
  expect(unknown.interrupted).not.toBeNull();
});

test("a change counts once in each rule, and only by its strongest finding", () => {
  const place: Place = { strength: "held", rule: "suppression", kind: "skipped_test", subject: "a:1", words: "a\n b" };
  const path: Place = { ...place, strength: "refused", rule: "forbidden-scope", kind: "**/ci" };
  const one: Stranger = {
    project: "one",
    range: "a..b",
    lines: 10,
    language: "Go",
    interrupted: null,
    places: [],
    cpuSeconds: 1,
  };
  const strangers: readonly Stranger[] = [
    one,
    { ...one, places: [place, { ...place, subject: "a:2" }] },
    { ...one, places: [place, path], lines: 2000, cpuSeconds: 3 },
    { ...one, places: [{ ...place, strength: "note" }] },
    { ...one, interrupted: "no object", cpuSeconds: 2 },
  ];
  const rates = countRates(strangers);
  expect(rates.standings.map(({ name, all }) => [name, all.changes])).toEqual([
    ["refused", 1],
    ["held", 1],
    ["interrupted", 1],
  ]);
  expect(rates.rules).toMatchObject([
    { name: "held: suppression", all: { changes: 2, of: 5 }, alone: 1, sizes: [{ changes: 1, of: 4 }, {}, { of: 1 }] },
    { name: "refused: forbidden-scope", all: { changes: 1 }, alone: 0 },
  ]);
  expect(rates.cpu).toMatchObject({ median: 1, worst: 3 });
  expect(renderRates(rates)).toContain("| held: suppression | 2 of 5 (40.00 %) | 1 | 1 of 4 (25.00 %) | - |");
  expect(renderPlaces(strangers).split("\n")).toHaveLength(5);
});
