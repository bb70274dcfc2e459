/**
 * lab/second-judge/verify-history.mjs is a second judge: it shares nothing with relais but the documented formats. It agrees with
 * relais about arbitrary evidence and about every tick, and finds what somebody changed, even with new hashes.
 * Every scenario and every goal of the other tests is judged by it too (`checksRecords`).
 */
import { spawnSync } from "node:child_process";
import { builtinModules } from "node:module";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { judgeEvidence, verifyHistory } from "../../lab/second-judge/verify-history.mjs";
import type { Evidence } from "../../src/records/evidence.ts";
import { judge } from "../../src/judge/pure/judge.ts";
import { arbitraryEvidence } from "../support/arbitrary-evidence.ts";
import { HISTORIES, inHistory } from "../support/histories.ts";
import { executable } from "../support/relais.ts";
import { PROPERTY_TIMEOUT_MS, runs } from "../support/runs.ts";
import { treeWorld, write } from "../support/tree-world.ts";
import { type Forgery, forgeTick, reviewedWorld } from "./forged-history.ts";

const SCRIPT = join(import.meta.dirname, "../../lab/second-judge/verify-history.mjs");

const withoutWords = ({ code, cause, findings, blast_radius }: ReturnType<typeof judgeEvidence>) => ({
  code,
  cause,
  blast_radius,
  findings: findings.map(({ gate, code: own, subject, glob }) => ({ gate, code: own, subject, glob })),
});

test("it imports nothing but Node", () => {
  const text = readFileSync(SCRIPT, "utf8");
  expect(text).not.toMatch(/\b(?:require|import)\s*\(/);
  const imported = [...text.matchAll(/^(?:import|export)\b.*\bfrom "(?<name>[^"]+)";$/gm)].map(
    ({ groups }) => groups?.["name"] ?? "",
  );
  expect(imported.length).toBeGreaterThan(3);
  expect(imported.filter((name) => !builtinModules.includes(name.replace(/^node:/, "")))).toEqual([]);
});

const weakened = fc.array(
  fc.record({
    rule: fc.constantFrom("suppression", "test_aware", "reads_tests", "test_literals", "no_effect"),
    kind: fc.constant("skip"),
    line: fc.nat({ max: 9 }),
    text: fc.constant("x"),
    default: fc.constantFrom("stop", "note"),
  }),
  { maxLength: 2 },
);

/** What evidence need not have. */
const additions = fc.record({
  weakened,
  isCopy: fc.boolean(),
  excess: fc.constantFrom(undefined, { kind: "files", max: 3 } as const),
  isRequired: fc.boolean(),
  guarded: fc.array(fc.constantFrom("src/**", "a", ".env", "**/x"), { maxLength: 2 }),
  ceiling: fc.constantFrom(undefined, ["src/**"], ["**"]),
  rules: fc.constantFrom(undefined, {}, { suppression: "stop", no_effect: "off" } as const),
});

function addTo(evidence: Evidence, more: v.InferOutput<typeof Any>): unknown {
  const { weakened: places, isCopy, excess, isRequired, guarded, ceiling, rules } = more;
  const changes = evidence.changes.map((change, at) => ({
    ...change,
    ...(at === 0 ? { weakened: places } : {}),
    ...(at === 0 && isCopy === true ? { forbidden_content: { of: ".env", whole: true } } : {}),
  }));
  return {
    ...evidence,
    changes,
    ...(excess === undefined ? {} : { excess }),
    rules: {
      ...evidence.rules,
      ignored_guarded_globs: guarded,
      ...(isRequired === true ? { change_required: true } : {}),
      ...(ceiling === undefined ? {} : { ceiling_globs: ceiling }),
      ...(rules === undefined ? {} : { weakening: { test_globs: [], settings_globs: [], rules } }),
    },
  };
}
const Any = v.record(v.string(), v.unknown());
const isEvidence = (_value: unknown): _value is Evidence => true;

test(
  "it judges arbitrary evidence as relais does",
  () => {
    fc.assert(
      fc.property(arbitraryEvidence, additions, fc.boolean(), (first, more, isMore) => {
        const evidence: unknown = isMore ? addTo(first, more) : first;
        if (!isEvidence(evidence)) return;
        expect(withoutWords(judgeEvidence(evidence))).toEqual(withoutWords(judge(evidence)));
      }),
      runs(3000, 600),
    );
  },
  PROPERTY_TIMEOUT_MS,
);

const Answer = v.object({
  agrees: v.boolean(),
  trouble: v.nullable(v.string()),
  ticks: v.array(v.looseObject({ run: v.string(), result: v.string() })),
  differences: v.optional(v.array(v.unknown())),
});

function verify(...args: readonly string[]) {
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, ...args, "--json"], { encoding: "utf8" });
  return { status, answer: v.parse(Answer, JSON.parse(stdout)) };
}

test.for(HISTORIES)("%s: it agrees with the records and with relais history replay", (name) =>
  inHistory(name, async ({ box, root, journal, relais }) => {
    const stored = join(box, "replay.json");
    writeFileSync(stored, (await relais("history", "replay", "--json")).stdout);
    const isUnfinished = name === "interrupted";
    const { status, answer } = verify(root, "--journal", journal, ...(isUnfinished ? [] : ["--replay", stored]));
    expect(answer).toMatchObject({ agrees: true, trouble: null, ...(isUnfinished ? {} : { differences: [] }) });
    expect(status).toBe(0);
    expect(answer.ticks.length).toBeGreaterThan(0);
  }),
);

test("it agrees about a tree, whose runner writes into commits, and asks a relais by itself", async () => {
  const world = treeWorld({ turns: [`${write("src/x.ts", "right")}\nresult done`, "result done"] });
  await world.iterate("step");
  const { status, answer } = verify(world.root, "--relais", executable);
  expect(answer).toMatchObject({ agrees: true, differences: expect.any(Array) });
  expect({ status, results: answer.ticks.map(({ result }) => result) }).toEqual({ status: 0, results: ["agrees"] });
});

const plain = (...args: string[]) => spawnSync(process.execPath, [SCRIPT, ...args], { encoding: "utf8" });

test("usage, and a folder without a journal", () => {
  expect(plain("--nonsense")).toMatchObject({ status: 2, stdout: expect.stringContaining("Usage:") });
  expect(plain("--help")).toMatchObject({ status: 0 });
  expect(plain(import.meta.dirname)).toMatchObject({ status: 11, stdout: expect.stringContaining("no journal") });
});

/** A forger who can write every file, and who makes all hashes anew. Each finds nothing but its own change. */
const FORGERIES: readonly Forgery[] = [
  {
    shows: "a reverted tick that is called accepted",
    of: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
    event: (event) =>
      event["type"] === "settle_started" || event["type"] === "settled"
        ? { ...event, action: "accept" }
        : event["type"] === "tick_ended"
          ? { ...event, verdict: "success", code: "SUCCESS" }
          : event,
    finds: /settled by accept, expected rollback/,
  },
  {
    shows: "a judgement that passes what its evidence forbids",
    of: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
    event: (event) =>
      event["type"] === "judged" ? { ...event, code: "SUCCESS", findings: [], findings_total: 0 } : event,
    finds: /ended with STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED/,
  },
  {
    shows: "a path that is taken out of the evidence of a commit",
    of: "SUCCESS",
    evidence: (evidence) => ({ ...evidence, changes: [] }),
    event: (event) =>
      event["type"] === "judged"
        ? {
            ...event,
            touched_paths: [],
            touched_paths_total: 0,
            blast_radius: { files_touched: 0, lines_added: 0, lines_deleted: 0, new_files: 0 },
          }
        : event,
    finds: /changes src\/main.ts, which was not judged/,
  },
  {
    shows: "a vote that is turned round",
    of: "STOP_REVIEW_REFUSED",
    event: (event) =>
      event["type"] === "reviewed"
        ? {
            ...event,
            code: null,
            cause: null,
            reviews: v.parse(v.array(Any), event["reviews"]).map((one) => ({ ...one, vote: "approve" })),
          }
        : event,
    finds: /said refuse, and its vote is approve/,
  },
  {
    shows: "a red check that is called green",
    of: "STOP_VERIFY_FAILED_FAST",
    event: (event) => (event["type"] === "verified" ? { ...event, code: null, cause: null } : event),
    finds: /ended with 1 and passed/,
  },
  {
    shows: "a check that ran, called left out",
    of: "SUCCESS",
    event: (event) => (event["type"] === "planned" ? { ...event, left_out: ["answer"] } : event),
    finds: /answer is left out, and it ran/,
  },
  {
    shows: "the line of the checks, removed",
    of: "SUCCESS",
    lines: (events) => events.filter(({ type }) => type !== "verified"),
    finds: /kept without its checks/,
  },
  {
    shows: "two lines in another order",
    of: "SUCCESS",
    lines: (events) => {
      const at = events.findIndex(({ type }) => type === "judged");
      return events.toSpliced(at, 2, ...events.slice(at, at + 2).toReversed());
    },
    finds: /verified follows build_ended/,
  },
  {
    shows: "another commit",
    of: "SUCCESS",
    commit: (world) => {
      world.put({ "src/other.ts": "export const other = 2;\n" });
      world.git("commit", "-qa", "--amend", "--no-edit");
      return world.git("rev-parse", "HEAD").trim();
    },
    finds: /its commit changes src\/other.ts, which was not judged/,
  },
];

describe("what a forger changes is found, although all hashes are made anew", () => {
  test.for(FORGERIES)("$shows", async (forgery) => {
    await reviewedWorld(forgery.of, (world) => {
      expect(verifyHistory({ root: world.root }).ticks).toMatchObject([{ result: "agrees", code: forgery.of }]);
      forgeTick(world, forgery);
      const { trouble, ticks } = verifyHistory({ root: world.root });
      expect({ trouble, ticks }).toMatchObject({ trouble: null, ticks: [{ result: "disagrees" }] });
      expect(ticks[0]?.faults?.join("\n")).toMatch(forgery.finds);
    });
  });
});

const edit = (world: { readonly root: string }, change: (lines: string[]) => string[]) => {
  const path = join(world.root, "relais/ledger.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(path, `${change(lines).join("\n")}\n`);
};

describe("without new hashes, the chain names the line, and the folder the file", () => {
  test("a changed, a removed and a moved line", async () => {
    await reviewedWorld("SUCCESS", (world) => {
      const before = readFileSync(join(world.root, "relais/ledger.jsonl"), "utf8");
      const tell = (change: (lines: string[]) => string[]) => {
        writeFileSync(join(world.root, "relais/ledger.jsonl"), before);
        edit(world, change);
        return verifyHistory({ root: world.root }).trouble;
      };
      expect(tell((lines) => lines.with(2, lines[2]?.replace(":", ": ") ?? ""))).toBe(
        "line 3 is not what its own hash says",
      );
      expect(tell((lines) => lines.toSpliced(3, 1))).toBe("line 4 has the number 4, expected 3");
      expect(tell((lines) => lines.toSpliced(3, 2, lines[4] ?? "", lines[3] ?? ""))).toMatch(/^line 4 /);
    });
  });

  test("a changed, a missing and an added file, a folder without its lines, and lines without their folder", async () => {
    await reviewedWorld("SUCCESS", (world) => {
      const [run = ""] = verifyHistory({ root: world.root }).ticks.map((tick) => tick.run);
      const folder = join(world.root, "relais/history", run);
      const faults = () => verifyHistory({ root: world.root }).ticks[0]?.faults;
      writeFileSync(join(folder, "more.txt"), "mine\n");
      expect(faults()).toEqual(["more.txt was added"]);
      rmSync(join(folder, "more.txt"));
      writeFileSync(join(folder, "diff.patch"), "");
      rmSync(join(folder, "report.md"));
      expect(faults()).toEqual(expect.arrayContaining(["diff.patch is not the recorded one", "report.md is missing"]));
      edit(world, () => []);
      writeFileSync(join(world.root, "relais/ledger.jsonl"), "");
      expect(faults()).toEqual(["the journal has no line of this tick"]);
    });
    await reviewedWorld("SUCCESS", (world) => {
      rmSync(join(world.root, "relais/history"), { recursive: true });
      expect(verifyHistory({ root: world.root }).ticks).toMatchObject([
        { result: "disagrees", faults: ["its folder is missing"] },
      ]);
    });
  });
});
