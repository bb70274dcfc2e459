import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Blocked } from "../../src/records/blocked.ts";
import type { Config } from "../../src/config/config.ts";
import { Meta } from "../../src/records/meta.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { Report } from "../../src/records/report.ts";
import { parseWith } from "../../src/base/schema-error.ts";
import { WorkspaceState } from "../../src/records/state.ts";
import { Task } from "../../src/records/task.ts";
import { findReportable } from "../../src/tick/pure/tick-facts.ts";
import { findTickRecord } from "../../src/tick/pure/tick-records.ts";
import { foldWorkspaceState } from "../../src/journal/pure/workspace-state.ts";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import {
  type HistoryPublication,
  type Projections,
  publishHistory,
  publishProjections,
  publishState,
} from "../../src/workspace/publish.ts";
import { journalOf, runName, seriesName } from "../support/journals.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { executeTask } from "../support/tasks.ts";
import { reportOf, TICKS } from "../support/ticks.ts";

function config(overrides: unknown = {}): Config {
  const parsed = parseConfig(overrides);
  if (parsed.kind === "invalid") throw new Error(parsed.problems.map(({ message }) => message).join("; "));
  return parsed.value;
}

function valid<S extends Parameters<typeof parseWith>[0]>(schema: S, path: string) {
  const parsed = parseWith(schema, JSON.parse(readFileSync(path, "utf8")));
  if (parsed.kind === "invalid") throw new Error(parsed.problems.map(({ message }) => message).join("; "));
  return parsed.value;
}

const RUN = runName(0);
const REPORT = reportOf(TICKS.accepted, { run_id: RUN, series_id: seriesName(0) });

/** A repository with a real journal of one accepted tick beside it. */
async function finishedTick(): Promise<Projections & { readonly journal: Journal }> {
  const box = scratchFolder();
  const root = join(box, "repo");
  mkdirSync(root);
  const journalPath = join(box, "journal.jsonl");
  const opened = await openJournal({ path: journalPath, ledger: null });
  if (opened.kind !== "open") throw new Error(JSON.stringify(opened));
  for (const { at, run_id, series_id, event } of journalOf([{}]))
    await opened.journal.append({ at, run_id, series_id, event });
  await opened.journal.close();
  return {
    root,
    workspace: join(root, "relais"),
    journal: opened.journal,
    limits: config().budgets,
    report: REPORT,
    reportMarkdown: "# A report\n",
    task: {
      ...executeTask,
      scope: { ...executeTask.scope, allowed_globs: ["src/**"], forbidden_globs: [] },
      verification: { fast: [], slow: [] },
    },
    blocked: null,
  };
}

test("everything is published, valid by its own schema", async () => {
  const tick = await finishedTick();
  const { problems, reportSha256 } = await publishProjections(tick);
  expect(problems).toEqual([]);
  const at = (name: string) => join(tick.workspace, name);
  expect(readdirSync(tick.workspace).toSorted()).toEqual([
    "REPORT.json",
    "REPORT.md",
    "STATE.json",
    "TASK.json",
    "ledger.jsonl",
  ]);
  expect(valid(Report, at("REPORT.json"))).toEqual(tick.report);
  expect(valid(Task, at("TASK.json"))).toEqual(tick.task);
  expect(valid(WorkspaceState, at("STATE.json"))).toEqual(foldWorkspaceState(tick.journal.lines(), tick.limits));
  expect(readFileSync(at("REPORT.md"), "utf8")).toBe(tick.reportMarkdown);
  expect(readFileSync(at("ledger.jsonl")).equals(readFileSync(tick.journal.path))).toBe(true);
  expect(
    createHash("sha256")
      .update(readFileSync(at("REPORT.json")))
      .digest("hex"),
  ).toBe(reportSha256);
});

test("the ledger can be taken up on another machine", async () => {
  const tick = await finishedTick();
  await publishProjections(tick);
  const path = join(scratchFolder(), "journal.jsonl");
  const opened = await openJournal({ path, ledger: join(tick.workspace, "ledger.jsonl") });
  expect(opened.kind === "open" && opened.journal.lines()).toEqual(tick.journal.lines());
});

test("what the tick does not have is removed", async () => {
  const tick = await finishedTick();
  const blocked = {
    code: "BLOCKED_DIRTY_WORKTREE",
    cause: null,
    message: "Two paths are not committed.",
    remedy: "Commit them.",
    run_id: RUN,
    at: "2026-01-31T23:59:59.000Z",
  } as const;
  await publishProjections({ ...tick, blocked });
  expect(valid(Blocked, join(tick.workspace, "BLOCKED.json"))).toEqual(blocked);
  await publishProjections({ ...tick, task: null, reportMarkdown: null });
  expect(readdirSync(tick.workspace).toSorted()).toEqual(["REPORT.json", "STATE.json", "ledger.jsonl"]);
});

test("publishing the state touches nothing else", async () => {
  const tick = await finishedTick();
  expect(await publishState(tick)).toEqual([]);
  expect(readdirSync(tick.workspace).toSorted()).toEqual(["STATE.json", "ledger.jsonl"]);
});

test.for([
  ["the workspace", "relais", "relais"],
  ["a folder above it", "tools", "tools/relais"],
] as const)("nothing is written through a link in place of %s", async ([, name, path]) => {
  const tick = await finishedTick();
  const elsewhere = scratchFolder();
  mkdirSync(join(elsewhere, "relais"));
  symlinkSync(elsewhere, join(tick.root, name));
  const { problems, reportSha256 } = await publishProjections({ ...tick, workspace: join(tick.root, path) });
  expect(reportSha256).toBeNull();
  expect(problems.some((problem) => problem.startsWith(`${path}/REPORT.json: `))).toBe(true);
  expect(problems.every((problem) => problem.includes("it is a link"))).toBe(true);
  expect(readdirSync(elsewhere)).toEqual(["relais"]);
  expect(readdirSync(join(elsewhere, "relais"))).toEqual([]);
});

test("a workspace outside the repository is refused", async () => {
  const tick = await finishedTick();
  const { problems } = await publishProjections({ ...tick, workspace: join(tick.root, "../relais") });
  expect(problems.length).toBeGreaterThan(0);
  expect(existsSync(join(tick.root, "../relais"))).toBe(false);
});

test("a link in place of a file is replaced and not followed", async () => {
  const tick = await finishedTick();
  const victim = join(scratchFolder(), "victim");
  writeFileSync(victim, "mine");
  mkdirSync(tick.workspace);
  for (const name of ["STATE.json", "REPORT.json", "ledger.jsonl"]) symlinkSync(victim, join(tick.workspace, name));
  expect((await publishProjections(tick)).problems).toEqual([]);
  expect(readFileSync(victim, "utf8")).toBe("mine");
  expect(lstatSync(join(tick.workspace, "STATE.json")).isFile()).toBe(true);
});

test("one file that cannot be written is one problem, and the others are there", async () => {
  const tick = await finishedTick();
  mkdirSync(join(tick.workspace, "REPORT.json/in-the-way"), { recursive: true });
  const { problems, reportSha256 } = await publishProjections(tick);
  expect(problems.map((problem) => problem.split(": ")[0])).toEqual(["relais/REPORT.json"]);
  expect(reportSha256).toBeNull();
  expect(valid(WorkspaceState, join(tick.workspace, "STATE.json"))).toMatchObject({ last_code: "SUCCESS" });
  expect(readdirSync(tick.workspace).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("a document that its schema refuses is a problem and is not written", async () => {
  const tick = await finishedTick();
  const { problems } = await publishProjections({ ...tick, report: { ...tick.report, duration_ms: -1 } });
  expect(problems).toEqual([expect.stringMatching(/^relais\/REPORT\.json: .*duration_ms/u)]);
  expect(existsSync(join(tick.workspace, "REPORT.json"))).toBe(false);
});

/** A tick with everything that its private folder can hold. */
async function historyOf(settings: unknown = {}): Promise<HistoryPublication> {
  const { root, journal } = await finishedTick();
  const runDirectory = join(root, "../runs", RUN);
  mkdirSync(join(runDirectory, "transcripts"), { recursive: true });
  for (const name of ["task.json", "evidence.json", "diff.patch", "verify.log", "transcripts/builder.jsonl"])
    writeFileSync(join(runDirectory, name), `content of ${name}\n`);
  const record = findTickRecord(journal.lines(), RUN);
  const state = record === null ? null : findReportable(record.state);
  if (record === null || state === null) throw new Error("the tick is not in its journal");
  return {
    root,
    runDirectory,
    settings: config({ history: settings }).history,
    record: { ...record, state },
    extras: { drivers: {}, promptSha256: {} },
    report: REPORT,
    reportMarkdown: "# A report\n",
  };
}

const inHistory = ({ root }: HistoryPublication) => join(root, "relais/history", RUN);

test("a tick is copied into the history with its circumstances", async () => {
  const history = await historyOf();
  expect((await publishHistory(history)).problems).toEqual([]);
  const folder = inHistory(history);
  expect(readdirSync(folder, { recursive: true }).map(String).toSorted()).toEqual([
    "diff.patch",
    "evidence.json",
    "meta.json",
    "report.json",
    "report.md",
    "task.json",
    "transcripts",
    "transcripts/builder.jsonl",
    "verify.log",
  ]);
  expect(readFileSync(join(folder, "transcripts/builder.jsonl"), "utf8")).toContain("transcripts/builder");
  expect(lstatSync(join(folder, "evidence.json")).mode & 0o777).toBe(0o600);
  expect(valid(Report, join(folder, "report.json"))).toEqual(REPORT);
  expect(valid(Meta, join(folder, "meta.json"))).toMatchObject({
    run_id: RUN,
    verdict: "success",
    code: "SUCCESS",
    isolation: "in_place",
    drivers: { builder: "claude_code" },
    journal: { first_seq: history.record.firstSeq, last_seq: history.record.lastSeq },
  });
  expect((await publishHistory(history)).problems).toEqual([]);
});

test("the settings of the history have their effect", async () => {
  const off = await historyOf({ enabled: false });
  expect(await publishHistory(off)).toEqual({ problems: [], files: [] });
  expect(existsSync(join(off.root, "relais"))).toBe(false);
  const less = await historyOf({ include_diff_patch: false, include_verify_log: false });
  await publishHistory(less);
  expect(readdirSync(inHistory(less))).not.toContain("diff.patch");
  expect(readdirSync(inHistory(less))).not.toContain("verify.log");
  expect(readdirSync(inHistory(less))).toContain("evidence.json");
  const moved = await historyOf({ dir: "relais/past" });
  await publishHistory(moved);
  expect(readdirSync(join(moved.root, "relais/past"))).toEqual([RUN]);
});

test("a link in the tick's folder is a problem and is not copied", async () => {
  const history = await historyOf();
  symlinkSync("/etc/passwd", join(history.runDirectory, "borrowed"));
  const { problems } = await publishHistory(history);
  expect(problems.map((problem) => problem.split(": ")[0])).toEqual([`relais/history/${RUN}/borrowed`]);
  expect(readdirSync(inHistory(history))).not.toContain("borrowed");
  expect(readdirSync(inHistory(history))).toContain("meta.json");
});

test("nothing is copied through a link in place of the history", async () => {
  const history = await historyOf();
  const elsewhere = scratchFolder();
  mkdirSync(join(history.root, "relais"));
  symlinkSync(elsewhere, join(history.root, "relais/history"));
  expect((await publishHistory(history)).problems.length).toBeGreaterThan(5);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("a tick without a folder of its own still has a history", async () => {
  const history = await historyOf();
  const { problems } = await publishHistory({ ...history, runDirectory: join(history.root, "nowhere") });
  expect(problems).toEqual([]);
  expect(readdirSync(inHistory(history)).toSorted()).toEqual(["meta.json", "report.json", "report.md"]);
});
