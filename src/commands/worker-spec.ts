import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  slots: { type: "number", min: 1, max: 64, value: "N", help: "Jobs at the same time [1]" },
  labels: { type: "list", value: "LABEL,...", help: "Also take jobs that need these labels" },
  once: { type: "flag", help: "Take one job, or none if none can start, then end" },
  drain: { type: "flag", help: "End when no job is left that could start here" },
  unsandboxed: { type: "flag", help: "Take jobs without a sandbox, as the repositories configure it" },
} as const satisfies OptionSpecs;

export type WorkerOptions = typeof options;

export const workerSpec = defineCommand({
  name: "worker",
  summary: SUMMARIES.worker,
  usage: ["[--slots N] [--labels LABEL,...] [--once | --drain] [--unsandboxed]"],
  description: [
    "Each job runs in a clone of its own, as a relais of its own, with agents and checks in a sandbox. Several workers",
    "share the queue; a job of a worker that was killed is resumed by another one at once. Ctrl-C reverts the running",
    "changes and gives the jobs back; a second one ends it at once. Without a sandbox (bubblewrap) it takes no job.",
    "Exit status 0: ended; 10: a job that it took failed (--once); 11: it could not start.",
  ],
  options,
  examples: [
    { line: "relais worker --slots 2", explains: "two jobs at a time, until Ctrl-C" },
    { line: "relais worker --drain", explains: "all waiting jobs, then end" },
    { line: "relais worker --once --json", explains: "one job, for a CI step" },
  ],
  load: async () => (await import("./worker-command.ts")).runWorkerCommand,
});
