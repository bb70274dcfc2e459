/** What a person chooses on the command line. It changes the configuration of one command, and a series records it. */
import * as v from "valibot";
import { Positive } from "../base/quantity.ts";
import { TaskGlob } from "../base/repository-path.ts";
import { Model } from "./agents.ts";
import { SandboxWish } from "./repository.ts";

export const MAX_LINES = 20_000;

export const Choices = v.strictObject({
  agent: v.exactOptional(v.picklist(["claude_code", "codex", "command"])),
  /** The model that the builder uses. */
  model: v.exactOptional(Model),
  /** Added to the allowed globs; a forbidden one stays forbidden. */
  allow: v.exactOptional(v.pipe(v.array(TaskGlob), v.minLength(1), v.maxLength(64))),
  /** Takes the place of the allowed globs. */
  only: v.exactOptional(v.pipe(v.array(TaskGlob), v.minLength(1), v.maxLength(64))),
  /** Ids of templates. An empty list is no check at all. */
  checks: v.exactOptional(v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(64))), v.maxLength(16))),
  /** Checks that may fail before the work, which is to make them pass. */
  fixes: v.exactOptional(
    v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(64))), v.minLength(1), v.maxLength(16)),
  ),
  max_lines: v.exactOptional(v.pipe(Positive, v.maxValue(MAX_LINES))),
  new_files: v.exactOptional(v.boolean()),
  /** Each change waits for a person. */
  ask: v.exactOptional(v.literal(true)),
  /** A single tick commits the change that it keeps. */
  commit: v.exactOptional(v.literal(true)),
  sandbox: v.exactOptional(SandboxWish),
});
export type Choices = v.InferOutput<typeof Choices>;

export type ScopeChoices = Partial<Readonly<Record<"allow" | "only", readonly string[]>>>;

/** The allowed globs after the choices of a person; an empty list is no choice. */
export function chooseGlobs(usual: readonly string[], { allow = [], only = [] }: ScopeChoices): string[] {
  return [...new Set([...(only.length === 0 ? usual : only), ...allow])];
}

export type ChosenAgent = NonNullable<Choices["agent"]>;
