import { basename, join } from "node:path";
import type { Config } from "../config/config.ts";
import { BUILDER_SLOTS, findTemplateProblem } from "./pure/framed-section.ts";
import { ORCHESTRATOR_SLOTS } from "./pure/orchestrator-prompt.ts";
import { parseDocument } from "../base/strict-json.ts";
import { readBounded } from "../system/bounded-file.ts";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import { SESSION_SCHEMAS, SHIPPED_PROMPTS } from "../workspace/session-files.ts";
import { listFolders } from "../system/list-folders.ts";
import { removeTree } from "../system/remove-files.ts";
import { killChild } from "../process/end-child.ts";
import { nameTickMarker } from "../process/reap-session.ts";

/**
 * The prompts and schemas of sessions, read when the tick starts: a later change has no effect.
 *
 * A prompt that is not in the workspace, as after an older `init`, is the shipped one; one that the
 * configuration names elsewhere must exist. Problems are found before an agent is called.
 */

/** With their slots not filled yet. */
interface PromptTexts {
  readonly system: string;
  readonly user: string;
}

export interface BuilderTexts extends PromptTexts {
  /** For the builder; its result is validated against relais' own schema. */
  readonly schema: object;
}

export interface PlanTexts extends PromptTexts {
  /** Empty where the file is missing. */
  readonly goal: string;
  readonly facts: string;
  /** For the orchestrator; its answer is validated against relais' own schema. */
  readonly schema: object;
}

interface PromptPlace {
  readonly root: string;
  readonly config: Config;
}

const FILE_BYTES_MAX = 1024 * 1024;

/** Becomes the `NotReady` of the command. */
class UnusableText extends Error {}

export async function readPlanTexts(place: PromptPlace): Promise<PlanTexts | NotReady> {
  const { orchestrator, workspace_dir: workspace } = place.config;
  return catchUnusable(async () => ({
    system: await readPrompt(place, orchestrator.system_prompt_file, []),
    user: await readPrompt(place, orchestrator.user_prompt_file, ORCHESTRATOR_SLOTS),
    goal: (await readFileText(place, `${workspace}/GOAL.md`)) ?? "",
    facts: (await readFileText(place, `${workspace}/FACTS.md`)) ?? "",
    schema: await readSchema(place, orchestrator.task_schema_file),
  }));
}

export async function readBuilderTexts(place: PromptPlace): Promise<BuilderTexts | NotReady> {
  const { claude_code: builder } = place.config.builder;
  return catchUnusable(async () => ({
    system: await readPrompt(place, builder.system_prompt_file, []),
    user: await readPrompt(place, builder.user_prompt_file, BUILDER_SLOTS),
    schema: await readSchema(place, builder.builder_result_schema_file),
  }));
}

async function catchUnusable<T>(read: () => Promise<T>): Promise<T | NotReady> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnusableText)) throw error;
    return refuseNotReady("prompt_unusable", error.message);
  }
}

async function readPrompt(place: PromptPlace, path: string, slots: readonly string[]): Promise<string> {
  const text = await readTextOrShipped(place, path, { folder: "prompts", shipped: SHIPPED_PROMPTS });
  const problem = findTemplateProblem(text, slots);
  if (problem !== null) throw new UnusableText(`The prompt ${path} cannot be used: ${problem}.`);
  return text;
}

async function readSchema(place: PromptPlace, path: string): Promise<object> {
  const text = await readTextOrShipped(place, path, { folder: "schemas", shipped: SESSION_SCHEMAS });
  if (typeof text !== "string") return text;
  const document = parseDocument(new TextEncoder().encode(text));
  if (document.kind === "broken") throw new UnusableText(`The schema ${path} ${document.problem}.`);
  return document.value;
}

interface ShippedTexts<T> {
  readonly folder: string;
  readonly shipped: Readonly<Record<string, T>>;
}

async function readTextOrShipped<T>(
  place: PromptPlace,
  path: string,
  { folder, shipped }: ShippedTexts<T>,
): Promise<string | T> {
  const text = await readFileText(place, path);
  if (text !== null) return text;
  const name = basename(path);
  const own = path === `${place.config.workspace_dir}/${folder}/${name}` ? shipped[name] : undefined;
  if (own === undefined) throw new UnusableText(`The file ${path} of the configuration does not exist.`);
  return own;
}

async function readFileText({ root }: PromptPlace, path: string): Promise<string | null> {
  const read = await readBounded(join(root, path), FILE_BYTES_MAX);
  if (read.kind === "missing") return null;
  if (read.kind === "refused") throw new UnusableText(`${path} cannot be used: ${read.reason}.`);
  return read.data.toString("utf8");
}

/** The folders of attempts that work side by side. Their tick holds the lock, so all others are left over. */

export function locateAttempts(stateDirectory: string, runId: string): string {
  return join(stateDirectory, "attempts", runId);
}

/** Ends the processes of attempts that are left over, and removes their folders. */
export async function clearAttempts(stateDirectory: string): Promise<void> {
  const folder = join(stateDirectory, "attempts");
  const left = await listFolders(folder);
  for (const runId of left) await killChild(null, nameTickMarker(runId));
  if (left.length > 0) removeAttempts(stateDirectory);
}

export function removeAttempts(stateDirectory: string): void {
  removeTree(Buffer.from(join(stateDirectory, "attempts")));
}
