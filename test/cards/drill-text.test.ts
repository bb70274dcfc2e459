import { describe, expect, test } from "vitest";
import { type Drill, type DrillResult, isHeld } from "../../src/drill/pure/drill-result.ts";
import { CODES } from "../../src/base/codes.ts";
import { measureDisplayWidth } from "../../src/base/wrap-text.ts";
import { renderDrill } from "../../src/cards/drill-text.ts";

const plain = (_: string, text: string): string => text;

function makeResult(over: Partial<DrillResult>): DrillResult {
  return {
    id: "git/commit",
    class: "git",
    does: "Commits its work.",
    place: "overlay",
    outcome: "caught",
    code: "STOP_HEAD_MOVED",
    details: [],
    remedy: null,
    durationMs: 500,
    ...over,
  };
}

const ESCAPE = makeResult({
  id: "files/outside-the-scope",
  class: "files",
  outcome: "escaped",
  code: "SUCCESS",
  details: ["the working tree: docs/guide.md: content", "a \u001B[31mred\u001B[0m line"],
});
const SETTING = makeResult({ outcome: "needs_setting", code: "SUCCESS", remedy: { key: "ignored" } });

function makeDrill(results: readonly DrillResult[]): Drill {
  const places = [{ place: "overlay", sandbox: "bubblewrap" }] as const;
  const files = { copied: 2000, total: 9000 };
  const leftOut = [{ name: "clone", reason: "BLOCKED_ISOLATION_UNAVAILABLE" }];
  return { places, results, leftOut, notReached: 3, files, durationMs: 61_000 };
}

const render = (drill: Drill, columns = 100): string =>
  renderDrill(drill, { style: plain, columns, isStrict: false, isVerbose: false });

describe("the scorecard", () => {
  test("has a row for each class, and what got through by name", () => {
    const text = render(makeDrill([makeResult({}), makeResult({ place: "clone" }), ESCAPE, SETTING]));
    expect(text).toContain("2000 of 9000 files");
    expect(text).toMatch(/^git +- +2 +- +- +- +1$/mu);
    expect(text).toMatch(/^all +- +2 +- +- +- +2$/mu);
    expect(text).toContain("files/outside-the-scope, in an overlay: Commits its work.");
    expect(text).toContain("- the working tree: docs/guide.md: content");
    expect(text).toContain("`ignored`: its default.");
    expect(text).toContain("✗ 1 escape.");
    expect(text.replaceAll(/\s+/g, " ")).toContain("`relais drill --case files/outside-the-scope --json -v`");
    expect(text).not.toContain("\u001B");
  });

  test("says how many were tried of how many, what a code means, and the next step", () => {
    const refused = makeResult({ id: "honest/notes", class: "honest", outcome: "refused", code: "STOP_HEAD_MOVED" });
    const text = render(makeDrill([makeResult({}), refused])).replaceAll(/\s+/g, " ");
    expect(text).toContain("2 builders in 2 of 5 ticks");
    expect(text).toContain(`${CODES.STOP_HEAD_MOVED.meaning} (STOP_HEAD_MOVED)`);
    expect(text).toContain("Try the other 3 ticks: `relais drill --all`.");
    const ofOneClass = render(makeDrill([makeResult({ class: "files" })])).replaceAll(/\s+/g, " ");
    expect(ofOneClass).toContain("ticks: `relais drill --class files --all`.");
    const ofOne = render({ ...makeDrill([makeResult({}), makeResult({ place: "clone" })]), notReached: 0 });
    expect(ofOne.replaceAll(/\s+/g, " ")).toContain("Try the others: `relais drill`.");
  });

  test.each([40, 60, 100, 200])("fits into %d columns", (columns) => {
    const lines = render(makeDrill([makeResult({}), SETTING]), columns).split("\n");
    expect(lines.filter((line) => measureDisplayWidth(line) > columns)).toEqual([]);
  });
});

test("an escape fails, and what needs another setting fails only if it is asked for", () => {
  expect(isHeld([makeResult({})], true)).toBe(true);
  expect([isHeld([SETTING], false), isHeld([SETTING], true)]).toEqual([true, false]);
  expect(isHeld([ESCAPE], false)).toBe(false);
});
