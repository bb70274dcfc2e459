import fc from "fast-check";
import { expect, test } from "vitest";
import type { Change, Rules } from "../../../src/records/evidence.ts";
import { judge } from "../../../src/judge/pure/judge.ts";
import { change, evidence, rules } from "../../support/evidence.ts";

type Weakened = NonNullable<Change["weakened"]>[number];

const SKIP: Weakened = { rule: "suppression", kind: "skipped_test", line: 3, text: "it.skip(…)", default: "hold" };
const LINT: Weakened = { rule: "suppression", kind: "lint_ignore", line: 7, text: "// noqa", default: "note" };
const AWARE: Weakened = { rule: "test_aware", kind: "asks_for_runner", line: 9, text: "VITEST", default: "hold" };
const MEASURED: Weakened = { rule: "suppression", kind: "another", line: 5, text: "x", default: "stop" };

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

test("a place that holds names itself, its kind and its text; the rule is the cause", () => {
  const { code, cause, findings } = judged([SKIP, LINT]);
  expect({ code, cause }).toEqual({ code: "STOP_SUSPECT", cause: "suppression" });
  expect(findings).toEqual([
    {
      gate: "suppression",
      code: "STOP_SUSPECT",
      subject: "src/a.ts:3",
      rule: "It adds a skipped test (rule `suppression`): `it.skip(…)`",
      glob: null,
      quote: "it.skip(…)",
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

test("what is measured names the code before a suspicion does, and no setting lowers it", () => {
  expect(judged([SKIP, MEASURED])).toMatchObject({
    code: "STOP_CHECKS_WEAKENED",
    findings: [{ subject: "src/a.ts:5" }, { subject: "src/a.ts:3" }],
  });
  expect(judged([MEASURED], { suppression: "off" }).code).toBe("STOP_CHECKS_WEAKENED");
});

const at = (line: number): Weakened => ({ ...SKIP, line });
const accept = (weakened: Weakened[], accepted: Rules["accepted"]) =>
  judge(
    evidence([change("src/a.ts", { weakened })], {
      rules: rules({
        weakening: { test_globs: [], settings_globs: [], rules: {} },
        ...(accepted === undefined ? {} : { accepted }),
      }),
    }),
  );

test("an accepted finding is lifted once, at any line; the rest still holds", () => {
  const one = { gate: "suppression", subject: "src/a.ts", quote: "it.skip(…)" };
  expect(accept([at(90)], [one]).code).toBe("SUCCESS");
  expect(accept([at(3), at(90)], [one])).toMatchObject({
    code: "STOP_SUSPECT",
    findings: [{ subject: "src/a.ts:90" }],
  });
  expect(accept([AWARE], [one]).code).toBe("STOP_SUSPECT");
  expect(accept([MEASURED], [{ ...one, quote: "x" }]).code).toBe("STOP_CHECKS_WEAKENED");
});

test("where suspicions are notes, nothing is held", () => {
  const noted = judge(
    evidence([change("src/a.ts", { weakened: [SKIP] })], {
      rules: rules({ weakening: { test_globs: [], settings_globs: [], rules: {} }, suspicions: "note" }),
    }),
  );
  expect(noted).toMatchObject({ code: "SUCCESS", notes: [expect.stringContaining("a skipped test")] });
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
    default: fc.constantFrom("stop" as const, "hold" as const, "note" as const),
  }),
  { maxLength: 5 },
);

test("there is a finding for each place that stops or holds, whatever its words are", () => {
  fc.assert(
    fc.property(places, (weakened) => {
      const { findings } = judged(weakened);
      expect(findings).toHaveLength(weakened.filter((place) => place.default !== "note").length);
    }),
  );
});
