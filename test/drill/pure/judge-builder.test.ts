import { describe, expect, test } from "vitest";
import { listTurns } from "../../../src/drill/pure/choose-builders.ts";
import { listRemedies, makeDrillConfig } from "../../../src/drill/pure/drill-config.ts";
import { DRILL_PLACES } from "../../../src/drill/pure/drill-result.ts";
import { type HostileBuilder, readBuilder } from "../../../src/drill/pure/hostile-builder.ts";
import { type DrillReading, judgeBuilder } from "../../../src/drill/pure/judge-builder.ts";

const IN_PLACE = { place: "in_place", isSandboxed: false } as const;

function makeBuilder(headers: readonly string[], name = "files/some.sh"): HostileBuilder {
  return readBuilder(name, ["Does something.", ...headers].map((line) => `# ${line}\n`).join(""));
}

function seen(look: Partial<DrillReading> = {}): DrillReading {
  const nothing = { inside: [], inGit: [], outside: [], strays: [] };
  const report = { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", notes: [] } as const;
  return { ...nothing, report, answer: null, committed: null, isUnsafe: false, ...look };
}

const SUCCESS = { code: "SUCCESS", notes: [] } as const;
const GOOD = { report: SUCCESS, inside: ["src/main.ts: content"], answer: "export const answer = 42;\n" };
const stopped = makeBuilder(["expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"]);
const judge = (
  builder: HostileBuilder,
  look: DrillReading,
  setting: Parameters<typeof judgeBuilder>[0]["setting"] = IN_PLACE,
) => judgeBuilder({ builder, look, setting });

describe("what became of a builder", () => {
  const honest = makeBuilder(["expect: SUCCESS"], "honest/some.sh");
  const unstarted = seen({ report: { code: "BLOCKED_DIRTY_WORKTREE", notes: [] } });

  test.each([
    { builder: stopped, look: seen(), outcome: "restored" },
    { builder: stopped, look: seen(GOOD), outcome: "prevented" },
    { builder: honest, look: seen(GOOD), outcome: "passed" },
    { builder: honest, look: seen(), outcome: "refused" },
    { builder: stopped, look: unstarted, outcome: "untried" },
  ])("$builder.class in place: $outcome", ({ builder, look, outcome }) =>
    expect(judge(builder, look)).toEqual({ kind: "held", outcome }),
  );

  test("a stop in an overlay never reached the repository", () =>
    expect(judge(stopped, seen(), { place: "overlay", isSandboxed: true })).toEqual({
      kind: "held",
      outcome: "caught",
    }));

  test.each([
    ["a file of the working tree", { inside: ["docs/guide.md: content"] }, "the working tree: docs/guide.md: content"],
    [
      "more than the task",
      { ...GOOD, inside: [...GOOD.inside, "docs/guide.md: content"] },
      "the working tree: docs/guide.md: content",
    ],
    ["another answer", { ...GOOD, answer: "export const answer = 43;\n" }, "the working tree: src/main.ts: content"],
    ["a ref", { inGit: ["refs/heads/other: content"] }, "git's own data: refs/heads/other: content"],
    ["a neighbour", { outside: ["./place/neighbour"] }, "outside of the repository: ./place/neighbour"],
    ["a process", { strays: ["sleep 9"] }, "it left a process running: sleep 9"],
    ["no report", { report: null }, "there is no report of its tick"],
    ["escape sequences", { isUnsafe: true }, "the card or the report holds control characters"],
  ] as const)("got through: %s", (_, look, detail) => {
    const verdict = judge(stopped, seen(look));
    expect(verdict).toMatchObject({ kind: "through" });
    expect(verdict.kind === "through" && verdict.details).toContain(detail);
  });

  test("a commit of relais holds what it kept, and nothing else of git's data", () => {
    const kept = { ...GOOD, inGit: ["index: content", "refs/heads/work: content"], committed: ["src/main.ts"] };
    expect(judge(stopped, seen(kept))).toEqual({ kind: "held", outcome: "prevented" });
    expect(judge(stopped, seen({ ...kept, inGit: [...kept.inGit, "config: content"] }))).toMatchObject({
      kind: "through",
    });
    expect(judge(stopped, seen({ ...kept, committed: ["src/main.ts", "docs/guide.md"] }))).toMatchObject({
      kind: "through",
    });
  });

  test("a change that may stay must be told", () => {
    const noted = makeBuilder(["expect: SUCCESS", "changed: src/run.sh: content", "note: steers a check"]);
    const look = {
      inside: ["src/run.sh: content"],
      report: { code: "SUCCESS", notes: ["src/run.sh steers a check"] },
    } as const;
    expect(judge(noted, seen(look))).toEqual({ kind: "held", outcome: "told" });
    expect(judge(noted, seen({ ...look, report: SUCCESS }))).toMatchObject({ kind: "through" });
  });

  test("only a sandbox holds what writes outside", () => {
    const outside = makeBuilder(["expect: SUCCESS", "needs: sandbox", "outside: ./home/.profile"]);
    const look = seen({ ...GOOD, outside: ["./home/.profile"] });
    expect(judge(outside, look)).toEqual({ kind: "held", outcome: "told" });
    expect(judge(outside, look, { place: "in_place", isSandboxed: true })).toMatchObject({ kind: "through" });
  });
});

describe("the configuration of a drill", () => {
  const own = {
    ignored: "allow",
    notify: { command: ["mail"] },
    review: { reviewers: ["risk"] },
    verification: { oracle: "off", templates: [{ id: "mine", cmd: "npm" }], setup: [{ cmd: "npm" }] },
    env: { agents: ["TOKEN"] },
  };
  const builder = makeBuilder([
    "expect: SUCCESS",
    'config: {"verification": {"oracle": "frozen"}, "runner": {"max_new_files": 300}}',
  ]);
  const request = { own, builder, place: "clone", command: { command: "sh", args: ["x"] }, remedy: null } as const;

  test("has the user's policies and limits of the builder, and none of the user's programs", () => {
    expect(makeDrillConfig(request)).toMatchObject({
      ignored: "allow",
      isolation: "clone",
      builder: { default_mode: "command", command: { command: "sh" } },
      env: { agents: ["TOKEN", "MARK", "PIDS", "HOSTILE"] },
      runner: { max_new_files: 300 },
      verification: { oracle: "off" },
    });
    const text = JSON.stringify(makeDrillConfig(request));
    for (const word of ["mail", "risk", "mine", "npm"]) expect(text).not.toContain(word);
  });

  test("a remedy is the builder's own setting, or the default of a key of the user", () => {
    expect(listRemedies(own, builder)).toEqual([
      { key: "verification.oracle", value: "frozen" },
      { key: "ignored" },
      { key: "verification.oracle" },
    ]);
    expect(makeDrillConfig({ ...request, remedy: { key: "ignored" } })).not.toHaveProperty("ignored");
  });
});

test("the beginning of the turns is a fair sample, and all of them are every builder in every workplace", () => {
  const builders = ["git", "files", "honest"].flatMap((name) =>
    [1, 2].map((n) => makeBuilder(["expect: SUCCESS"], `${name}/${n}.sh`)),
  );
  const turns = listTurns(builders, DRILL_PLACES);
  expect(turns.slice(0, 3).map(({ builder }) => builder.class)).toEqual(["git", "files", "honest"]);
  expect(new Set(turns.slice(0, 6).map(({ builder }) => builder.id)).size).toBe(6);
  expect(new Set(turns.map(({ builder, place }) => `${builder.id} ${place}`)).size).toBe(18);
});
