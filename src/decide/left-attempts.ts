/**
 * What the attempts of a killed tick left in their places: the work of those that had finished goes to salvage, and what
 * all of them cost is known. Their processes are gone by now; their places are removed later.
 */
import { join } from "node:path";
import type { Attempt, Attempts } from "../records/attempts.ts";
import { Report } from "../records/report.ts";
import type { Task } from "../records/task.ts";
import { foldLines } from "../records/folded-lines.ts";
import { parseWith } from "../base/schema-error.ts";
import { readProgress } from "../journal/pure/job-progress.ts";
import { describeReported, NOTHING_MADE, sumUsage } from "../tick/pure/attempt-report.ts";
import type { StateIn } from "../tick/pure/tick-state.ts";
import { readLastDocument } from "../process/last-document.ts";
import { readJournal } from "../journal/read-journal.ts";
import { hasRepository, locateJobFolder } from "../journal/job-folder.ts";
import { findStateDirectory } from "../journal/state-directory.ts";
import { importWork } from "../keep/import-work.ts";
import { adoptWork } from "../keep/keep-work.ts";
import { locateAttempts } from "../tick/attempt-folder.ts";
import type { TickSession } from "../tick/tick-session.ts";
import { locateRepository } from "../workspace/locate-repository.ts";

interface LeftAttempts {
  readonly attempts: Attempts;
  readonly usage: Attempt["usage"];
}

/** Null where there was one session only. */
export async function takeLeftAttempts(session: TickSession, state: StateIn<"build">): Promise<LeftAttempts | null> {
  const { attempts: count, tasks: ids } = state.building;
  if (count === undefined) return null;
  const known = [state.task, ...(state.also ?? [])];
  const list: Attempt[] = [];
  for (let number = 1; number <= count; number++) {
    const id = ids?.[number - 1];
    const task = known.find(({ task_id }) => task_id === id) ?? state.task;
    const left = await takeOne(session, { number, agent: state.building.driver, task });
    list.push(id === undefined ? left : { ...left, task_id: id });
  }
  return { attempts: { list, chosen: null, rule: null }, usage: sumUsage(list.map(({ usage }) => usage)) };
}

interface LeftEffort {
  readonly number: number;
  readonly agent: Attempt["agent"];
  readonly task: Task;
}

async function takeOne(session: TickSession, { number, agent, task }: LeftEffort): Promise<Attempt> {
  const { stateDirectory, runId, repository, store } = session;
  const place = locateJobFolder(join(locateAttempts(stateDirectory, runId), String(number)));
  const begun = { number, agent, durationMs: 0 };
  const unfinished = {
    number,
    agent,
    duration_ms: 0,
    verdict: "stop",
    code: "STOP_INTERRUPTED",
    salvaged: false,
  } as const;
  if (!hasRepository(place)) return { ...NOTHING_MADE, ...unfinished };
  const environment = { ...repository.environment, XDG_STATE_HOME: place.state };
  const own = await locateRepository({ cwd: place.repo, environment }, { needsGit: false });
  if (own.kind === "blocked") return { ...NOTHING_MADE, ...unfinished };
  const state = { stateDirectory: findStateDirectory(own, environment).path, environment };
  const parsed = parseWith(Report, readLastDocument(join(place.folder, "attempt.out")));
  if (parsed.kind !== "valid")
    return { ...NOTHING_MADE, ...unfinished, ...(await readCost(join(state.stateDirectory, "journal.jsonl"))) };
  const report = parsed.value;
  const work = await importWork(state, report, store);
  if (work !== null) await adoptWork(store, stateDirectory, { ...work, task });
  return { ...describeReported({ ...begun, durationMs: report.duration_ms }, report), salvaged: work !== null };
}

/** Its own journal counts what was spent before the kill. */
async function readCost(path: string): Promise<Pick<Attempt, "usage" | "reviewer_calls">> {
  const read = await readJournal(path);
  const { spent } = readProgress(foldLines(read.kind === "read" ? read.lines : []));
  const tokens = { input_tokens: null, cached_input_tokens: null, output_tokens: null };
  return {
    usage: spent.dollars === 0 ? null : { ...tokens, cost_usd: spent.dollars },
    reviewer_calls: Math.max(0, spent.sessions - 1),
  };
}
