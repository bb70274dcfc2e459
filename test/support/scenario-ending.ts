/** How a scenario must end: what it says itself, and what holds for every tick. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import * as v from "valibot";
import { CODES, type Code } from "../../src/base/codes.ts";
import { JournalLine } from "../../src/records/event.ts";
import { Report } from "../../src/records/report.ts";
import type { Ran } from "./relais.ts";
import type { World } from "./scenario-world.ts";
import { differences, type Walk, walk } from "./walker.ts";

export interface Ending {
  readonly code: Code;
  readonly cause?: string | null;
  readonly message?: RegExp;
  /** The paths of the worktree that are different afterwards; null where the scenario looks for itself. */
  readonly changed?: readonly string[] | null;
  /** Git's own data is different afterwards, as after a commit. */
  readonly movesGit?: boolean;
  /** Parts of the report. */
  readonly report?: object;
  /** The tick did not get as far as its first event: there is no report, and nothing is written in the repository. */
  readonly isRefused?: boolean;
  /** What standard error says besides; nothing, usually. */
  readonly says?: RegExp;
  readonly after?: (world: World, outcome: Outcome) => void | Promise<void>;
}

interface Outcome extends Ran {
  readonly report: Report | null;
}

const Refusal = v.object({
  code: v.string(),
  cause: v.string(),
  message: v.string(),
  problems: v.array(v.string()),
  remedy: v.string(),
});

/** Checks everything that can be checked without knowing what was there before. */
export function checkOutcome(world: World, ran: Ran, ends: Ending): Report | null {
  const { status, stdout, stderr } = ran;
  expect(stderr).toMatch(ends.says ?? /^$/);
  expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
  const document: unknown = JSON.parse(stdout);
  const isRefused = ends.isRefused === true;
  const { code, cause, message } = isRefused ? v.parse(Refusal, document) : v.parse(Report, document);
  expect({ code, status, cause, message }).toEqual({
    code: ends.code,
    status: CODES[ends.code].exit,
    cause: ends.cause === undefined ? cause : ends.cause,
    message: ends.message === undefined ? message : expect.stringMatching(ends.message),
  });
  expect(readdirSync(join(world.box, "tmp"))).toEqual([]);
  if (isRefused) return null;
  const report = v.parse(Report, document);
  if (ends.report !== undefined) expect(report).toMatchObject(ends.report);
  checkJournal(world, report);
  if (ends.says === undefined) checkWorkspace(world, report);
  return report;
}

function checkJournal(world: World, { run_id, code, cause, verdict }: Report): void {
  const lines = journalOf(world).trimEnd().split("\n");
  const last = v.parse(JournalLine, JSON.parse(lines.at(-1) ?? ""));
  expect(last).toMatchObject({ run_id, event: { type: "tick_ended", code, cause, verdict } });
}

function journalOf(world: World): string {
  return readFileSync(join(world.state(), "journal.jsonl"), "utf8");
}

/** The workspace says what the document says that was printed, and nothing of the work is left in it. */
function checkWorkspace(world: World, report: Report): void {
  const { workspace, read, has, state, root } = world;
  const { run_id, code, verdict, pointers } = report;
  expect(JSON.parse(read(`${workspace}/REPORT.json`))).toEqual(report);
  const last = { last_run_id: run_id, last_code: code };
  expect(JSON.parse(read(`${workspace}/STATE.json`))).toMatchObject(last);
  expect(read(`${workspace}/ledger.jsonl`)).toBe(journalOf(world));
  expect(has(`${workspace}/BLOCKED.json`)).toBe(verdict === "blocked");
  expect(has(`${workspace}/TASK.json`)).toBe(report.task !== null);
  for (const path of [pointers.report_md_path, report.diff.diff_patch_path, report.verification.verify_log_path])
    expect(typeof path !== "string" || has(path)).toBe(true);
  if (pointers.history_dir !== undefined)
    expect(JSON.parse(read(`${pointers.history_dir}/report.json`))).toEqual(report);
  expect(existsSync(join(root, workspace, "lock.json"))).toBe(false);
  expect(existsSync(join(state(), "lock.json"))).toBe(false);
  // Where no builder was called, what lies there belongs to a tick that was cut short.
  if (report.sandbox !== null && has(`${workspace}/.tmp`))
    expect(readdirSync(join(root, workspace, ".tmp"))).toEqual([]);
}

const PUBLISHED =
  /^(?:STATE\.json|TASK\.json|REPORT\.json|REPORT\.md|BLOCKED\.json|ledger\.jsonl|lock\.json|history|\.tmp)(?:\/|$)/;

/**
 * Everything in the place of the repository but for what the runner publishes there.
 *
 * Git is not asked for its opinion: where every byte of its data is the same, so is its answer.
 */
export function watch({ place, root, workspace }: World): Walk {
  const { entries, git } = walk({ folder: place, worktrees: [] });
  const prefix = `.${root.slice(place.length)}/${workspace}/`;
  const isPublished = (name: string): boolean => name.startsWith(prefix) && PUBLISHED.test(name.slice(prefix.length));
  return { git, entries: new Map([...entries].filter(([name]) => !isPublished(name))) };
}

const IN_GIT = /(?:^|\/)\.git(?:\/|: )|^\.\/[^/]+\.git\//;

/** The repository is what it was, but for the paths that the scenario names. */
export function checkRepository(world: World, before: Walk, ends: Ending): void {
  const { changed = [], movesGit = false } = ends;
  if (changed === null) return;
  const found = differences(before, watch(world));
  const prefix = `.${world.root.slice(world.place.length)}/`;
  const paths = found.filter((line) => !IN_GIT.test(line)).map((line) => line.slice(0, line.lastIndexOf(": ")));
  expect(paths).toEqual(changed.map((path) => `${prefix}${path}`));
  if (!movesGit) expect(found.filter((line) => IN_GIT.test(line))).toEqual([]);
}
