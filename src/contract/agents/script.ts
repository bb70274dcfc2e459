/**
 * What a scripted session plays: a list of steps, one after the other, until one fails.
 *
 * It exists to show and to test what relais does with a builder, so a step may do whatever a builder could do, good or
 * bad. Paths are relative to the folder of the session and are not held back there.
 */
import * as v from "valibot";
import { Argv } from "../values/argv.ts";

const Path = v.pipe(v.string(), v.minLength(1), v.maxLength(4000), v.regex(/^[^\0]*$/, "a path has no NUL"));
/** How often a text is written: what makes a large file or a flood out of a short script. */
const Repeat = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000_000)), 1);
const Mode = v.pipe(v.string(), v.regex(/^[0-7]{3,4}$/, 'a mode is octal, like "0755"'));
const Signal = v.picklist(["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL", "SIGSEGV"]);

const PlayedStep = v.variant("do", [
  v.strictObject({ do: v.literal("write"), path: Path, text: v.string(), repeat: Repeat }),
  v.strictObject({ do: v.literal("append"), path: Path, text: v.string(), repeat: Repeat }),
  /** A file, or a folder with everything in it. */
  v.strictObject({ do: v.literal("delete"), path: Path }),
  v.strictObject({ do: v.literal("rename"), path: Path, to: Path }),
  v.strictObject({ do: v.literal("chmod"), path: Path, mode: Mode }),
  v.strictObject({ do: v.literal("mkdir"), path: Path }),
  v.strictObject({ do: v.literal("symlink"), path: Path, target: Path }),
  v.strictObject({
    do: v.literal("run"),
    argv: Argv,
    /** A status other than 0 is then no reason to stop. */
    may_fail: v.exactOptional(v.boolean(), false),
    /** Started in a session of its own and left behind. */
    background: v.exactOptional(v.boolean(), false),
  }),
  v.strictObject({ do: v.literal("sleep"), ms: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  v.strictObject({
    do: v.literal("print"),
    text: v.string(),
    repeat: Repeat,
    stream: v.exactOptional(v.picklist(["stdout", "stderr"]), "stdout"),
  }),
  /** Makes the builder deaf to these signals from here on. */
  v.strictObject({ do: v.literal("ignore"), signals: v.array(v.picklist(["SIGINT", "SIGTERM", "SIGHUP"])) }),
  v.strictObject({ do: v.literal("signal"), signal: Signal }),
  /** Leaves the result: a text as it stands, anything else as JSON. */
  v.strictObject({
    do: v.literal("result"),
    content: v.union([v.string(), v.record(v.string(), v.unknown())]),
  }),
  v.strictObject({
    do: v.literal("exit"),
    status: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255)),
  }),
]);
export type PlayedStep = v.InferOutput<typeof PlayedStep>;

const Steps = v.pipe(v.array(PlayedStep), v.maxLength(10_000));

export const Script = v.strictObject({
  /** What the builder does. */
  steps: Steps,
  /** What each reviewer does, by its name. */
  reviewers: v.exactOptional(v.record(v.string(), Steps)),
});
export type Script = v.InferOutput<typeof Script>;
