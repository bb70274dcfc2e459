/**
 * The process of a scripted session: plays the script on its standard input.
 *
 * It is started like any other builder, so that supervision, signals and crashes are the real thing.
 */
import { spawn } from "node:child_process";
import { appendFileSync, chmodSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Environment } from "../base/environment.ts";
import { describeError, unreachable } from "../base/errors.ts";
import { parseWith } from "../base/schema-error.ts";
import { Script, type PlayedStep } from "../records/script.ts";
import { makeFolders } from "../system/folders.ts";

const FAILED_STATUS = 1;
const INVALID_STATUS = 2;
const BLOCK_CHARS = 1024 * 1024;
/** A timer that is asked for more than this fires at once. */
const SLEEP_MS_MAX = 2 ** 31 - 1;

/** Plays the script to its end; the answer is the exit status. */
export async function playScript(environment: Environment): Promise<number> {
  // A builder dies of a signal; the handlers of relais itself would only take note of it.
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.removeAllListeners(signal);
  const script = parseWith(Script, JSON.parse(readFileSync(0, "utf8")));
  if (script.kind === "invalid") {
    await print("stderr", `the script is invalid: ${script.problems.map(({ message }) => message).join("; ")}\n`);
    return INVALID_STATUS;
  }
  for (const [index, step] of script.value.steps.entries()) {
    if (step.do === "exit") return step.status;
    try {
      await play(step, environment);
    } catch (error) {
      const reason = describeError(error);
      await print("stderr", `step ${index + 1} (${step.do}): ${reason}\n`);
      return FAILED_STATUS;
    }
  }
  return 0;
}

async function play(step: Exclude<PlayedStep, { do: "exit" }>, environment: Environment): Promise<void> {
  if ("path" in step) return playOnFiles(step);
  switch (step.do) {
    case "run":
      return step.background ? startBehind(step.argv) : run(step.argv, step.may_fail);
    case "sleep":
      return delay(Math.min(step.ms, SLEEP_MS_MAX));
    case "print":
      for (const block of splitBlocks(step)) await print(step.stream, block);
      return undefined;
    case "ignore":
      for (const signal of step.signals) process.on(signal, () => {});
      return undefined;
    case "signal":
      process.kill(process.pid, step.signal);
      // The signal comes a moment later, and nothing may happen in between.
      return delay(1000);
    case "result":
      return writeResult(step.content, environment["RELAIS_RESULT_PATH"]);
    default:
      return unreachable(step);
  }
}

type FileStep = Extract<PlayedStep, { readonly path: string }>;

function playOnFiles(step: FileStep): void {
  switch (step.do) {
    case "write":
      makeRoom(step.path);
      writeFileSync(step.path, "");
      return append(step);
    case "append":
      makeRoom(step.path);
      return append(step);
    case "delete":
      return rmSync(step.path, { recursive: true });
    case "rename":
      makeRoom(step.to);
      return renameSync(step.path, step.to);
    case "chmod":
      return chmodSync(step.path, Number.parseInt(step.mode, 8));
    case "mkdir":
      return makeFolders(step.path);
    case "symlink":
      makeRoom(step.path);
      return symlinkSync(step.target, step.path);
    default:
      return unreachable(step);
  }
}

function makeRoom(path: string): void {
  makeFolders(dirname(resolve(path)));
}

interface RepeatedText {
  readonly text: string;
  readonly repeat: number;
}

function append({ path, ...text }: RepeatedText & { readonly path: string }): void {
  for (const block of splitBlocks(text)) appendFileSync(path, block);
}

/** The repeated text in pieces of bounded size. */
function* splitBlocks({ text, repeat }: RepeatedText): Generator<string> {
  if (text === "") return;
  const most = Math.max(1, Math.floor(BLOCK_CHARS / text.length));
  for (let left = repeat; left > 0; left -= most) yield text.repeat(Math.min(most, left));
}

function print(stream: "stdout" | "stderr", text: string): Promise<void> {
  return new Promise((resolved) => {
    process[stream].write(text, () => resolved());
  });
}

function writeResult(content: string | Readonly<Record<string, unknown>>, path: string | undefined): void {
  if (path === undefined) throw new Error("RELAIS_RESULT_PATH is not set");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

function run([program = "", ...args]: readonly string[], mayFail: boolean): Promise<void> {
  return new Promise((resolved, rejected) => {
    const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", rejected);
    child.once("exit", (status, signal) => {
      if (status === 0 || mayFail) resolved();
      else rejected(new Error(`${program} ended with ${signal ?? `status ${status}`}`));
    });
  });
}

function startBehind([program = "", ...args]: readonly string[]): Promise<void> {
  return new Promise((resolved, rejected) => {
    const child = spawn(program, args, { stdio: "ignore", detached: true });
    child.once("error", rejected);
    child.once("spawn", () => {
      child.unref();
      resolved();
    });
  });
}
