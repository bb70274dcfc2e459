/** The attempt of a single tick: its report, and its change from its state directory. */
import type { Attempt } from "../../contract/documents/attempts.ts";
import { Report } from "../../contract/documents/report.ts";
import type { KeptWork } from "../../contract/documents/kept-work.ts";
import { parseWith } from "../../contract/schema/schema-error.ts";
import { findSideBefore } from "../../core/paths/kept-files.ts";
import { describeDecision, isGreenRun } from "../../core/words/decisive-words.ts";
import type { LandingMove } from "../../core/workflow/landing.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { adoptWork } from "../keep/kept-work.ts";
import { useGitMode } from "../land/prepare-range.ts";
import {
  type BegunAttempt,
  type EndedAttempt,
  type MadeAttempt,
  NO_WORK,
  NOTHING_MADE,
  readFailure,
  sumUsage,
} from "./attempt-result.ts";
import { importWork } from "../queue/import-work.ts";
import { locateJobState } from "../queue/job-workspace.ts";

export async function readRunAttempt({ session, place, begun, document }: EndedAttempt): Promise<MadeAttempt> {
  const { number, agent, durationMs } = begun;
  const parsed = document === null ? null : parseWith(Report, document);
  if (parsed?.kind !== "valid") {
    const known = { number, agent, duration_ms: Math.round(durationMs), salvaged: false };
    return { attempt: { ...known, ...NOTHING_MADE, ...readFailure(document) }, summary: null, ...NO_WORK };
  }
  const { store, stateDirectory } = session;
  const state = { stateDirectory: await locateJobState(place), environment: place.environment };
  const work = await importWork(state, parsed.value, store);
  const { message, retry_at: until, findings, findings_total, verification } = parsed.value;
  const reason = describeDecision({ findings, findings_total, runs: verification.runs }) ?? message;
  const made = { attempt: describeAttempt(begun, parsed.value), summary: message, reason, until };
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

function describeAttempt({ number, agent, durationMs }: BegunAttempt, report: Report): Attempt {
  const { runs, runs_total: total } = report.verification;
  const { files_touched: files, lines_added, lines_deleted } = report.blast_radius;
  return {
    number,
    agent,
    run_id: report.run_id,
    verdict: report.verdict,
    code: report.code,
    checks: { passed: runs.filter(isGreenRun).length, total },
    votes: countVotes(report),
    files,
    lines: lines_added + lines_deleted,
    duration_ms: Math.round(durationMs),
    usage: sumUsage(report.usage),
    reviewer_calls: report.budgets.reviewer_calls,
    salvaged: false,
  };
}

function countVotes({ review }: Report): Attempt["votes"] {
  if (review === null) return null;
  const approved = review.reviewers.filter(({ vote }) => vote === "approve").length;
  return { approved, total: review.reviewers.length };
}
