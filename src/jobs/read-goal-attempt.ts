/** The attempt of a goal: how it ended, and its commits from its repository. */
import { join } from "node:path";
import type { Attempt } from "../records/attempts.ts";
import type { JournalLine } from "../records/event.ts";
import { MeasurementError } from "../base/errors.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { foldLines } from "../records/folded-lines.ts";
import { isGreenRun } from "../tick/pure/decisive-words.ts";
import { makeFolders } from "../system/folders.ts";
import { createBundle, importBundle } from "../git/bundle.ts";
import { listGitDifference } from "../git/git-difference.ts";
import { accessRepository } from "../git/git.ts";
import { moveRef, removeRef } from "../git/move-ref.ts";
import { readHead } from "../git/head.ts";
import { readJournal } from "../journal/read-journal.ts";
import { prepareRange } from "../landing/prepare-range.ts";
import type { RunningTick } from "../tick/running-tick.ts";
import { type EndedAttempt, type MadeAttempt, NO_WORK, readFailure } from "./attempt-result.ts";
import { locateJobState, nameJobBranch, openJobRepository } from "./job-workspace.ts";

export async function readGoalAttempt(ended: EndedAttempt): Promise<MadeAttempt> {
  const { session, place, document } = ended;
  const lines = await readLines(ended);
  const base = (await readHead(session.where.repository)).commit;
  const clone = await openJobRepository(place);
  const tip = (await readHead(clone)).commit;
  const summary = typeof document?.["result"] === "string" ? document["result"].slice(0, SUMMARY_CHARS) : null;
  // Of an interrupted one nothing is kept.
  const isEmpty = session.tick.signal.aborted || base === null || tip === null || tip === base;
  const changes = isEmpty ? [] : await listGitDifference(accessRepository(clone), { from: base, to: tip });
  const attempt = { ...describeGoal(ended, lines), ...measure(changes) };
  if (isEmpty) return { attempt: { ...attempt, ...fail(attempt) }, summary, ...NO_WORK };
  const branch = nameJobBranch(place.job);
  const [ref, file] = [`refs/heads/${branch}`, join(place.folder, "branch.bundle")];
  await moveRef(clone, { ref, to: tip, reason: "relais: a job" });
  await createBundle(clone, base, [ref], file);
  await importBundle(session.where.repository, file, null, ref);
  return {
    attempt: { ...attempt, branch },
    summary,
    keep: async () => ({}),
    adopt: () => adoptCommits(session, { branch, ref, tip, head: base, folder: join(place.folder, "landing") }),
  };
}

const SUMMARY_CHARS = 2000;

async function readLines({ place }: EndedAttempt): Promise<readonly JournalLine[]> {
  const read = await readJournal(join(await locateJobState(place), "journal.jsonl"));
  return read.kind === "read" ? read.lines : [];
}

/** A goal that is complete without a commit changed nothing. */
function fail({ verdict }: Attempt): Partial<Attempt> {
  return verdict === "success" ? { verdict: "stop", code: "STOP_NO_CHANGE" } : {};
}

function describeGoal({ session, begun, document }: EndedAttempt, lines: readonly JournalLine[]): Attempt {
  const { number, agent, durationMs } = begun;
  const { budgets } = foldLines(lines).fold(WorkspaceFold).state(session.tick.config.budgets);
  const verified = findLast(lines, "verified");
  const reviews = findLast(lines, "reviewed")?.reviews ?? null;
  const isComplete = document?.["status"] === "complete";
  return {
    number,
    agent,
    run_id: null,
    ...(isComplete ? ({ verdict: "success", code: "SUCCESS" } as const) : readFailure(document)),
    checks: { passed: verified?.runs.filter(isGreenRun).length ?? 0, total: verified?.runs.length ?? 0 },
    votes: reviews && { approved: reviews.filter(({ vote }) => vote === "approve").length, total: reviews.length },
    files: 0,
    lines: 0,
    duration_ms: Math.round(durationMs),
    usage: { ...UNKNOWN, cost_usd: budgets.estimated_cost_usd },
    builder_calls: budgets.builder_calls,
    reviewer_calls: budgets.reviewer_calls,
    salvaged: false,
  };
}

const UNKNOWN = { input_tokens: null, cached_input_tokens: null, output_tokens: null };

type EventOf<T extends JournalLine["event"]["type"]> = Extract<JournalLine["event"], { type: T }>;

function findLast<T extends "verified" | "reviewed">(lines: readonly JournalLine[], type: T): EventOf<T> | null {
  const is = (event: JournalLine["event"]): event is EventOf<T> => event.type === type;
  return lines.map(({ event }) => event).findLast(is) ?? null;
}

function measure(changes: Awaited<ReturnType<typeof listGitDifference>>): Pick<Attempt, "files" | "lines"> {
  const lines = changes.reduce((sum, { counts }) => sum + (counts?.added ?? 0) + (counts?.deleted ?? 0), 0);
  return { files: changes.length, lines };
}

interface GoalCommits {
  readonly branch: string;
  readonly ref: string;
  readonly tip: string;
  readonly head: string;
  readonly folder: string;
}

/** Its branch has done its work: the same commits land. */
async function adoptCommits(session: RunningTick, { branch, ref, tip, head, folder }: GoalCommits) {
  makeFolders(folder, 0o700);
  const prepared = await prepareRange(
    { ...session.where, ...session.pinned, ...session.tick, folder, head },
    { name: branch, tip },
  );
  if (prepared.kind !== "prepared") throw new MeasurementError(branch, "cannot be put on top of HEAD");
  await removeRef(session.where.repository, ref, tip);
  return { moves: prepared.landing.moves, commits: prepared.landing.commits };
}
