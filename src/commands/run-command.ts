import { runWithRepairs } from "../tick/run-repairs.ts";
import { renderRepairNotice, renderStartNotice } from "../cards/start-notice-text.ts";
import type { RunCommand } from "../terminal/command.ts";
import { openLive } from "../terminal/live.ts";
import { makeProcessSources } from "../terminal/live.ts";
import { printWarning } from "../terminal/refusal-answer.ts";
import { writeCommandLine } from "../terminal/choice-options.ts";
import { parseRunOptions } from "./run-options.ts";
import { parseAttempts } from "./parse-attempts.ts";
import { printTick } from "../terminal/tick-answer.ts";
import type { RunOptions } from "./run-spec.ts";

export const runRunCommand: RunCommand<RunOptions> = async ({ positionals, options, given }, session) => {
  const parsed = parseRunOptions(positionals, options);
  if (parsed.kind === "misused") return parsed;
  const several = await parseAttempts(parsed.source, options, session);
  if (several.kind === "misused") return several;
  const { answer, repaired } = await runWithRepairs({
    ...makeProcessSources(session),
    source: several.source,
    attempts: several.attempts,
    choices: parsed.choices,
    wishes: parsed.wishes,
    ...writeCommandLine("run", positionals, given),
    isDirty: options.flag("dirty"),
    isDryRun: options.flag("dry-run"),
    repairs: options.number("repairs"),
    onRepair: ({ report }, triesMax) => {
      session.stage.clear();
      if (!session.json && session.detail !== "quiet") session.err(renderRepairNotice(report, triesMax, session.prose));
    },
    announce: (notice) => {
      if (!session.json && session.detail !== "quiet") session.err(renderStartNotice(notice, session.prose));
    },
    emit: openLive(session, "run").emit,
  });
  session.stage.clear();
  const end = printTick(answer, session, repaired);
  const warning = answer.kind === "ended" ? await answer.notify() : null;
  if (warning !== null) printWarning(warning, session);
  if (answer.kind === "ended" && session.keyboard !== null)
    await (await import("../terminal/tick-keys.ts")).offerTickKeys(answer.report.run_id, session);
  return end;
};
