import { LANDING_OPTIONS } from "../terminal/choice-options.ts";
import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  ...LANDING_OPTIONS,
} as const satisfies OptionSpecs;

export type LandOptions = typeof options;

const NAMES_MAX = 64;

export const landSpec = defineCommand({
  name: "land",
  summary: SUMMARIES.land,
  usage: [
    "[NAME]... [--allow GLOB]... [--only GLOB]... [--check ID]... [--max-lines N] [--new-files] [--update-tests GLOB]...",
  ],
  description: [
    "NAME is a branch, a job, or a run in salvage; without one, all jobs of this repository that ended with commits",
    "and have not landed, in the order of their end. The change is put on top of HEAD in a private repository, then",
    "judged and checked there as a tick, and kept or reverted like any other. The commits of a branch stay, with",
    "their authors; the work of a run is kept as `relais run` would keep it. Nothing lands that was not judged in",
    "the state in which it lands. A change that conflicts is left alone: a job goes back once, with the conflict as",
    "context, and everything else waits for a person. A job that fails a check here goes back, too. Only a person",
    "lands: it is refused where the environment tells of an agent.",
    "Exit status 0: all landed; 10: one was stopped or conflicts; 11: could not start.",
  ],
  positionals: { max: NAMES_MAX, help: [["NAME", "a branch, a job, or a run: first or last letters of its id"]] },
  options,
  mustFinish: true,
  examples: [
    { line: "relais land", explains: "the jobs of this repository that have ended" },
    { line: "relais land relais/20260101T000000Z-1a2b3c4d", explains: "the commits of a branch" },
    { line: "relais land 1a2b3c4d", explains: "the saved work of a run" },
    { line: "relais land topic-a topic-b --new-files --json", explains: "one after the other, for a script" },
  ],
  load: async () => (await import("./land-command.ts")).runLand,
});
