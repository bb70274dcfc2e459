/** The attempt of a single tick: its report, and its change from its state directory. */
import { Report } from "../records/report.ts";
import type { KeptWork } from "../records/kept-work.ts";
import { parseWith } from "../base/schema-error.ts";
import { describeReported, NOTHING_MADE } from "../tick/pure/attempt-report.ts";
import { findSideBefore } from "../judge/pure/kept-files.ts";
import { describeDecision } from "../tick/pure/decisive-words.ts";
import type { LandingMove } from "../workflows/pure/workflow.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { importWork } from "../keep/import-work.ts";
import { adoptWork } from "../keep/keep-work.ts";
import { useGitMode } from "../landing/prepare-range.ts";
import { type EndedAttempt, type MadeAttempt, NO_WORK, readFailure } from "./attempt-result.ts";
import { locateJobState } from "./job-workspace.ts";

export async function readRunAttempt({ session, place, begun, document }: EndedAttempt): Promise<MadeAttempt> {
  const { number, agent, durationMs } = begun;
  const parsed = document === null ? null : parseWith(Report, document);
  if (parsed?.kind !== "valid") {
    const known = { number, agent, duration_ms: Math.round(durationMs), salvaged: false };
    return { attempt: { ...known, ...NOTHING_MADE, ...readFailure(document) }, summary: null, ...NO_WORK };
  }
  const {
    where: { store, stateDirectory },
  } = session;
  const state = { stateDirectory: await locateJobState(place), environment: place.environment };
  const work = await importWork(state, parsed.value, store);
  const { retry_at: until, findings, findings_total, verification, question } = parsed.value;
  const message = question?.prompt ?? parsed.value.message;
  const decision = describeDecision({ findings, findings_total, runs: verification.runs });
  const reason = question === null ? (decision ?? message) : message;
  const made = { attempt: describeReported(begun, parsed.value), summary: message, reason, until };
  if (work === null) return { ...made, ...NO_WORK };
  return {
    ...made,
    keep: async (task) => {
      await adoptWork(store, stateDirectory, { ...work, task });
      return { salvaged: true };
    },
    adopt: async () => ({ moves: work.files.map(makeMove), commits: null }),
  };
}

function makeMove(file: KeptWork["files"][number]): LandingMove {
  return { path: decodeChangePath(file), from: findSideBefore(file), to: file.after && useGitMode(file.after) };
}
