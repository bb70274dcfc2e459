/**
 * Reads the patch of `relais run --patch`.
 *
 * Git reports problems of the patch itself. Here are the problems of the file, with the
 * typed name and a remedy.
 */
import { createHash } from "node:crypto";
import { isAbsolute, resolve, basename } from "node:path";
import { type BoundedRead, readBounded } from "../system/bounded-file.ts";
import { readStandardInput } from "../system/standard-input.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import type { Config } from "../config/config.ts";
import type { WorkspaceState } from "../records/state.ts";
import { makeOwnTask, type TaskWishes } from "./own-task.ts";
import type { TaskFile } from "./read-task.ts";

export interface PatchSource {
  /** A path, relative to `cwd`; `-` is the standard input. */
  readonly file: string;
  /** Null takes those of the configuration. */
  readonly allow: readonly string[] | null;
  readonly isNewFilesAllowed: boolean;
  /** Ids of templates; null takes every one that needs no parameters. */
  readonly checks: readonly string[] | null;
  /** Null takes the limit of the configuration, which a patch can only lower. */
  readonly maxLines: number | null;
  readonly intent: string | null;
}

export interface PatchText {
  readonly kind: "patch";
  readonly patch: string;
  readonly source: PatchSource;
}

type RefusedRead = Extract<BoundedRead, { kind: "refused" }>;

/** The limit of a task. A character has at most four bytes. */
const PATCH_CHARS_MAX = 500_000;
const PATCH_BYTES_MAX = 4 * PATCH_CHARS_MAX;

const SPLIT = "Split the patch, or apply it with `git apply` and check it with `relais judge`.";
const MAKE = "Make one with `git diff`: `git diff | relais run --patch -`.";
const AS_TEXT = "Make it again with `git diff --binary`.";
const BY_PIPE = "Name the file itself, or pipe it: `relais run --patch - < FILE`.";
const REMEDIES: Readonly<Record<RefusedRead["why"], string>> = {
  link: BY_PIPE,
  folder: "Name a file in that folder.",
  special: BY_PIPE,
  unreadable: "Make it readable: `chmod u+r FILE`, or ask its owner.",
  too_large: SPLIT,
};

export async function readPatch(source: PatchSource, cwd: string): Promise<PatchText | Misuse> {
  const { file } = source;
  const isPiped = file === "-";
  const name = isPiped ? "The standard input" : `The patch file ${file}`;
  const read = isPiped
    ? await readStandardInput(PATCH_BYTES_MAX)
    : await readBounded(isAbsolute(file) ? file : resolve(cwd, file), PATCH_BYTES_MAX);
  if (read.kind === "read") return readText(read.data, name, source);
  if (read.kind === "missing")
    return refusePatch(`${name} does not exist.`, `Check the name; relative names start at ${cwd}.`);
  if (read.why === "too_large") return refuseTooLong(name);
  return refusePatch(`${name} cannot be used: ${read.reason}.`, isPiped ? MAKE : REMEDIES[read.why]);
}

function readText(data: Buffer, name: string, source: PatchSource): PatchText | Misuse {
  const patch = decodeText(data);
  if (patch === null) return refusePatch(`${name} is not UTF-8 text.`, AS_TEXT);
  if (patch.trim() === "") return refusePatch(`${name} is empty.`, MAKE);
  return patch.length > PATCH_CHARS_MAX ? refuseTooLong(name) : { kind: "patch", patch, source };
}

function refuseTooLong(name: string): Misuse {
  return refusePatch(`${name} is too long: a patch has ${PATCH_CHARS_MAX} characters at most.`, SPLIT);
}

function decodeText(data: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return null;
  }
}

function refusePatch(message: string, remedy: string): Misuse {
  return { ...reportMisuse(message), remedy };
}

interface PatchPlace {
  readonly config: Config;
  readonly state: Pick<WorkspaceState, "milestone_id">;
  readonly wishes: TaskWishes;
}

/** `relais run --patch`: makes a task from a diff. */
export function makePatchTask({ patch, source }: PatchText, { config, state, wishes }: PatchPlace): TaskFile {
  const parts = {
    task_id: `patch-${createHash("sha256").update(patch).digest("hex").slice(0, 12)}`,
    milestone_id: state.milestone_id ?? "patches",
    intent: source.intent ?? `Apply ${source.file === "-" ? "a patch" : basename(source.file)}.`,
    builder: { mode: "patch", patch },
  };
  return makeOwnTask(parts, { ...source, config, wishes });
}
