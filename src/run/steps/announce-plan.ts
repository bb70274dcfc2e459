/** Makes the prompt of the orchestrator from the journal and from what people wrote, and announces the session. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { CODES } from "../../contract/values/codes.ts";
import type { TickEvent } from "../../contract/journal/event.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import {
  type OrchestratorPrompt,
  orchestratorPrompt,
  type PlanFacts,
} from "../../core/prompt/orchestrator-prompt.ts";
import { buildReport } from "../../core/tick/report.ts";
import { type TickRecord, tickRecords } from "../../core/tick/tick-records.ts";
import type { TickState } from "../../core/tick/tick-state.ts";
import { workspaceState } from "../../core/history/workspace-state.ts";
import { writeAtomic } from "../../io/files/atomic-file.ts";
import { newDispatch } from "../../io/files/drop-folder.ts";
import { readHead } from "../../io/git/read-head.ts";
import type { ReadyOrchestrator, TickSession } from "../session/tick-session.ts";

const LAST_REPORT_CHARS = 6000;

/** What is asked is kept with the tick before anybody is asked. */
export async function announcePlan(session: TickSession, state: TickState): Promise<TickEvent> {
  const { driver } = orchestratorOf(session);
  const prompt = await planPrompt(session, state);
  session.memory.prompt = prompt;
  const text = `${prompt.system}\n\n${prompt.user}`;
  await writeAtomic(join(session.runDirectory, "orchestrator.prompt.txt"), text, { mode: 0o600 });
  return {
    type: "plan_started",
    driver: driver.name,
    dispatch: newDispatch(),
    prompt_bytes: { ...prompt.bytes },
    prompt_sha256: {
      "orchestrator.system.txt": sha256(prompt.system),
      "orchestrator.user.txt": sha256(prompt.user),
    },
  };
}

/** The orchestrator of a tick that has one. */
export function orchestratorOf({ work }: TickSession): ReadyOrchestrator {
  const orchestrator = work?.orchestrator ?? null;
  if (orchestrator === null) throw new InvariantError("a tick without an orchestrator is planned");
  return orchestrator;
}

/** The prompt as things stand. It spends nothing and writes nothing. */
export async function planPrompt(
  session: TickSession,
  { rejection }: Pick<TickState, "rejection">,
): Promise<OrchestratorPrompt> {
  const { texts } = orchestratorOf(session);
  return orchestratorPrompt({ ...texts, facts: await factsOf(session), rejection });
}

async function factsOf(session: TickSession): Promise<PlanFacts> {
  const { config, journal, repository, runId } = session;
  const { goal, facts } = orchestratorOf(session).texts;
  const head = await readHead(repository, session.signal);
  const others = tickRecords(journal.lines()).filter((record) => record.runId !== runId);
  const last = others.findLast(({ endedAt }) => endedAt !== null) ?? null;
  return {
    config,
    goal,
    facts,
    branch: head.text.replace(/^ref: refs\/heads\//u, ""),
    commit: head.commit ?? "",
    state: workspaceState(journal.lines(), config.budgets),
    lastReport: last === null ? "" : reportText(session, last),
    blocked: last === null ? null : blockedOf(last),
  };
}

/** The last tick as the journal tells it: the file in the workspace could have been edited. */
function reportText({ journal, config, renderReport }: TickSession, record: TickRecord): string {
  const { runId, seriesId, state, startedAt } = record;
  const endedAt = record.endedAt ?? startedAt;
  const { milestone_id, budgets } = workspaceState(journal.lines(), config.budgets);
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
  return renderReport(report, LAST_REPORT_CHARS);
}

function blockedOf({ state: { outcome } }: TickRecord): object | null {
  if (outcome === null || CODES[outcome.code].verdict !== "blocked") return null;
  const { code, cause, message } = outcome;
  return { code, cause, message, remedy: CODES[code].remedy };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
