import { pruneHistory, type PruneWish } from "../decide/prune-history.ts";
import { neutralise } from "../base/style.ts";
import { renderPruned } from "../cards/decision-text.ts";
import { refuseMisuse, type Misused, type RunCommand } from "../terminal/command.ts";
import type { Options } from "../terminal/option-spec.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import type { HistoryPruneOptions } from "./history-spec.ts";

const NOT_ALL_STATUS = 10;

const WISHES = [
  ["keep", "keep"],
  ["older-than", "older-than-days"],
  ["to-mb", "to-mb"],
] as const;

export const prune: RunCommand<HistoryPruneOptions> = async ({ options }, session) => {
  const wish = parseWish(options);
  if (wish?.kind === "misused") return wish;
  const isDryRun = options.flag("dry-run");
  const answer = await pruneHistory({ ...session, wish, isDryRun });
  if (answer.kind !== "pruned") return printFailure(answer, session);
  const { removed, held, problems } = answer;
  const document = {
    dry_run: isDryRun,
    removed: removed.map((folder) => makeDocument(folder, ["runId", "bytes"])),
    held: held.map((folder) => makeDocument(folder, ["runId", "reason"])),
    ...makeDocument(answer, ["bytesBefore", "bytesAfter", "privateBytes", "problems"]),
  };
  printAnswer(
    { document, text: () => renderPruned(answer, { ...session, isWhole: session.detail === "all" }) },
    session,
  );
  for (const problem of problems) session.err(`relais: not done: ${neutralise(problem)}\n`);
  return { kind: "ended", status: problems.length === 0 ? 0 : NOT_ALL_STATUS };
};

/** Null where nothing was said, so that the configuration decides. */
function parseWish(options: Options<HistoryPruneOptions>): PruneWish | Misused {
  const given = WISHES.flatMap(([name, kind]) => {
    const number = options.number(name);
    return number === null ? [] : [{ name, kind, number }];
  });
  const [first, second] = given;
  if (first === undefined) return null;
  if (second !== undefined) return refuseMisuse(`--${first.name} and --${second.name} exclude each other`);
  return { kind: first.kind, number: first.number };
}
