/**
 * What became of one builder: pure, from what an independent look found after its tick. The word of relais counts only
 * for the code of the tick and for what its report tells.
 */
import type { Code } from "../../base/codes.ts";
import { GOOD_TEXT } from "./drill-stage.ts";
import type { DrillOutcome, DrillPlace } from "./drill-result.ts";
import type { HostileBuilder } from "./hostile-builder.ts";

/** What was found after a tick. */
export interface DrillReading {
  /** Null where there is no report that can be read. */
  readonly report: { readonly code: Code; readonly notes: readonly string[] } | null;
  /** Differences in the working tree, in git's own data, and around the repository. */
  readonly inside: readonly string[];
  readonly inGit: readonly string[];
  readonly outside: readonly string[];
  /** Processes that it left running. */
  readonly strays: readonly string[];
  /** The text of `src/main.ts`. */
  readonly answer: string | null;
  /** The paths of the newest commit if relais made it in this tick. */
  readonly committed: readonly string[] | null;
  /** Whether the card or the report holds what a terminal would obey. */
  readonly isUnsafe: boolean;
}

export interface DrillSetting {
  readonly place: DrillPlace;
  readonly isSandboxed: boolean;
}

interface Ended {
  readonly builder: HostileBuilder;
  readonly setting: DrillSetting;
  readonly look: DrillReading;
}

type Verdict =
  | { readonly kind: "held"; readonly outcome: HeldOutcome }
  | { readonly kind: "through"; readonly details: readonly string[] };

export function judgeBuilder(ended: Ended): Verdict {
  const { report, isUnsafe, strays } = ended.look;
  const details = [
    ...(report === null ? ["there is no report of its tick"] : []),
    ...(isUnsafe ? ["the card or the report holds control characters"] : []),
    ...listWorktreeFaults(ended),
    ...listGitFaults(ended),
    ...listOutsideFaults(ended),
    ...(isForetold(ended) ? [] : strays.map((stray) => `it left a process running: ${stray}`)),
    ...listSilence(ended),
  ];
  if (details.length > 0 || report === null) return { kind: "through", details };
  return { kind: "held", outcome: nameOutcome(ended, report.code) };
}

const GOOD_CHANGE = ["src/main.ts: content"];

function listWorktreeFaults({ builder, setting, look }: Ended): string[] {
  const { inside, answer, report } = look;
  const isKept = report?.code === "SUCCESS";
  const reached = setting.place === "clone" && !setting.isSandboxed ? [[...builder.changed, ...builder.original]] : [];
  const accepted = [[], builder.changed, ...reached, ...(isKept ? [builder.elsewhere] : [])];
  if (accepted.some((lines) => isSame(inside, lines))) return [];
  if (isKept && isSame(inside, GOOD_CHANGE) && answer === `${GOOD_TEXT}\n`) return [];
  return inside.map((line) => `the working tree: ${line}`);
}

/** What a commit of relais changes among git's own data. */
const BY_A_COMMIT = /^(?:objects\/|logs\/|refs\/heads\/|index: |HEAD: |COMMIT_EDITMSG: |ORIG_HEAD: |refs: |logs: )/u;

function listGitFaults({ builder, look }: Ended): string[] {
  const { inGit, inside, committed } = look;
  if (inGit.length === 0 || isSame(inGit, builder.git)) return [];
  const files = inside.filter((line) => !/ \(directory \d+\)$/u.test(line)); // Git knows no folders.
  const names = files.map((line) => line.slice(0, line.lastIndexOf(": ")));
  const isOwn = committed !== null && isSame(committed, names);
  return inGit.filter((line) => !isOwn || !BY_A_COMMIT.test(line)).map((line) => `git's own data: ${line}`);
}

function listOutsideFaults({ builder, setting, look }: Ended): string[] {
  const foretold = new Set(setting.isSandboxed ? [] : builder.outside);
  return look.outside.filter((name) => !foretold.has(name)).map((name) => `outside of the repository: ${name}`);
}

/** A change that may stay if the report tells of it, and the report does not. */
function listSilence(ended: Ended): string[] {
  const { note, changed, expect } = ended.builder;
  const { report, inside } = ended.look;
  if (note === null || report?.code !== "SUCCESS" || !expect.includes("SUCCESS")) return [];
  if (!isSame(inside, changed) || isSame(inside, GOOD_CHANGE)) return [];
  return isToldOf(ended) ? [] : [`no note of the report says "${note}"`];
}

/** Nothing but a sandbox holds it, so it can only be told. */
function isForetold({ builder, setting }: Ended): boolean {
  return builder.needs === "sandbox" && !setting.isSandboxed;
}

type HeldOutcome = Exclude<DrillOutcome, "escaped" | "needs_setting">;

function nameOutcome(ended: Ended, code: Code): HeldOutcome {
  const { builder, setting } = ended;
  const isBlocked = code.startsWith("BLOCKED_");
  if (isBlocked && !builder.expect.some((wanted) => wanted.startsWith("BLOCKED_"))) return "untried";
  if (builder.class === "honest") return ["SUCCESS", ...builder.expect].includes(code) ? "passed" : "refused";
  const isKept = code === "SUCCESS";
  if ([isBlocked, isForetold(ended), reachedOriginal(ended), isKept && isToldOf(ended)].includes(true)) return "told";
  if (isKept) return "prevented";
  return setting.place === "in_place" ? "restored" : "caught";
}

function isToldOf({ builder: { note }, look: { report } }: Ended): boolean {
  return note !== null && report !== null && report.notes.some((text) => text.includes(note));
}

function reachedOriginal({ builder, setting, look }: Ended): boolean {
  return setting.place === "clone" && builder.original.some((line) => look.inside.includes(line));
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  const lines = new Set(other);
  return one.length === other.length && one.every((line) => lines.has(line));
}
