import { findRun } from "../journal/pure/journal-runs.ts";
import { type Refusal, refuse } from "../records/command-failure.ts";
import { refuseMisuse, type Misused } from "./command.ts";

export type RunChoice = { readonly kind: "run"; readonly runId: string } | Misused | Refusal;

/** Finds the named tick among the known ones, newest first. */
export function chooseRun(asked: string | null, known: readonly string[], nothing: string): RunChoice {
  const found = findRun(asked, known);
  if (found.kind === "run") return found;
  if (found.kind === "several")
    return refuseMisuse(`"${asked ?? ""}" matches several ticks`, found.runIds.slice(0, 10));
  return asked === null
    ? refuse({ cause: "nothing_there", message: nothing, next: "See `relais status`." })
    : refuseMisuse(`there is no tick "${asked}"`);
}
