/** Reads the sentence of `relais run "…"` and makes an ordinary task from it. */
import { INSTRUCTIONS_CHARS_MAX } from "../records/task.ts";
import { createHash } from "node:crypto";
import { isAbsolute, resolve } from "node:path";
import type { Choices } from "../config/choices.ts";
import type { Config } from "../config/config.ts";
import type { WorkspaceState } from "../records/state.ts";
import { readConfiguredMode } from "./pure/task-admission.ts";
import { shorten, takeTitle } from "../base/words.ts";
import { readBounded } from "../system/bounded-file.ts";
import { readStandardInput } from "../system/standard-input.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import { combineProtection } from "../judge/pure/lifted-paths.ts";
import { findNewFilesRule } from "../checks/pure/apply-choices.ts";
import { makeOwnTask, type TaskFile, type TaskWishes } from "./read-task.ts";

/** The text itself, or where it is; the file is relative to `cwd`. */
export type SentenceSource = Omit<Sentence, "kind"> | { readonly file: string } | { readonly isStandardInput: true };

export interface Sentence {
  readonly kind: "sentence";
  readonly text: string;
  /** Not from a file or from another program, of which nobody knows who wrote it. */
  readonly isTyped: boolean;
}

/** The limit of a task. */
const INTENT_CHARS_MAX = 1200;
const BYTES_MAX = 4 * INSTRUCTIONS_CHARS_MAX;

export async function readSentence(source: SentenceSource, cwd: string): Promise<Sentence | Misuse> {
  if ("text" in source) return checkSentence(source.text, "the sentence", source.isTyped);
  const name = "file" in source ? `the file ${source.file}` : "the standard input";
  const read =
    "file" in source
      ? await readBounded(isAbsolute(source.file) ? source.file : resolve(cwd, source.file), BYTES_MAX)
      : await readStandardInput(BYTES_MAX);
  if (read.kind === "read") return checkSentence(read.data.toString("utf8"), name, false);
  if (read.kind === "missing") return reportMisuse(`${name} does not exist`);
  return read.why === "too_large" ? refuseTooLong(name) : reportMisuse(`${name} cannot be used: ${read.reason}`);
}

function checkSentence(given: string, name: string, isTyped: boolean): Sentence | Misuse {
  const text = given.trim();
  if (text === "") return reportMisuse(`${name} is empty; say what to change`);
  return text.length > INSTRUCTIONS_CHARS_MAX ? refuseTooLong(name) : { kind: "sentence", text, isTyped };
}

function refuseTooLong(name: string): Misuse {
  return reportMisuse(`${name} is too long: at most ${INSTRUCTIONS_CHARS_MAX} characters`);
}

interface SentencePlace {
  readonly config: Config;
  readonly configText: string;
  readonly state: Pick<WorkspaceState, "milestone_id">;
  readonly choices: Choices;
  readonly wishes: TaskWishes;
  /** What of the sentence may lift protected paths; they belong to its scope, too. */
  readonly typed: string;
}

/** How the id of a task begins that was made from a sentence. */
export const SENTENCE_ID = "sentence-";

/** The builder gets the whole text; the intent is what histories and commits show. */
export function makeSentenceTask(
  { text }: Sentence,
  { config, configText, state, choices, wishes, typed }: SentencePlace,
): TaskFile {
  const mode = readConfiguredMode(config);
  if (mode === "patch")
    return reportMisuse("`builder.default_mode` is `patch`, so nobody can build this; choose one with --agent");
  const parts = {
    task_id: `${SENTENCE_ID}${createHash("sha256").update(text).digest("hex").slice(0, 12)}`,
    milestone_id: state.milestone_id ?? "sentences",
    intent: shorten(takeTitle(text), INTENT_CHARS_MAX),
    builder: { mode, instructions: text },
  };
  const { default_allowed_globs: usual, default_forbidden_globs: configured } = config.scope;
  const { lifted_paths: lifted = [] } = combineProtection(configured, [], typed);
  // The other choices are part of the configuration by now. Ordinary work makes files.
  const isNewFilesAllowed = findNewFilesRule(configText) ?? true;
  const own = { allow: [...usual, ...lifted], isNewFilesAllowed, maxLines: null };
  return makeOwnTask(parts, { ...own, config, wishes, checks: choices.checks ?? null });
}
