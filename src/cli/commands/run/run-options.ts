import { validateGlob } from "../../../core/paths/glob-reading.ts";
import type { RunTaskRequest } from "../../../run/tick/run-task.ts";
import type { OptionValues } from "../../framework/arguments.ts";
import type { CommandEnd } from "../../framework/command.ts";

type Misused = Extract<CommandEnd, { kind: "misused" }>;

type RunOptions = { readonly kind: "parsed"; readonly source: RunTaskRequest["taskFile"] } | Misused;

/** Reads what the tick is to work on: a task, a patch and what it may do, or null for what the orchestrator proposes. */
export function parseRunOptions(options: OptionValues): RunOptions {
  const taskFile = options.text("task");
  const file = options.text("patch");
  if (taskFile !== null && file !== null) return misused("--task and --patch exclude each other");
  if (file !== null) return patchOptions(options, file);
  const stray = strayOption(options);
  if (stray !== null) return misused(`--${stray} belongs to --patch; a task says it itself`);
  return { kind: "parsed", source: taskFile };
}

function strayOption(options: OptionValues): string | null {
  const given = ["allow", "check", "intent"].find((name) => options.list(name).length > 0);
  return given ?? ["new-files", "no-checks"].find((name) => options.flag(name)) ?? null;
}

function patchOptions(options: OptionValues, file: string): RunOptions {
  const allow = options.list("allow");
  const checks = options.list("check");
  const areNoneRun = options.flag("no-checks");
  if (areNoneRun && checks.length > 0) return misused("--no-checks and --check exclude each other");
  for (const glob of allow) {
    const reason = validateGlob(glob);
    if (reason !== null) return misused(`the glob "${glob}" cannot be used: ${reason}`);
  }
  return {
    kind: "parsed",
    source: {
      file,
      allow: allow.length === 0 ? null : allow,
      isNewFilesAllowed: options.flag("new-files"),
      checks: areNoneRun || checks.length > 0 ? checks : null,
      intent: options.text("intent"),
    },
  };
}

function misused(message: string): Misused {
  return { kind: "misused", message, problems: [] };
}
