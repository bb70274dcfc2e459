import { expect, test } from "vitest";
import { readStrangersMeasured } from "../../scripts/rates-tables.ts";
import { KINDS } from "../../src/judge/pure/kinds.ts";
import { scratchRepository } from "../../test/support/scratch-repository.ts";
import { judgeWork, withWorktreeOf } from "./judge-work.ts";
import { listStrangers, sampleWork } from "./sample-work.ts";
import type { JudgedPlace } from "../../src/records/judgement.ts";
import { countMet, countRates, renderPlaces, renderRates, type Stranger } from "./stranger-rates.ts";

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

test("a change counts once in each rule, once by its strongest finding, and in the size that it has", () => {
  const place: JudgedPlace = {
    strength: "held",
    rule: "suppression",
    kind: "skipped_test",
    subject: "a:1",
    words: "a\n b",
  };
  const path: JudgedPlace = { ...place, strength: "refused", rule: "forbidden-scope", kind: "**/ci" };
  const one: Stranger = {
    project: "one",
    range: "a..b",
    lines: 10,
    language: "Go",
    way: "commit",
    interrupted: null,
    places: [],
    cpuSeconds: 1,
  };
  const large = { ...one, range: "b..c", places: [place, path], lines: 2000, cpuSeconds: 3 };
  const strangers: readonly Stranger[] = [
    one,
    { ...one, places: [place, { ...place, subject: "a:2" }], way: "pull request" },
    large,
    { ...one, places: [{ ...place, strength: "note" }] },
    { ...one, interrupted: "no object", cpuSeconds: 2 },
    { ...one, places: [path, { ...path, rule: "unsafe-path", kind: null }] },
  ];
  const rates = countRates(strangers, [large, { ...large, range: "c..d", places: [place] }]);
  expect(rates.groups).toMatchObject([
    { name: "all", of: 6, evidence: 1, held: 1, protected: 1, interrupted: 1 },
    { of: 5, evidence: 1, held: 1, protected: 0 },
    { of: 2, held: 1, protected: 1 },
    { of: 0 },
    { of: 1, held: 1 },
    { of: 5 },
  ]);
  expect(rates.rules).toMatchObject([
    { rule: "suppression", all: { changes: 2, alone: 1 }, large: { changes: 2, alone: 1 } },
    { rule: "forbidden-scope", all: { changes: 2, alone: 0 }, large: { changes: 1, alone: 0 } },
    { rule: "unsafe-path", all: { changes: 1, alone: 0 }, large: { changes: 0, alone: 0 } },
  ]);
  expect(countMet(rates)).toEqual({
    skipped_test: { met: 3, heldAlone: 1, metByLarge: 2, heldAloneOfLarge: 1 },
  });
  expect(rates.kinds.map(({ strength, kind }) => [strength, kind])).toContainEqual(["note", "skipped_test"]);
  expect(rates.cpu).toMatchObject({ median: 1, worst: 3 });
  expect(renderRates(rates)).toContain("| held: suppression | 2 (33.33 %) | 1 (16.67 %) | 2 (100.00 %) | 1 |");
  expect(renderPlaces(strangers).split("\n")).toHaveLength(7);
});

test("work is told from what bots bring, and pull requests from other commits", () => {
  const { root, git, put } = scratchRepository({ a: "0\n" });
  let content = 0;
  const work = (subject: string, author = "A Person <a@example.org>") => {
    content += 1;
    put({ a: `${content}\n` });
    git("commit", "--quiet", "--all", "--message", subject, "--author", author);
    return git("rev-parse", "HEAD");
  };
  const expected = new Map([
    [work("Add a thing (#12)"), "pull request"],
    [work("Add it\n\nCo-authored-by: Claude <noreply@anthropic.com>"), "commit"],
    [work("Fix (#13)\n\nCo-authored-by: B <b@example.org>"), "pull request"],
    [work("Fix (#14)", "copilot-swe-agent[bot] <1+Copilot@users.noreply.github.com>"), "pull request of an agent"],
  ]);
  work("Bump a (#15)", "dependabot[bot] <1+dependabot[bot]@users.noreply.github.com>");
  work("Merge pull request #16 from x/renovate/all");
  const found = sampleWork(`${root}/.git`, SAMPLING);
  expect(new Map(found.map(({ to, way }) => [to, way]))).toEqual(expected);
});

/** A rule of text that would hold more of strangers' work by itself is a note. */
const HELD_ALONE_MAX = 0.003;

test("a kind that holds more than 0.3 % of strangers' changes by itself is a note by default", () => {
  const { of, kinds } = readStrangersMeasured();
  expect(of).toBeGreaterThan(1000);
  const defaults: Readonly<Record<string, { readonly default: string }>> = KINDS;
  const holding = Object.entries(kinds).filter(([kind]) => ["hold", "unusual"].includes(defaults[kind]?.default ?? ""));
  expect(holding.length).toBeGreaterThan(5);
  expect(holding.filter(([, { heldAlone }]) => heldAlone > of * HELD_ALONE_MAX)).toEqual([]);
});
