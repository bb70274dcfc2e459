/**
 * The demonstration as data: acts with a sample repository, the commands typed in it, and what must be true afterwards.
 *
 * In the files of an act, `{node}` is the program that runs relais and `{folder}` the folder of the demonstration.
 */
import * as v from "valibot";
import { Script } from "./script.ts";
import { AnyCode } from "../base/any-code.ts";
import type { Report } from "./report.ts";

/** By path: a text, its lines, or anything else as JSON. */
const Files = v.record(v.string(), v.unknown());

const Sample = v.strictObject({
  repository: v.string(),
  files: Files,
  /** Files beside the repository. */
  beside: v.optional(Files, {}),
  subject: v.string(),
});
export type DemoSample = v.InferInput<typeof Sample>;

/** The typed line, words with spaces in double quotes; an exit status or signal if it is not 0. */
const Command = v.union([v.string(), v.strictObject({ line: v.string(), end: v.union([v.number(), v.string()]) })]);

/** A pattern that must be found this often, or at least once. */
const Expectation = v.strictObject({
  claim: v.string(),
  /** `output` of the last command, `log` for the subjects of all commits (oldest first), or the path of a file. */
  in: v.string(),
  matches: v.string(),
  times: v.exactOptional(v.number()),
});

const Tick = v.strictObject({
  asked: v.string(),
  does: v.array(v.string()),
  script: Script.entries.steps,
  /** The builder's own summary; null if it does not get that far. */
  says: v.nullable(v.string()),
  code: AnyCode,
  /** The paths of its commit; none if nothing may change. */
  commits: v.array(v.string()),
  /** Checks that fail before it. */
  fixes: v.exactOptional(v.array(v.string())),
});
export type DemoTick = v.InferOutput<typeof Tick>;

const Step = v.strictObject({
  id: v.string(),
  title: v.string(),
  about: v.exactOptional(v.string()),
  tick: v.exactOptional(Tick),
  commands: v.optional(v.array(Command), []),
  expects: v.optional(v.array(Expectation), []),
});
export type DemoStep = v.InferOutput<typeof Step>;

export const DemoAct = v.strictObject({
  id: v.string(),
  title: v.string(),
  about: v.string(),
  sample: Sample,
  steps: v.array(Step),
  /** What to try in the repository afterwards. */
  next: v.array(v.strictObject({ command: v.string(), explains: v.string() })),
});
export type DemoAct = v.InferOutput<typeof DemoAct>;

export interface DemoOutcome {
  readonly step: DemoStep;
  readonly ran: readonly DemoRan[];
  readonly claims: readonly { readonly words: string; readonly isTrue: boolean }[];
  readonly tick: DemoTickOutcome | null;
  readonly isAsExpected: boolean;
}

export interface DemoRan {
  readonly line: string;
  readonly end: number | string;
  readonly isAsExpected: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DemoTickOutcome {
  readonly report: Report;
  readonly before: DemoReading;
  readonly after: DemoReading;
  readonly damage: readonly string[];
  /** The paths that differ between the commits before and after; null if HEAD did not move. */
  readonly committed: readonly string[] | null;
}

export interface DemoReading {
  readonly head: string;
  readonly status: readonly string[];
  readonly fingerprint: { readonly sha256: string; readonly files: number };
}
