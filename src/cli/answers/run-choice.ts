import { unreachable } from "../../contract/values/invariant.ts";
import { findRun } from "../../core/history/find-run.ts";
import { refused, type Refused } from "../../run/workspace/refused.ts";
import { misused, type Misused } from "../framework/command.ts";

export type RunChoice = { readonly kind: "run"; readonly runId: string } | Misused | Refused;

/** Finds the tick that is meant among those that are known, newest first. */
export function chooseRun(asked: string | null, known: readonly string[], nothing: string): RunChoice {
  const found = findRun(asked, known);
  switch (found.kind) {
    case "run":
      return found;
    case "several":
      return misused(`"${asked ?? ""}" could be one of several ticks`, found.runIds.slice(0, 10));
    case "none":
      return asked === null
        ? refused({ cause: "nothing_there", message: nothing, next: "See `relais status`." })
        : misused(`no tick is called "${asked}"`);
    default:
      return unreachable(found);
  }
}
