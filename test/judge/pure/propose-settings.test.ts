import fc from "fast-check";
import { expect, test } from "vitest";
import { applySettings, type ProposedSetting, proposeSettings } from "../../../src/judge/pure/propose-settings.ts";
import { countKinds, countRules, countStandings } from "../../../src/judge/pure/judged-rates.ts";
import type { JudgedCommit, JudgedPlace } from "../../../src/records/judgement.ts";
import { runs } from "../../support/runs.ts";

const place = (rule: string, strength: JudgedPlace["strength"], subject = "a.ts:1"): JudgedPlace => ({
  strength,
  rule,
  kind: null,
  subject,
  words: "words",
});

/** So many commits, of which the first ones have these places. */
function commits(count: number, places: readonly (readonly JudgedPlace[])[], size = 10): readonly JudgedCommit[] {
  return Array.from({ length: count }, (_, at) => ({
    commit: String(at).padStart(40, "0"),
    files: 1,
    lines: at < places.length ? size : 1,
    places: [...(places[at] ?? [])],
  }));
}

const RULES = { allowed_globs: ["src/**"], max_files_touched: 12, max_lines_changed: 400 };
const propose = (...judged: Parameters<typeof commits>) =>
  proposeSettings(commits(...judged), RULES).map(({ path, value }) => [path.join("."), value]);
const repeat = (count: number, ...places: readonly JudgedPlace[]) => Array.from({ length: count }, () => places);

test("a rule of text that stopped more than 2 % becomes a note", () => {
  const held = place("test-literals", "held");
  expect(propose(100, repeat(3, held))).toEqual([["verification.rules.test_literals", "note"]]);
  expect(propose(100, repeat(2, held))).toEqual([]);
  expect(propose(150, repeat(3, held))).toEqual([]);
  expect(propose(10, repeat(2, held))).toEqual([]);
});

test("what is measured and what is protected stays", () => {
  for (const rule of ["forbidden-scope", "forbidden-content", "unsafe-path", "suppression"])
    expect(propose(10, repeat(9, place(rule, "refused")))).toEqual([]);
  expect(propose(10, repeat(9, place("suppression", "note")))).toEqual([]);
});

test("limits are raised until 2 % are above them, and the scope by the folders that the work changed", () => {
  const outside = ["docs/a/b.md", "docs/c.md", "Makefile"].map((path) => place("allowed-scope", "refused", path));
  expect(propose(10, repeat(5, ...outside))).toEqual([
    ["scope.default_allowed_globs", ["src/**", "Makefile", "docs/**"]],
  ]);
  expect(propose(100, repeat(5, place("diff-size", "refused")), 1234)).toEqual([
    ["diff_limits.default_max_lines_changed", 1300],
  ]);
  expect(propose(10, repeat(5, place("new-files", "refused"), place("lockfiles", "refused")))).toEqual([
    ["scope.default_allow_new_files", true],
    ["scope.default_allow_lockfile_changes", true],
  ]);
});

test("a commit counts once in each rule, and by its strongest place", () => {
  const judged = commits(7, [
    [place("suppression", "held"), place("suppression", "held")],
    [place("suppression", "held"), place("forbidden-scope", "refused")],
    [place("suppression", "note")],
    [place("suppression", "held"), { ...place("test-literals", "note"), kind: "test_literals" }],
    [place("unsafe-path", "refused"), place("forbidden-scope", "refused")],
    [place("forbidden-scope", "held")],
  ]);
  expect(countStandings(judged)).toEqual({ kept: 2, held: 2, protected: 2, refused: 1 });
  expect(countRules(judged).map(({ strength, rule, changes, alone }) => [strength, rule, changes, alone])).toEqual([
    ["held", "suppression", 3, 2],
    ["refused", "forbidden-scope", 2, 0],
    ["refused", "unsafe-path", 1, 0],
    ["held", "forbidden-scope", 1, 1],
  ]);
  expect(countKinds(judged)).toEqual([
    { strength: "note", rule: "test-literals", kind: "test_literals", changes: 1, alone: 0 },
  ]);
});

type Value = ProposedSetting["value"];
const apply = (text: string, path: readonly string[], value: Value) => applySettings(text, [{ path, value }]);

const KEY = fc.constantFrom("a", "b", 'q"{', "c\\", "__x");
const object = fc.dictionary(KEY, fc.jsonValue({ maxDepth: 3 }));

/** The same by way of values. */
function set(document: unknown, [key = "", ...rest]: readonly string[], value: unknown): object {
  const known = Object.entries(typeof document === "object" && !Array.isArray(document) ? (document ?? {}) : {});
  const inner = known.find(([name]) => name === key)?.[1];
  const changed = rest.length === 0 ? value : set(inner, rest, value);
  return Object.fromEntries([...known.filter(([name]) => name !== key), [key, changed]]);
}

test("only the named value is another one, whatever the text is like", () => {
  fc.assert(
    fc.property(
      object,
      fc.array(KEY, { minLength: 1, maxLength: 3 }),
      fc.constantFrom<Value>(true, 5, "x", ["a", "b"]),
      fc.constantFrom(0, 2, "\t"),
      (document, path, value, space) => {
        const text = apply(`\n${JSON.stringify(document, null, space)}\n`, path, JSON.parse(JSON.stringify(value)));
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(set(document, path, value))));
      },
    ),
    runs(200, 8),
  );
});

test("what a person wrote stays as it is", () => {
  const text =
    '{\n  "scope": { "default_allowed_globs": ["src/**"] },\n\n  "verification": {\n    "timeout": 1\n  }\n}\n';
  expect(apply(text, ["verification", "rules", "suppression"], "note")).toBe(
    text.replace('"timeout": 1', '"timeout": 1,\n    "rules": {\n      "suppression": "note"\n    }'),
  );
  expect(apply(text, ["scope", "default_allowed_globs"], "x")).toBe(text.replace('["src/**"]', '"x"'));
  expect(apply("{}", ["a"], ["x"])).toBe('{\n  "a": [\n    "x"\n  ]\n}');
});
