import { runTree } from "../../../run/tree/run-tree.ts";
import type { OptionValues } from "../../framework/arguments.ts";
import type { CommandEnd, Session } from "../../framework/command.ts";
import { tellSeries } from "../../answers/series-answer.ts";
import { seriesSources } from "../../live/series-sources.ts";

/** `relais tree step` and `relais tree run`. */
export async function iterate(
  action: "step" | "run",
  options: OptionValues,
  session: Session,
): Promise<CommandEnd> {
  const limit = options.text("max-iterations");
  if (limit !== null && !/^[1-9]\d{0,8}$/.test(limit)) {
    const message = `--max-iterations is a number of 1 or more, not "${limit}"`;
    return { kind: "misused", message, problems: [] };
  }
  const answer = await runTree({
    ...seriesSources(session, `tree ${action}`),
    isStep: action === "step",
    maxIterations: limit === null ? null : Number(limit),
    isNew: options.flag("new"),
  });
  session.stage.clear();
  return tellSeries(answer, session);
}
