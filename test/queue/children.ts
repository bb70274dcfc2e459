/** Workers in processes of their own, so that a test can stop and kill them. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { scratchFolder } from "../support/scratch-repository.ts";
import type { ChildCommand } from "./child-command.ts";
import type { EngineName } from "./open-engine.ts";

export interface Child {
  readonly pid: number;
  readonly ask: (command: ChildCommand) => Promise<unknown>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Kills it, and resolves once it is gone. */
  readonly end: () => Promise<void>;
}

export interface ChildStarter {
  readonly start: (place: string, worker: string) => Child;
  readonly endAll: () => Promise<void>;
}

/** A package of the server's client is CommonJS, and asks for modules of Node. */
export const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/** Bundles the program once, because Node 20 cannot run it as it is. */
export async function prepareChildren(engine: EngineName): Promise<ChildStarter> {
  const outfile = join(scratchFolder(), "child.mjs");
  await build({
    entryPoints: [resolve("test/queue/child.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: REQUIRE },
    logLevel: "error",
  });
  const children: Child[] = [];
  return {
    start: (place, worker) => {
      const child = openChild(spawn(process.execPath, [outfile, engine, place, worker]));
      children.push(child);
      return child;
    },
    endAll: async () => {
      await Promise.all(children.map(({ end }) => end()));
    },
  };
}

function openChild(process: ChildProcessWithoutNullStreams): Child {
  const answers = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  const gone = once(process, "exit");
  let errors = "";
  process.stderr.on("data", (data: Buffer) => (errors += data.toString("utf8")));
  return {
    pid: process.pid ?? 0,
    ask: async (command) => {
      process.stdin.write(`${JSON.stringify(command)}\n`);
      const { value, done } = await answers.next();
      if (done === true) throw new Error(`the process ended: ${errors}`);
      const { answer }: { answer: unknown } = JSON.parse(value);
      return answer;
    },
    kill: (signal) => void process.kill(signal),
    end: async () => {
      process.kill("SIGKILL");
      await gone;
    },
  };
}
