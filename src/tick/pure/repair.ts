/** A further try at the task of a tick that ended without its change: from what may it go on, and what is the agent told? */
import type { Code } from "../../base/codes.ts";
import { countNoun, shortenList } from "../../base/words.ts";
import type { EntrySide } from "../../records/evidence.ts";
import type { Repair, VerificationRun } from "../../records/report.ts";
import type { Task } from "../../records/task.ts";
import { frameSection } from "./framed-section.ts";
import {
  findFindings,
  findOutcome,
  findReview,
  findSettled,
  findStart,
  findTask,
  findVerification,
} from "./tick-facts.ts";
import type { TickRecord } from "./tick-records.ts";
import type { EventOf, TickState } from "./tick-state.ts";

/** After these ends of a sentence, relais tries again by itself: a suspicion that went back unseen would teach evasion. */
const BY_ITSELF: readonly Code[] = ["STOP_VERIFY_FAILED_FAST", "STOP_VERIFY_FAILED_SLOW", "STOP_NO_CHANGE"];
/** After these a person can ask for it. What touched git, the runner, forbidden paths or secrets is never the base of more work. */
const BY_WORD: readonly Code[] = [
  ...BY_ITSELF,
  "STOP_SUSPECT",
  "STOP_CHECKS_WEAKENED",
  "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
  "STOP_SCOPE_VIOLATION_NEW_FILE",
  "STOP_LOCKFILE_CHANGE_FORBIDDEN",
  "STOP_DIFF_TOO_LARGE",
  "STOP_VERIFY_SIDE_EFFECTS",
  "STOP_REVIEW_REFUSED",
  "STOP_REJECTED",
  "STOP_UNDECIDED",
  "STOP_BUILDER_TIMEOUT",
  "STOP_BUILDER_OUTPUT_INVALID",
  "STOP_OUTPUT_LIMIT",
  "STOP_TICK_TIMEOUT",
];

export const isRepairedByItself = (code: Code): boolean => BY_ITSELF.includes(code);
export const isRepairable = (code: Code): boolean => BY_WORD.includes(code);

interface RepairMove {
  /** A byte string, relative to the root. */
  readonly path: string;
  readonly from: EntrySide | null;
  readonly to: EntrySide | null;
}

export interface RepairWork extends Repair {
  /** Its own work in salvage; null where it changed nothing. */
  readonly salvage: string | null;
  /** The same on top of what is checked out now; absent: as it is saved. */
  readonly moves?: readonly RepairMove[];
  readonly prompt: string;
  /** For the agent that knows the rest; null where the task is another one now. */
  readonly resumedPrompt: string | null;
}

export type ExecuteTask = Extract<Task, { task_kind: "execute" }>;

export interface FoundRepair {
  readonly task: ExecuteTask;
  /** Whether what a person had not committed was part of its base. */
  readonly isDirty: boolean;
  readonly repair: RepairWork;
}

/** Null where the tick has no task of its own to go on with, or ended in another way. */
export function findRepair({ runId, state }: TickRecord, words: string | null): FoundRepair | null {
  const [task, outcome, started] = [findTask(state), findOutcome(state), findStart(state)];
  if (outcome === null || !isRepairable(outcome.code)) return null;
  if (task?.task_kind !== "execute" || started?.workflow !== "relay") return null;
  const why = explainFailure(state, words);
  return {
    task,
    isDirty: started.uncommitted !== undefined,
    repair: {
      run_id: runId,
      number: countTries(started) + 1,
      failed: nameFailure(state, outcome.code),
      salvage: findSettled(state)?.salvage ?? null,
      prompt: writePrompt(why),
      resumedPrompt: words === null ? writeResumedPrompt(why) : null,
    },
  };
}

const countTries = ({ repair }: Pick<EventOf<"tick_started">, "repair">): number => repair?.number ?? 1;

function listRed(state: TickState): readonly VerificationRun[] {
  const runs = findVerification(state)?.runs ?? [];
  return runs.filter(({ exit_code: exit, state: against }) => exit !== 0 && against !== "red_before");
}

/** In a few words, for the card of the next try. */
function nameFailure(state: TickState, code: Code): string {
  const red = [...new Set(listRed(state).map(({ template_id: id }) => id))];
  if (red.length > 0) return `${shortenList(red)} failed`;
  if (code === "STOP_NO_CHANGE") return "nothing changed";
  const findings = findFindings(state);
  return findings.length > 0 ? countNoun(findings.length, "finding") : code;
}

const LINES_BYTES = 6000;
const FINDINGS_BYTES = 4000;
const WORDS_BYTES = 4000;

function explainFailure(state: TickState, words: string | null): string {
  const parts = [
    ...listRed(state).map(describeRun),
    describeFindings(state),
    describeReview(state),
    words === null ? null : `The person who asked for the work says:\n\n${frameSection(words, WORDS_BYTES)}`,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join("\n\n") : describeEnd(state);
}

const writePrompt = (why: string): string => `

An earlier session worked on this, and its change was not kept. What it had changed, if anything, lies in the working
tree, uncommitted. Look at it first, keep what is right, and mend this:

${why}
`;

/** The folder that it may know from before has another name now, and files may have changed. */
const writeResumedPrompt = (why: string): string => `
Your change was not kept. What you had changed, if anything, lies in the working tree, uncommitted. The task, its limits
and the form of your answer are as before. Read a file again before you edit it, keep what is right, and mend this:

${why}
`;

function describeEnd(state: TickState): string {
  const outcome = findOutcome(state);
  if (outcome?.code === "STOP_NO_CHANGE")
    return "It changed nothing, but the task asks for a change. If the task cannot be done, say so in the result.";
  return outcome?.message ?? `It ended with ${outcome?.code ?? "no outcome"}.`;
}

function describeRun({
  template_id: id,
  cmd,
  args,
  exit_code: exit,
  oracle,
  committed,
  last_lines: lines,
}: VerificationRun): string {
  const how = exit === -1 ? "did not end by itself" : `ended with status ${exit}`;
  const tests = oracle === "base" ? " with the tests as they were before the change" : "";
  const files = committed === true ? " without the files that the person has not committed" : "";
  const shown = lines === undefined ? "" : ` Its last lines:\n\n${frameSection(lines.join("\n"), LINES_BYTES)}`;
  return `The check \`${id}\` failed${tests}${files}: \`${[cmd, ...args].join(" ")}\` ${how}.${shown}`;
}

function describeFindings(state: TickState): string | null {
  const findings = findFindings(state);
  if (findings.length === 0) return null;
  const list = findings.map(({ subject, rule }) => `${subject}: ${rule}`).join("\n");
  return `The rules of the repository found:\n\n${frameSection(list, FINDINGS_BYTES)}`;
}

function describeReview(state: TickState): string | null {
  const refused = findReview(state)?.reviews.filter(({ vote }) => vote === "refuse") ?? [];
  if (refused.length === 0) return null;
  const list = refused.flatMap(({ explanation, reasons }) => [explanation, ...reasons]);
  return `Reviewers refused it:\n\n${frameSection(list.join("\n"), FINDINGS_BYTES)}`;
}
