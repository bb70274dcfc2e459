import type { Choices } from "../config/choices.ts";
import { parseChoices } from "../terminal/choice-options.ts";
import type { RunCommand } from "../terminal/command.ts";
import { tryAgain } from "../terminal/try-again.ts";
import type { FixOptions } from "./fix-spec.ts";

export const runFix: RunCommand<FixOptions> = async ({ positionals: [asked = null], options }, session) => {
  const parsed = parseChoices(options);
  if (parsed.kind === "misused") return parsed;
  const choices: Choices = { ...parsed.choices, ...(options.flag("commit") ? { commit: true } : {}) };
  const source = { kind: "repair", asked, words: options.text("say") } as const;
  const { end, runId } = await tryAgain({ source, choices, isDryRun: options.flag("dry-run") }, session);
  if (runId !== null && session.keyboard !== null)
    await (await import("../terminal/tick-keys.ts")).offerTickKeys(runId, session);
  return end;
};
