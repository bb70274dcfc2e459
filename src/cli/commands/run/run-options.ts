import { validateGlob } from "../../../core/paths/glob-reading.ts";
import type { RunTaskRequest } from "../../../run/tick/run-task.ts";
import { refuseMisuse, type Misused } from "../../framework/command.ts";
import type { Options } from "../../framework/option-spec.ts";
import type { RunOptions } from "./run-spec.ts";

type ParsedOptions = { readonly kind: "parsed"; readonly source: RunTaskRequest["taskFile"] } | Misused;

/** Reads what the tick is to work on: a task, a patch and what it may do, or null for what the orchestrator proposes. */
export function parseRunOptions(options: Options<RunOptions>): ParsedOptions {
  const taskFile = options.text("task");
  const file = options.text("patch");
  if (taskFile !== null && file !== null) return refuseMisuse("--task and --patch exclude each other");
  if (file !== null) return parsePatchOptions(options, file);
  const ofPatch = findPatchOption(options);
  if (ofPatch !== null) return refuseMisuse(`--${ofPatch} needs --patch; a task has its own`);
  return { kind: "parsed", source: taskFile };
}

/** An option that only a patch takes, where one was given. */
function findPatchOption(options: Options<RunOptions>): string | null {
  const list = (["allow", "check"] as const).find((name) => options.list(name).length > 0);
  const flag = (["new-files", "no-checks"] as const).find((name) => options.flag(name));
  return list ?? (options.text("intent") === null ? flag : "intent") ?? null;
}

function parsePatchOptions(options: Options<RunOptions>, file: string): ParsedOptions {
  const allow = options.list("allow");
  const checks = options.list("check");
  const areNoneRun = options.flag("no-checks");
  if (areNoneRun && checks.length > 0) return refuseMisuse("--no-checks and --check exclude each other");
  for (const glob of allow) {
    const reason = validateGlob(glob);
    if (reason !== null) return refuseMisuse(`the glob "${glob}" cannot be used: ${reason}`);
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
