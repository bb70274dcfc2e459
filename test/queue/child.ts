/**
 * A worker in a process of its own. It does what the lines on its standard input say, and answers each with a line.
 * Arguments: the name of the engine, its place, and the name of the worker.
 */
import { createInterface } from "node:readline";
import type { Claim } from "../../src/queue/pure/engine.ts";
import { unreachable } from "../../src/base/errors.ts";
import { jobResult } from "./jobs.ts";
import { type ChildCommand, toBytes } from "./child-command.ts";
import { ENGINES } from "./open-engine.ts";

const [, , name = "", place = "", worker = ""] = process.argv;
const engineName = Object.keys(ENGINES).find((one): one is keyof typeof ENGINES => one === name);
if (engineName === undefined) throw new Error(`there is no engine ${name}`);
const engine = await ENGINES[engineName](place);
const forever = new AbortController().signal;
let claim: Claim | null = null;

for await (const line of createInterface({ input: process.stdin })) {
  const command: ChildCommand = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ answer: (await perform(command)) ?? null })}\n`);
}

async function perform(command: ChildCommand): Promise<unknown> {
  if (command.do === "claim") {
    const { leaseMs, labels = [], until = "once" } = command;
    claim = await engine.claim(
      { id: worker, host: "here", pid: process.pid },
      { leaseMs, labels },
      { until, signal: forever },
    );
    return claim === null ? null : describe(claim);
  }
  if (command.do === "submit") return engine.submit(command.spec, command.terms, command.id);
  if (claim === null) throw new Error("there is no claim");
  return performHeld(claim, command);
}

async function performHeld(
  held: Claim,
  command: Exclude<ChildCommand, { do: "claim" } | { do: "submit" }>,
): Promise<unknown> {
  switch (command.do) {
    case "started":
      return held.started(command.process);
    case "append":
      return held.append(command.lines);
    case "attach":
      return held.attach(command.name, toBytes(command.text));
    case "spend":
      return held.spend(command.spent);
    case "finish":
      return held.finish(jobResult(command.result));
    case "is-lost":
      return held.lost.aborted;
    case "next-ask":
      for await (const ask of held.asked(forever)) return ask;
      return null;
    default:
      return unreachable(command);
  }
}

function describe({ job, attempt, token, spent, leftovers }: Claim) {
  return { job, attempt, token: String(token), spent, leftovers };
}
