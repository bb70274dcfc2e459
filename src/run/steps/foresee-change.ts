import type { DryRefusal, ForeseenChange } from "../../contract/answers/dry-run.ts";
import type { Task } from "../../contract/documents/task.ts";
import { judge } from "../../core/judge/judge.ts";
import { findTickPatch } from "../../core/tick/tick-facts.ts";
import { performForeseePatch } from "./perform-patch.ts";
import type { TickSession } from "../session/tick-session.ts";

export interface ForeseenEnd {
  /** Null where every gate passes. Checks have not run. */
  readonly refusal: DryRefusal;
  readonly change: ForeseenChange | null;
}

/** Judges the patch of a task without writing it; null for a task without a patch. */
export async function foreseeChange(session: TickSession, task: Task): Promise<ForeseenEnd | null> {
  const patch = findTickPatch(task);
  if (patch === null) return null;
  await session.place.prepare();
  const { candidate, failure, message } = await performForeseePatch(session, task, patch);
  if (candidate === null) return { refusal: failure && { ...failure, message }, change: null };
  const { code, cause, findings, blast_radius } = judge(candidate.evidence);
  const [first] = findings;
  const why = message ?? (first === undefined ? null : `${first.subject}: ${first.rule}`);
  return {
    refusal: code === "SUCCESS" ? null : { code, cause, message: why },
    change: {
      paths: candidate.evidence.changes.map(({ path }) => path),
      lines_added: blast_radius.lines_added,
      lines_deleted: blast_radius.lines_deleted,
      findings,
    },
  };
}
