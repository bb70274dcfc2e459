import { defineCommand, defineGroup } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { FLEET_SPECS } from "./fleet-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const followOptions = {
  follow: { type: "flag", short: "f", help: "Go on with what changes, until Ctrl-C or the end of the job" },
} as const satisfies OptionSpecs;

export type QueueFollowOptions = typeof followOptions;

const JOB = ["JOB", "its name, or the beginning or end of it"] as const;
const ONE_JOB = { max: 1, help: [JOB] } as const;

export const queueSpec = defineGroup({
  name: "queue",
  summary: SUMMARIES.queue,
  description: [
    "The queue of this user on this machine, for all repositories. `relais queue` alone lists it.",
    "Exit status 0: done; 2: there is no such job; 10: refused, nothing changed.",
  ],
  defaultTo: "list",
  subcommands: [
    defineCommand({
      name: "list",
      summary: "List all jobs, the newest last",
      usage: ["[--follow]"],
      description: ["With what a waiting job waits for."],
      options: followOptions,
      examples: [{ line: "relais queue --follow", explains: "and each change" }],
      load: async () => (await import("./queue-command.ts")).listQueue,
    }),
    defineCommand({
      name: "show",
      summary: "Show one job",
      usage: ["JOB [--follow]"],
      description: ["Its state, result, spending and files. --follow prints its journal while it grows."],
      positionals: ONE_JOB,
      options: followOptions,
      examples: [{ line: "relais queue show 1a2b --follow", explains: "until it ends" }],
      load: async () => (await import("./queue-command.ts")).showJob,
    }),
    defineCommand({
      name: "cancel",
      summary: "End a job, also a running one",
      usage: ["JOB"],
      description: ["A running agent is ended within a second; its change is reverted and kept in salvage."],
      positionals: ONE_JOB,
      examples: [{ line: "relais queue cancel 1a2b", explains: "end it now" }],
      load: async () => (await import("./queue-command.ts")).cancelJob,
    }),
    defineCommand({
      name: "retry",
      summary: "Let a job that has ended wait again",
      usage: ["JOB"],
      description: ["It begins anew, from its base."],
      positionals: ONE_JOB,
      examples: [{ line: "relais queue retry 1a2b", explains: "after you fixed the cause" }],
      load: async () => (await import("./queue-command.ts")).retryJob,
    }),
    defineCommand({
      name: "move",
      summary: "Give a waiting job another priority",
      usage: ["JOB PRIORITY"],
      description: ["-9 to 9; a greater one goes first. Put -- before a negative one."],
      positionals: { max: 2, help: [JOB, ["PRIORITY", "-9 to 9"]] },
      examples: [{ line: "relais queue move 1a2b 9", explains: "first of all" }],
      load: async () => (await import("./queue-command.ts")).moveJob,
    }),
    defineCommand({
      name: "pause",
      summary: "Pause a job, or the whole queue",
      usage: ["[JOB]"],
      description: ["A running job ends its tick first and waits then. Without JOB no worker takes another job."],
      positionals: ONE_JOB,
      examples: [{ line: "relais queue pause", explains: "no new jobs" }],
      load: async () => (await import("./queue-command.ts")).pauseJob,
    }),
    defineCommand({
      name: "resume",
      summary: "Resume a paused job, or the whole queue",
      usage: ["[JOB]"],
      description: ["The series of the job goes on where it ended."],
      positionals: ONE_JOB,
      examples: [{ line: "relais queue resume", explains: "workers take jobs again" }],
      load: async () => (await import("./queue-command.ts")).resumeJob,
    }),
    ...FLEET_SPECS,
  ],
});
