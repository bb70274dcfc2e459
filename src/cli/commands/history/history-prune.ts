import { pruneHistory, type PruneWish } from "../../../run/decisions/prune-history.ts";
import { neutralise } from "../../../view/text/neutralise.ts";
import { renderPruned } from "../../../view/history/prune-text.ts";
import { refuseMisuse, type Misused, type RunCommand } from "../../framework/command.ts";
import type { Options } from "../../framework/option-spec.ts";
import { printFailure } from "../../answers/refusal-answer.ts";
import { getCanvas } from "../../framework/session-canvas.ts";
import type { HistoryPruneOptions } from "./history-spec.ts";

const NOT_ALL_STATUS = 10;

const WISHES = [
  ["keep", "keep"],
  ["older-than", "older-than-days"],
  ["to-mb", "to-mb"],
] as const;

/** `relais history prune`. */
export const prune: RunCommand<HistoryPruneOptions> = async ({ options }, session) => {
  const wish = wishOf(options);
  if (wish?.kind === "misused") return wish;
  const { cwd, environment, signal } = session;
  const isDryRun = options.flag("dry-run");
  const answer = await pruneHistory({ cwd, environment, signal, wish, isDryRun });
  if (answer.kind !== "pruned") return printFailure(answer, session);
  const { removed, held, bytesBefore, bytesAfter, privateBytes, problems } = answer;
  if (session.json) {
    const document = {
      dry_run: isDryRun,
      removed: removed.map(({ runId, bytes }) => ({ run_id: runId, bytes })),
      held: held.map(({ runId, reason }) => ({ run_id: runId, reason })),
      bytes_before: bytesBefore,
      bytes_after: bytesAfter,
      private_bytes: privateBytes,
      problems,
    };
    session.out(`${JSON.stringify(document)}\n`);
  } else if (session.detail !== "quiet")
    session.out(renderPruned(answer, { ...getCanvas(session), isWhole: session.detail === "all" }));
  for (const problem of problems) session.err(`relais: not done: ${neutralise(problem)}\n`);
  return { kind: "ended", status: problems.length === 0 ? 0 : NOT_ALL_STATUS };
};

/** Null where nothing was said, so that the configuration decides. */
function wishOf(options: Options<HistoryPruneOptions>): PruneWish | Misused {
  const given = WISHES.flatMap(([name, kind]) => {
    const number = options.number(name);
    return number === null ? [] : [{ name, kind, number }];
  });
  const [first, second] = given;
  if (first === undefined) return null;
  if (second !== undefined) return refuseMisuse(`--${first.name} and --${second.name} exclude each other`);
  return { kind: first.kind, number: first.number };
}
