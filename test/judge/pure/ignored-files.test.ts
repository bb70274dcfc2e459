import { expect, test } from "vitest";
import type { Rules } from "../../../src/records/evidence.ts";
import { judge } from "../../../src/judge/pure/judge.ts";
import { added, change, evidence, rules, side } from "../../support/evidence.ts";

const ignored = (path: string) => change(path, { standing: "ignored" });

const judged = (overrides: Partial<Rules>, ...paths: string[]) =>
  judge(evidence(paths.map(ignored), { rules: rules(overrides) }));

test("the policy to allow says nothing", () => {
  expect(judged({ ignored: "allow" }, "dist/a")).toMatchObject({ code: "SUCCESS", notes: [] });
});

test("the policy to report is one note", () => {
  expect(judged({ ignored: "report" }, "dist/a", "dist/b")).toMatchObject({
    code: "SUCCESS",
    notes: ["Ignored files were changed: `dist/a`, `dist/b`."],
  });
});

test("the policy to forbid stops, except under a writable glob", () => {
  const judgement = judged({ ignored: "forbid", ignored_writable_globs: ["dist/**"] }, "dist/a", "cache/b");
  expect(judgement.findings).toMatchObject([{ code: "STOP_IGNORED_MUTATION", subject: "cache/b" }]);
});

test("a writable folder may itself be created", () => {
  const folder = { ...added("dist", side({ type: "directory" })), standing: "ignored" as const };
  const overrides: Partial<Rules> = { ignored: "forbid", ignored_writable_globs: ["dist/**"] };
  expect(judge(evidence([folder], { rules: rules(overrides) })).code).toBe("SUCCESS");
});

test("ignored files never count as outside, new or large", () => {
  const overrides = {
    allow_new_files: false,
    max_files_touched: 0,
    max_lines_changed: 0,
    ignored: "allow",
  } as const;
  const created = { ...added("dist/a"), standing: "ignored" as const };
  expect(judge(evidence([created], { rules: rules(overrides) })).code).toBe("SUCCESS");
});

test("the policy to forbid protects what was there before and notes what is new", () => {
  const gone = change("a.log", { standing: "ignored", after: null });
  const fresh = { ...added("b.log"), standing: "ignored" as const };
  const judgement = judge(evidence([gone, fresh], { rules: rules({ ignored: "forbid" }) }));
  expect(judgement.findings).toMatchObject([{ subject: "a.log", rule: expect.stringContaining("deleted") }]);
  expect(judgement.notes).toEqual(["Ignored files are new: `b.log`."]);
});

test("no writable glob covers what a check starts or loads, new or not", () => {
  const fresh = { ...added("dist/check.js"), standing: "ignored" as const };
  for (const one of [fresh, ignored("dist/check.js")])
    expect(
      judge(
        evidence([one, ignored("dist/b.js")], {
          rules: rules({
            ignored: "forbid",
            ignored_writable_globs: ["dist/**"],
            ignored_guarded_globs: ["dist/check.js"],
          }),
        }),
      ).findings,
    ).toMatchObject([{ code: "STOP_IGNORED_MUTATION", subject: "dist/check.js", glob: "dist/check.js" }]);
});
