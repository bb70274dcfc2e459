/**
 * The demonstration as data: acts with a sample repository, the commands typed in it, and what must be true afterwards.
 *
 * In the files of an act, `{node}` is the program that runs relais and `{folder}` the folder of the demonstration.
 */
import * as v from "valibot";
import { Script } from "../agents/script.ts";
import { AnyCode } from "../values/any-code.ts";
import type { Report } from "./report.ts";

/** By path: a text, its lines, or anything else as JSON. */
const Files = v.record(v.string(), v.unknown());

const Sample = v.strictObject({
  /** The name of its folder. */
  repository: v.string(),
  files: Files,
  /** Files beside the repository, by their path in the folder of the demonstration. */
  beside: v.optional(Files, {}),
  /** The subject of its first commit. */
  subject: v.string(),
});
export type DemoSample = v.InferInput<typeof Sample>;

/** What is typed, words with spaces in double quotes; where it must not end with 0, its exit status or its signal. */
const Command = v.union([v.string(), v.strictObject({ line: v.string(), end: v.union([v.number(), v.string()]) })]);

/** A pattern that must be found so many times, or at least once. */
const Expectation = v.strictObject({
  claim: v.string(),
  /** `output` of the last command, `log` for the subjects of all commits (oldest first), or the path of a file. */
  in: v.string(),
  matches: v.string(),
  times: v.exactOptional(v.number()),
});

/** A step that is one tick: its task, its builder and its end. */
const Tick = v.strictObject({
  asked: v.string(),
  /** What the builder does, in words, and as a script. */
  does: v.array(v.string()),
  script: Script.entries.steps,
  /** What it says about its own work; null where it does not get that far. */
  says: v.nullable(v.string()),
  code: AnyCode,
  /** The paths of the commit that its change becomes; none where everything must be as before, byte for byte. */
  commits: v.array(v.string()),
});
export type DemoTick = v.InferOutput<typeof Tick>;

const Step = v.strictObject({
  id: v.string(),
  title: v.string(),
  about: v.exactOptional(v.string()),
  tick: v.exactOptional(Tick),
  commands: v.optional(v.array(Command), []),
  /** After every step git status must be clean besides. */
  expects: v.optional(v.array(Expectation), []),
});
export type DemoStep = v.InferOutput<typeof Step>;

export const DemoAct = v.strictObject({
  /** What `relais demo` knows it by. */
  id: v.string(),
  title: v.string(),
  about: v.string(),
  sample: Sample,
  steps: v.array(Step),
  /** What to type in the repository afterwards. */
  next: v.array(v.strictObject({ command: v.string(), explains: v.string() })),
});
export type DemoAct = v.InferOutput<typeof DemoAct>;

export interface DemoOutcome {
  readonly step: DemoStep;
  readonly ran: readonly DemoRan[];
  readonly claims: readonly { readonly words: string; readonly isTrue: boolean }[];
  /** Null where the step is not one tick. */
  readonly tick: DemoTickOutcome | null;
  /** Whether everything came out as the data says. */
  readonly isAsExpected: boolean;
}

export interface DemoRan {
  /** As it is typed. */
  readonly line: string;
  /** The exit status, or the signal that ended it. */
  readonly end: number | string;
  readonly isAsExpected: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DemoTickOutcome {
  readonly report: Report;
  readonly before: DemoLook;
  readonly after: DemoLook;
  /** What git listed as changed right after a crash. */
  readonly damage: readonly string[];
  /** The paths that differ between the commits before and after; null where HEAD is the same. */
  readonly committed: readonly string[] | null;
}

/** The repository by git and the file system alone. */
export interface DemoLook {
  readonly head: string;
  /** What `git status` lists, one entry for each path. */
  readonly status: readonly string[];
  readonly fingerprint: { readonly sha256: string; readonly files: number };
}
