/**
 * A session without an agent: it plays a script, offline and always the same.
 *
 * The script is a file of the repository, read when the driver is chosen, or it is in the instructions of the task. It
 * reaches the playing process on standard input, so later changes to the file have no effect.
 */
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { parseWith } from "../base/schema-error.ts";
import { Script } from "../records/script.ts";
import { Task } from "../records/task.ts";
import { readLeftFile } from "../system/left-file.ts";
import { parseJson } from "../system/parse-json.ts";
import type { Driver, SessionReply, SessionRequest } from "./driver.ts";
import { runDropped } from "./dropped-session.ts";

const SCRIPT_BYTES_MAX = 4 * 1024 * 1024;

/** A program that plays the script on its standard input, with its arguments. */
export type ScriptPlayer = readonly [program: string, ...args: string[]];

/** Where a session finds its steps: pinned when the driver was chosen, or in each task. */
export type ScriptSource = { readonly kind: "file"; readonly script: Script } | { readonly kind: "task" };

export type ScriptChoice = ScriptSource | { readonly kind: "invalid"; readonly message: string };

/** Reads the configured script, which must be valid before anything begins. */
export async function chooseScript(
  { script: path }: Config["builder"]["scripted"],
  root: string,
): Promise<ScriptChoice> {
  if (path === null) return { kind: "task" };
  const file = await readLeftFile({ root, path }, SCRIPT_BYTES_MAX);
  if (file.kind !== "read") {
    const reason = file.kind === "missing" ? "there is no such file" : `it cannot be read (${file.reason})`;
    return refuse(`${join(root, path)}: ${reason}`);
  }
  return parseScript(decodeText(file.data), join(root, path));
}

const refuse = (message: string) => ({ kind: "invalid", message }) as const;

export function makeScriptedDriver(source: ScriptSource, [program, ...args]: ScriptPlayer): Driver {
  return {
    name: "scripted",
    runsSideBySide: true,
    run: async (request) => {
      const script = source.kind === "file" ? source : readTaskScript(request.taskText ?? "");
      if (script.kind === "invalid") return failPlay(script.message);
      const part = choosePart(script.script, request);
      if (part === null) return failPlay(`the script has no part for the ${request.role} ${request.name}`);
      const input = JSON.stringify(part);
      return runDropped(request, { program, args: () => args, input, outputFile: null });
    },
  };
}

/** The steps of this session; null where the script has none for it. */
function choosePart(script: Script, { role, name }: SessionRequest): Pick<Script, "steps"> | null {
  if (role !== "reviewer" && role !== "verifier") return { steps: script.steps };
  const steps = new Map(Object.entries(script.reviewers ?? {})).get(name ?? "");
  return steps === undefined ? null : { steps };
}

function readTaskScript(taskText: string): Exclude<ScriptChoice, { readonly kind: "task" }> {
  const task = parseWith(Task, parseJson(taskText));
  const instructions = task.kind === "valid" && "builder" in task.value ? task.value.builder?.instructions : undefined;
  if (instructions === undefined) return refuse("the task has no instructions with a script");
  return parseScript(instructions, "the instructions of the task are no script");
}

function failPlay(message: string): SessionReply {
  const failure = { kind: "failed", code: "STOP_INTERRUPTED", cause: "script_invalid", message } as const;
  return { ...failure, durationMs: 0, survivors: [], undead: [] };
}

const PROBLEMS_MAX = 5;

/** The script in a text, or its problems; `where` begins the message. */
function parseScript(text: string, where: string): Exclude<ScriptChoice, { readonly kind: "task" }> {
  const script = parseWith(Script, parseJson(text));
  if (script.kind === "valid") return { kind: "file", script: script.value };
  const problems = script.problems.slice(0, PROBLEMS_MAX).map(({ message }) => message);
  return refuse(`${where}: ${problems.join("; ")}`);
}

/** Bytes that are no text are no JSON either; replacing them would play something that nobody wrote. */
function decodeText(data: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    return "";
  }
}
