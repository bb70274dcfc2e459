import { runTree } from "../workflows/run-tree.ts";
import type { CommandEnd, RunCommand, Session } from "../terminal/command.ts";
import { parseChoices } from "../terminal/choice-options.ts";
import { printSeries } from "../terminal/series-answer.ts";
import { makeSeriesSources } from "../terminal/live.ts";
import type { TreeRunOptions, TreeStepOptions } from "./tree-spec.ts";

export const step: RunCommand<TreeStepOptions> = ({ options }, session) =>
  runIterations("step", { maxIterations: null, isNew: options.flag("new"), parsed: parseChoices(options) }, session);

export const runTreeCommand: RunCommand<TreeRunOptions> = ({ options }, session) => {
  const maxIterations = options.number("max-iterations");
  return runIterations("run", { maxIterations, isNew: options.flag("new"), parsed: parseChoices(options) }, session);
};

interface Iterations {
  readonly maxIterations: number | null;
  readonly isNew: boolean;
  readonly parsed: ReturnType<typeof parseChoices>;
}

async function runIterations(action: "step" | "run", iterations: Iterations, session: Session): Promise<CommandEnd> {
  const { parsed, ...asked } = iterations;
  if (parsed.kind === "misused") return parsed;
  const answer = await runTree({
    ...makeSeriesSources(session, `tree ${action}`),
    ...asked,
    choices: parsed.choices,
    isStep: action === "step",
  });
  session.stage.clear();
  return printSeries(answer, session);
}
