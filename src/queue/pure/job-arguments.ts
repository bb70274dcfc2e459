/**
 * From a job to the commands of relais that do it, in order.
 *
 * The arguments of a job have one form: options as `--name=value`, then `--`, then the words. A worker adds its own.
 */
import { unreachable } from "../../base/invariant.ts";
import type { JobCommand, JobSpec } from "./job.ts";

/** Options whose value is a file: in a job, the name of one of its files. */
const FILE_OPTIONS = ["file", "task", "patch", "criteria"];

/** The contract of a campaign, among the files of its job. */
export const CONTRACT_FILE = "campaign.json";

/** Counted anew by each command, so that a resumed series would get more than it was allowed. */
const ONCE = ["new", "max-ticks"];

export interface JobStart {
  /** Where the files of the job are. */
  readonly files: string;
  /** Whether its journal has a series that can be resumed. */
  readonly isBegun: boolean;
  /** Whether agents and checks must run in a sandbox, whatever the configuration says. */
  readonly isSandboxed: boolean;
}

type JobWork = Pick<JobSpec, "command" | "arguments" | "files" | "base">;

export function listJobCommands(job: JobWork, start: JobStart): readonly (readonly string[])[] {
  const { options, words } = splitArguments(job.arguments);
  const own = options.filter((option) => !start.isSandboxed || nameOption(option) !== "sandbox");
  const given = own.map((option) => locateFile(option, start)).filter((option) => !isSpent(option, start));
  const common = [...(start.isSandboxed ? ["--sandbox=required"] : []), "--json", "--plain"];
  const last = ["--", ...words];
  switch (job.command) {
    case "run":
      return [["run", ...given, "--commit", ...common, ...last]];
    case "task":
      return [["run", `--task=${start.files}/${words[0] ?? ""}`, ...given, "--commit", ...common]];
    case "goal":
      if (start.isBegun) return [["goal", "resume", ...common]];
      return [["goal", ...given, `--base=${job.base.commit}`, ...common, ...last]];
    case "campaign": {
      const run = ["campaign", "run", ...given, ...common, ...last];
      const isPlanned = start.isBegun || !(CONTRACT_FILE in job.files);
      const plan = ["campaign", "brainstorm", `--from=${start.files}/${CONTRACT_FILE}`, "--yes", "--json"];
      return isPlanned ? [run] : [plan, run];
    }
    case "tree":
      return [["tree", "run", ...given, ...common]];
    case "loop":
      return [["loop", ...given, ...common]];
    default:
      return unreachable(job.command);
  }
}

/** Whether the command is one tick, which is repeated and not resumed. */
export function isSingleTick(command: JobCommand): boolean {
  return command === "run" || command === "task";
}

export function splitArguments(words: readonly string[]): {
  readonly options: readonly string[];
  readonly words: readonly string[];
} {
  const at = words.indexOf("--");
  return at === -1 ? { options: words, words: [] } : { options: words.slice(0, at), words: words.slice(at + 1) };
}

const nameOption = (option: string): string => /^--(?<name>[^=]*)/.exec(option)?.groups?.["name"] ?? "";

function locateFile(option: string, { files }: JobStart): string {
  const name = nameOption(option);
  if (!FILE_OPTIONS.includes(name)) return option;
  return `--${name}=${files}/${option.slice(name.length + 3)}`;
}

function isSpent(option: string, { isBegun }: JobStart): boolean {
  return isBegun && ONCE.includes(nameOption(option));
}

export function isFileOption(name: string): boolean {
  return FILE_OPTIONS.includes(name);
}
