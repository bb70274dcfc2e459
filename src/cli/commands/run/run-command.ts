import { runTask } from "../../../run/tick/run-task.ts";
import type { RunCommand } from "../../framework/command.ts";
import { openLive } from "../../live/live.ts";
import { makeProcessSources } from "../../live/process-sources.ts";
import { printWarning } from "../../answers/refusal-answer.ts";
import { parseRunOptions } from "./run-options.ts";
import { printTick } from "../../answers/tick-answer.ts";
import type { RunOptions } from "./run-spec.ts";

export const runRunCommand: RunCommand<RunOptions> = async ({ options }, session) => {
  const parsed = parseRunOptions(options);
  if (parsed.kind === "misused") return parsed;
  const answer = await runTask({
    ...makeProcessSources(session),
    taskFile: parsed.source,
    isDryRun: options.flag("dry-run"),
    emit: openLive(session, "run").emit,
  });
  session.stage.clear();
  const end = printTick(answer, session);
  const warning = answer.kind === "ended" ? await answer.notify() : null;
  if (warning !== null) printWarning(warning, session);
  return end;
};
