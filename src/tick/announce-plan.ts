/** Composes the prompt of the orchestrator from the journal and the user's documents, and announces the session. */
import { join } from "node:path";
import { CODES } from "../base/codes.ts";
import type { TickEvent } from "../records/event.ts";
import { type OrchestratorPrompt, composeOrchestratorPrompt, type PlanFacts } from "./pure/orchestrator-prompt.ts";
import { buildReport } from "./pure/build-report.ts";
import { type TickRecord, TickRecords } from "./pure/tick-records.ts";
import { findOutcome, findReportable } from "./pure/tick-facts.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { createDispatch } from "../system/drop-folder.ts";
import { readHead } from "../git/read-head.ts";
import type { PlanTexts } from "./prompt-files.ts";
import { comparePrompt } from "./compare-prompt.ts";
import type { ReadyOrchestrator, RunningSession } from "./tick-session.ts";
import { hashDocument } from "../workspace/recorded-files.ts";

const LAST_REPORT_CHARS = 6000;

/** The prompt is saved before the session starts. */
export async function announcePlan(
  session: RunningSession,
  { driver, texts }: ReadyOrchestrator,
  { rejection, started }: StateIn<"plan">,
): Promise<TickEvent> {
  const prompt = await planPrompt(session, texts, rejection);
  session.memory.prompt = prompt;
  const text = `${prompt.system}\n\n${prompt.user}`;
  session.store.redo.write(join(session.runDirectory, "orchestrator.prompt.txt"), text);
  return {
    type: "plan_started",
    driver: driver.name,
    dispatch: createDispatch(),
    prompt_bytes: { ...prompt.bytes },
    prompt: comparePrompt(session, [started.workflow, "orchestrator"], text),
    prompt_sha256: {
      "orchestrator.system.txt": hashDocument(prompt.system),
      "orchestrator.user.txt": hashDocument(prompt.user),
    },
  };
}

/** Calls nobody and writes nothing. */
export async function planPrompt(
  session: RunningSession,
  texts: PlanTexts,
  rejection: StateIn<"plan">["rejection"],
): Promise<OrchestratorPrompt> {
  const { tasksMax: most } = session.work;
  const tasksMax = most === undefined ? {} : { tasksMax: most };
  return composeOrchestratorPrompt({ ...texts, facts: await readPlanFacts(session, texts), rejection, ...tasksMax });
}

async function readPlanFacts(session: RunningSession, { goal, facts }: PlanTexts): Promise<PlanFacts> {
  const { config, journal, repository, runId } = session;
  const head = await readHead(repository, session.signal);
  const others = journal
    .foldRecent(TickRecords)
    .all()
    .filter((record) => record.runId !== runId);
  const last = others.findLast(({ endedAt }) => endedAt !== null) ?? null;
  return {
    config,
    goal,
    facts,
    branch: head.text.replace(/^ref: refs\/heads\//u, ""),
    commit: head.commit ?? "",
    state: journal.fold(WorkspaceFold).state(config.budgets),
    lastReport: last === null ? "" : renderLastReport(session, last),
    blocked: last === null ? null : describeBlock(last),
  };
}

/** From the journal: the file in the workspace could have been edited. */
function renderLastReport({ journal, config, renderReport }: RunningSession, record: TickRecord): string {
  const { runId, seriesId, startedAt } = record;
  const state = findReportable(record.state);
  if (state === null) return "";
  const endedAt = record.endedAt ?? startedAt;
  const { milestone_id, budgets } = journal.fold(WorkspaceFold).state(config.budgets);
  const report = buildReport({
    runId,
    seriesId,
    state,
    startedAt,
    endedAt,
    durationMs: Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
    budgets: { ...budgets, milestone_id, warnings: [] },
    paths: { historyDir: null, diffPatch: null, verifyLog: null, reportMd: null },
  });
  return renderReport(report, { maxChars: LAST_REPORT_CHARS, isForPlan: true });
}

function describeBlock({ state }: TickRecord): object | null {
  const outcome = findOutcome(state);
  if (outcome === null || CODES[outcome.code].verdict !== "blocked") return null;
  const { code, cause, message } = outcome;
  return { code, cause, message, remedy: CODES[code].remedy };
}
