/**
 * The steps of a scripted session, which ends at the first failure. It shows and tests how relais treats a builder, so
 * a step may do anything that a builder could do. Paths are relative to the folder of the session, but may leave it.
 */
import * as v from "valibot";
import { Argv } from "../base/quantity.ts";

const Path = v.pipe(v.string(), v.minLength(1), v.maxLength(4000), v.regex(/^[^\0]*$/, "a path has no NUL"));
/** Makes a large file or a flood of output out of a short script. */
const Repeat = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000_000)), 1);
const Mode = v.pipe(v.string(), v.regex(/^[0-7]{3,4}$/, 'a mode is octal, like "0755"'));
const Signal = v.picklist(["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL", "SIGSEGV"]);

const PlayedStep = v.variant("do", [
  v.strictObject({ do: v.literal("write"), path: Path, text: v.string(), repeat: Repeat }),
  v.strictObject({ do: v.literal("append"), path: Path, text: v.string(), repeat: Repeat }),
  v.strictObject({ do: v.literal("delete"), path: Path }),
  v.strictObject({ do: v.literal("rename"), path: Path, to: Path }),
  v.strictObject({ do: v.literal("chmod"), path: Path, mode: Mode }),
  v.strictObject({ do: v.literal("mkdir"), path: Path }),
  v.strictObject({ do: v.literal("symlink"), path: Path, target: Path }),
  v.strictObject({
    do: v.literal("run"),
    argv: Argv,
    may_fail: v.exactOptional(v.boolean(), false),
    /** Started in a session of its own and left running. */
    background: v.exactOptional(v.boolean(), false),
  }),
  v.strictObject({ do: v.literal("sleep"), ms: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  v.strictObject({
    do: v.literal("print"),
    text: v.string(),
    repeat: Repeat,
    stream: v.exactOptional(v.picklist(["stdout", "stderr"]), "stdout"),
  }),
  /** The builder ignores these signals from here on. */
  v.strictObject({ do: v.literal("ignore"), signals: v.array(v.picklist(["SIGINT", "SIGTERM", "SIGHUP"])) }),
  v.strictObject({ do: v.literal("signal"), signal: Signal }),
  /** Leaves the result: a text as it is, anything else as JSON. */
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
  steps: Steps,
  reviewers: v.exactOptional(v.record(v.string(), Steps)),
});
export type Script = v.InferOutput<typeof Script>;
