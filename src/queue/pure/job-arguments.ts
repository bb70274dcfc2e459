import { unreachable } from "../../base/errors.ts";
import type { JobCommand, JobSpec, JobHead } from "./job.ts";
import type { Config } from "../../config/config.ts";

/**
 * From a job to the commands of relais that do it, in order.
 *
 * The arguments of a job have one form: options as `--name=value`, then `--`, then the words. A worker adds its own.
 */

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

type Caps = JobHead["caps"];

/** Before the repository is cloned: only the ticks that the person asked for. Its own configuration decides the rest. */
export function listAskedCaps(command: JobCommand, asked: number | null): Caps {
  const ticks = isSingleTick(command) ? 1 : asked === null ? null : asked * (command === "goal" ? TICKS_A_TURN : 1);
  return { ticks, sessions: null, seconds: null, dollars: null };
}

/** The most that a job may cost. `asked` is the number that the person gave for ticks, turns or iterations. */
export function listJobCaps(command: JobCommand, config: Config, asked: number | null): Caps {
  const { per_milestone, per_run } = config.budgets;
  const budgets = [per_milestone, per_run];
  const ticks = Math.min(countTicks(command, config, asked), ...budgets.map(({ max_ticks }) => max_ticks));
  const dollars = budgets.flatMap(({ max_estimated_cost_usd: cap }) => cap ?? []);
  return {
    ticks,
    sessions: isSingleTick(command) ? 1 + config.review.reviewers.length : Math.min(...budgets.map(countSessions)),
    seconds: Math.ceil(ticks * config.runner.max_tick_seconds),
    dollars: dollars.length === 0 ? null : Math.min(...dollars),
  };
}

function countSessions(caps: Config["budgets"]["per_run"]): number {
  return caps.max_orchestrator_calls + caps.max_builder_calls + caps.max_reviewer_calls;
}

/** A turn of a goal is built in one tick and reviewed in another. */
const TICKS_A_TURN = 2;

function countTicks(command: JobCommand, config: Config, asked: number | null): number {
  if (isSingleTick(command)) return 1;
  if (command === "goal") return TICKS_A_TURN * (asked ?? config.goal.max_turns);
  if (command === "tree") return Math.min(asked ?? Infinity, config.tree.max_iterations);
  return asked ?? Infinity;
}

/** The options that ask for a number of ticks, turns or iterations. */
export const COUNT_OPTIONS = ["max-ticks", "max-turns", "max-iterations", "max-iter"];
