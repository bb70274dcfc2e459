import fc from "fast-check";
import { expect, test } from "vitest";
import type { Change, Rules } from "../../../src/records/evidence.ts";
import { judge } from "../../../src/judge/pure/judge.ts";
import { change, evidence, rules } from "../../support/evidence.ts";

type Weakened = NonNullable<Change["weakened"]>[number];

const SKIP: Weakened = { rule: "suppression", kind: "skipped_test", line: 3, text: "it.skip(…)", default: "stop" };
const LINT: Weakened = { rule: "suppression", kind: "lint_ignore", line: 7, text: "// noqa", default: "note" };
const AWARE: Weakened = { rule: "test_aware", kind: "asks_for_runner", line: 9, text: "VITEST", default: "stop" };

const judged = (
  weakened: Weakened[],
  settings: NonNullable<Rules["weakening"]>["rules"] = {},
  more: Partial<Change> = {},
) =>
  judge(
    evidence([change("src/a.ts", { weakened, ...more })], {
      rules: rules({ weakening: { test_globs: [], settings_globs: [], rules: settings } }),
    }),
  );

test("a place that stops names itself, its kind and the next step; the rule is the cause", () => {
  const { code, cause, findings } = judged([SKIP, LINT]);
  expect({ code, cause }).toEqual({ code: "STOP_CHECKS_WEAKENED", cause: "suppression" });
  expect(findings).toEqual([
    {
      gate: "suppression",
      code: "STOP_CHECKS_WEAKENED",
      subject: "src/a.ts:3",
      rule: "It adds a skipped test (rule `suppression`): `it.skip(…)`",
      glob: null,
    },
  ]);
});

test("a place that is a note does not stop", () => {
  const { code, notes } = judged([LINT]);
  expect(code).toBe("SUCCESS");
  expect(notes).toEqual(["The change adds a comment that silences a linter (`lint_ignore`): `src/a.ts:7`."]);
});

test("the configuration overrides every kind of a rule", () => {
  expect(judged([SKIP], { suppression: "note" }).code).toBe("SUCCESS");
  expect(judged([LINT], { suppression: "stop" }).code).toBe("STOP_CHECKS_WEAKENED");
  expect(judged([SKIP, LINT], { suppression: "off" })).toMatchObject({ code: "SUCCESS", notes: [] });
  expect(judged([SKIP, AWARE], { suppression: "off" }).cause).toBe("test_aware");
});

test("ignored files and evidence without these rules are not judged by them", () => {
  expect(judged([SKIP], {}, { standing: "ignored" }).code).toBe("SUCCESS");
  expect(judge(evidence([change("src/a.ts", { weakened: [SKIP] })])).code).toBe("SUCCESS");
});

test("a path out of scope names the code before a weakened check does", () => {
  const weakened = [SKIP];
  const both = evidence([change("docs/a.ts", { weakened })], {
    rules: rules({ weakening: { test_globs: [], settings_globs: [], rules: {} } }),
  });
  expect(judge(both).code).toBe("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED");
});

const places = fc.array(
  fc.record({
    rule: fc.constantFrom(
      "suppression" as const,
      "test_aware" as const,
      "reads_tests" as const,
      "test_literals" as const,
    ),
    kind: fc.oneof(fc.string(), fc.constantFrom("skipped_test", "__proto__", "constructor")),
    line: fc.nat(),
    text: fc.string(),
    default: fc.constantFrom("stop" as const, "note" as const),
  }),
  { maxLength: 5 },
);

test("there is a finding for each place that stops, whatever its words are", () => {
  fc.assert(
    fc.property(places, (weakened) => {
      const { findings } = judged(weakened);
      expect(findings).toHaveLength(weakened.filter((place) => place.default === "stop").length);
    }),
  );
});
